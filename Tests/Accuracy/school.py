# SPDX-License-Identifier: Apache-2.0
"""A made-up school in a folder of its own, and the daemon that watches it."""
import dataclasses
import json
import os
import shutil
import subprocess
import time

PEOPLE = {"berg": 61001, "linden": 61002, "kelly": 61003}
CLASS = "8b"
ASSIGNMENT = "2030-03-14 Hamlet essay"
TEXT = "Hamlet waits for his father.\n"
SENTENCES = (
    "Something is rotten in the state of Denmark and nobody says so. ",
    "Ophelia sings of flowers. ",
)


class Trouble(Exception):
    """The driver could not do what a person would have done; says nothing about Daybook."""


@dataclasses.dataclass
class Work:
    """What one person did with one document. Times are seconds of the wall clock."""

    person: str
    document: str
    opened: float
    quit: float
    saves: int
    # Relative to the share, as Daybook names it.
    path: str = ""
    # When the program was seen to be gone, where that was looked for: it goes a moment after the key.
    gone: float = 0

    @property
    def seconds(self):
        return self.quit - self.opened


def eventually(what, condition, within=30.0):
    """Waits until `condition` gives something, and gives that."""
    end = time.time() + within
    while True:
        value = condition()
        if value:
            return value
        if time.time() > end:
            raise Trouble(f"never: {what}")
        time.sleep(0.05)


def run(words, within=60, **more):
    """Runs a program to its end and gives what it printed."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=within, check=False, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Trouble(str(error)) from error
    if done.returncode != 0:
        raise Trouble(f"{' '.join(words)[:200]} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


class School:
    """A class with two students and their teacher, under one event source."""

    def __init__(self, room, source, programs):
        self.room, self.source, self.programs = room, source, programs
        self.folder = f"{room}/{source}"
        self.share, self.state = f"{self.folder}/classes", f"{self.folder}/state"
        self.started = []
        os.makedirs(self.state, mode=0o700)
        self.make_folder(f"{self.share}/{CLASS}", "kelly")
        self.make_folder(f"{self.share}/{CLASS}/{ASSIGNMENT}", "kelly")
        for person in ("berg", "linden"):
            self.make_folder(self.work(person), person)

    # Places

    def home(self, person):
        return f"{self.room}/home/{person}"

    def work(self, person):
        return f"{self.share}/{CLASS}/{ASSIGNMENT}/{person}"

    def make_folder(self, path, person):
        os.makedirs(path, exist_ok=True)
        os.chown(path, PEOPLE[person], PEOPLE[person])

    def put(self, document, person, content):
        """A document that is there before the daemon starts."""
        path = f"{self.work(person)}/{document}"
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        os.chown(path, PEOPLE[person], PEOPLE[person])

    def relative(self, person, document):
        return os.path.relpath(f"{self.work(person)}/{document}", self.share)

    # Programs

    def as_person(self, words, person, **environment):
        """A command line that does something as this person, with nothing of the environment here."""
        number = str(PEOPLE[person])
        variables = {"HOME": self.home(person), "PATH": "/usr/bin:/bin:/usr/games", "LANG": "C.UTF-8", "USER": person, "LOGNAME": person}
        variables |= environment
        return ["setpriv", "--reuid", number, "--regid", number, "--clear-groups", "env", "-i"] + [
            f"{name}={value}" for name, value in variables.items()
        ] + words

    def start(self, name, words):
        """Starts a program that goes on; what it says is in a file of this name."""
        with open(f"{self.folder}/{name}.log", "ab") as log:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.started.append(child)
        return child

    def stop(self, child):
        """Ends a program and what it started in its session, and waits."""
        for signal in (15, 9):
            try:
                os.killpg(child.pid, signal)
            except ProcessLookupError:
                pass
            try:
                child.wait(timeout=10)
                break
            except subprocess.TimeoutExpired:
                continue
        if child in self.started:
            self.started.remove(child)

    def stop_all(self):
        for child in reversed(list(self.started)):
            self.stop(child)

    # The daemon

    def start_daemon(self):
        with open(f"{self.folder}/config.toml", "w", encoding="utf-8") as file:
            file.write(self.configuration)
        words = [f"{self.programs}/daybookd", "--config", f"{self.folder}/config.toml", "--analyzer", f"{self.programs}/daybook-analyze"]
        daemon = self.start("daemon", words)

        def watched():
            if daemon.poll() is not None:
                raise Trouble(f"the daemon ended: {self.said()}")
            try:
                shares = self.ask("status")[0]["shares"]
            except (Trouble, IndexError):
                return None
            return shares if all(share["state"] == "complete" for share in shares) else None

        shares = eventually("the share is watched", watched)
        return shares[0]["source"]

    def said(self):
        with open(f"{self.folder}/daemon.log", encoding="utf-8", errors="replace") as file:
            return file.read()[-500:]

    def ask(self, *words):
        output = run([f"{self.programs}/daybook", "--socket", f"{self.folder}/daybook.sock", *words, "--json"])
        return [json.loads(line) for line in output.splitlines()]

    def sessions(self):
        """All that count: a mere touch is in no report."""
        return [session for session in self.ask("sessions") if session["confidence"] != "none"]

    def entries(self):
        with open(f"{self.state}/current.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def word_counts(self):
        """The last measured number of words of each document."""
        counts = {}
        for entry in self.entries():
            if entry["kind"] == "metrics":
                for item in entry.get("items", []):
                    if item["identifier"] == "total_word_count":
                        counts[entry["document"]["path"]] = int(item["value"])
        return counts

    @property
    def configuration(self):
        return f"""[server]
socket = "{self.folder}/daybook.sock"
state = "{self.state}"
[recording]
enabled = true
[watch]
source = "{self.source}"
[analyzer]
socket = ""
[access]
administrators = "root"
[[share]]
path = "{self.share}"
[[share.layout]]
pattern = "{{class}}/{{assignment}}/{{person}}/{{document}}"
[[class]]
name = "{CLASS}"
students = ["berg", "linden"]
teachers = ["kelly"]
"""


def installed(program):
    return shutil.which(program, path="/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin")


def stamp(path):
    """What changes when a document is saved, in place or by renaming. Looking at it makes no event."""
    try:
        facts = os.stat(path)
    except FileNotFoundError:
        return None
    return (facts.st_ino, facts.st_mtime_ns, facts.st_size)


def wait_for_save(path, before, within=30.0):
    def saved():
        now = stamp(path)
        return now is not None and now != before and now[2] > 0

    eventually(f"{os.path.basename(path)} is saved", saved, within)
