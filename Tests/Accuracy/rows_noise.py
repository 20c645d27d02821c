# SPDX-License-Identifier: Apache-2.0
"""What is nobody's work: any session is a phantom. And the same noise while somebody works: still that one session, with its times."""
import threading
import time

from desktop import Desktop
from rows import row
from rows_desktop import DESKTOP
from rows_terminal import edit
from school import TEXT, run
from terminal import Terminal

QUIET = {(person, f"quiet{number}.txt"): TEXT * 60 for person in ("berg", "linden") for number in range(6)}


def on_server(school, line):
    """Something that root runs on the server, in the share."""
    run(["bash", "-c", f"set -e; cd '{school.share}'; {line}"], within=120)
    # A session that comes of it may come late.
    time.sleep(6)
    return []


SERVER = {
    "grep -r": "grep -r Hamlet . > /dev/null",
    "cp -r": "cp -r . ../copied",
    "rsync -a, then -c": "rsync -a ./ ../mirror/; rsync -ac ./ ../mirror/",
    "tar": "tar -cf - . > ../all.tar",
    "file": "find . -type f -exec file {} + > /dev/null",
    "md5sum": "find . -type f -exec md5sum {} + > /dev/null",
}
for name, command in SERVER.items():
    row(f"noise: root's {name}", [name.split()[0]], QUIET)(lambda school, command=command: on_server(school, command))


@row("noise: root's rsync brings a backup back", ["rsync"], QUIET)
def rsync_in(school):
    older = 'for f in ../old/*/*/*/quiet*.txt; do echo Older. >> "$f"; done'
    return on_server(school, f"rsync -a ./ ../old/; {older}; rsync -a ../old/ ./")


def by_student(school, line):
    with Terminal(school, "berg") as terminal:
        terminal.begin(line + "; echo ov''er", "over\n")
        time.sleep(6)
    return []


@row("noise: a student's cat, head, tail", ["tmux"], QUIET)
def cat(school):
    return by_student(school, "cat quiet0.txt | wc -l; sleep 3; head -n 1 quiet1.txt; sleep 3; tail -n 1 quiet2.txt")


@row("noise: a student's grep -r", ["tmux"], QUIET)
def student_grep(school):
    return by_student(school, "grep -r Hamlet . | wc -l")


@row("noise: a student's cp -r to a stick", ["tmux"], QUIET)
def student_copy(school):
    return by_student(school, 'cp -r . "$HOME/stick"')


@row("noise: a student's file manager", ["pcmanfm", *DESKTOP], QUIET)
def file_manager(school):
    with Desktop(school, "linden") as desktop:
        desktop.start(["pcmanfm", "--no-desktop", school.work("linden")], "pcmanfm")
        desktop.focus("linden")
        time.sleep(3)
        desktop.press("Down")
        time.sleep(1)
        desktop.press("F5")
        time.sleep(8)
    return []


@row("nano while grep, tar, rsync run", ["nano", "tmux", "rsync"], {**QUIET, ("linden", "nano-noise.txt"): TEXT})
def nano_in_noise(school):
    stop = threading.Event()
    line = "grep -r Hamlet . > /dev/null; tar -cf - . | wc -c; rsync -a --ignore-times ./ ../twice/; md5sum */*/*/*.txt > /dev/null"

    def noise():
        while not stop.wait(2):
            run(["bash", "-c", f"cd '{school.share}'; {line}"])

    thread = threading.Thread(target=noise, daemon=True)
    thread.start()
    try:
        return [edit(school, "linden", "nano", "nano-noise.txt")]
    finally:
        stop.set()
        thread.join()
