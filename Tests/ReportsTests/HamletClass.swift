// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger

/// The class of the documented table, as its evidence: nothing here is a figure, all figures come out of it.
enum HamletClass {
    static let share = "/srv/classes"
    static let folder = "8b/2025-03-14 Hamlet essay"
    static let asOf = "2025-03-11T11:20:00Z"

    static let students: [(login: String, name: String)] = [
        ("abara", "Chidi Abara"), ("berg", "Jonas Berg"), ("castellanos", "Ana Castellanos-Ruiz"), ("demir", "Elif Demir"),
        ("evans", "Rhys Evans"), ("fofanah", "Isatu Fofanah"), ("grant", "Ola Grant"), ("haddad", "Sami Haddad"), ("ito", "Ren Ito"),
        ("jansson", "Mia Jansson"),
    ]

    static func person(_ login: String) -> PersonID {
        PersonID(uid: 2000 + UInt32(students.firstIndex { $0.login == login } ?? 99), login: login)
    }

    static func document(_ login: String, _ name: String = "essay.odt") -> DocumentRef {
        DocumentRef(share: share, path: PathBytes("\(folder)/\(login)/\(name)"))
    }

    static var roster: Roster {
        Roster(classes: [
            .init(name: "8B", students: Set(students.map { person($0.login) }), teachers: [PersonID(uid: 900, login: "keller")])
        ])
    }

    static func facts(in ledger: Ledger = Ledger()) -> AssignmentFacts? {
        RecordingPolicy(roster: roster).assignmentFolder(
            share: share,
            placement: Placement(className: "8b", assignment: "2025-03-14 Hamlet essay", assignmentFolder: PathBytes(folder)), owner: 900,
            rule: Rule(), clock: .utc, in: ledger)
    }

    /// Everything until Tuesday 11 March, 11:20.
    static func journal() -> Journal {
        var journal = Journal()
        guard var facts = facts() else { preconditionFailure("a teacher's folder is an assignment") }
        journal.add(.started(version: "1"), at: wall("2025-03-03T06:00:00Z"))
        journal.add(.recording(RecordingChange(state: .on)), at: wall("2025-03-03T06:00:00Z"))
        for student in students {
            journal.add(
                .person(PersonFacts(person: person(student.login), displayName: student.name, role: .student, classes: ["8B"])),
                at: wall("2025-03-03T06:00:01Z"))
        }
        journal.add(.assignmentCreated(facts), at: wall("2025-03-03T08:05:00Z"))
        facts.excused = [person("fofanah")]
        facts.target = Target(identifier: "total_word_count", value: 500)
        journal.add(.assignmentChanged(facts), at: wall("2025-03-03T08:10:00Z"))
        journal.add(.recording(RecordingChange(state: .off, person: person("haddad"))), at: wall("2025-03-03T08:11:00Z"))

        journal.typing("abara", from: "2025-03-11T10:05:00Z", typed: 40, pauses: (5, 3), silent: 20, goesOn: true)
        journal.measure("abara", words: 612, level: 8.4, at: "2025-03-11T11:00:00Z")
        journal.typing("berg", from: "2025-03-07T10:00:00Z", typed: 40, pauses: (5, 3), silent: 20)
        journal.measure("berg", words: 310, level: 9.5, at: "2025-03-07T11:14:00Z")
        journal.typing("berg", from: "2025-03-10T14:00:00Z", typed: 30, pauses: (2, 5), silent: 10)
        journal.measure("berg", words: 540, level: 9.1, at: "2025-03-10T14:49:00Z")
        journal.mark("berg", .handedIn, at: "2025-03-10T15:00:00Z")
        journal.saving("castellanos", from: "2025-03-07T09:00:00Z", gaps: [2, 2, 2, 2, 1, 11, 30])
        journal.measure("castellanos", words: 188, level: 6.9, at: "2025-03-07T09:50:00Z")
        journal.typing("demir", from: "2025-03-09T16:00:00Z", typed: 50, pauses: (4, 5), silent: 30)
        journal.measure("demir", words: 505, level: 7.7, at: "2025-03-09T17:39:00Z")
        journal.mark("demir", .done, at: "2025-03-09T17:41:00Z")
        journal.broughtIn("evans", at: "2025-03-10T08:00:00Z", notThere: 45)
        journal.measure("evans", words: 301, level: 8.0, at: "2025-03-10T08:00:00Z")
        journal.typing("ito", from: "2025-03-10T10:00:00Z", typed: 30, pauses: (3, 5), silent: 20)
        journal.measure("ito", words: 498, level: 8.8, at: "2025-03-10T11:04:00Z")
        journal.mark("ito", .handedIn, at: "2025-03-10T11:10:00Z")
        journal.saving("jansson", from: "2025-03-07T13:00:00Z", gaps: [2, 2, 2, 2, 2, 2, 2, 2, 2, 9], notBefore: 13)
        journal.measure("jansson", words: 240, level: 7.1, at: "2025-03-07T13:27:00Z")
        journal.sort()
        return journal
    }
}

extension Journal {
    /// An editor with a lock file that shows typing: `typed` minutes without a pause, then pauses short enough to count, then a silence
    /// that does not.
    mutating func typing(
        _ login: String, from text: String, typed: Double, pauses: (count: Int, length: Double), silent: Double, goesOn: Bool = false,
        document: DocumentRef? = nil, assignment: AssignmentID? = HamletClass.facts()?.id
    ) {
        let start = wall(text)
        let id = nextID()
        let who = Attribution(person: HamletClass.person(login), source: .companion)
        begin(id, document ?? HamletClass.document(login), who, .companion, at: start, notBefore: 0, assignment)
        var now = start + minutes(typed)
        see(id, .typed, from: start, to: now, count: 100)
        for _ in 0..<pauses.count {
            now = now + minutes(pauses.length)
            see(id, .typed, from: now, to: now, count: 1)
        }
        now = now + minutes(silent)
        see(id, .typed, from: now, to: now, count: 1)
        see(id, .saved, from: now, to: now, count: 1)
        if !goesOn { stop(id, .companion, .good, at: now) }
    }

    /// An editor that shows its saves only.
    mutating func saving(_ login: String, from text: String, gaps: [Double], notBefore: Double = 0, document: DocumentRef? = nil) {
        let start = wall(text)
        let id = nextID()
        let who = Attribution(person: HamletClass.person(login), source: .save)
        begin(id, document ?? HamletClass.document(login), who, .points, at: start, notBefore: notBefore, HamletClass.facts()?.id)
        var now = start
        see(id, .saved, from: now, to: now, count: 1)
        for gap in gaps {
            now = now + minutes(gap)
            see(id, .saved, from: now, to: now, count: 1)
        }
        stop(id, .idle, .fair, at: now)
    }

    /// A file that came whole; it was not there `notThere` minutes before.
    mutating func broughtIn(_ login: String, at text: String, notThere: Double) {
        let at = wall(text)
        let id = nextID()
        let who = Attribution(person: HamletClass.person(login), source: .save)
        begin(id, HamletClass.document(login), who, .points, at: at, notBefore: notThere, HamletClass.facts()?.id)
        see(id, .broughtIn, from: at, to: at, count: 1)
        stop(id, .idle, .thin, at: at)
    }

    mutating func measure(_ login: String, words: Double, level: Double, at text: String, document: DocumentRef? = nil, by: PersonID? = nil)
    {
        let at = wall(text)
        add(
            .metrics(
                MetricsFacts(
                    document: document ?? HamletClass.document(login), assignment: HamletClass.facts()?.id,
                    attribution: Attribution(person: by ?? HamletClass.person(login), source: .save), savedAt: mono(at), size: 20_000,
                    format: "odt", language: "en",
                    items: [
                        quantity("total_word_count", "Word Count", words), quantity("sentence_count", "Sentences", (words / 12).rounded()),
                        quantity("paragraph_count", "Paragraphs", (words / 80).rounded()),
                        quantity("readability_grade_level", "Flesch-Kincaid Grade Level", level),
                    ])), at: at + .seconds(2))
    }

    mutating func mark(_ login: String, _ state: DoneFacts.State, at text: String) {
        guard let id = HamletClass.facts()?.id else { return }
        add(.done(DoneFacts(assignment: id, person: HamletClass.person(login), state: state)), at: wall(text))
    }

    mutating func begin(
        _ id: ActivityID, _ document: DocumentRef, _ who: Attribution, _ presence: Presence, at: WallTime, notBefore: Double,
        _ assignment: AssignmentID?
    ) {
        let start = SessionStart(
            id: id, document: document, attribution: who, presence: presence, openedAt: mono(at),
            notBefore: mono(at) - minutes(notBefore))
        add(.session(.started(start), assignment: assignment), at: at)
    }

    mutating func see(_ id: ActivityID, _ kind: Evidence.Kind, from: WallTime, to: WallTime, count: Int) {
        let sign = Evidence(kind, first: mono(from), last: mono(to), count: count, isContinuous: kind == .typed)
        add(.session(.evidence(id, sign), assignment: nil), at: to)
    }

    mutating func stop(_ id: ActivityID, _ ending: SessionEnding, _ confidence: Confidence, at: WallTime) {
        let end = SessionEnd(ending: ending, closedAt: mono(at), notAfter: mono(at), confidence: confidence)
        add(.session(.stopped(id, end), assignment: nil), at: at)
    }
}
