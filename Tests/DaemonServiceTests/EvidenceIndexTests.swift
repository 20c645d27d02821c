// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import Foundation
import Inference
import JournalFormat
import JournalStore
import Ledger
import Reports
import Testing

@testable import DaemonService

/// The journal of a class with two assignments, of which one has ended.
private final class Term {
    static let program = "1.2.3"
    static let ended = AssignmentID(text: "8b/Map")
    static let other = AssignmentID(text: "8b/Essay")
    static let people = ["mia", "noah", "emil"].enumerated().map { PersonID(uid: UInt32(70_001 + $0.offset), login: $0.element) }
    static let boot = BootID(text: "b0")

    let state: String
    private var minute: Int64 = 0
    private var number: UInt64 = 0

    init() throws {
        var template = Array("/var/tmp/daybook-indexes-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError(call: "mkdtemp", code: errno) }
        state = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var bodies: [EntryBody] = [.started(version: "1"), .recording(RecordingChange(state: .on))]
        for person in Self.people {
            bodies.append(.person(PersonFacts(person: person, displayName: person.login, role: .student, classes: ["8b"])))
        }
        bodies += [Self.ended, Self.other].map { .assignmentCreated(Self.facts($0)) }
        try append(bodies)
        for (turn, person) in Self.people.enumerated() {
            for assignment in [Self.ended, Self.other] { try append(work(person, assignment, signs: 120 + turn)) }
        }
        try append([.assignmentEnded(Self.ended, reason: AssignmentRecord.Ended.completed)])
    }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    static func facts(_ id: AssignmentID) -> AssignmentFacts {
        AssignmentFacts(
            id: id, title: id.text, className: "8b", share: "/srv/classes", folder: PathBytes(id.text), due: nil, by: 900, rule: Rule(),
            students: people)
    }

    /// One session of a person, a sign of typing in each minute.
    func work(_ person: PersonID, _ assignment: AssignmentID, signs: Int) -> [EntryBody] {
        number += 1
        let id = ActivityID(number)
        let document = DocumentRef(share: "/srv/classes", path: PathBytes("\(assignment.text)/\(person.login)/essay.odt"))
        var at: BootTime { BootTime(microseconds: minute * 60_000_000) }
        minute += 1
        var bodies: [EntryBody] = [
            .session(
                .started(
                    SessionStart(
                        id: id, document: document, attribution: Attribution(person: person, source: .event), presence: .companion,
                        openedAt: at, notBefore: at)), assignment: assignment)
        ]
        for _ in 0..<signs {
            let sign = Evidence(.typed, first: at, last: at + .seconds(25), count: 30, isContinuous: true)
            bodies.append(.session(.evidence(id, sign), assignment: nil))
            minute += 1
        }
        let end = SessionEnd(ending: .companion, closedAt: at, notAfter: at, confidence: .good)
        return bodies + [.session(.stopped(id, end), assignment: nil)]
    }

    func append(_ bodies: [EntryBody]) throws {
        var options = JournalOptions()
        options.commitDelay = .zero
        options.packAfter = nil
        let writer = try JournalWriter(stateDirectory: state, boot: Self.boot, options: options, wake: nil)
        for body in bodies {
            _ = writer.submit(EntryDraft(at: now.wall, mono: now.mono, body: body))
        }
        _ = writer.finish()
    }

    func erase(_ selection: some EntrySelection) throws {
        let writer = try JournalWriter(stateDirectory: state, boot: Self.boot, options: JournalOptions(), wake: nil)
        _ = writer.erase(ErasureRequest(id: 1, kind: .forgotten, by: 0, selection: selection))
        while let reports = writer.reports.takeWaiting() {
            if reports.contains(where: { if case .erased = $0 { true } else { false } }) { break }
        }
        _ = writer.finish()
    }

    var now: Moment {
        Moment(
            wall: WallTime(microseconds: 1_773_529_140_000_000 + minute * 60_000_000), boot: Self.boot,
            mono: BootTime(microseconds: minute * 60_000_000))
    }

    var indexes: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: state + "/journal")) ?? []).filter { $0.hasSuffix(".evidence") }
            .map { "\(state)/journal/\($0)" }
    }

    func position() -> JournalPosition { JournalCheck.run(state).findings.last }

    func load(usesSnapshot: Bool = true) throws -> LedgerOnDisk {
        try LedgerOnDisk(stateDirectory: state, through: position().seq, program: Self.program, erasing: usesSnapshot ? nil : [])
    }

    /// As the daemon does it a day after the end.
    @discardableResult
    func writeIndexes(of loaded: LedgerOnDisk, wanted: [AssignmentID]? = nil) throws -> [AssignmentID: any EvidenceIndexBytes] {
        let indexes = try EvidenceIndexOutput(stateDirectory: state)
        let output = try SnapshotOutput(stateDirectory: state)
        let stamp = SnapshotFile.Stamp(
            position: position(), journalBytes: loaded.journalBytes, contentVersion: Ledger.snapshotVersion, program: Self.program)
        let wanted = wanted ?? loaded.ledger.evidenceToIndex(now: now.wall + Ledger.quietAfterEnd)
        return try #require(try LedgerOnDisk.write(loaded.ledger, stamp, to: output, indexing: wanted, to: indexes, in: state))
    }

    /// All that is reported: tables by two rules, sessions, totals.
    func answers(_ ledger: Ledger) throws -> [String] {
        var strict = Rule()
        strict.name = "strict"
        strict.idleContinuous = .seconds(20)
        var all: [String] = []
        for id in [Self.ended, Self.other] {
            for rule in [nil, strict] {
                let report = try #require(ClassReport(of: id, in: ledger, now: now, rule: rule))
                all.append(report.text(.plain, clock: .utc, hasPages: false))
            }
            all.append("\(ledger.totals(of: id, now: now, clock: .utc))")
        }
        all += ledger.sessions(SessionFilter()).map { "\($0)" }
        return all
    }
}

@Suite("The evidence of an ended assignment, in its index file")
struct EvidenceIndexTests {
    @Test("is not in memory after a start, and every report is the same as without")
    func same() throws {
        let term = try Term()
        let plain = try term.load(usesSnapshot: false)
        let before = try term.answers(plain.ledger)
        #expect(before.joined().contains("h "), "there is time on task")
        #expect(try term.writeIndexes(of: plain).keys.sorted() == [Term.ended])
        let loaded = try term.load()
        #expect(loaded.snapshotSeq == loaded.ledger.lastSeq && loaded.refusal == nil)
        #expect(loaded.ledger.evidenceCounts == (363, 363))
        #expect(try term.answers(loaded.ledger) == before)
        #expect(loaded.ledger == plain.ledger)
        // Nobody is named in it.
        for path in term.indexes {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            for word in ["mia", "8b", "essay", "/srv"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
        }
    }

    @Test("deleted, cut, changed or from elsewhere, is made again from the journal: the same reports")
    func damaged() throws {
        let term = try Term()
        let before = try term.answers(try term.load(usesSnapshot: false).ledger)
        let damages: [(String) throws -> Void] = [
            { try FileManager.default.removeItem(atPath: $0) },
            { try FileManager.default.contents(atPath: $0)?.dropLast(16).write(to: URL(fileURLWithPath: $0)) },
            { path in
                var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                bytes[bytes.count - 20] ^= 1
                try bytes.write(to: URL(fileURLWithPath: path))
            },
            { path in
                // Another version: as a daemon of another release may have left it, in its own right.
                let output = try EvidenceIndexOutput(stateDirectory: term.state)
                let other = try #require(
                    try output.add(seqs: [9], content: [1, 2, 3], contentVersion: 1, position: term.position()))
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.moveItem(atPath: "\(term.state)/journal/\(other.name)", toPath: path)
            },
        ]
        for (number, damage) in damages.enumerated() {
            try term.writeIndexes(of: try term.load(usesSnapshot: false))
            try damage(try #require(term.indexes.first))
            let loaded = try term.load()
            #expect(loaded.refusal == .withoutIndex && loaded.snapshotSeq == nil, "\(number)")
            #expect(loaded.ledger.evidenceCounts.indexed == 0)
            #expect(try term.answers(loaded.ledger) == before, "\(number)")
            // What is of no use goes, and the next one is whole again.
            SnapshotFile.discard(in: term.state)
            #expect(term.indexes.isEmpty)
        }
    }

    @Test("made shorter to any length, or written into, while the daemon looks at it, gives the same evidence, from the journal")
    func anyLength() throws {
        let term = try Term()
        let plain = try term.load(usesSnapshot: false)
        try term.writeIndexes(of: plain)
        let path = try #require(term.indexes.first)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var (sound, lost) = (0, 0)
        for length in Array(stride(from: 0, to: whole.count, by: 397)) + [whole.count - 1, whole.count] {
            // The same file, so that the mapping sees it.
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.write(contentsOf: whole)
            let loaded = try term.load()
            #expect(loaded.snapshotSeq != nil)
            if length < whole.count {
                try file.truncate(atOffset: UInt64(length))
            } else {
                try file.seek(toOffset: UInt64(length - 40))
                try file.write(contentsOf: Data([0x55]))
            }
            #expect(loaded.ledger == plain.ledger, "\(length) of \(whole.count)")
            if loaded.ledger.evidenceToIndex(now: term.now.wall) == [] { sound += 1 } else { lost += 1 }
        }
        #expect(lost > 10 && sound == 0)
    }

    @Test("made shorter while the daemon looks at it gives the same reports, from the journal")
    func shorter() throws {
        let term = try Term()
        let plain = try term.load(usesSnapshot: false)
        let before = try term.answers(plain.ledger)
        try term.writeIndexes(of: plain)
        let loaded = try term.load()
        // Also what has come since does not disturb it.
        try term.append(term.work(Term.people[0], Term.ended, signs: 3))
        #expect(truncate(try #require(term.indexes.first), 100) == 0)
        var ledger = loaded.ledger
        #expect(ledger.sessions(SessionFilter(assignment: Term.ended)).map(\.work.evidence.count) == [120, 121, 122])
        let shorterNow = try term.answers(ledger)
        #expect(shorterNow.dropFirst(6) == before.dropFirst(6), "the sessions")
        #expect(ledger == plain.ledger)
        // It is to be written anew, and then it is good again.
        #expect(ledger.evidenceToIndex(now: term.now.wall) == [Term.ended])
        SnapshotFile.discard(in: term.state)
        let whole = try term.load()
        let made = try term.writeIndexes(of: whole)
        ledger.use(made)
        #expect(ledger.evidenceToIndex(now: term.now.wall) == [] || ledger == plain.ledger)
    }

    @Test("is left by what comes later where it is: late work, another rule for good, a new beginning")
    func later() throws {
        let term = try Term()
        try term.writeIndexes(of: try term.load(usesSnapshot: false))
        func compare(_ what: String) throws {
            let (with, without) = (try term.load(), try term.load(usesSnapshot: false))
            #expect(with.snapshotSeq != nil && with.ledger.evidenceCounts.indexed == 363, "\(what)")
            #expect(with.ledger == without.ledger, "\(what)")
            #expect(try term.answers(with.ledger) == (try term.answers(without.ledger)), "\(what)")
        }
        try term.append(term.work(Term.people[1], Term.ended, signs: 40))
        try compare("late work")
        var facts = Term.facts(Term.ended)
        facts.rule.idleContinuous = .seconds(30)
        facts.ruleChange = RuleChange(before: Rule(), by: 900, byLogin: "keller")
        try term.append([.assignmentChanged(facts)])
        try compare("recomputed")
        facts.ruleChange = nil
        try term.append([.assignmentCreated(facts)])
        try compare("reopened")
        try term.append(term.work(Term.people[2], Term.ended, signs: 30))
        try compare("work after that")
    }

    @Test("goes with an erasure of one of its people, and what is written then has nothing of theirs")
    func forgotten() throws {
        let term = try Term()
        try term.writeIndexes(of: try term.load(usesSnapshot: false))
        let person = Term.people[0]
        try term.erase(ForgottenPerson(person))
        #expect(term.indexes.isEmpty)
        let loaded = try term.load()
        #expect(loaded.refusal == .absent && loaded.ledger.sessions(SessionFilter(person: person)).isEmpty)
        try term.writeIndexes(of: loaded)
        #expect(term.indexes.isEmpty, "243 are not worth a file")
        try term.append(term.work(Term.people[1], Term.ended, signs: 40))
        // The entries that answer for the erasure have the time of this machine, which is long after all this.
        try term.writeIndexes(of: try term.load(usesSnapshot: false), wanted: [Term.ended])
        let again = try term.load()
        #expect(again.ledger.evidenceCounts.indexed == 283)
        // The whole state directory, as it stands.
        let walk = try #require(FileManager.default.enumerator(atPath: term.state))
        for case let name as String in walk {
            guard let bytes = FileManager.default.contents(atPath: "\(term.state)/\(name)") else { continue }
            // Digits alone are found in one digest or another by chance.
            for word in ["mia", "\"uid\":\(person.uid)"] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name)") }
        }
        #expect(again.ledger == (try term.load(usesSnapshot: false)).ledger)
    }
}
