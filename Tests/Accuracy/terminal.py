# SPDX-License-Identifier: Apache-2.0
"""Somebody at a terminal: a shell of theirs in tmux, driven by keys and looked at."""
import itertools
import time

from school import Trouble, eventually, run

PROMPT = "ready$"
numbers = itertools.count()


class Terminal:
    def __init__(self, school, person, folder=None, shell=None):
        self.socket = f"{school.folder}/tmux-{next(numbers)}"
        words = shell or school.as_person(["bash", "--norc"], person, TERM="screen", PS1=PROMPT + " ")
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "-c", folder or school.work(person), *words)
        self.sees(PROMPT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.tmux("kill-server")
        except Trouble:
            pass

    def tmux(self, *words):
        return run(["tmux", "-S", self.socket, *words], within=20)

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def sees(self, text, within=30.0):
        try:
            eventually(f"the terminal shows '{text}'", lambda: text in self.screen(), within)
        except Trouble as trouble:
            raise Trouble(f"{trouble}, but {' / '.join(self.screen().split(chr(10))[:30])}") from None

    def press(self, *keys):
        """Presses keys by tmux's names. Gives when the last one went down."""
        for key in keys:
            now = time.time()
            self.tmux("send-keys", key)
        return now

    def type(self, text, pace=0.11):
        for character in text:
            # A semicolon would end tmux's command.
            self.tmux("send-keys", "-l", "\\;" if character == ";" else character)
            time.sleep(pace)

    def begin(self, line, shows=None):
        """Types a command and presses Return. Gives when, once the program shows `shows`."""
        self.tmux("send-keys", "-l", line)
        pressed = self.press("Enter")
        if shows:
            self.sees(shows)
        return pressed

    def leave(self, *keys):
        """Presses the keys that leave a program; the last one counts."""
        pressed = self.press(*keys)
        # The prompt that comes anew, not the one of the line that started the program.
        eventually("the shell is back", lambda: self.screen().rstrip().endswith(PROMPT), 20)
        return pressed
