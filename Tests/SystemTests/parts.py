# SPDX-License-Identifier: Apache-2.0
"""Runs inside the container of parts.sh, as root: Daybook's package among a real directory service, Samba, OpenSSH, LibreOffice and vim.

Each part does what people or accidents do, and compares what Daybook says with what was done. What is written here as a figure was counted
by hand. Ends with 1 at the end when a part was not as promised; each part says how long it took.

    parts.py [PART…]      only these, such as over_ssh"""
import json
import os
import shutil
import subprocess
import sys
import time
import traceback

import documents
import word
from school import Trouble, eventually, run
from servers import PASSWORD
from terminal import Terminal

TREE = "/opt/tree"
PEOPLE = {"berg": 61001, "linden": 61002, "kelly": 61003, "moss": 61004, "stranger": 61005, "ivory": 61006}
STUDENTS = ["berg", "linden", "moss", "ivory"]
ASSIGNMENT = "2030-03-14 Hamlet essay"
SHARE, STORE, STATE = "/srv/classes", "/srv/disk/classes", "/var/lib/daybook"
# 5, 12 and 4 words; a document with all of them has 21.
TEXT = "Hamlet waits for his father.\n"
SENTENCE = "Something is rotten in the state of Denmark and nobody says so. "
FLOWERS = "Ophelia sings of flowers. "
# How far a time may be from the truth, in seconds.
NEAR = 1.5


class Wrong(Exception):
    """Not as promised."""


class School:
    """What the drivers of Tests/Accuracy ask of theirs."""

    folder, share = "/run/parts", SHARE

    def work(self, person):
        return f"{SHARE}/8b/{ASSIGNMENT}/{person}"

    def relative(self, person, name):
        return f"8b/{ASSIGNMENT}/{person}/{name}"

    def home(self, person):
        return f"/home/{person}"

    def as_person(self, words, person, **environment):
        number = str(PEOPLE[person])
        variables = {"HOME": self.home(person), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **environment}
        return ["setpriv", "--reuid", number, "--regid", number, "--init-groups", "env", "-i",
                *(f"{name}={value}" for name, value in variables.items()), *words]


school = School()


def boot():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def shell(line, within=60):
    return run(["bash", "-c", "set -eu; " + line], within=within)


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def put(person, name, content):
    """A document that is there before anybody works on it."""
    path = f"{school.work(person)}/{name}"
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
    os.chown(path, PEOPLE[person], PEOPLE[person])
    return path


def save(person, name, text=SENTENCE):
    """A line more, by a program of this person's."""
    run(school.as_person(["bash", "-c", 'printf "%s\n" "$1" >> "$0"', f"{school.work(person)}/{name}", text], person))


# MARK: What Daybook says

def daybook(*words, expect=0):
    done = subprocess.run(["daybook", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != expect:
        raise Wrong(f"daybook {' '.join(words)} ended with {done.returncode}: {(done.stdout + done.stderr)[-600:]}")
    return done.stdout


def status():
    return json.loads(daybook("status", "--json"))


def sessions(person, name):
    lines = [json.loads(line) for line in daybook("sessions", "--person", person, "--json").splitlines()]
    return [line for line in lines if line["document"].endswith("/" + name)]


def journal(kind):
    shown = shell(f"cat {STATE}/journal/*.jsonl").splitlines()
    return [entry for entry in map(json.loads, shown) if entry["kind"] == kind]


def wait(what, condition, within=30.0):
    try:
        return eventually(what, condition, within)
    except Trouble as trouble:
        raise Wrong(str(trouble)) from None


def near(what, found, truth, by=NEAR):
    if abs(found - truth) > by:
        raise Wrong(f"{what}: {found:.1f} s, in truth {truth:.1f} s")
    return f"{found:.1f} s (in truth {truth:.1f})"


def one_session(person, name, truth, *saves):
    """One session, of this length, with so many saves (one of these numbers), by this person."""
    wait(f"{name} is closed", lambda: sessions(person, name) and all(one["ended"] for one in sessions(person, name)))
    found = sessions(person, name)
    if len(found) != 1 or found[0]["person"] != person or found[0]["saves"] not in saves:
        raise Wrong(f"{name}: {found}")
    return (f"{name}: {person}, {near(name, found[0]['openSeconds'], truth)}, "
            f"{found[0]['saves']} saves (in truth {saves[0]}), {found[0]['confidence']}")


def words_of(person, name, words):
    """That so many were counted at last."""
    def last():
        measured = [entry for entry in journal("metrics") if entry.get("document", {}).get("path", "").endswith(f"{person}/{name}")]
        return measured and measured[-1]

    def is_right():
        entry = last()
        return entry and any(item["identifier"] == "total_word_count" and item["value"] == words for item in entry.get("items", []))

    try:
        wait(f"{name} has {words} words", is_right)
    except Wrong:
        raise Wrong(f"{name}: {last()}, in truth {words} words") from None
    return f"{words} words"


# MARK: The server

def directory():
    """OpenLDAP with people and groups, asked through nslcd."""
    write("/etc/ldap/parts.conf", """include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
pidfile /run/slapd/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
suffix "dc=school"
rootdn "cn=admin,dc=school"
directory /var/lib/ldap-parts
access to * by * read
""")
    ldif = "dn: dc=school\nobjectClass: dcObject\nobjectClass: organization\no: School\ndc: school\n"
    for person, number in PEOPLE.items():
        ldif += (f"\ndn: uid={person},dc=school\nobjectClass: account\nobjectClass: posixAccount\nuid: {person}\ncn: {person.title()}\n"
                 f"gecos: {person.title()}\nuidNumber: {number}\ngidNumber: {number}\nhomeDirectory: /home/{person}\nloginShell: /bin/bash\n"
                 f"\ndn: cn={person},dc=school\nobjectClass: posixGroup\ncn: {person}\ngidNumber: {number}\n")
    for group, number, members in (("students-8b", 62000, STUDENTS), ("teachers", 62001, ["kelly"])):
        ldif += f"\ndn: cn={group},dc=school\nobjectClass: posixGroup\ncn: {group}\ngidNumber: {number}\n"
        ldif += "".join(f"memberUid: {member}\n" for member in members)
    write("/run/parts/school.ldif", ldif)
    write("/etc/nslcd.conf", "uid nslcd\ngid nslcd\nuri ldap://127.0.0.1/\nbase dc=school\nbind_timelimit 2\nreconnect_sleeptime 1\n"
          "reconnect_retrytime 2\n", 0o640)
    shell("""mkdir -p /var/lib/ldap-parts /run/slapd; slapadd -f /etc/ldap/parts.conf -l /run/parts/school.ldif
        chown -R openldap: /var/lib/ldap-parts /run/slapd; chgrp nslcd /etc/nslcd.conf
        sed -i -E 's/^(passwd|group):.*/\\1: files ldap systemd/' /etc/nsswitch.conf""")
    directory_starts()
    shell("systemctl start nslcd")
    eventually("the directory knows everybody", lambda: "kelly" in subprocess.run(
        ["getent", "group", "teachers"], capture_output=True, text=True, check=False).stdout)


def directory_starts():
    shell("systemd-run --quiet --unit=directory --property=Type=forking slapd -f /etc/ldap/parts.conf -u openldap -g openldap -h ldap://127.0.0.1/")


def servers():
    shell("ip link set lo up 2> /dev/null || true; mkdir -p /home /srv/classes")
    shell(f"mkdir -p {STORE} && mount --bind {STORE} {SHARE}")
    for person, number in PEOPLE.items():
        os.makedirs(school.home(person), exist_ok=True)
        os.chown(school.home(person), number, number)
    os.makedirs(f"{SHARE}/8b/{ASSIGNMENT}")
    for path in (f"{SHARE}/8b", f"{SHARE}/8b/{ASSIGNMENT}"):
        os.chown(path, PEOPLE["kelly"], PEOPLE["kelly"])
    for person in STUDENTS:
        os.mkdir(school.work(person))
        os.chown(school.work(person), PEOPLE[person], PEOPLE[person])
    # What people had written before anybody watched.
    content = documents.make("", ["docx", "odt"])
    for person, names in {"berg": ["notes.txt", "sftp.txt", "remount.txt", "down.txt"], "linden": ["notes.txt", "sshfs.txt", "clock.txt"],
                          "moss": ["notes.txt", "essay.txt"], "ivory": ["notes.txt"]}.items():
        for name in names:
            put(person, name, TEXT)
    put("berg", "essay.docx", content["docx"])
    put("linden", "essay.odt", content["odt"])
    write("/etc/samba/smb.conf", f"""[global]
server role = standalone server
disable netbios = yes
load printers = no
disable spoolss = yes
interfaces = lo
bind interfaces only = yes
[classes]
path = {SHARE}
read only = no
""")
    for person in PEOPLE:
        shell(f'printf "{PASSWORD}\\n{PASSWORD}\\n" | smbpasswd -s -a {person}')
    os.makedirs("/etc/ssh/people", exist_ok=True)
    for person, number in PEOPLE.items():
        key = f"{school.home(person)}/key"
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key])
        shutil.copy(key + ".pub", f"/etc/ssh/people/{person}")
        os.chown(key, number, number)
    write("/etc/ssh/sshd_config", "ListenAddress 127.0.0.1\nUsePAM no\nPasswordAuthentication no\nAuthorizedKeysFile /etc/ssh/people/%u\n"
          "Subsystem sftp internal-sftp\n")
    shell("systemctl start smbd ssh")


def installed():
    shell("DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install /packages/daybook.deb 2>&1", within=120)
    # The state is a disk of its own, which root has made.
    shell("chown daybook:daybook-admin /var/lib/daybook; chmod 750 /var/lib/daybook")
    write("/run/parts/answers", "shares = classes\nteachers = @teachers\nstudents = @students-*\nprove = no\n")
    said = daybook("setup", "--answers", "/run/parts/answers")
    if "8b: 4 listed" not in said:
        raise Wrong(f"setup: {said}")
    wait("the share is complete", lambda: status()["shares"][0]["state"] == "complete")
    daybook("recording", "on")


# MARK: The parts

def over_samba():
    """Three students at once: as Word does, get and put, and vim on a mounted network drive."""
    told = []
    net = "/home/moss/net"
    for name, text in {"smb.conf": "[global]\nclient min protocol = SMB2\n", "smbnetfs.host": "host 127.0.0.1 visible=true\n",
                       "smbnetfs.auth": f'auth "127.0.0.1" "moss" "{PASSWORD}"\n',
                       "smbnetfs.conf": 'include "smbnetfs.auth"\ninclude "smbnetfs.host"\nsmb_query_browsers "false"\n'}.items():
        write(f"/home/moss/.smb/{name}", text, 0o600)
    os.makedirs(net)
    shell("chown -R moss: /home/moss/.smb /home/moss/net")
    run(school.as_person(["smbnetfs", net], "moss"))
    try:
        with word.Word(school, "berg") as client, Terminal(school, "moss", "/home/moss") as terminal:
            berg = boot()
            docx = client.begin("essay.docx")
            terminal.begin(f"cd 'net/127.0.0.1/classes/8b/{ASSIGNMENT}/moss'")
            moss = boot()
            terminal.begin("vim essay.txt", "Hamlet waits")
            # Linden fetches, works elsewhere, and brings back.
            there = f'cd "8b/{ASSIGNMENT}/linden"'
            linden = boot()
            run(["smbclient", "//127.0.0.1/classes", "-U", f"linden%{PASSWORD}", "-c", f"{there}; get notes.txt /run/parts/notes.txt"])
            for sentence in (SENTENCE, FLOWERS):
                docx = word.with_words(docx, sentence)
                time.sleep(3)
                client.save(docx)
                terminal.press("O")
                terminal.type(sentence.strip(), 0.02)
                terminal.press("Escape")
                terminal.type(":w", 0.02)
                terminal.press("Enter")
                terminal.sees("written")
            with open("/run/parts/notes.txt", "a", encoding="utf-8") as file:
                file.write(SENTENCE + "\n")
            run(["smbclient", "//127.0.0.1/classes", "-U", f"linden%{PASSWORD}", "-c", f"{there}; put /run/parts/notes.txt notes.txt"])
            linden = boot() - linden
            time.sleep(2)
            client.end()
            berg = boot() - berg
            terminal.type(":q", 0.02)
            terminal.leave("Enter")
            moss = boot() - moss
    finally:
        run(["umount", "--lazy", net])
    told.append(one_session("berg", "essay.docx", berg, 2) + ", " + words_of("berg", "essay.docx", 21))
    # Some of vim's saves come to rest twice, as smbnetfs writes them.
    told.append(one_session("moss", "essay.txt", moss, 2, 3, 4) + ", " + words_of("moss", "essay.txt", 21))
    found = wait("linden's put is there", lambda: [one for one in sessions("linden", "notes.txt") if one["saves"]])
    told.append(f"notes.txt: linden, {len(found)} session, at most {found[0]['atMostSeconds']:.0f} s (in truth {linden:.1f}), "
                + words_of("linden", "notes.txt", 17))
    if found[0]["saves"] != 1:
        raise Wrong(f"{found}")
    return told


def over_ssh():
    """sftp, and vim on a drive mounted by sshfs."""
    options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
    key = ["-o", "IdentityFile=/home/linden/key"]
    mounted = "/home/linden/mounted"
    run(school.as_person(["mkdir", mounted], "linden"))
    run(school.as_person(["sshfs", f"linden@127.0.0.1:{school.work('linden')}", mounted, *options, *key], "linden"))
    try:
        with Terminal(school, "linden", "/home/linden") as terminal:
            terminal.begin("cd mounted")
            linden = boot()
            terminal.begin("vim sshfs.txt", "Hamlet waits")
            time.sleep(3)
            terminal.press("O")
            terminal.type(FLOWERS.strip(), 0.02)
            terminal.press("Escape")
            terminal.type(":wq", 0.02)
            terminal.leave("Enter")
            linden = boot() - linden
    finally:
        run(["umount", "--lazy", mounted])
    write("/run/parts/sftp.txt", TEXT + SENTENCE)
    words = ["sftp", "-q", "-b", "-", *options, "-o", "IdentityFile=/home/berg/key", "berg@127.0.0.1"]
    run(["sh", "-c", 'printf "%s\\n" "$0" | "$@"', f'put /run/parts/sftp.txt "{school.work("berg")}/sftp.txt"', *words])
    told = [one_session("linden", "sshfs.txt", linden, 1) + ", " + words_of("linden", "sshfs.txt", 9)]
    found = wait("berg's put is there", lambda: [one for one in sessions("berg", "sftp.txt") if one["saves"] == 1])
    return told + [f"sftp.txt: {found[0]['person']}, 1 save, " + words_of("berg", "sftp.txt", 17)]


def office():
    """LibreOffice, on the server's own disk."""
    with subprocess.Popen(school.as_person(
            ["soffice", documents.office_profile("/home/linden"), "--headless", "--norestore", "--accept=pipe,name=parts;urp;"], "linden"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        try:
            said = run(school.as_person(["python3", f"{TREE}/Tests/SystemTests/office.py", f"{school.work('linden')}/essay.odt",
                                         SENTENCE.strip(), "4"], "linden"), within=120)
        finally:
            program.terminate()
    truth = json.loads(said)
    # 5 words, and 12 twice.
    return [one_session("linden", "essay.odt", truth["left"] - truth["opened"], truth["saves"]) + ", " + words_of("linden", "essay.odt", 29)]


def pages():
    """Through Samba, read-only, by the stanza that the package brings."""
    shell("cat /usr/share/doc/daybook/samba/daybook.conf >> /etc/samba/smb.conf; smbcontrol all reload-config")
    daybook("pages", "--now")

    def asked(person, share, commands):
        done = subprocess.run(["smbclient", f"//127.0.0.1/{share}", "-U", f"{person}%{PASSWORD}", "-c", commands],
                              capture_output=True, text=True, check=False, cwd="/run/parts", timeout=30)
        return done.stdout + done.stderr

    def names(text):
        return {line.split("  ")[1].strip() for line in text.splitlines() if line.startswith("  ")} - {".", ".."}

    wait("the class has its page", lambda: os.path.isdir("/var/lib/daybook-pages/8b"))
    seen = {person: names(asked(person, "daybook", "ls")) for person in ("kelly", "berg", "stranger")}
    if "8b" not in seen["kelly"] or "8b" in seen["berg"] or seen["stranger"]:
        raise Wrong(f"{seen}")
    folder = sorted(names(asked("kelly", "daybook", "cd 8b; ls")))
    got = asked("kelly", "daybook", f'cd "8b/{folder[0]}"; get index.html page.html')
    with open("/run/parts/page.html", encoding="utf-8") as file:
        page = file.read()
    if any(student.title() not in page for student in STUDENTS):
        raise Wrong(f"the teacher's page lacks a student: {got}")
    refused = asked("stranger", "daybook", f'cd "8b/{folder[0]}"; get index.html stolen.html')
    own = asked("berg", "my-daybook", "get index.html own.html")
    others = asked("stranger", "my-daybook", "ls")
    written = asked("kelly", "daybook", f'cd "8b/{folder[0]}"; put page.html changed.html')
    if os.path.exists("/run/parts/stolen.html") or not os.path.exists("/run/parts/own.html") or "NT_STATUS" not in refused \
            or "NT_STATUS" not in others or "NT_STATUS" not in written:
        raise Wrong(f"{refused} {own} {others} {written}")
    with open("/run/parts/own.html", encoding="utf-8") as file:
        own = file.read()
    if "Linden" in own or "essay.docx" not in own and "Hamlet" not in own:
        raise Wrong("a student's page is not theirs alone")
    return ["teacher: the class's page with all four; student: their own; stranger: nothing; nobody writes"]


def unmounted():
    """The share goes and comes back amid a session."""
    with Terminal(school, "berg", "/home/berg") as terminal:
        # nano keeps nothing of the share open; here vim with its swap file elsewhere.
        begin = boot()
        terminal.begin(f"vim -c 'set directory=/home/berg' '{school.work('berg')}/remount.txt'", "Hamlet waits")
        terminal.press("O")
        terminal.type("Twice. ", 0.02)
        terminal.press("Escape")
        terminal.type(":w", 0.02)
        terminal.press("Enter")
        wait("the save is there", lambda: sessions("berg", "remount.txt") and sessions("berg", "remount.txt")[0]["saves"] == 1)
        # Samba and OpenSSH may still hold folders.
        shell(f"umount --lazy {SHARE}")
        wait("it is known to be gone", lambda: status()["shares"][0]["state"] == "unavailable")
        if "STOPS" not in daybook("doctor", expect=1):
            raise Wrong("doctor says nothing of a share that is gone")
        shell(f"mount --bind {STORE} {SHARE}")
        wait("it is back", lambda: status()["shares"][0]["state"] == "complete", 90)
        terminal.press("o")
        terminal.type("Thrice. ", 0.02)
        terminal.press("Escape")
        terminal.type(":wq", 0.02)
        terminal.leave("Enter")
        truth = boot() - begin
    told = one_session("berg", "remount.txt", truth, 2)
    gaps = [gap for gap in journal("gap") if gap["cause"] == "unavailable"]
    if len(gaps) != 1:
        raise Wrong(f"{gaps}")
    return [told, "1 gap, unavailable"]


def full_disk():
    """The journal's disk is full for a while."""
    filler = STATE + "/filler"
    before = status()["journal"]["lastSeq"]
    subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=4096"], stderr=subprocess.DEVNULL, check=False)
    subprocess.run(["dd", "if=/dev/zero", f"of={filler}2", "bs=1"], stderr=subprocess.DEVNULL, check=False, timeout=20)
    saved = 0

    def is_full():
        nonlocal saved
        # More documents within a second would look like a folder that is copied.
        save("moss", f"full-{saved}.txt")
        saved += 1
        time.sleep(0.7)
        return not status()["journal"]["writable"]

    wait("it is known to be full", is_full)
    doctor = daybook("doctor", expect=1)
    if "cannot be written" not in doctor:
        raise Wrong(doctor)
    # Questions are answered all the same.
    daybook("report", "Hamlet essay")
    os.unlink(filler)
    os.unlink(filler + "2")
    wait("it is written again", lambda: status()["journal"]["writable"], 60)
    for number in range(saved):
        wait(f"save {number} is there", lambda number=number: sessions("moss", f"full-{number}.txt"))
    return [f"{saved} saves on a full disk, all there afterwards; entries {before} to {status()['journal']['lastSeq']}"]


def no_directory():
    """The directory service is down: who is known goes on, who is not comes when it is back."""
    save("berg", "down.txt")
    wait("berg works", lambda: sessions("berg", "down.txt"))
    shell("systemctl stop directory")
    began = boot()
    if subprocess.run(["getent", "passwd", "61006"], stdout=subprocess.DEVNULL, check=False).returncode == 0:
        raise Wrong("the directory still answers")
    asked = boot()
    status()
    answered = boot() - asked
    path = f"{school.work('ivory')}/late.txt"
    for person, name in (("berg", f"{school.work('berg')}/down.txt"), ("ivory", path)):
        number = str(PEOPLE[person])
        run(["setpriv", "--reuid", number, "--regid", number, "--clear-groups", "bash", "-c", 'echo "Down it is." >> "$0"', name])
    wait("berg's second save", lambda: sum(one["saves"] for one in sessions("berg", "down.txt")) == 2)
    directory_starts()
    wait("ivory's save is hers", lambda: [one for one in sessions("ivory", "late.txt") if one["saves"] == 1], 90)
    if answered > 1:
        raise Wrong(f"status took {answered:.1f} s")
    return [f"down for {boot() - began:.0f} s; status answered in {answered * 1000:.0f} ms; both saves credited"]


def clock_step():
    """The wall clock jumps ahead and back amid a session."""
    if not os.path.exists("/run/clock-can-be-set"):
        return ["left out: --set-clock is not given"]
    with Terminal(school, "linden", school.work("linden")) as terminal:
        begin = boot()
        terminal.begin("vim clock.txt", "Hamlet waits")
        for by in (2, -2):
            terminal.press("O")
            terminal.type("Time. ", 0.02)
            terminal.press("Escape")
            terminal.type(":w", 0.02)
            terminal.press("Enter")
            # Saves that follow each other within two seconds are one.
            time.sleep(2.5)
            write("/run/set-clock", str(by))
            eventually("the clock is set", lambda: os.path.exists("/run/clock-is-set"))
            os.unlink("/run/clock-is-set")
        terminal.type(":q", 0.02)
        terminal.leave("Enter")
        truth = boot() - begin
    told = one_session("linden", "clock.txt", truth, 2)
    steps = [entry for entry in journal("clock")]
    if len(steps) != 2:
        raise Wrong(f"{steps}")
    return [told, f"{len(steps)} steps are entries"]


def backup():
    """By the steps of Documentation/Journal.md."""
    shutil.rmtree("/srv/backup", ignore_errors=True)
    daybook("backup", "/srv/backup")
    kept = daybook("report", "Hamlet essay", "--json")
    shutil.copy(f"{STATE}/checkpoint", "/srv/note") if os.path.exists(f"{STATE}/checkpoint") else None
    save("moss", "after-backup.txt")
    wait("it is recorded", lambda: sessions("moss", "after-backup.txt"))
    shell("systemctl stop daybookd.socket daybookd.service")
    # The state is a mount, so what is in it moves, not the folder.
    shell(f"""mkdir /srv/old && cp -a {STATE}/. /srv/old/ && find {STATE} -mindepth 1 -delete && cp -a /srv/backup/. {STATE}/
        chown -R daybook:daybook-admin {STATE}; cp -p /srv/old/journal.key {STATE}/
        if [ -e /srv/old/forgotten.list ]; then cp -p /srv/old/forgotten.list {STATE}/; fi""")
    daybook("verify", *(["--since", "/srv/note"] if os.path.exists("/srv/note") else []), STATE)
    shell("systemctl start daybookd.socket daybookd.service")
    daybook("forget", "--replay")
    wait("the share is complete", lambda: status()["shares"][0]["state"] == "complete")

    def rows(text):
        return [{key: value for key, value in json.loads(line).items() if key in ("student", "login", "saves", "workedSeconds", "openSeconds")}
                for line in text.splitlines()]

    now = daybook("report", "Hamlet essay", "--json")
    for old, new in zip(rows(kept), rows(now)):
        if "moss" not in json.dumps(old) and old != new:
            raise Wrong(f"{old} became {new}")
    save("berg", "restored.txt")
    wait("it records again", lambda: sessions("berg", "restored.txt"))
    shell("systemctl stop daybookd.socket daybookd.service")
    verdict = daybook("verify", STATE).splitlines()[0]
    shell("systemctl start daybookd.socket daybookd.service")
    return [verdict]


def main():
    os.makedirs("/run/parts", exist_ok=True)
    os.chmod("/run/parts", 0o755)
    failed = 0
    always = (directory, servers, installed)
    for part in (*always, over_samba, over_ssh, office, pages, unmounted, full_disk, no_directory, clock_step, backup):
        if sys.argv[1:] and part not in always and part.__name__ not in sys.argv[1:]:
            continue
        begin = boot()
        try:
            told = part() or []
        except (Wrong, Trouble, subprocess.SubprocessError, OSError) as error:
            failed += 1
            told = [f"FAILED: {error}"]
            if not isinstance(error, (Wrong, Trouble)):
                told.append(traceback.format_exc())
        print(f"{part.__name__.replace('_', ' ')} ({boot() - begin:.0f} s)", flush=True)
        for line in told:
            print("    " + line, flush=True)
        if failed and part in always:
            break
    print(f"{failed} failed" if failed else "all as promised")
    return 1 if failed else 0


sys.exit(main())
