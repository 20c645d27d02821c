# SPDX-License-Identifier: Apache-2.0
"""Work through file servers: Windows shares, sftp, sshfs."""
import tempfile
import threading
import time

import rows_terminal
from rows import row
from school import SENTENCES, Work, run
from servers import PASSWORD, SMB_SHARE, samba, ssh, ssh_options
from terminal import Terminal

try:
    import word
except ImportError:
    word = None

SMB = ["smbd", "smbpasswd"]
SCRIPTED = [*SMB, "smbprotocol"]
SSH = ["/usr/sbin/sshd", "ssh", "ssh-keygen"]


def in_word(school, person, document, delay=0.0):
    time.sleep(delay)
    with word.Word(school, person) as client:
        opened = time.time()
        content = client.begin(document)
        time.sleep(6)
        for sentence in SENTENCES:
            content = word.with_words(content, sentence)
            client.save(content)
            time.sleep(5)
        left = time.time()
        client.end()
    return Work(person, document, opened, left, len(SENTENCES))


def in_notepad(school, person, document, delay=0.0):
    time.sleep(delay)
    with word.Client(school, person) as client:
        opened = time.time()
        content = client.read(document)
        time.sleep(6)
        for sentence in SENTENCES:
            content = sentence.encode() + content
            client.write(document, content)
            time.sleep(5)
        left = time.time()
    return Work(person, document, opened, left, len(SENTENCES))


def together(*tasks):
    """Each task on a thread; all their works, or the first trouble."""
    results, troubles = [None] * len(tasks), []

    def one(number, task):
        try:
            results[number] = task()
        except Exception as error:  # pylint: disable=broad-except
            troubles.append(error)

    threads = [threading.Thread(target=one, args=pair, daemon=True) for pair in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if troubles:
        raise troubles[0]
    return results


@row("SMB: two students, as Word does", SCRIPTED, {("berg", "smb-word.docx"): "docx", ("linden", "report.docx"): "docx"})
def smb_word(school):
    samba(school)
    return together(lambda: in_word(school, "berg", "smb-word.docx"), lambda: in_word(school, "linden", "report.docx", 3))


@row("SMB: two students, as Notepad does", SCRIPTED, [("berg", "smb-notepad.txt"), ("linden", "smb-notepad.txt")])
def smb_notepad(school):
    samba(school)
    return together(lambda: in_notepad(school, "berg", "smb-notepad.txt"), lambda: in_notepad(school, "linden", "smb-notepad.txt", 3))


@row("SMB: as Word does, connection lost", SCRIPTED, {("berg", "smb-lost.docx"): "docx"})
def smb_lost(school):
    samba(school)
    with word.Word(school, "berg") as client:
        opened = time.time()
        client.begin("smb-lost.docx")
        time.sleep(12)
        lost = time.time()
        # The document is not closed, and the owner file stays.
        client.lose()
        time.sleep(2)
    return [Work("berg", "smb-lost.docx", opened, lost, 0)]


def away(school, name, transfer):
    """Gets the document, works on the copy, puts it back. The work is from the one to the other."""
    copy = f"{school.folder}/{name}"
    opened = time.time()
    transfer("get", copy)
    time.sleep(12)
    with open(copy, "a", encoding="utf-8") as file:
        file.write(SENTENCES[0])
    put = time.time()
    transfer("put", copy)
    return opened, put


@row("SMB: smbclient get, put", [*SMB, "smbclient"], [("linden", "smb-client.txt")])
def smb_client(school):
    samba(school)

    def transfer(verb, copy):
        names = f'smb-client.txt "{copy}"' if verb == "get" else f'"{copy}" smb-client.txt'
        folder = school.relative("linden", "").rstrip("/.")
        run(["smbclient", f"//127.0.0.1/{SMB_SHARE}", "-U", f"linden%{PASSWORD}", "-c", f'cd "{folder}"; {verb} {names}'])

    return [Work("linden", "smb-client.txt", *away(school, "smb-client.txt", transfer), 1)]


def batch(folder, person, command):
    words = ["sftp", "-q", "-b", "-", *ssh_options(folder, person), f"{person}@127.0.0.1"]
    run(["sh", "-c", 'printf "%s\\n" "$0" | "$@"', command, *words])


@row("sftp get, put", [*SSH, "sftp"], [("berg", "sftp.txt")])
def sftp(school):
    folder = ssh(school)

    def transfer(verb, copy):
        there = f"{school.work('berg')}/sftp.txt"
        names = f'"{there}" "{copy}"' if verb == "get" else f'"{copy}" "{there}"'
        batch(folder, "berg", f"{verb} {names}")

    return [Work("berg", "sftp.txt", *away(school, "sftp.txt", transfer), 1)]


def over_sshfs(school, person, editor, document):
    folder, mounted = ssh(school), f"{school.home(person)}/mounted"
    school.make_folder(mounted, person)
    words = ["sshfs", f"{person}@127.0.0.1:{school.work(person)}", mounted, *ssh_options(folder, person)]
    run(school.as_person(words, person))
    try:
        with Terminal(school, person, school.home(person)) as terminal:
            # Only the student may look into it, not even root.
            terminal.begin("cd mounted")
            opened = terminal.begin(f"{editor} {document}", "Hamlet waits")
            time.sleep(2.5)
            saves = rows_terminal.write(terminal, editor, f"{school.work(person)}/{document}")
            left = terminal.leave(*rows_terminal.EDITORS[editor][3])
    finally:
        # Whatever still stands in it: the server is left at once.
        run(["umount", "--lazy", mounted])
    return Work(person, document, opened, left, saves)


@row("noise: a student copies the folder over SMB", [*SMB, "smbclient"])
def smb_copy(school):
    samba(school)
    with tempfile.TemporaryDirectory() as copy:
        commands = f'cd "{school.relative("berg", "").rstrip("/.")}"; lcd "{copy}"; prompt off; mask ""; mget *.txt'
        run(["smbclient", f"//127.0.0.1/{SMB_SHARE}", "-U", f"berg%{PASSWORD}", "-c", commands])
    time.sleep(6)
    return []


@row("noise: a student copies the folder with sftp", [*SSH, "sftp"])
def sftp_copy(school):
    folder = ssh(school)
    with tempfile.TemporaryDirectory() as copy:
        batch(folder, "linden", f'get -r "{school.work("linden")}" "{copy}"')
    time.sleep(6)
    return []


SSHFS = [*SSH, "sshfs", "tmux"]


@row("sshfs and nano", [*SSHFS, "nano"], [("linden", "sshfs-nano.txt")])
def sshfs_nano(school):
    return [over_sshfs(school, "linden", "nano", "sshfs-nano.txt")]


@row("sshfs and vim", [*SSHFS, "vim"], [("berg", "sshfs-vim.txt")])
def sshfs_vim(school):
    return [over_sshfs(school, "berg", "vim", "sshfs-vim.txt")]
