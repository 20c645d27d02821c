# SPDX-License-Identifier: Apache-2.0
"""Somebody at a desktop without a screen: Xvfb, a session bus of theirs, and keys from xdotool."""
import os
import subprocess
import time

from school import Trouble, eventually, run


class Desktop:
    def __init__(self, school, person):
        self.school, self.person, self.started = school, person, []
        number = f"{school.folder}/display-{time.time_ns()}"
        with open(number, "wb") as file:
            # Without -noreset it starts anew when its last client goes, and refuses whoever comes meanwhile.
            words = ["Xvfb", "-displayfd", "1", "-ac", "-noreset", "-nolisten", "tcp", "-screen", "0", "1280x900x24"]
            server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.DEVNULL, start_new_session=True)
        self.school.started.append(server)
        self.started.append(server)

        def ready():
            with open(number, encoding="utf-8") as file:
                return file.read().strip()

        self.display = ":" + eventually("Xvfb is ready", ready)
        bus = f"{school.home(person)}/run/bus-{time.time_ns()}"
        self.environment = {
            "DISPLAY": self.display,
            "XDG_RUNTIME_DIR": f"{school.home(person)}/run",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={bus}",
            "GSETTINGS_BACKEND": "memory",
            "NO_AT_BRIDGE": "1",
            "QT_QPA_PLATFORM": "xcb",
        }
        self.start(["dbus-daemon", "--session", "--nofork", f"--address=unix:path={bus}"], "bus")
        eventually("the session bus is ready", lambda: os.path.exists(bus))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in reversed(self.started):
            self.school.stop(child)

    def start(self, words, name):
        child = self.school.start(f"{name}-{self.person}", self.school.as_person(words, self.person, **self.environment))
        self.started.append(child)
        return child

    def open(self, words, document, within=60.0):
        """Starts a program on a document, as a double click does, and waits for its window. Gives when it was asked for."""
        now = time.time()
        self.program = self.start(words, words[0])
        self.focus(document, within)
        return now

    # Keys and windows

    def xdotool(self, *words):
        return run(["env", f"DISPLAY={self.display}", "xdotool", *words], within=60)

    def windows(self, title):
        try:
            return self.xdotool("search", "--onlyvisible", "--name", title).split()
        except Trouble:
            # Says so with its status where there is none.
            return []

    def focus(self, title, within=30.0):
        windows = eventually(f"a window '{title}' is there", lambda: self.windows(title), within)
        self.xdotool("windowfocus", "--sync", windows[-1])
        # A toolkit takes a moment to believe that it has the keys.
        time.sleep(0.7)

    def press(self, *keys):
        now = time.time()
        self.xdotool("key", *keys)
        return now

    def type(self, text):
        self.xdotool("type", "--delay", "110", text)

    def leave(self, key):
        """Presses the key that leaves the program. Gives when, and when the program was gone: a busy machine takes its time for that."""
        pressed = self.press(key)
        eventually("the program has ended", lambda: self.program.poll() is not None, 60)
        return pressed, time.time()
