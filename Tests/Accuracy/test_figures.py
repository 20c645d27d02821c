# SPDX-License-Identifier: Apache-2.0
"""The comparison itself, without editors: it must see what is wrong. Run by `make test`."""
import datetime
import os
import tempfile
import unittest
import zipfile

import figures
import rows
from school import Work


def text(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat().replace("+00:00", "Z")


def session(person="berg", begins=1001, ends=1021, document="x.txt", at_least=None, at_most=None):
    seconds = ends - begins
    return {
        "document": document, "person": person, "openedAt": text(begins), "closedAt": text(ends), "openSeconds": seconds, "saves": 0,
        "atLeastSeconds": seconds if at_least is None else at_least, "atMostSeconds": seconds + 2 if at_most is None else at_most,
        "confidence": "good",
    }


class FiguresTests(unittest.TestCase):
    """Berg works from 1001 to 1021 in the first row, nobody in the second."""

    def wrong(self, *sessions, trouble="", unseen=False):
        done = [figures.Done(rows.Row("editor", None), 1000, 1030), figures.Done(rows.Row("noise", None), 1031, 1040)]
        done[0].works = [] if trouble else [Work("berg", "x.txt", 1001, 1021, 0, path="x.txt")]
        done[0].trouble, done[0].unseen = trouble, unseen
        figures.compare(done, list(sessions))
        # The row, and what is wrong there.
        return [sentence.split(":")[0] + ":" + sentence.rsplit(":", 1)[1] for sentence in figures.wrong(done, {}, "/")]

    def test_right(self):
        self.assertEqual(self.wrong(session()), [])

    def test_missing(self):
        self.assertEqual(self.wrong(), ["editor: no session"])
        self.assertEqual(self.wrong(unseen=True), [])

    def test_person(self):
        self.assertEqual(self.wrong(session(person="linden")), ["editor: credited to linden"])
        self.assertEqual(self.wrong(session(person=None)), ["editor: credited to None"])

    def test_bounds(self):
        self.assertEqual(self.wrong(session(at_least=21, at_most=30)), [], "within a second")
        self.assertEqual(self.wrong(session(at_least=21.1, at_most=30)), ["editor: 20.0 s of truth outside 21.1–30.0"])
        self.assertEqual(self.wrong(session(at_least=10, at_most=18.9)), ["editor: 20.0 s of truth outside 10.0–18.9"])

    def test_good(self):
        self.assertEqual(self.wrong(session(ends=1026, at_least=10)), [], "five seconds")
        self.assertEqual(self.wrong(session(ends=1026.1, at_least=10)), ["editor: 25.1 s for 20.0 s of truth"])

    def test_phantoms(self):
        more = self.wrong(session(), session(begins=1033, ends=1034, document="quiet.txt"))
        self.assertEqual([sentence.split(":")[0] for sentence in more], ["noise"])
        self.assertEqual(len(self.wrong(session(), session(begins=1033, ends=1034))), 1, "on a document of another row")
        self.assertEqual(len(self.wrong(session(), session(begins=1005, ends=1008))), 1, "one more within the work")
        self.assertEqual(len(self.wrong(session(), session(person="linden"))), 1, "of somebody else")

    def test_table(self):
        done = figures.Done(rows.Row("editor", None), 1000, 1030)
        done.works = [Work("berg", "x.txt", 1001, 1021, 0, path="x.txt"), Work("linden", "x.txt", 1001, 1021, 0, path="x.txt")]
        unknown = session(at_least=0) | {"openSeconds": None}
        figures.compare([done], [unknown])
        lines = figures.table([done], {}, "/").split("\n")
        self.assertEqual(len({len(line) for line in lines}), 1, "columns stand below each other")
        self.assertIn("| unknown | -20.00 | 0.0–22.0 ", lines[2])
        self.assertIn("| MISSING |", lines[3])
        self.assertIn("found 1/2, who right 1/2, phantoms 0, bounds hold 1/1", figures.summary([done], {}, "/"))

    def test_trouble(self):
        self.assertEqual(len(self.wrong(session(), trouble="no window")), 1, "what the driver did not do is no phantom")

    def test_words(self):
        with tempfile.TemporaryDirectory() as folder:
            parts = {
                "a.odt": (
                    "content.xml",
                    "<a>no words<office:text><text:p>Two words</text:p><text:p>more<text:s/>come</text:p></office:text></a>",
                ),
                "a.docx": ("word/document.xml", "<w:p><w:t>Two wo</w:t><w:t>rds</w:t></w:p><w:p><w:t>more come</w:t></w:p>"),
                "a.pptx": ("ppt/slides/slide1.xml", "<a:p><a:t>Two words</a:t></a:p><a:p><a:t>more come</a:t></a:p>"),
            }
            for name, (part, content) in parts.items():
                with zipfile.ZipFile(os.path.join(folder, name), "w") as package:
                    package.writestr(part, content)
                self.assertEqual(figures.words_in(os.path.join(folder, name)), 4, name)


if __name__ == "__main__":
    unittest.main()
