# SPDX-License-Identifier: Apache-2.0
"""A real Samba and a real OpenSSH server for the school, on the room's loopback interface. What students do there comes from "another
machine": its programs touch nothing below the share by themselves."""
import os
import socket

from school import PEOPLE, eventually, run

PASSWORD = "hamlet"
SMB_SHARE = "classes"


def listens(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def samba(school):
    """Starts Samba once for each school."""
    folder = f"{school.folder}/samba"
    if os.path.exists(folder):
        return
    for name in ("private", "lock", "state", "cache", "pid", "ncalrpc", "log"):
        os.makedirs(f"{folder}/{name}")
    settings = f"{folder}/smb.conf"
    with open(settings, "w", encoding="utf-8") as file:
        file.write(f"""[global]
server role = standalone server
interfaces = lo
bind interfaces only = yes
smb ports = 445
disable netbios = yes
load printers = no
disable spoolss = yes
map to guest = never
passdb backend = tdbsam
private dir = {folder}/private
lock directory = {folder}/lock
state directory = {folder}/state
cache directory = {folder}/cache
pid directory = {folder}/pid
ncalrpc dir = {folder}/ncalrpc
log file = {folder}/log/%m
[{SMB_SHARE}]
path = {school.share}
read only = no
""")
    for person in PEOPLE:
        run(["sh", "-c", f'printf "%s\\n%s\\n" {PASSWORD} {PASSWORD} | smbpasswd -c "$0" -s -a {person}', settings])
    school.start("smbd", ["smbd", "--foreground", "--no-process-group", "--configfile", settings])
    eventually("Samba listens", lambda: listens(445))


def ssh(school):
    """Starts OpenSSH once for each school. Gives the words that name the key and trust the host."""
    folder = f"{school.folder}/ssh"
    if not os.path.exists(folder):
        os.mkdir(folder)
        for key in ("host", *PEOPLE):
            run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{key}"])
        for person, number in PEOPLE.items():
            os.chown(f"{folder}/{person}", number, number)
        with open(f"{folder}/sshd_config", "w", encoding="utf-8") as file:
            file.write(f"""Port 22
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/%u.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PidFile none
Subsystem sftp internal-sftp
""")
        school.start("sshd", ["/usr/sbin/sshd", "-D", "-e", "-f", f"{folder}/sshd_config"])
        eventually("OpenSSH listens", lambda: listens(22))
    return folder


def ssh_options(folder, person):
    return ["-o", f"IdentityFile={folder}/{person}", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "LogLevel=ERROR"]
