#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Drives real editors and file servers against the running daemon and compares what it says with what was really done.

    Tests/Accuracy/accuracy.py [--source inotify|fanotify] [--keep FOLDER] [--list] [ROW…]

Without ROW everything, with both event sources in turn; a ROW is a part of a title. --keep: journal, the daemon's words, raw inotify events
and the truth stay in FOLDER. DIR: where to work, /var/tmp without it. BUILT: where the programs are, .build/release without it.

Needs root, and what `make accuracy` installs. Makes no account and uses no port of the machine. Exit status 0 when every session was found,
with its person and within its bounds, and nothing else; 1 when not; 2 when it could not run.
"""
import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
BUILT = os.path.abspath(os.environ.get("BUILT", f"{REPOSITORY}/.build/release"))
SOURCES = ("inotify", "fanotify")
ROW_LIMIT = 180

sys.dont_write_bytecode = True

import documents  # noqa: E402
import figures  # noqa: E402
import room  # noqa: E402
import rows  # noqa: E402
import rows_terminal  # noqa: E402, F401
import rows_desktop  # noqa: E402, F401
import rows_network  # noqa: E402, F401
import rows_noise  # noqa: E402, F401
import versions  # noqa: E402
from school import PEOPLE, School, Trouble, installed  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", choices=SOURCES)
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("row", nargs="*")
    return parser.parse_args()


def is_here(name):
    """Whether a program is installed; of Python packages there is one."""
    return importlib.util.find_spec(name) if name == "smbprotocol" else installed(name)


def drive(row, school):
    """Drives one row on a thread, so that one that hangs does not stop the rest."""
    done = figures.Done(row, time.time(), 0, unseen=school.source in row.unseen)
    done.missing = ", ".join(name for name in row.needs if not is_here(name))

    def work():
        try:
            done.works = row.work(school)
            for one in done.works:
                one.path = one.path or school.relative(one.person, one.document)
        except Exception as error:  # pylint: disable=broad-except
            # One editor that fails does not stop the rest.
            done.trouble = f"{type(error).__name__}: {error}" if not isinstance(error, Trouble) else str(error)

    if not done.missing:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(ROW_LIMIT)
        if thread.is_alive():
            done.trouble = f"took more than {ROW_LIMIT} s"
    done.ended = time.time()
    word = "not installed" if done.missing else done.trouble or "done"
    print(f"{school.source}: {row.title}: {word} ({done.ended - done.began:.0f} s)", flush=True)
    return done


def watch_raw(school, path):
    """Writes what inotify says beside what Daybook makes of it, for --keep."""
    words = ["inotifywait", "-m", "-r", "-q", "--format", "%w%f %e", school.share]
    none = subprocess.DEVNULL
    watcher = subprocess.Popen(words, stdin=none, stdout=subprocess.PIPE, stderr=none, text=True, start_new_session=True)
    school.started.append(watcher)

    def copy():
        with open(path, "w", encoding="utf-8") as file:
            for line in watcher.stdout:
                file.write(f"{time.time():.3f} {os.path.relpath(line.rstrip(), school.share)}\n")
                file.flush()

    threading.Thread(target=copy, daemon=True).start()


def measure(folder, source, chosen, prepared, keep):
    """All rows under one source. Gives what was wrong, one sentence each."""
    school = School(folder, source, BUILT)
    try:
        for row in chosen:
            for (person, document), content in row.makes.items():
                school.put(document, person, prepared.get(content, content))
        known = school.start_daemon()
        if known != source:
            print(f"\n{source}: this daemon has no {source} (it watches with {known}); nothing was measured\n")
            return [f"{source}: this daemon has none"]
        if keep:
            os.makedirs(keep, exist_ok=True)
            if installed("inotifywait"):
                watch_raw(school, f"{keep}/{source}-events.txt")
        done = []
        for row in chosen:
            done.append(drive(row, school))
            # So that what comes late still belongs to its row.
            time.sleep(1)
        settle(school)
        sessions, counts = school.sessions(), school.word_counts()
        if keep:
            save(keep, school, done, sessions)
        figures.compare(done, sessions)
        print(f"\n{source}\n\n{figures.table(done, counts, school.share)}\n\n{figures.summary(done, counts, school.share)}\n", flush=True)
        return [f"{source}: {sentence}" for sentence in figures.wrong(done, counts, school.share)]
    finally:
        school.stop_all()


def settle(school):
    """Waits until sessions have ended and documents are measured. Some have no end that anybody could see."""
    end = time.time() + 15
    while time.time() < end and (time.time() < end - 9 or any(not session["closedAt"] for session in school.sessions())):
        time.sleep(0.5)


def save(keep, school, done, sessions):
    truth = [
        {"row": one.row.title, "began": one.began, "ended": one.ended, "trouble": one.trouble, "works": [vars(work) for work in one.works]}
        for one in done
    ]
    for name, value in (("truth", truth), ("sessions", sessions)):
        with open(f"{keep}/{school.source}-{name}.json", "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
    shutil.copy(f"{school.state}/current.jsonl", f"{keep}/{school.source}-journal.jsonl")
    for name in os.listdir(school.folder):
        if name.endswith(".log"):
            shutil.copy(f"{school.folder}/{name}", f"{keep}/{school.source}-{name}")


def inside(option, chosen):
    room.furnish(option.inside)
    print(versions.machine(chosen), end="\n\n", flush=True)
    prepared = documents.make(option.inside, [content for row in chosen for content in row.makes.values()])
    wrong = []
    for source in [option.source] if option.source else SOURCES:
        try:
            wrong += measure(option.inside, source, chosen, prepared, option.keep)
        except Trouble as trouble:
            # The daemon does not answer: a finding, not the driver's trouble.
            wrong.append(f"{source}: {trouble}")
    print("\n".join(["What is wrong:", *("  " + sentence for sentence in wrong)] if wrong else ["Nothing is wrong."]))
    return 1 if wrong else 0


def main():
    option = options()
    chosen = [row for row in rows.ALL if not option.row or any(word.lower() in row.title.lower() for word in option.row)]
    if option.list:
        print("\n".join(row.title for row in rows.ALL))
        return 0
    if not chosen:
        print("no row of this name; --list names them", file=sys.stderr)
        return 2
    for name in ("daybookd", "daybook", "daybook-analyze"):
        if not os.access(f"{BUILT}/{name}", os.X_OK):
            print(f"{BUILT}/{name} is not there; run: make build", file=sys.stderr)
            return 2
    if os.getuid() != 0:
        print(f"run it as root: it works as other people ({', '.join(PEOPLE)})", file=sys.stderr)
        return 2
    try:
        if option.inside:
            return inside(option, chosen)
        return room.outside(os.path.abspath(__file__), sys.argv[1:])
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
