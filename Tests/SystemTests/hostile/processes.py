# SPDX-License-Identifier: Apache-2.0
"""A student's processes that are hostile to whoever asks which process did what.

usage: processes.py storm FOLDER COUNT      so many processes, a moment each, four at a time, each writing or reading a document
       processes.py names FOLDER SECONDS    programs with hostile names; each holds a document of its own open, having written it
       processes.py handles FOLDER COUNT    one program with so many handles on one document, until a file named "go" is there
       processes.py files FOLDER COUNT      so many files, a third of them deleted at once, and a chain of 300 folders with the longest names
       processes.py links FOLDER SECONDS SECRET   a document that is a file, a link to SECRET, a FIFO or nothing, in turns
Prints how many there were. Run as the student.
"""
import ctypes, os, sys, time

kind, folder = sys.argv[1], sys.argv[2]
os.chdir(folder)
libc = ctypes.CDLL(None)


def rename_self(name):
    libc.prctl(15, ctypes.c_char_p(name), 0, 0, 0)  # PR_SET_NAME


def storm(count):
    began = time.monotonic()
    waiting = []
    for number in range(count):
        if len(waiting) == 4:
            os.waitpid(waiting.pop(0), 0)
        pid = os.fork()
        if pid == 0:
            mode = os.O_RDONLY if number % 3 == 0 else os.O_WRONLY | os.O_CREAT
            try:
                file = os.open(f"storm{number % 40}.txt", mode, 0o644)
                if mode != os.O_RDONLY:
                    os.write(file, b"word ")
            except FileNotFoundError:
                pass
            os._exit(0)
        waiting.append(pid)
    for pid in waiting:
        os.waitpid(pid, 0)
    print(count, round(count / (time.monotonic() - began)))


NAMES = [
    b"plain", b"a\nUid:\t0\t0\t0\t0", b"(x) R 1 1", b"x) S 1 1 (", b")", b"((((", b"\xff\xfe\x80", b"\x1b[31mred", b"\x1b]0;t\x07", b" ",
    b"\t\n\r", b"sixteen-bytes-and-more", b"\xe2\x80\xaetxt", b"smbd", b"smbd[10.0.0.1]", b"a\\nUid:\\t0", b"-", b"", b"rsync", b"cp",
]


def names(seconds):
    children = []
    for number, name in enumerate(NAMES):
        pid = os.fork()
        if pid == 0:
            rename_self(name)
            with open(f"named{number}.txt", "a") as file:
                file.write("A word or two.")
                file.flush()
                time.sleep(seconds)
            os._exit(0)
        children.append(pid)
        time.sleep(1.2)  # several at once would be a sweep
    for pid in children:
        os.waitpid(pid, 0)
    print(len(NAMES))


def handles(count):
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (count + 50, count + 50))
    held = [os.open("many.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644) for _ in range(count)]
    os.write(held[-1], b"Held many times.")
    print(count, flush=True)
    while not os.path.exists("go"):
        time.sleep(0.05)


def files(count):
    for number in range(count):
        os.close(os.open(f"file{number}.txt", os.O_CREAT | os.O_WRONLY))
        if number % 3 == 0:
            os.unlink(f"file{number}.txt")
    for number in range(300):
        os.mkdir("n" * 255)
        os.chdir("n" * 255)
        open(b"deep\xff.txt", "w").close()
    print(count)


def links(seconds, secret):
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end:
        for make in (None, lambda: os.symlink(secret, "turns.txt"), lambda: os.mkfifo("turns.txt"), lambda: os.mkdir("turns.txt")):
            with open("turns.txt", "w") as file:
                file.write("Four words and more. " * (count % 7 + 1))
            # At rest for long enough to be copied, or replaced right when it is.
            time.sleep(1.9 + (count % 9) * 0.05)
            os.unlink("turns.txt")
            if make:
                make()
                time.sleep(0.2)
                (os.rmdir if os.path.isdir("turns.txt") and not os.path.islink("turns.txt") else os.unlink)("turns.txt")
            count += 1
    print(count)


if kind == "storm":
    storm(int(sys.argv[3]))
elif kind == "names":
    names(float(sys.argv[3]))
elif kind == "handles":
    handles(int(sys.argv[3]))
elif kind == "files":
    files(int(sys.argv[3]))
elif kind == "links":
    links(float(sys.argv[3]), sys.argv[4])
