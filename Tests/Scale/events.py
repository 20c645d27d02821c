#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the running daemon's memory does not grow with the events it has seen.

    Tests/Scale/events.py [--events 10000000] [--source inotify|fanotify]

A program of a student's makes files in their assignment folder, writes, closes, renames and deletes them, each under a name that never comes
again: six events of inotify's. It waits where the daemon is behind, so that none is lost; those of the journal's own entries grow. Needs root.
BUILT: where the programs are, .build/release without it.
"""
import argparse, os, shutil, sys, tempfile, time

from daemon import Daemon, end_by_signal

parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--events", type=int, default=10_000_000)
parser.add_argument("--source", choices=["inotify", "fanotify"], default="inotify")
arguments = parser.parse_args()
if os.getuid() != 0:
    sys.exit("events.py: run it as root")
work = tempfile.mkdtemp(prefix="daybook-events-", dir="/var/tmp")
share, student = work + "/share", 61_777
EVENTS = 6


def make(folder, first, count):
    """In a process of the student's own."""
    child = os.fork()
    if child == 0:
        os.setgid(student)
        os.setuid(student)
        os.chdir(folder)
        for number in range(first, first + count):
            file = os.open(f"draft-{number}.txt", os.O_WRONLY | os.O_CREAT, 0o644)
            os.write(file, b"x")
            os.close(file)
            os.rename(f"draft-{number}.txt", f"paper-{number}.txt")
            os.unlink(f"paper-{number}.txt")
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("events.py: the student's program failed")


def main():
    folder = share + "/8b/task/ada"
    os.makedirs(folder)
    os.chown(folder, student, student)
    os.chmod(work, 0o755)
    server = Daemon(work, share, f"""
[watch]
source = "{arguments.source}"
[analyzer]
socket = ""
[[class]]
name = "8b"
students = ["ada"]
teachers = ["root"]
[[person]]
login = "ada"
uid = {student}
""")
    try:
        print(f"{arguments.source}: events | VmRSS kB | RssAnon kB | entries | gaps | s")
        begin, made, shown = time.monotonic(), 0, 0
        marks = [0.01, 0.1, 0.2, 0.5, 1]
        files = arguments.events // EVENTS
        while made < files:
            count = min(2_000, files - made)
            make(folder, made, count)
            made += count
            while server.status()["queues"][0]["depth"] > 0:
                time.sleep(0.005)
            if made >= files * marks[shown]:
                shown += 1
                # What is at rest counts, not what is on its way.
                time.sleep(3)
                now, held = server.status(), server.memory()
                print(f"{made * EVENTS:,} | {held['VmRSS']:,} | {held['RssAnon']:,} | {now['journal']['lastSeq']:,} | {len(now['gaps'])} "
                      f"| {time.monotonic() - begin:.0f}", flush=True)
    finally:
        server.stop()


end_by_signal()
try:
    main()
finally:
    shutil.rmtree(work)
