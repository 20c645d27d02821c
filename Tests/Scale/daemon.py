# SPDX-License-Identifier: Apache-2.0
"""A daemon of a measurement's own: started and waited for, asked, looked at from outside, stopped."""
import json
import os
import signal
import socket
import subprocess
import sys
import time

# BUILT: where the programs are, .build/release without it.
BUILT = os.environ.get("BUILT", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build/release"))
# Seconds; TimeoutStopSec of the unit.
STOP = 20


class Daemon:
    """Runs on `share` with `configuration`, which is TOML without [server] and [[share]]; everything else of it is below the folder `work`.
    The layout is class, assignment, person, document; recording is on."""

    def __init__(self, work, share, configuration):
        self.work, self.path, self.state = work, work + "/socket", work + "/state"
        os.mkdir(self.state)
        with open(work + "/config.toml", "w", encoding="utf-8") as file:
            file.write(f"""
[server]
socket = "{self.path}"
state = "{self.state}"
[recording]
enabled = true
[[share]]
path = "{share}"
[[share.layout]]
pattern = "{{class}}/{{assignment}}/{{person}}/{{document}}"
{configuration}""")
        with open(work + "/log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([BUILT + "/daybookd", "--config", work + "/config.toml"], stdout=log, stderr=subprocess.STDOUT)
        self.pid = self.process.pid
        try:
            self.wait()
        except BaseException:
            self.process.kill()
            raise

    def wait(self):
        """Until all folders are watched."""
        while not os.path.exists(self.path) or any(one["state"] != "complete" for one in self.status()["shares"]):
            if self.process.poll() is not None:
                with open(self.work + "/log", encoding="utf-8") as log:
                    sys.exit(log.read())
            time.sleep(0.05)

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.path)
        return connection

    def status(self):
        with self.connect() as connection:
            connection.sendall(b'{"method":"org.daybook.Reports.Status","parameters":{}}\0')
            return answer(connection)["status"]

    def memory(self):
        """VmRSS, VmHWM and RssAnon in kB."""
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            return {line.split(":")[0]: int(line.split()[1]) for line in file if line.startswith(("VmRSS", "VmHWM", "RssAnon"))}

    def processor(self):
        """Seconds of the processor's time so far."""
        with open(f"/proc/{self.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        """How many seconds it took. One that takes longer than its unit allows is killed, and the measurement ends with 1."""
        begin = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(timeout=STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            sys.exit(f"{sys.argv[0]}: the daemon did not stop within {STOP} s, as its unit asks, and was killed")
        return time.monotonic() - begin

    def verify(self):
        """Whether the stopped daemon's journal is whole, and the first line that says so."""
        told = subprocess.run([BUILT + "/daybook", "verify", self.state], stdout=subprocess.PIPE, text=True, check=False)
        return told.returncode == 0, told.stdout.splitlines()[0] if told.stdout else "verify said nothing"


def answer(connection):
    """The parameters of one reply."""
    received = b""
    while not received.endswith(b"\0"):
        part = connection.recv(1 << 20)
        if not part:
            raise ConnectionError("the server has closed the connection")
        received += part
    return json.loads(received[:-1])["parameters"]


def end_by_signal():
    """A measurement that is told to end stops its daemon and clears up, as after Ctrl-C."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
