// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What a server keeps of people, item by item, with the values in force: the facts part of a school's data-protection papers.
/// `Documentation/DataProtection.md` has the same table with the default values, and a test compares the two.
package struct FactSheet: Equatable, Sendable {
    /// One kind of data.
    package struct Item: Equatable, Sendable {
        package var what: String
        package var source: String
        package var whose: String
        package var purpose: String
        package var seenBy: String
        package var kept: String
        package var erased: String
    }

    package var facts: RunningFacts

    package init(_ facts: RunningFacts) { self.facts = facts }

    package var items: [Item] {
        let teachers = "the student; teachers of their class, and it is written down that they looked; administrators, likewise"
        let forget = "by itself then; at once by an administrator: daybook forget PERSON"
        let kept = facts.kept
        return [
            Item(
                what: "Account: login, user number, name, role, classes", source: "the server's account lists and the configuration",
                whose: "students and teachers of the configured classes", purpose: "to know whose row it is, and who may see what",
                seenBy: teachers,
                kept: kept.leavers.map { "until \(Self.span($0)) after they left every class" } ?? "for ever",
                erased: forget),
            Item(
                what:
                    "Sessions: which document below an assignment, from when to when, each save, lock file and sign of typing; how far audio "
                    + "and video was read; how it is "
                    + "known and how surely; the number of the program's process; notes that were written beside it",
                source: "the file server's kernel (names and times of files, owners, processes), never what is typed",
                whose: "students of the assignment's class only",
                purpose: "to tell how long somebody worked on it, and to check that figure in a dispute", seenBy: teachers,
                kept: kept.evidence.map { "\(Self.span($0)) after the work on the assignment is over" } ?? "for ever",
                erased: forget),
            Item(
                what: "Results at each save: words, slides, reading level, size, format and language of the document; of a quiz the score, "
                    + "and which questions were answered rightly",
                source: "the analyzer service, which opens the document, counts, and keeps no text",
                whose: "students of the assignment's class only", purpose: "to tell what came of it, and how it grew", seenBy: teachers,
                kept: (kept.evidence.map { "\(Self.span($0)) after the work is over" } ?? "for ever")
                    + "; the last ones " + (kept.totals.map { Self.span($0) } ?? "for ever"),
                erased: forget),
            Item(
                what: "Figures: worked, open, at least and at most, by person, document and day", source: "computed from the sessions",
                whose: "students of the assignment's class only", purpose: "what is left of the sessions once they are deleted",
                seenBy: teachers, kept: kept.totals.map { "\(Self.span($0)) after the work is over" } ?? "for ever", erased: forget),
            Item(
                what: "Assignments: title, class, due day, who it is for, who is excused, who has another due day and why; which "
                    + "teacher made or changed it",
                source: "folders that teachers make, and their commands", whose: "students and teachers",
                purpose: "to know what is recorded at all: only what is assigned",
                seenBy: "the class's students, as far as it concerns them; its teachers; administrators",
                kept: kept.totals.map { "\(Self.span($0)) after the work is over, if the folder has gone" } ?? "for ever", erased: forget),
            Item(
                what: "Hand-ins and answers: done, handed in with size and hash of the document, returned, and what the teacher wrote",
                source: "commands of the student and of the teacher", whose: "students of the assignment's class only",
                purpose: "to know what is ready, and what was said of it", seenBy: teachers,
                kept: kept.totals.map { "\(Self.span($0)) after the work is over" } ?? "for ever", erased: forget),
            Item(
                what:
                    "What programs report by themselves of work at an assigned document or at assigned content of theirs: time, progress, "
                    + "results, and which program it was",
                source: "programs that run with the student's account on this server; what is not assigned is dropped",
                whose: "students of the assignment's class only", purpose: "to tell what came of work that leaves no document",
                seenBy: teachers,
                kept: (kept.evidence.map { "\(Self.span($0)) after the work is over" } ?? "for ever")
                    + "; the last of each attempt " + (kept.totals.map { Self.span($0) } ?? "for ever"),
                erased: forget),
            Item(
                what: "Contents of programs: titles of chapters, quizzes and the like, and which teacher's program saved them",
                source: "teachers' programs", whose: "teachers", purpose: "to assign from, and to call things by their names",
                seenBy: "anybody with an account here, without the teacher's name; administrators",
                kept: "as long as the journal", erased: "not by itself; the program removes them"),
            Item(
                what:
                    "Development stores: what programs that are being written report of made-up work in a made-up class, in a folder that only the "
                    + "server can enter",
                source: "programs that their authors run with DAYBOOK_CLASSKIT_ENVIRONMENT=development", whose: "those authors",
                purpose: "to try such programs out", seenBy: "the author alone",
                kept: "until it is reset, or unused for 180 days; not in backups",
                erased: "by its author: daybook developer reset; by an administrator: daybook forget PERSON"),
            Item(
                what: "Class lists that were imported: class, login, name", source: "the school's administration, by an administrator",
                whose: "students and teachers", purpose: "to know who is in a class", seenBy: "teachers of the class; administrators",
                kept: "until the next import", erased: "with the next import"),
            Item(
                what: "Quiz keys: the file by which a teacher has answers scored, in a folder that only the server can enter; in the "
                    + "journal only its hash, with random bytes, and how many questions it has",
                source: "commands of the teacher", whose: "nobody: they name no person", purpose: "to score answers",
                seenBy: "nobody; the server never gives them out",
                kept: "until the assignment is deleted, or has another key or none; not in backups", erased: "with that"),
            Item(
                what: "Bookmarks: what a teacher wants to assign later", source: "commands of the teacher", whose: "teachers",
                purpose: "to assign from", seenBy: "the teacher; administrators", kept: "as long as the journal",
                erased: "not by itself; those of documents in a student's folder with the student who is forgotten"),
            Item(
                what: "Recording switched off, on or paused; for one person: that it was, when, and by whom",
                source: "commands of administrators", whose: "students and administrators",
                purpose: "so that figures are not misread where nothing was recorded", seenBy: "the student; administrators",
                kept: "as long as the account", erased: "at once by an administrator: daybook forget PERSON"),
            Item(
                what: "Looks: who looked at whom, when, and by which command", source: "the server, at each question",
                whose: "teachers and administrators", purpose: "so that students can know",
                seenBy: "the student who was looked at; administrators",
                kept: kept.viewed.map { Self.span($0) } ?? "for ever", erased: "by itself then; with the student who is forgotten"),
            Item(
                what: "The live view: who of a class is working on which document at this moment",
                source: "the sessions that go on", whose: "students of the assignment's class only",
                purpose: "to help in class", seenBy: "teachers of the class alone, in school hours; that they looked is kept",
                kept: facts.live ? "not at all: it is shown, not stored" : "none: live.enabled is not set", erased: "nothing is kept"),
            Item(
                what: "Published pages: a class's table of each assignment, with days but no times of day, and a spreadsheet of it; each "
                    + "student's own page, with times of day and who looked",
                source: "made from what is above, into files that a read-only network share shows", whose: "students",
                purpose: "so that nobody needs a command line to see what is recorded",
                seenBy:
                    "the class's page: teachers of the class and administrators; the student's: the student and administrators. Who opens "
                    + "a page is not written down",
                kept: facts.pages ? "as long as what they show; out of date by some minutes at most" : "none: pages.directory is not set",
                erased: "at once by an administrator: daybook forget PERSON; copies that readers took are theirs"),
        ]
    }

    /// What a reader would fear, and what is not done.
    package static let notTaken: [String] = [
        "What is typed, the text of documents, keys, screens, cameras, places.",
        "Files outside the layouts below, and their names: folders that cannot lead to an assignment's document are not even watched. "
            + "With fanotify the kernel may show more; it is dropped in memory before anything is written.",
        "The work of teachers and of others: it is used to tell that it was not the student, and then dropped.",
        "Anything on other devices, and in the network: the server opens no network socket and sends nothing anywhere.",
        "No scores of persons, no ranking, no machine learning, and no decision made by a figure alone.",
    ]

    package static let mustNot =
        "For support in class, planning homework, and talking with students about their work. Not for marks by time, discipline, attendance, "
        + "appraisal of teachers, evidence to third parties, or watching anybody who was not told."

    /// The settings in force, each with the key that decides it.
    package var settings: [(key: String, value: String)] {
        let state =
            switch facts.recording {
            case nil: facts.recordsFromTheStart ? "on from the start" : "off until somebody switches it on"
            case .on?: "on"
            case .off?: "off"
            case .paused?: "paused"
            }
        let rule = facts.rule
        func kept(_ span: Duration?) -> String { span.map { Self.span($0) } ?? "for ever" }
        return [
            ("recording.enabled", "recording is \(state)"),
            ("recording.when", facts.onlySchool ? "nothing is recorded outside of school hours" : "homework is recorded, too"),
            ("share.layout", facts.layouts.isEmpty ? "nothing is watched" : facts.layouts.joined(separator: "  ")),
            (
                "class",
                facts.classes == 0
                    ? "no classes: everybody counts as a student (a trial)" : "\(facts.classes) configured; of others nothing"
            ),
            ("access.administrators", (["root"] + facts.administrators).joined(separator: ", ")),
            ("access.view-as", facts.viewAs ? "administrators may look through a student's eyes" : "nobody looks through another's eyes"),
            ("live.enabled", facts.live ? "teachers may see who of their class is working now" : "nobody sees who is working now"),
            ("pages.directory", facts.pages ? "pages are published" : "no pages are published"),
            ("server.log-names", facts.logNames ? "the systemd journal has names" : "no names in the systemd journal"),
            ("retention.evidence", kept(facts.kept.evidence)),
            ("retention.totals", kept(facts.kept.totals)),
            ("retention.leavers", kept(facts.kept.leavers)),
            ("retention.viewed", kept(facts.kept.viewed)),
            (
                "sessions",
                "rule \(rule.name): pauses over \(SpanText.limit(rule.idleContinuous)) do not count, over "
                    + "\(SpanText.limit(rule.idleSavesOnly)) where only saves are seen"
            ),
        ]
    }

    /// Days where they are whole.
    private static func span(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        if seconds % 86_400 == 0, seconds > 0 { return seconds == 86_400 ? "1 day" : "\(seconds / 86_400) days" }
        return SpanText.limit(duration)
    }
}
