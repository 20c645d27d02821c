# SPDX-License-Identifier: Apache-2.0
"""What it was measured with, for the page that keeps the table."""
import importlib.metadata
import os
import platform

from school import Trouble, installed, run

# Of a kind that everybody has.
PLAIN = {"grep", "cp", "tar", "md5sum", "file", "less", "dbus-daemon", "ssh-keygen", "smbpasswd", "ssh", "sftp"}


def package(program):
    """The Debian package of a program, with its version, or nothing."""
    path = os.path.realpath(installed(program) or "")
    for name in (path, path.removeprefix("/usr")):
        try:
            owner = run(["dpkg-query", "--search", name]).split(":")[0]
            return run(["dpkg-query", "--show", "--showformat", "${Package} ${Version}", owner])
        except Trouble:
            continue
    return ""


def machine(rows):
    """Two lines: the machine, and what was driven on it."""
    with open("/etc/os-release", encoding="utf-8") as file:
        system = dict(line.rstrip().split("=", 1) for line in file if "=" in line)["PRETTY_NAME"].strip('"')
    programs = sorted({name for row in rows for name in row.needs} - PLAIN)
    found = {package(name) for name in programs if name != "smbprotocol"} - {""}
    try:
        found.add(f"smbprotocol {importlib.metadata.version('smbprotocol')}")
    except importlib.metadata.PackageNotFoundError:
        pass
    return f"{system}, Linux {platform.release()}, {os.cpu_count()} processors\n{', '.join(sorted(found))}"
