# SPDX-License-Identifier: Apache-2.0
"""Hostile names, inside and outside the layouts.

usage: names.py SHARE ASSIGNMENT-FOLDER STUDENT-FOLDER UID TEACHER-UID PLANTED
What lies outside the layouts has PLANTED in its name.
"""
import os, sys, time

share, assignment, student = (os.fsencode(word) for word in sys.argv[1:4])
uid, teacher, planted = int(sys.argv[4]), int(sys.argv[5]), os.fsencode(sys.argv[6])


def put(path, owner):
    # By a process of their own where the folder is theirs, as on a server: one that is root again a moment later is taken for root's.
    child = os.fork()
    if child == 0:
        if os.stat(os.path.dirname(path)).st_uid == owner:
            os.setgroups([])
            os.setresuid(owner, owner, owner)
        with open(path, "wb") as file:
            file.write(b"Hamlet waits a long time. ")
        if os.geteuid() == 0:
            os.chown(path, owner, owner)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, path


def make(path, owner):
    os.mkdir(path)
    os.chown(path, owner, owner)


inside = [
    b"\xff\xfe\x80.txt", b"new\nline.txt", b"esc\x1b[31mred\x1b]0;title\x07.txt", b"x" * 251 + b".txt", b"tab\t.txt",
    "right\u202etxt.exe.txt".encode(), "\u200f\u200e\u2066.md".encode(), b'"quote\\back.txt', b"\xed\xa0\x80.txt", b"-rf.txt", b"\x9b31m.txt",
    "\u0085nel\u2028line.txt".encode(), b"c1\xc2\x9b31m.txt",
]
for name in inside:
    put(student + b"/" + name, uid)
    # Apart, or they would look like a program's work.
    time.sleep(0.4)
for name in [b"2030-05-01 Evil \x1b[2J\n\xff task", "2030-05-02 \u202ereversed".encode(), b"2030-99-99 no date", b"0000-00-00", b"-"]:
    folder = os.path.dirname(assignment) + b"/" + name
    make(folder, teacher)
    make(folder + b"/" + os.path.basename(student), uid)
    time.sleep(0.4)
    put(folder + b"/" + os.path.basename(student) + b"/words\x1b[1m.txt", uid)

# A path longer than the kernel takes in one piece.
place = os.open(student, os.O_RDONLY)
for depth in range(40):
    name = b"deep%d" % depth + b"d" * 200
    os.mkdir(name, dir_fd=place)
    inner = os.open(name, os.O_RDONLY, dir_fd=place)
    os.close(place)
    place = inner
os.close(os.open("essay.txt", os.O_CREAT | os.O_WRONLY, dir_fd=place))
os.close(place)

# Outside: files where only folders lead to documents, folders of nobody's class, strangers, hidden folders, snapshots.
for number, ending in enumerate([b"", b"\xff", b"\n", b"\x1b[31m", b"y" * 200, "\u202e".encode()]):
    name = planted + ending
    for folder in [share, os.path.dirname(assignment), assignment]:
        put(folder + b"/" + name + b".txt", uid)
    make(share + b"/" + name, uid)
    make(share + b"/" + name + b"/" + name, uid)
    make(assignment + b"/" + name, uid)
    put(assignment + b"/" + name + b"/essay.txt", 61999)
    os.symlink(b"/" + planted + b"-target", student + b"/link" + (b"%d" % number) + b".txt")
    time.sleep(0.2)
for hidden in [b".git", b".snapshots", b".Trash-1000"]:
    make(student + b"/" + hidden, uid)
    make(student + b"/" + hidden + b"/" + planted, uid)
    put(student + b"/" + hidden + b"/" + planted + b"/essay.txt", uid)
