#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the running daemon's memory does not grow with the events it has seen.

    Tests/Scale/events.py [--events 10000000] [--source inotify|fanotify]

A program of a student's makes files in their assignment folder, writes, closes, renames and deletes them, each under a name that never comes
again: six events of inotify's. It waits where the daemon is behind, so that none is lost; those of the journal's own entries grow. Needs root.
BUILT: where the programs are, .build/release without it.
"""
import argparse, json, os, shutil, socket, subprocess, sys, tempfile, time

parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--events", type=int, default=10_000_000)
parser.add_argument("--source", choices=["inotify", "fanotify"], default="inotify")
arguments = parser.parse_args()
if os.getuid() != 0:
    sys.exit("events.py: run it as root")
built = os.environ.get("BUILT", os.path.join(os.path.dirname(__file__), "../../.build/release"))
work = tempfile.mkdtemp(prefix="daybook-events-", dir="/var/tmp")
path, share, student = work + "/socket", work + "/share", 61_777
EVENTS = 6


def status():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b'{"method":"org.daybook.Reports.Status","parameters":{}}\0')
        received = b""
        while not received.endswith(b"\0"):
            received += connection.recv(1 << 20)
        return json.loads(received[:-1])["parameters"]["status"]


def memory(pid):
    with open(f"/proc/{pid}/status") as file:
        values = {line.split(":")[0]: int(line.split()[1]) for line in file if line.startswith(("VmRSS", "RssAnon"))}
    return values["VmRSS"], values["RssAnon"]


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
    os.mkdir(work + "/state")
    os.chown(folder, student, student)
    os.chmod(work, 0o755)
    with open(work + "/config.toml", "w") as file:
        file.write(f"""
[server]
socket = "{path}"
state = "{work}/state"
[recording]
enabled = true
[watch]
source = "{arguments.source}"
[analyzer]
socket = ""
[[share]]
path = "{share}"
[[share.layout]]
pattern = "{{class}}/{{assignment}}/{{person}}/{{document}}"
[[class]]
name = "8b"
students = ["ada"]
teachers = ["root"]
[[person]]
login = "ada"
uid = {student}
""")
    with open(work + "/log", "w") as log:
        daemon = subprocess.Popen([built + "/daybookd", "--config", work + "/config.toml"], stdout=log, stderr=subprocess.STDOUT)
    try:
        while not os.path.exists(path) or any(one["state"] != "complete" for one in status()["shares"]):
            if daemon.poll() is not None:
                sys.exit(open(work + "/log").read())
            time.sleep(0.05)
        print(f"{arguments.source}: events | VmRSS kB | RssAnon kB | entries | gaps | s")
        begin, made, shown = time.monotonic(), 0, 0
        marks = [0.01, 0.1, 0.2, 0.5, 1]
        files = arguments.events // EVENTS
        while made < files:
            count = min(2_000, files - made)
            make(folder, made, count)
            made += count
            while status()["queues"][0]["depth"] > 0:
                time.sleep(0.005)
            if made >= files * marks[shown]:
                shown += 1
                # What is at rest counts, not what is on its way.
                time.sleep(3)
                now = status()
                resident, own = memory(daemon.pid)
                print(f"{made * EVENTS:,} | {resident:,} | {own:,} | {now['journal']['lastSeq']:,} | {len(now['gaps'])} "
                      f"| {time.monotonic() - begin:.0f}", flush=True)
    finally:
        daemon.terminate()
        daemon.wait()
        shutil.rmtree(work)


main()
