# SPDX-License-Identifier: Apache-2.0
"""A room of one's own: the made-up people have accounts only in here, servers listen only in here, and what was started ends with it.

A mount, process and network namespace: nothing is written to the machine's /etc, no port of the machine is used, and when the first process
of the room ends, the kernel ends all others.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from school import PEOPLE, Trouble


def call(words):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)


def outside(script, arguments):
    """Makes the folder, runs the script again inside the room, and clears up. Gives its exit status."""
    folder = tempfile.mkdtemp(prefix="daybook-accuracy-", dir=os.environ.get("DIR", "/var/tmp"))
    os.chmod(folder, 0o755)

    def leave(number, _):
        raise SystemExit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    # bash is the room's first process and takes care of orphans; a dead program that nobody waits for would still have an entry in /proc.
    words = ["unshare", "--mount", "--pid", "--net", "--ipc", "--fork", "--kill-child", "--mount-proc"]
    words += ["bash", "-c", '"$@"; exit $?', "bash", sys.executable, script, *arguments, "--inside", folder]
    inside = subprocess.Popen(words)
    try:
        return inside.wait()
    finally:
        inside.kill()
        inside.wait()
        remove(folder)


def remove(folder):
    for _ in range(50):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        # What was just killed may still be writing.
        time.sleep(0.1)
    print(f"{folder} could not be removed; please do", file=sys.stderr)


def furnish(folder):
    """In the room: accounts, an own /tmp and /run, the loopback interface, and /dev/fuse for everybody."""
    accounts = {"passwd": "", "group": ""}
    for name in accounts:
        with open(f"/etc/{name}", encoding="utf-8") as file:
            accounts[name] = file.read()
    for login, number in PEOPLE.items():
        if f":{number}:" in accounts["passwd"] or f"\n{login}:" in accounts["passwd"]:
            raise Trouble(f"this machine has an account {login} or {number}; the made-up people need these")
        home = f"{folder}/home/{login}"
        os.makedirs(f"{home}/run", mode=0o755)
        for path in (home, f"{home}/run"):
            os.chown(path, number, number)
        os.chmod(f"{home}/run", 0o700)
        accounts["passwd"] += f"{login}:x:{number}:{number}:{login.capitalize()}:{home}:/bin/bash\n"
        accounts["group"] += f"{login}:x:{number}:\n"
    for name, text in accounts.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        call(["mount", "--bind", f"{folder}/{name}", f"/etc/{name}"])
    call(["mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", "/tmp"])
    call(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run"])
    for path in ("/run/sshd", "/run/lock"):
        os.mkdir(path, 0o755)
    call(["ip", "link", "set", "lo", "up"])
    if os.path.exists("/dev/fuse"):
        os.mknod(f"{folder}/fuse", 0o20666, os.stat("/dev/fuse").st_rdev)
        os.chmod(f"{folder}/fuse", 0o666)
        call(["mount", "--bind", f"{folder}/fuse", "/dev/fuse"])
