# SPDX-License-Identifier: Apache-2.0
"""Hostile files in a student's folder. Runs as root, since some kinds cannot be made otherwise.

usage: files.py FOLDER UID SEED
Prints how many hostile inputs there were.
"""
import io, os, random, socket, sys, time, zipfile

folder, uid, rnd = sys.argv[1], int(sys.argv[2]), random.Random(int(sys.argv[3]))
os.chdir(folder)
count = 0


def put(name, data):
    global count
    count += 1
    with open(name, "wb") as file:
        file.write(data)
    os.chown(name, uid, uid)


TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def docx(body, head='<?xml version="1.0"?>'):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "[Content_Types].xml",
            f'<?xml version="1.0"?><Types xmlns="{TYPES}"><Override PartName="/word/document.xml" ContentType="{MAIN}"/></Types>')
        package.writestr(
            "_rels/.rels",
            f'<?xml version="1.0"?><Relationships xmlns="{RELATIONS}"><Relationship Id="r" Type="{OFFICE}" Target="word/document.xml"/></Relationships>')
        package.writestr("word/document.xml", f'{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')
    return memory.getvalue()


def paragraph(text):
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


good = docx(paragraph("To be or not to be.") * 20)
endings = ["txt", "md", "docx", "odt", "pptx", "odp"]

# Noise, cut documents, flipped bits.
for number in range(40):
    put(f"noise{number}.{endings[number % 6]}", rnd.randbytes(rnd.choice([0, 1, 100, 20000])))
for number in range(40):
    put(f"cut{number}.docx", good[: rnd.randrange(len(good))])
for number in range(60):
    data = bytearray(good)
    for _ in range(rnd.randint(1, 6)):
        data[rnd.randrange(len(data))] ^= 1 << rnd.randrange(8)
    put(f"flipped{number}.docx", bytes(data))

# Small outside, large inside.
put("bomb.docx", docx(paragraph("A " * 40_000_000)))
put("deep.docx", docx("<w:p>" * 200_000))
entities = '<!ENTITY e0 "aaaaaaaaaa">' + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
put("laughs.docx", docx(paragraph("&e9;"), f'<?xml version="1.0"?><!DOCTYPE x [{entities}]>'))
put("line.txt", b"a" * 30_000_000)
put("marks.txt", ("e" + "\u0301" * 200_000).encode())
put("quotes.md", b">" * 200_000 + b"a")
put("brackets.md", b"[" * 300_000)
put("nested.md", b"\n".join(b" " * depth + b"- x" for depth in range(2000)))

# What is no file, or not the file it seems to be.
os.mkfifo("fifo.txt")
os.mkfifo("fifo.docx")
socket.socket(socket.AF_UNIX).bind("socket.txt")
os.mknod("null.txt", 0o666 | 0o020000, os.makedev(1, 3))
os.mknod("zero.txt", 0o666 | 0o020000, os.makedev(1, 5))
os.mknod("block.txt", 0o660 | 0o060000, os.makedev(7, 200))
count += 6
for name in ["sparse.txt", "sparse.docx", "sparse.odt"]:
    put(name, b"")
    os.truncate(name, 10 << 30)
for number, target in enumerate(["/etc/shadow", "/proc/self/mem", "link2.txt", "/dev/zero", "nowhere", "..", "/"]):
    os.symlink(target, f"link{number}.txt")
    count += 1

# Deeper than anybody goes, and deeper than a path may be.
place = os.open(".", os.O_RDONLY)
for depth in range(400):
    os.mkdir("deep", dir_fd=place)
    inner = os.open("deep", os.O_RDONLY, dir_fd=place)
    os.close(place)
    place = inner
os.close(os.open("essay.txt", os.O_CREAT | os.O_WRONLY, dir_fd=place))
os.close(place)
count += 1


def storm(seconds, act):
    global count
    count += 1
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        act(number)
        number += 1


# One name that is another thing each time it is looked at.
def swap(number):
    for kind in range(4):
        try:
            os.unlink("swap.txt")
        except FileNotFoundError:
            pass
        if kind == 0:
            os.mkfifo("swap.txt")
        elif kind == 1:
            os.symlink("/etc/shadow", "swap.txt")
        elif kind == 2:
            put("swap.txt", b"words " * number)
        else:
            os.mkdir("swap.txt")
            os.rmdir("swap.txt")


before = count
storm(3, swap)
count = before + 1

# A document that changes while it is read.
put("grows.txt", b"a" * 20_000_000)


def truncate(number):
    with open("grows.txt", "r+b") as file:
        file.truncate(rnd.randrange(20_000_000))
        file.write(b"z" * 100)
    time.sleep(0.005)


storm(3, truncate)

# Names that do not rest: of a folder, of a folder with thousands of files beside it, of a document.
for number in range(3000):
    with open(f"crowd{number}.txt", "wb") as file:
        file.write(b"x")
os.mkdir("folder0")
put("folder0/essay.txt", b"Words that move.")
storm(3, lambda number: os.rename(f"folder{number}", f"folder{number + 1}"))
put("name0.txt", b"Words that move.")
storm(3, lambda number: os.rename(f"name{number % 50}.txt", f"name{(number + 1) % 50}.txt"))


def create(number):
    with open(f"crowd{number % 3000}.txt", "wb") as file:
        file.write(b"y")


storm(3, create)
print(count)
