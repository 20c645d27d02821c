// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import Ledger
import Reports
import Testing

@Suite("Evidence that has aged out")
struct RetentionTests {
    private static let id = AssignmentID(text: "8B/2025-03-14 Hamlet essay")

    /// The class of the documented table, with all sessions at an end.
    private func journal() throws -> (journal: Journal, id: AssignmentID) {
        var journal = HamletClass.journal()
        let ledger = journal.ledger
        let id = try #require(ledger.allAssignments.first?.id)
        for session in ledger.sessions(SessionFilter()) where session.isOpen {
            let last = session.work.lastSign
            journal.add(
                .session(
                    .stopped(session.id, SessionEnd(ending: .closed, closedAt: last, notAfter: last, confidence: .good)), assignment: nil),
                at: wall("2025-03-11T11:30:00Z"))
        }
        journal.add(.assignmentEnded(id, reason: "its folder is gone"), at: wall("2025-03-20T08:00:00Z"))
        return (journal, id)
    }

    private func table(_ ledger: Ledger, _ id: AssignmentID, _ now: Moment) throws -> JSONValue {
        try #require(ClassReport(of: id, in: ledger, now: now)).json
    }

    /// Of one student what must outlive the evidence.
    private func kept(_ ledger: Ledger, _ person: PersonID, _ now: Moment) throws -> [StudentReport.Day] {
        try #require(StudentReport(of: person, in: ledger, now: now, clock: .utc)?.assignments.first).days
    }

    private func aged(_ journal: Journal, _ id: AssignmentID, _ now: Moment) -> (live: Ledger, entries: [Entry], erased: [Entry]) {
        var journal = journal
        let last = UInt64(journal.entries.count)
        let totals = journal.ledger.totals(of: id, now: now, clock: .utc)
        for facts in totals { journal.add(.totals(facts), at: now.wall) }
        var selection = AgedEntries(
            evidence: [id], work: [], ended: [], viewsBefore: wall("2000-01-01T00:00:00Z"), through: last)
        for entry in journal.entries { selection.learn(entry) }
        var erased = journal.entries
        for index in erased.indices where selection.isAged(erased[index]) {
            erased[index] = Entry(
                seq: erased[index].seq, at: WallTime(microseconds: 0), boot: BootID(text: ""), mono: BootTime(microseconds: 0),
                body: .erased)
        }
        return (journal.ledger, journal.entries, erased)
    }

    @Test("leaves the same table and the same days, before its entries are emptied, after, and after a restart")
    func sameFigures() throws {
        let (journal, id) = try journal()
        let now = journal.moment("2025-06-01T03:00:00Z")
        let before = journal.ledger
        #expect(try table(before, id, now)["started"]?.integerValue ?? 0 > 5)
        let (live, entries, erased) = aged(journal, id, now)
        let emptied = erased.count { $0.body == .erased }
        #expect(emptied > 50)
        // All sessions are gone, and one result of each document stays.
        #expect(!erased.contains { if case .session = $0.body { true } else { false } })
        let restarted = erased.reduce(into: Ledger()) { $0.apply($1) }
        let interrupted = entries.reduce(into: Ledger()) { $0.apply($1) }
        for (name, ledger) in [("live", live), ("restarted", restarted), ("interrupted", interrupted)] {
            #expect(try table(ledger, id, now) == table(before, id, now), "\(name)")
            for student in HamletClass.students {
                let person = HamletClass.person(student.login)
                #expect(try kept(ledger, person, now) == kept(before, person, now), "\(name) \(student.login)")
            }
            #expect(ledger.sessions(SessionFilter()).isEmpty, "\(name)")
        }
        // Who was interrupted before the erasure knows that it is still to come.
        #expect(interrupted.hasEvidence(id))
        #expect(!restarted.hasEvidence(id))
        var done = live
        done.evidenceWent(of: id, through: UInt64(entries.count))
        #expect(!done.hasEvidence(id))
        #expect(done.endOfWork(on: try #require(done.assignment(id))) == wall("2025-03-20T08:00:00Z"))
    }

    @Test("new work is added to what is left")
    func moreWork() throws {
        let (first, id) = try journal()
        let now = first.moment("2025-06-01T03:00:00Z")
        let berg = HamletClass.person("berg")
        let before = try #require(ClassReport(of: id, in: first.ledger, now: now)?.rows.first { $0.person == berg }?.figures)
        var later = first
        let totals = first.ledger.totals(of: id, now: now, clock: .utc)
        for facts in totals { later.add(.totals(facts), at: now.wall) }
        later.typing("berg", from: "2025-06-02T10:00:00Z", typed: 20, pauses: (0, 0), silent: 0)
        let after = try #require(
            ClassReport(of: id, in: later.ledger, now: later.moment("2025-06-02T12:00:00Z"))?.rows.first { $0.person == berg }?.figures)
        let more = try #require(after.active) - (try #require(before.active))
        #expect(more >= minutes(19) && more <= minutes(26), "\(more)")
        #expect(after.atLeast > before.atLeast && after.atMost > before.atMost)
    }

    @Test("and once that has aged out as well, of an ended assignment nothing is left")
    func nothingLeft() throws {
        let (journal, id) = try journal()
        let now = journal.moment("2026-06-01T03:00:00Z")
        let (live, entries, _) = aged(journal, id, now)
        var selection = AgedEntries(
            evidence: [], work: [id], ended: [id], viewsBefore: wall("2026-01-01T00:00:00Z"), through: UInt64(entries.count))
        for entry in entries { selection.learn(entry) }
        let left = entries.filter { !selection.isAged($0) }
        #expect(left.allSatisfy { ["started", "recording", "person", "gap", "watching"].contains(kind($0)) }, "\(left.map(kind))")
        #expect(left.count >= 12)
        var ledger = live
        ledger.workWent(of: id)
        #expect(ledger.assignment(id) == nil)
        #expect(ledger.assignments(for: HamletClass.person("berg")).isEmpty)
    }

    private func kind(_ entry: Entry) -> String {
        switch entry.body {
        case .started: "started"
        case .recording: "recording"
        case .person: "person"
        case .gap: "gap"
        case .watching: "watching"
        default: "other"
        }
    }
}
