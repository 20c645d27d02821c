# SPDX-License-Identifier: Apache-2.0
"""Editors with windows."""
import time

from desktop import Desktop
from documents import office_profile
from rows import row
from school import SENTENCES, Work, eventually, run, stamp, wait_for_save

QUESTION = "Keep Current Format|Confirm File Format"
# Into the first text box, and to its begin.
SLIDES = ["Tab", "F2", "ctrl+Home"]


def edit(school, person, words, document, prepare=(), done=(), sentences=SENTENCES, reading=2.5):
    """Open, read, type, save, type, save, read, leave."""
    path = f"{school.work(person)}/{document}"
    with Desktop(school, person) as desktop:
        opened = desktop.open([*words, path], document)
        time.sleep(reading)
        for sentence in sentences:
            if prepare:
                desktop.press(*prepare)
            desktop.type(sentence)
            if done:
                desktop.press(*done)
            time.sleep(1)
            before = stamp(path)
            desktop.press("ctrl+s")
            # LibreOffice asks once whether to keep a foreign format.
            eventually(f"{document} is saved", lambda: stamp(path) != before or desktop.windows(QUESTION), 60)
            if desktop.windows(QUESTION):
                desktop.focus(QUESTION)
                desktop.press("Return")
            wait_for_save(path, before, 60)
            time.sleep(2.5)
            # Also after a question, which took the keys.
            desktop.focus(document)
        left, gone = desktop.leave("ctrl+q")
    return Work(person, document, opened, left, len(sentences), gone=gone)


DESKTOP = ["Xvfb", "xdotool", "dbus-daemon"]


@row("gedit", ["gedit", *DESKTOP], [("berg", "gedit.txt")])
def gedit(school):
    return [edit(school, "berg", ["gedit", "-s"], "gedit.txt")]


@row("gedit, reading only", ["gedit", *DESKTOP], [("linden", "gedit-read.txt")], unseen=["inotify"])
def gedit_read(school):
    return [edit(school, "linden", ["gedit", "-s"], "gedit-read.txt", sentences=(), reading=12)]


@row("mousepad", ["mousepad", *DESKTOP], [("linden", "mousepad.txt")])
def mousepad(school):
    return [edit(school, "linden", ["mousepad", "--disable-server"], "mousepad.txt")]


@row("kate", ["kate", *DESKTOP], [("linden", "kate.txt")])
def kate(school):
    return [edit(school, "linden", ["kate", "-n"], "kate.txt")]


def office(school, person, document, **more):
    return edit(school, person, ["soffice", "--norestore", "--nologo", office_profile(school.home(person))], document, **more)


OFFICE = ["soffice", *DESKTOP]


@row("LibreOffice Writer, .odt", OFFICE, {("berg", "writer.odt"): "odt"})
def writer_odt(school):
    return [office(school, "berg", "writer.odt")]


@row("LibreOffice Writer, .docx", OFFICE, {("linden", "writer.docx"): "docx"})
def writer_docx(school):
    return [office(school, "linden", "writer.docx")]


@row("LibreOffice Impress, .pptx", OFFICE, {("berg", "impress.pptx"): "pptx"})
def impress_pptx(school):
    return [office(school, "berg", "impress.pptx", prepare=SLIDES, done=["Escape", "Escape"])]


@row("LibreOffice Writer, killed", OFFICE, {("linden", "killed.odt"): "odt"})
def writer_killed(school):
    with Desktop(school, "linden") as desktop:
        path = f"{school.work('linden')}/killed.odt"
        opened = desktop.open(["soffice", "--norestore", "--nologo", office_profile(school.home("linden")), path], "killed.odt")
        time.sleep(3)
        desktop.type(SENTENCES[0])
        time.sleep(2)
        killed = time.time()
        # Its lock file stays.
        run(["pkill", "--signal", "KILL", "--uid", "linden", "soffice.bin"])
        time.sleep(2)
    return [Work("linden", "killed.odt", opened, killed, 0)]
