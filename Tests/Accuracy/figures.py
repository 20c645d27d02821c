# SPDX-License-Identifier: Apache-2.0
"""Compares what Daybook says with what people really did, and makes the table."""
import dataclasses
import datetime
import re
import statistics
import zipfile

# Keys are noted before they are sent, and a program takes a moment to close: the same second as in the comparison with recorded traces.
TOLERANCE = 1.0
# A session whose times are known well is not further from the truth than this.
GOOD = 5.0


@dataclasses.dataclass
class Done:
    """A row that was driven, or why it was not."""

    row: object
    began: float
    ended: float
    works: list = dataclasses.field(default_factory=list)
    trouble: str = ""
    missing: str = ""
    # Not to be told from noise with this event source.
    unseen: bool = False
    # Filled in by `compare`: pairs of a work and its session or None, and the sessions that nobody worked.
    pairs: list = dataclasses.field(default_factory=list)
    phantoms: list = dataclasses.field(default_factory=list)


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def compare(rows, sessions):
    """Gives each work the session on its document that overlaps it most, the person's own first; what is left is a phantom of the row in
    whose time it began."""
    left = [dict(session, begins=instant(session["openedAt"]), ends=instant(session["closedAt"]) if session["closedAt"] else float("inf"))
            for session in sessions]

    def overlap(session, work):
        return min(session["ends"], work.quit + 5) - max(session["begins"], work.opened - 5)

    works = [(done, work) for done in rows for work in done.works]
    matched = {}
    for own in (True, False):
        for _, work in works:
            if id(work) in matched:
                continue
            near = [session for session in left if session["document"] == work.path and overlap(session, work) > 0]
            near = [session for session in near if not own or session["person"] == work.person]
            if near:
                matched[id(work)] = max(near, key=lambda session: overlap(session, work))
                left.remove(matched[id(work)])
    for done, work in works:
        done.pairs.append((work, matched.get(id(work))))
    for session in left:
        home = [done for done in rows if any(work.path == session["document"] for work in done.works)]
        then = [done for done in rows if done.began - 1 <= session["begins"] <= done.ended + 1]
        guilty = ([done for done in home if done in then] or then or home or rows)[0]
        # Where the driver failed, nobody knows what was true.
        if not guilty.trouble:
            guilty.phantoms.append(session)


def words_in(path):
    """What a plain count of the file gives, without Daybook's code."""
    if path.endswith((".txt", ".md")):
        with open(path, encoding="utf-8") as file:
            return len(file.read().split())
    with zipfile.ZipFile(path) as package:
        if path.endswith(".odt"):
            parts = [re.sub(r"^.*?<office:text[^>]*>|</office:text>.*$", "", text(package, "content.xml"), flags=re.DOTALL)]
            ends = r"</text:(?:p|h)>|<text:s\b[^>]*>"
        elif path.endswith(".docx"):
            parts, ends = [text(package, "word/document.xml")], r"</w:p>"
        else:
            parts = [text(package, name) for name in package.namelist() if re.fullmatch(r"ppt/slides/slide\d+\.xml", name)]
            ends = r"</a:p>"
    return sum(len(re.sub(r"<[^>]*>", "", re.sub(ends, " ", part)).split()) for part in parts)


def text(package, name):
    return package.read(name).decode("utf-8")


# The table

HEAD = ("what", "found", "who", "opened", "true", "open", "error", "at least–at most", "bounds", "saves", "words", "phantoms", "sure")


def holds(work, session):
    """at least ≤ the time from the person's opening to closing ≤ at most. What a busy program needs to go is not the daemon's fault."""
    longest = max(work.quit, work.gone) - work.opened
    least, most = session["atLeastSeconds"] or 0, session["atMostSeconds"]
    return least <= longest + TOLERANCE and (most is None or most >= work.seconds - TOLERANCE)


def error(work, session):
    """No figure is as wrong as 0."""
    return (session["openSeconds"] or 0) - work.seconds


def number(value, form=".1f"):
    """Daybook may say that it does not know."""
    return "unknown" if value is None else format(value, form)


def bounds(session):
    return f"{number(session['atLeastSeconds'])}–{number(session['atMostSeconds'])}"


def lines(done, counts, share):
    """The row's lines in the table: one for each work, at least one."""
    if done.missing:
        return [(done.row.title, f"not installed: {done.missing}") + ("",) * (len(HEAD) - 2)]
    if done.trouble:
        return [(done.row.title, "not driven") + ("",) * (len(HEAD) - 2)]
    phantoms = str(len(done.phantoms))
    if not done.works:
        return [(done.row.title, "0/0", "", "", "", "", "", "", "", "", "", phantoms, "")]
    found = f"{sum(session is not None for _, session in done.pairs)}/{len(done.pairs)}"
    result = []
    for count, (work, session) in enumerate(done.pairs):
        title = done.row.title if count == 0 else f"… {work.person}"
        first = (title, found if count == 0 else "")
        last = phantoms if count == 0 else ""
        if session is None:
            note = "not to be seen" if done.unseen else "MISSING"
            result.append((*first, note, "", f"{work.seconds:.1f}", "", "", "", "", "", "", last, ""))
            continue
        result.append((
            *first,
            "yes" if session["person"] == work.person else f"NO: {session['person']}",
            f"{session['begins'] - work.opened:+.2f}",
            f"{work.seconds:.1f}",
            number(session["openSeconds"]),
            f"{error(work, session):+.2f}",
            bounds(session),
            "hold" if holds(work, session) else "BROKEN",
            f"{session['saves']}/{work.saves}",
            words_right(work, counts, share),
            last,
            session["confidence"] + ("" if session["closedAt"] else ", open"),
        ))
    return result


def words_right(work, counts, share):
    """Nothing where nothing was saved: then nothing is measured."""
    if work.saves == 0:
        return ""
    true, counted = words_in(f"{share}/{work.path}"), counts.get(work.path)
    return f"{counted}/{true}"


def table(rows, counts, share):
    cells = [HEAD] + [line for done in rows for line in lines(done, counts, share)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEAD))]
    shown = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in cells]
    shown.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(shown)


def wrong(rows, counts, share):
    """What must not be, one sentence each."""
    for done in rows:
        if done.trouble:
            yield f"{done.row.title}: could not be driven: {done.trouble}"
        for work, session in done.pairs:
            place = f"{done.row.title}: {work.person}, {work.path.rsplit('/', 1)[-1]}"
            if session is None:
                if not done.unseen:
                    yield f"{place}: no session"
                continue
            if session["person"] != work.person:
                yield f"{place}: credited to {session['person']}"
            if not holds(work, session):
                yield f"{place}: {work.seconds:.1f} s of truth outside {bounds(session)}"
            elif session["confidence"] == "good" and abs(error(work, session)) > GOOD:
                yield f"{place}: is called good: {number(session['openSeconds'])} s for {work.seconds:.1f} s of truth"
        for session in done.phantoms:
            what = f"{session['person']}, {session['document']}, {number(session['openSeconds'])} s"
            yield f"{done.row.title}: phantom: {what}, nobody worked"


def summary(rows, counts, share):
    pairs = [(work, session) for done in rows for work, session in done.pairs if session or not done.unseen]
    found = [(work, session) for work, session in pairs if session]
    errors = sorted(abs(error(work, session)) for work, session in found)
    saved = [work for work, session in found if work.saves]
    right = sum(counts.get(work.path) == words_in(f"{share}/{work.path}") for work in saved)
    parts = [
        f"found {len(found)}/{len(pairs)}",
        f"who right {sum(session['person'] == work.person for work, session in found)}/{len(pairs)}",
        f"phantoms {sum(len(done.phantoms) for done in rows)}",
        f"bounds hold {sum(holds(work, session) for work, session in found)}/{len(found)}",
        f"saves right {sum(session['saves'] == work.saves for work, session in found)}/{len(found)}",
        f"word counts right {right}/{len(saved)}",
    ]
    if errors:
        parts.append(f"median error {statistics.median(errors):.2f} s, 90 % within {errors[int(0.9 * (len(errors) - 1))]:.2f} s")
    absent = sum(bool(done.missing) for done in rows)
    failed = sum(bool(done.trouble) for done in rows)
    parts += [f"not installed {absent}"] * (absent > 0) + [f"not driven {failed}"] * (failed > 0)
    return ", ".join(parts)
