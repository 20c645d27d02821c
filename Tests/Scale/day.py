#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A school day in short, against the real daemon: many students work in the manner of several editors, on a file system of their own.

    Tests/Scale/day.py [--students 1000] [--minutes 30] [--rate 200] [--burst 20000] [--on ext4|xfs|btrfs|here] [--source inotify|fanotify]

The time is split into six lessons. In each everybody opens a document, saves at an even pace (--rate events a second in all), and at the
end all save at once (--burst events as fast as the machine does them) and close. Some students, who save now and then, are watched: how long it
takes from the end of a save to the durable entry that tells of it, as somebody who follows the journal gets it. Measuring words comes later and
is not counted; so that a save need not rest first, [analyzer] settle is 0.

Prints a line every ten seconds, and ends with 1 where something was missed (a gap), an entry took longer than a second (p99), or the journal
does not verify. Needs root. BUILT: where the programs are, .build/release without it.
"""
import argparse, collections, ctypes, json, os, random, resource, shutil, signal, socket, subprocess, sys, tempfile, threading, time

from daemon import Daemon, end_by_signal

parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--students", type=int, default=1000)
parser.add_argument("--minutes", type=float, default=30)
parser.add_argument("--rate", type=int, default=200)
parser.add_argument("--burst", type=int, default=20_000)
parser.add_argument("--on", choices=["ext4", "xfs", "btrfs", "here"], default="ext4")
parser.add_argument("--source", choices=["inotify", "fanotify"], default="inotify")
parser.add_argument("--watched", type=int, default=50)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()
if os.getuid() != 0:
    sys.exit("day.py: run it as root: it mounts, and works as many people")
work = tempfile.mkdtemp(prefix="daybook-day-", dir="/var/tmp")
os.chmod(work, 0o755)
share, first_uid = work + "/disk/classes", 70_000
random.seed(arguments.seed)
libc = ctypes.CDLL(None)
LESSONS = 6
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15


class Student:
    """One person with one document, as an editor treats it. Each act returns how many events it makes at least."""

    def __init__(self, number):
        self.uid = first_uid + number
        self.login = f"student{number:05}"
        self.editor = ["vim", "libreoffice", "word", "nano", "gedit"][number % 5]
        self.name = "essay." + {"libreoffice": "odt", "word": "docx"}.get(self.editor, "txt")
        self.place = f"class{number // 25:03}/essay/{self.login}"
        self.folder = f"{share}/{self.place}"
        self.saves = 0
        self.worker = None

    def employ(self, others):
        """From now on a process of this student's own does the acts: fanotify names processes, and one that goes through everybody's
        documents is no editor."""
        self.worker, own = socket.socketpair()
        if os.fork() > 0:
            own.close()
            return
        try:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            libc.prctl(PR_SET_NAME, {"libreoffice": "soffice.bin", "word": "smbd"}.get(self.editor, self.editor).encode())
            for other in [*others, self]:
                other.worker.close()
            os.setgroups([])
            os.setresgid(self.uid, self.uid, self.uid)
            os.setresuid(self.uid, self.uid, self.uid)
            while act := own.recv(64):
                own.send(str(getattr(self, act.decode())()).encode())
        finally:
            os._exit(0)

    def file(self, name, content, mode="wb"):
        with open(f"{self.folder}/{name}", mode) as file:
            file.write(content)

    def content(self):
        self.saves += 1
        return (f"Hamlet waits, for the {self.saves}. time. " * (1 + self.saves % 40)).encode()

    def lock(self):
        return {"vim": f".{self.name}.swp", "nano": f".{self.name}.swp", "libreoffice": f".~lock.{self.name}#",
                "word": f"~${self.name[2:]}"}.get(self.editor)

    def open(self):
        if self.lock() is None:
            return 0
        self.file(self.lock(), b"x" * 64)
        return 3

    def save(self):
        content, whole = self.content(), f"{self.folder}/{self.name}"
        if self.editor == "nano":
            self.file(self.name, content)
            return 2
        if self.editor == "vim":
            events = 3
            if os.path.exists(whole):
                os.rename(whole, whole + "~")
                events += 2
            self.file(self.name, content)
            if events > 3:
                os.unlink(whole + "~")
                events += 1
            return events
        temporary = {"libreoffice": f"lu{self.saves}.tmp", "word": f"{self.saves:08X}.tmp", "gedit": f".goutputstream-{self.saves:06}"}[self.editor]
        self.file(temporary, content)
        events = 5
        if self.editor == "word" and os.path.exists(whole):
            old = f"{self.folder}/{self.saves:07X}A.tmp"
            os.rename(whole, old)
            os.rename(f"{self.folder}/{temporary}", whole)
            os.unlink(old)
            return events + 3
        os.rename(f"{self.folder}/{temporary}", whole)
        return events

    def close(self):
        if self.lock() is None or not os.path.exists(f"{self.folder}/{self.lock()}"):
            return 0
        os.unlink(f"{self.folder}/{self.lock()}")
        return 1

    def do(self, act):
        if self.worker:
            if act.__name__ == "save":
                self.saves += 1
            self.worker.send(act.__name__.encode())
            return int(self.worker.recv(64))
        libc.setfsgid(self.uid)
        libc.setfsuid(self.uid)
        try:
            return act()
        finally:
            libc.setfsuid(0)
            libc.setfsgid(0)


class Follower(threading.Thread):
    """Gets every entry as soon as it is durable."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.connection = server.connect()
        self.pending, self.latencies, self.documents = {}, [], {}
        self.kinds, self.seen = collections.Counter(), 0
        self.lock = threading.Lock()
        call = {"method": "org.daybook.Journal.Tail", "parameters": {"after": 0, "follow": True, "names": True}, "more": True}
        self.connection.sendall(json.dumps(call).encode() + b"\0")

    def saved(self, student, at):
        with self.lock:
            self.pending.setdefault(student.place + "/" + student.name, at)

    def run(self):
        rest = b""
        while True:
            part = self.connection.recv(1 << 20)
            now = time.monotonic()
            if not part:
                return
            *messages, rest = (rest + part).split(b"\0")
            for message in messages:
                for entry in entries(json.loads(message).get("parameters", {})):
                    self.take(entry, now)

    def take(self, entry, now):
        self.seen += 1
        self.kinds[entry["kind"]] += 1
        if entry["kind"] == "activity.started":
            self.documents[entry["activity"]] = entry["document"]["path"]
        if entry.get("what") == "saved":
            document = self.documents.get(entry.get("activity"))
            with self.lock:
                at = self.pending.pop(document, None)
            if at is not None:
                self.latencies.append(now - at)


def entries(parameters):
    found = parameters.get("entries", [parameters["entry"]] if "entry" in parameters else [])
    return [json.loads(one) if isinstance(one, str) else one for one in found]


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def prepare(students):
    os.mkdir(work + "/disk")
    if arguments.on != "here":
        image = work + "/image"
        with open(image, "w") as file:
            file.truncate(4 << 30)
        subprocess.run([f"mkfs.{arguments.on}", "-q", image], check=True)
        subprocess.run(["mount", "-o", "loop", image, work + "/disk"], check=True)
    for student in students:
        os.makedirs(student.folder)
        os.chown(student.folder, student.uid, student.uid)


def configuration(students):
    classes = collections.defaultdict(list)
    for one in students:
        classes[one.place.split("/")[0]].append(one.login)
    settings = f"""
[watch]
source = "{arguments.source}"
[analyzer]
socket = ""
settle = "0s"
"""
    for name, logins in classes.items():
        settings += f'[[class]]\nname = "{name}"\nstudents = {json.dumps(logins)}\nteachers = ["root"]\n'
    return settings + "".join(f'[[person]]\nlogin = "{one.login}"\nuid = {one.uid}\n' for one in students)


def main():
    students = [Student(number) for number in range(arguments.students)]
    prepare(students)
    watched, others = students[: arguments.watched], students[arguments.watched :] or students
    if arguments.source == "fanotify":
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        # A child has its own signals and clears nothing up.
        for number, student in enumerate(students):
            student.employ(students[:number])
    server = Daemon(work, share, configuration(students))
    try:
        follower = Follower(server)
        follower.start()
        bad = day(server, follower, watched, others)
        deadline = time.monotonic() + 30
        while follower.pending and time.monotonic() < deadline:
            time.sleep(0.1)
        lost = len(follower.pending)
        if lost:
            print("without an entry:", *list(follower.pending)[:5])
        gaps = follower.kinds["gap"]
        last = server.status()["journal"]["lastSeq"]
        print(f"entries {last:,}; saves that were watched {len(follower.latencies):,}; p50 {percentile(follower.latencies, 0.5) * 1000:.0f} ms, "
              f"p99 {percentile(follower.latencies, 0.99) * 1000:.0f} ms, longest {max(follower.latencies, default=0) * 1000:.0f} ms; "
              f"without an entry {lost}; gaps {gaps}")
        bad |= gaps > 0 or lost > 0 or not follower.latencies or percentile(follower.latencies, 0.99) > 1
    finally:
        stopped = server.stop()
    print(f"stopped in {stopped:.1f} s")
    is_whole, verdict = server.verify()
    print(verdict)
    segments = [f"{server.state}/journal/{name}" for name in os.listdir(server.state + "/journal") if name.endswith(".jsonl")]
    size = sum(os.path.getsize(name) for name in segments)
    print(f"journal: {size:,} bytes, {size / max(1, last):.0f} an entry", end="")
    if shutil.which("zstd"):
        packed = sum(len(subprocess.run(["zstd", "-3", "-c", "-q", name], stdout=subprocess.PIPE).stdout) for name in segments)
        print(f", compressed {packed / max(1, last):.0f}", end="")
    print()
    return bad or not is_whole


def day(server, follower, watched, others):
    print(f"{arguments.students} students on {arguments.on}, {arguments.source}: s | events | events/s | entries | gaps | CPU % | VmRSS kB | p99 ms "
          "| load of the machine", flush=True)
    begin = time.monotonic()
    lesson = arguments.minutes * 60 / LESSONS
    events, shown, cpu_before, events_before = 0, begin, server.processor(), 0
    watching = collections.deque(watched)

    def tell(made):
        nonlocal shown, cpu_before, events_before
        now = time.monotonic()
        if now - shown < 10:
            return
        cpu, resident = server.processor(), server.memory()["VmRSS"]
        so_far = events + made
        print(f"{now - begin:.0f} | {so_far:,} | {(so_far - events_before) / (now - shown):.0f} | {follower.seen:,} | {follower.kinds['gap']} "
              f"| {(cpu - cpu_before) / (now - shown) * 100:.0f} | {resident:,} | {percentile(follower.latencies[-2000:], 0.99) * 1000:.0f} "
              f"| {os.getloadavg()[0]:.1f}", flush=True)
        shown, cpu_before, events_before = now, cpu, so_far

    def watched_save():
        # Only one whose last save has its entry, so that the entry is surely of this one.
        student = watching[0]
        watching.rotate(-1)
        if student.place + "/" + student.name in follower.pending:
            return 0
        # The first one makes the document, which is another kind of evidence.
        is_first = student.saves == 0
        made = student.do(student.save)
        if not is_first:
            follower.saved(student, time.monotonic())
        return made

    for number in range(LESSONS):
        for student in watched + others:
            events += student.do(student.open)
        start, made = time.monotonic(), 0
        end = begin + (number + 1) * lesson
        next_watched = start
        while (now := time.monotonic()) < end:
            if now >= next_watched:
                next_watched = now + max(0.05, 5 / max(1, len(watched)))
                made += watched_save()
            elif made < (now - start) * arguments.rate:
                made += one_save(others)
            else:
                time.sleep(0.002)
            tell(made)
        events += made
        burst = 0
        while burst < arguments.burst:
            burst += one_save(others)
        events += burst
        for student in watched + others:
            events += student.do(student.close)
        tell(0)
    print(f"whole day: {events:,} events in {time.monotonic() - begin:.0f} s, {events / (time.monotonic() - begin):.0f} a second", flush=True)
    return False


def one_save(students):
    student = random.choice(students)
    return student.do(student.save)


end_by_signal()
try:
    failed = main()
finally:
    if os.path.ismount(work + "/disk"):
        subprocess.run(["umount", work + "/disk"])
    shutil.rmtree(work)
sys.exit(1 if failed else 0)
