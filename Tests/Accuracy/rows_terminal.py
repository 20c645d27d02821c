# SPDX-License-Identifier: Apache-2.0
"""Editors in a terminal."""
import os
import signal
import time

from rows import row
from school import SENTENCES, TEXT, Work, run, stamp, wait_for_save
from terminal import Terminal

# How each editor is driven: the keys before and after a text, those that save, those that leave.
EDITORS = {
    "vim": (["G", "o"], ["Escape"], [":w", "Enter"], [":q", "Enter"]),
    "nano": ([], [], ["C-o", "Enter"], ["C-x"]),
    "emacs -nw": ([], [], ["C-x", "C-s"], ["C-x", "C-c"]),
    "joe": ([], [], ["C-k", "d", "Enter"], ["C-c"]),
    "micro": ([], [], ["C-s"], ["C-q"]),
}


def write(terminal, editor, path, sentences=SENTENCES):
    """Types each sentence and saves after it."""
    before_text, after_text, save, _ = EDITORS[editor]
    for sentence in sentences:
        if before_text:
            terminal.press(*before_text)
        terminal.type(sentence)
        if after_text:
            terminal.press(*after_text)
        time.sleep(1)
        before = stamp(path)
        for key in save:
            terminal.press(key)
            time.sleep(0.2)
        wait_for_save(path, before)
        time.sleep(2.5)
    return len(sentences)


def edit(school, person, editor, document, shows="Hamlet waits", sentences=SENTENCES, folder=None):
    """Open, read, type, save, type, save, read, leave."""
    path = f"{folder or school.work(person)}/{document}"
    with Terminal(school, person, folder) as terminal:
        opened = terminal.begin(f"{editor} {document}", shows)
        time.sleep(2.5)
        saves = write(terminal, editor, path, sentences)
        left = terminal.leave(*EDITORS[editor][3])
    return Work(person, document, opened, left, saves)


@row("vim", ["vim", "tmux"], [("berg", "vim.txt")])
def vim(school):
    return [edit(school, "berg", "vim", "vim.txt")]


@row("vim, a new document", ["vim", "tmux"])
def vim_new(school):
    return [edit(school, "linden", "vim", "vim-new.md", shows="[New]")]


@row("vim, read only", ["vim", "tmux"], [("berg", "vim-read.txt")])
def vim_read(school):
    with Terminal(school, "berg") as terminal:
        opened = terminal.begin("vim vim-read.txt", "Hamlet waits")
        time.sleep(12)
        return [Work("berg", "vim-read.txt", opened, terminal.leave(":q", "Enter"), 0)]


@row("vim, two people", ["vim", "tmux"], [("berg", "vim-two.txt")])
def vim_two(school):
    folder = school.work("berg")
    os.chmod(folder, 0o777)
    os.chmod(f"{folder}/vim-two.txt", 0o666)
    with Terminal(school, "berg") as first, Terminal(school, "linden", folder) as second:
        first_opened = first.begin("vim vim-two.txt", "Hamlet waits")
        first.press("i")
        first.type("Lord ")
        second_opened = second.begin("vim vim-two.txt", "ATTENTION")
        second.press("e")
        second.sees("Hamlet waits")
        second.press("Enter")
        saves = write(second, "vim", f"{folder}/vim-two.txt", SENTENCES[:1])
        second_left = second.leave(":q", "Enter")
        first.type("of the castle ")
        first.press("Escape")
        time.sleep(2)
        first_left = first.leave(":q!", "Enter")
    first = Work("berg", "vim-two.txt", first_opened, first_left, 0)
    second = Work("linden", "vim-two.txt", second_opened, second_left, saves)
    second.path = school.relative("berg", "vim-two.txt")
    return [first, second]


@row("vim, killed", ["vim", "tmux"], [("linden", "vim-killed.txt")])
def vim_killed(school):
    path = f"{school.work('linden')}/vim-killed.txt"
    with Terminal(school, "linden") as terminal:
        opened = terminal.begin("vim vim-killed.txt", "Hamlet waits")
        time.sleep(2)
        saves = write(terminal, "vim", path, SENTENCES[:1])
        terminal.press("G", "o")
        terminal.type("Lost words.")
        time.sleep(1)
        pid = int(run(["pgrep", "-u", "linden", "-x", "vim"]).split()[0])
        killed = time.time()
        os.kill(pid, signal.SIGKILL)
        terminal.sees("Killed")
    return [Work("linden", "vim-killed.txt", opened, killed, saves)]


@row("nano", ["nano", "tmux"], [("linden", "nano.txt")])
def nano(school):
    return [edit(school, "linden", "nano", "nano.txt")]


@row("nano, a new document", ["nano", "tmux"])
def nano_new(school):
    return [edit(school, "berg", "nano", "nano-new.txt", shows="New File")]


@row("nano, closed and opened again", ["nano", "tmux"], [("berg", "nano-again.txt")])
def nano_again(school):
    first = edit(school, "berg", "nano", "nano-again.txt", sentences=SENTENCES[1:])
    # Longer than an editor takes to close and open again while it saves.
    time.sleep(8)
    return [first, edit(school, "berg", "nano", "nano-again.txt", sentences=SENTENCES[1:])]


@row("nano, two people", ["nano", "tmux"], [("berg", "nano-two.txt")])
def nano_two(school):
    folder = school.work("berg")
    os.chmod(folder, 0o777)
    os.chmod(f"{folder}/nano-two.txt", 0o666)
    with Terminal(school, "berg") as first, Terminal(school, "linden", folder) as second:
        first_opened = first.begin("nano nano-two.txt", "Hamlet waits")
        time.sleep(2)
        second_opened = second.begin("nano nano-two.txt", "open anyway")
        # Takes the first one's lock file away and puts its own.
        second.press("y")
        second.sees("Hamlet waits")
        second_saves = write(second, "nano", f"{folder}/nano-two.txt", SENTENCES[1:])
        second_left = second.leave("C-x")
        time.sleep(4)
        first_left = first.leave("C-x")
    second = Work("linden", "nano-two.txt", second_opened, second_left, second_saves)
    second.path = school.relative("berg", "nano-two.txt")
    return [Work("berg", "nano-two.txt", first_opened, first_left, 0), second]


@row("emacs", ["emacs", "tmux"], [("berg", "emacs.txt")])
def emacs(school):
    return [edit(school, "berg", "emacs -nw", "emacs.txt")]


@row("joe", ["joe", "tmux"], [("linden", "joe.txt")])
def joe(school):
    return [edit(school, "linden", "joe", "joe.txt")]


@row("micro", ["micro", "tmux"], [("berg", "micro.txt")])
def micro(school):
    return [edit(school, "berg", "micro", "micro.txt")]


@row("less, reading", ["less", "tmux"], {("linden", "less.txt"): TEXT * 200}, unseen=["inotify"])
def less(school):
    with Terminal(school, "linden") as terminal:
        opened = terminal.begin("less less.txt", "Hamlet waits")
        for _ in range(4):
            time.sleep(3)
            terminal.press("Space")
        return [Work("linden", "less.txt", opened, terminal.leave("q"), 0)]


@row("nano by the teacher: nothing", ["nano", "tmux"], [("berg", "teacher.txt")])
def teacher(school):
    folder = school.work("berg")
    os.chmod(folder, 0o777)
    os.chmod(f"{folder}/teacher.txt", 0o666)
    edit(school, "kelly", "nano", "teacher.txt", sentences=SENTENCES[1:], folder=folder)
    return []
