# SPDX-License-Identifier: Apache-2.0
"""Clients of a Windows share, on a connection of their own each: as Word keeps a document, and as Notepad does not.

Their requests follow public descriptions; what the server makes of them is real."""
import io
import struct
import zipfile

import smbclient

from servers import PASSWORD, SMB_SHARE

SERVER = "127.0.0.1"


class Client:
    def __init__(self, school, person):
        self.person, self.connections = person, {}
        self.login = {"username": person, "password": PASSWORD, "connection_cache": self.connections}
        folder = school.relative(person, "").rstrip("/.").replace("/", "\\")
        self.folder = rf"\\{SERVER}\{SMB_SHARE}\{folder}"
        smbclient.register_session(SERVER, **self.login)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        smbclient.reset_connection_cache(fail_on_error=False, connection_cache=self.connections)

    def path(self, name):
        return f"{self.folder}\\{name}"

    def open(self, name, mode, share="r"):
        return smbclient.open_file(self.path(name), mode=mode, share_access=share, buffering=0, **self.login)

    def read(self, name):
        with self.open(name, "rb", "rw") as file:
            return file.readall()

    def write(self, name, content):
        """Truncates the file and writes it."""
        with self.open(name, "wb") as file:
            put(file, content)

    def rename(self, old, new):
        smbclient.rename(self.path(old), self.path(new), **self.login)

    def remove(self, name):
        smbclient.remove(self.path(name), **self.login)


def put(file, content):
    while content:
        content = content[file.write(content):]


class Word(Client):
    """Holds the document and its owner file from opening to closing; saves by a temporary file and two renames."""

    def begin(self, name):
        self.name = name
        stem = name.rsplit(".", 1)[0]
        # Two letters of a long name give way to the two of the owner file, one of a name of seven.
        self.owner = "~$" + name[2 if len(stem) >= 8 else 1 if len(stem) == 7 else 0:]
        self.document = self.open(name, "r+b")
        self.lock = self.open(self.owner, "w+b")
        put(self.lock, owner_file(self.person))
        return self.document.readall()

    def save(self, content):
        self.write("~WRD0001.tmp", content)
        self.document.close()
        self.rename(self.name, "~WRL0001.tmp")
        self.rename("~WRD0001.tmp", self.name)
        self.document = self.open(self.name, "r+b")
        self.remove("~WRL0001.tmp")

    def end(self):
        self.document.close()
        self.lock.close()
        self.remove(self.owner)


    def lose(self):
        """The machine is gone: its connection ends, and nothing is closed by it."""
        for connection in self.connections.values():
            connection.disconnect(close=False)
        self.connections.clear()


def owner_file(name):
    """162 bytes: the name with its length in an 8-bit code page, and at 54 in UTF-16."""
    short = bytes([len(name)]) + name.encode("cp1252")
    return (short.ljust(54, b"\0") + struct.pack("<H", len(name)) + name.encode("utf-16-le")).ljust(162, b"\0")


def with_words(docx, sentence):
    """The same document with a sentence before its first words."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(docx)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "word/document.xml":
                content = content.replace(b"Hamlet waits", sentence.encode() + b"Hamlet waits", 1)
            new.writestr(name, content)
    return made.getvalue()
