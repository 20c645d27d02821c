#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the real daemon while many follow its journal: what each of them gets, what memory the daemon holds, and how long a `Status`
call waits meanwhile.

    Tests/Scale/followers.py [--followers 100] [--rate 3000] [--seconds 20] [--slow 5] [--names]

Folders are made at `{assignment}` at an even pace (`--rate` a second), each of which is an entry. Everybody follows with `more` over a socket of their own, from the first entry on; `--slow N` of them read
nothing for the first half of the time. Afterwards each must have every entry once and in order. Needs root. BUILT: where the programs
are, .build/release without it.
"""
import argparse, json, multiprocessing, os, re, select, shutil, sys, tempfile, time

from daemon import Daemon, end_by_signal

parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--followers", type=int, default=100)
parser.add_argument("--slow", type=int, default=5)
parser.add_argument("--rate", type=int, default=3000)
parser.add_argument("--seconds", type=int, default=20)
parser.add_argument("--names", action="store_true")
arguments = parser.parse_args()
if os.getuid() != 0:
    sys.exit("followers.py: run it as root, who is an administrator")
work = tempfile.mkdtemp(prefix="daybook-followers-", dir="/var/tmp")
share = work + "/share"
SEQ = re.compile(rb'"seq":(\d+)')
BEHIND = re.compile(rb'"behind":(\d+)')


def follow(server, count, slow, started, until, results):
    """Some of the followers, in a process of their own."""
    followers = {}
    poll = select.poll()
    for number in range(count):
        connection = server.connect()
        call = {"method": "org.daybook.Journal.Tail", "parameters": {"after": 0, "follow": True, "names": arguments.names}, "more": True}
        connection.sendall(json.dumps(call).encode() + b"\0")
        followers[connection.fileno()] = dict(socket=connection, rest=b"", next=1, wrong=0, behind=0, told=0, waits=number < slow)
        if number >= slow:
            poll.register(connection, select.POLLIN)
    started.wait()
    begin = time.monotonic()
    asleep = slow > 0
    while any(follower["next"] <= until.value for follower in followers.values()) or until.value == 0:
        if time.monotonic() - begin > arguments.seconds + 120:
            break
        if asleep and time.monotonic() - begin > arguments.seconds / 2:
            asleep = False
            for follower in followers.values():
                if follower["waits"]:
                    poll.register(follower["socket"], select.POLLIN)
        for descriptor, _ in poll.poll(200):
            follower = followers[descriptor]
            part = follower["socket"].recv(1 << 18)
            if not part:
                follower["wrong"] += 1
                poll.unregister(descriptor)
                follower["next"] = 1 << 60
                continue
            data = follower["rest"] + part
            end = data.rfind(b"\0") + 1
            follower["rest"] = data[end:]
            data = data[:end]
            for number in map(int, SEQ.findall(data)):
                if number != follower["next"]:
                    follower["wrong"] += 1
                follower["next"] = number + 1
            for behind in map(int, BEHIND.findall(data)):
                follower["told"] += 1
                follower["behind"] = max(follower["behind"], behind)
    results.put([(f["next"] - 1, f["wrong"], f["told"], f["behind"], f["waits"], time.monotonic() - begin) for f in followers.values()])


def ask(server, stop, results):
    """Status calls, one each 50 ms, and how long they take."""
    waits = []
    while not stop.is_set():
        before = time.monotonic()
        server.status()
        waits.append(time.monotonic() - before)
        time.sleep(0.05)
    results.put(sorted(waits))


def make_folders(rate, started, results):
    """Assignments at an even pace; nobody is in the class, so that each is one entry and nothing else."""
    started.wait()
    begin, made = time.monotonic(), 0
    while (now := time.monotonic() - begin) < arguments.seconds:
        if made >= now * rate:
            time.sleep(0.001)
            continue
        os.mkdir(f"{share}/8b/task{made}")
        made += 1
    results.put(made)


def main():
    os.makedirs(share + "/8b")
    server = Daemon(work, share, f"""
[watch]
source = "inotify"
[analyzer]
socket = ""
[limits]
clients = {arguments.followers + 100}
clients-per-user = {arguments.followers + 100}
[[class]]
name = "8b"
students = []
teachers = ["root"]
""")
    try:
        before = server.memory()
        started, stop = multiprocessing.Event(), multiprocessing.Event()
        until = multiprocessing.Value("q", 0)
        results, waits = multiprocessing.Queue(), multiprocessing.Queue()
        processes = [
            multiprocessing.Process(
                target=follow,
                args=(server, arguments.followers // 4 + (index < arguments.followers % 4),
                      arguments.slow // 4 + (index < arguments.slow % 4), started, until, results))
            for index in range(4)
        ]
        written = multiprocessing.Queue()
        writers = [multiprocessing.Process(target=make_folders, args=(arguments.rate, started, written))]
        for process in processes + writers:
            process.start()
        while server.status()["connections"] <= arguments.followers:
            time.sleep(0.05)
        asking = multiprocessing.Process(target=ask, args=(server, stop, waits))
        asking.start()
        first, used = server.status()["journal"]["lastSeq"], server.processor()
        started.set()
        begin = time.monotonic()
        most = 0.0
        while time.monotonic() - begin < arguments.seconds:
            most = max(most, server.memory()["VmRSS"])
            time.sleep(0.05)
        made = sum(written.get() for _ in writers)
        # All of them are in the journal once nothing comes any more.
        last, same = 0, 0
        while same < 20:
            now = server.status()["journal"]["lastSeq"]
            same, last = (same + 1, last) if now == last else (0, now)
            most = max(most, server.memory()["VmRSS"])
            time.sleep(0.05)
        journaled = time.monotonic() - begin - 1
        until.value = last
        told = [one for _ in processes for one in results.get()]
        stop.set()
        latency = waits.get()
        spent = server.processor() - used
        after = server.memory()
        whole = [one for one in told if one[0] == last and one[1] == 0]
        behind = [one for one in told if one[2] > 0]
        print(f"{made} folders in {arguments.seconds} s ({made / arguments.seconds:.0f}/s); {last - first} entries, the last after {journaled:.1f} s "
              f"({(last - first) / journaled:.0f}/s)")
        print(f"{len(whole)} of {len(told)} followers have every entry once and in order; the last had it after {max(one[5] for one in told):.1f} s")
        print(f"{len(behind)} were told that they were behind ({sum(one[4] for one in behind)} of {sum(one[4] for one in told)} that read nothing "
              f"for {arguments.seconds / 2:.0f} s), by up to {max(one[3] for one in told)} entries")
        print(f"Status meanwhile, {len(latency)} calls: median {1000 * latency[len(latency) // 2]:.1f} ms, 99 % below "
              f"{1000 * latency[len(latency) * 99 // 100]:.0f} ms, longest {1000 * latency[-1]:.0f} ms")
        print(f"resident {before['VmRSS'] / 1024:.1f} MB before, {most / 1024:.1f} MB at most, {after['VmRSS'] / 1024:.1f} MB afterwards; "
              f"{spent:.1f} s of processor time")
        gaps = server.status()["gaps"]
        if gaps:
            print("gaps:", gaps)
        return 0 if len(whole) == len(told) else 1
    finally:
        server.stop()


end_by_signal()
try:
    failed = main()
finally:
    shutil.rmtree(work)
sys.exit(failed)
