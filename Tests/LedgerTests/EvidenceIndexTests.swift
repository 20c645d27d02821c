// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Synchronization
import Testing

/// The bytes of an index file, without the file.
private final class Bytes: EvidenceIndexBytes {
    let id: EvidenceIndexID
    let bytes: [UInt8]
    let isSound: Bool

    init(_ bytes: [UInt8], name: String, isSound: Bool = true) {
        id = EvidenceIndexID(name: name, digest: "\(bytes.hashValue)")
        self.bytes = bytes
        self.isSound = isSound
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? { bytes.withUnsafeBytes(body) }
}

extension Ledger {
    fileprivate func contents(of wanted: [AssignmentID]) -> [AssignmentID: EvidenceIndexContent] {
        var found: [AssignmentID: EvidenceIndexContent] = [:]
        evidenceIndexContents(of: wanted) {
            found[$0] = $1
            return true
        }
        return found
    }
}

@Suite("The evidence of assignments that are over, in index files")
struct EvidenceIndexTests {
    /// Two students with 150 evidences each in an assignment that ended at minute 500, and one session elsewhere that goes on.
    private static func book(isEnded: Bool = true, due: WallTime? = nil) -> Book {
        var book = Book()
        for person in [alice, bob] {
            book.add(.person(PersonFacts(person: person, displayName: person.login, role: .student, classes: ["7b"])), 0)
        }
        var facts = map()
        facts.due = due
        book.add(.assignmentCreated(facts), 0)
        for (number, person) in [alice, bob].enumerated() {
            let id = ActivityID(UInt64(number + 1))
            let start = SessionStart(
                id: id, document: place("essay.odt"), attribution: Attribution(person: person, source: .companion), presence: .companion,
                openedAt: instant(1), notBefore: instant(1))
            book.add(.session(.started(start), assignment: homework), 1)
            for sign in 0..<150 {
                let minute = 1 + Double(sign)
                book.add(
                    .session(
                        .evidence(id, Evidence(.typed, first: instant(minute), last: instant(minute + 0.5), count: 4, isContinuous: true)),
                        assignment: nil), minute + 0.5)
            }
            let end = SessionEnd(ending: .companion, closedAt: instant(160), notAfter: instant(160), confidence: .good)
            book.add(.session(.stopped(id, end), assignment: nil), 160)
        }
        book.session(9, alice, "elsewhere.odt", from: 200, to: nil, assignment: AssignmentID(text: "7b/Other"))
        if isEnded { book.add(.assignmentEnded(homework, reason: AssignmentRecord.Ended.completed), 500) }
        return book
    }

    private static let day = 24.0 * 60

    @Test("are wanted once an assignment has ended and nobody has worked on it for a day; where its folder stays, 14 days after it was due")
    func due() throws {
        let ended = Self.book().ledger
        func at(_ minute: Double) -> WallTime { Self.book().moment(minute).wall }
        #expect(ended.evidenceToIndex(now: at(500 + Self.day - 1)) == [])
        #expect(ended.evidenceToIndex(now: at(500 + Self.day)) == [homework])
        let open = Self.book(isEnded: false, due: at(1000)).ledger
        #expect(open.evidenceToIndex(now: at(1000 + 14 * Self.day - 1)) == [])
        #expect(open.evidenceToIndex(now: at(1000 + 14 * Self.day)) == [homework])
        // While somebody is at it, never.
        var late = Self.book()
        late.session(10, bob, "late.odt", from: 600, to: nil)
        #expect(late.ledger.evidenceToIndex(now: at(600 + 90 * Self.day)) == [])
        // A session of few signs is not worth a file.
        var small = Book()
        small.add(.assignmentCreated(map()), 0)
        small.session(1, alice, from: 1, to: 5)
        small.add(.assignmentEnded(homework, reason: "gone"), 6)
        #expect(small.ledger.evidenceToIndex(now: at(90 * Self.day)) == [])
    }

    @Test("leave memory, and all answers as they are: figures, other rules, late work, reopening, totals")
    func answers() throws {
        var book = Self.book()
        var plain = book.ledger
        var indexed = plain
        let content = try #require(plain.contents(of: [homework])[homework])
        #expect(content.seqs.count == 2)
        #expect(plain.evidenceCounts.inMemory == 300)
        indexed.use([homework: Bytes(content.bytes, name: "a")])
        #expect(indexed.evidenceCounts == (0, 300))
        #expect(indexed == plain)
        #expect(indexed.evidenceIndexes.keys.sorted() == [homework])
        #expect(indexed.evidenceToIndex(now: book.moment(90 * Self.day).wall) == [], "it is there")

        func compare(_ what: String) {
            let now = book.moment(90 * Self.day)
            for person in [alice, bob] {
                let filter = SessionFilter(person: person, assignment: homework)
                #expect(indexed.sessions(filter) == plain.sessions(filter), "\(what)")
                var strict = Rule()
                strict.idleContinuous = .seconds(20)
                for rule in [Rule(), strict] {
                    #expect(
                        indexed.figures(for: indexed.sessions(filter), of: person, rule: rule, now: now)
                            == plain.figures(for: plain.sessions(filter), of: person, rule: rule, now: now), "\(what)")
                }
            }
            #expect(indexed.totals(of: homework, now: now, clock: .utc) == plain.totals(of: homework, now: now, clock: .utc), "\(what)")
            #expect(indexed == plain, "\(what)")
        }
        compare("at first")
        func add(_ change: (inout Book) -> Void) {
            let before = book.entries.count
            change(&book)
            for entry in book.entries[before...] {
                plain.apply(entry)
                indexed.apply(entry)
            }
        }
        // To what has ended nothing is added.
        add { $0.add(.session(.evidence(ActivityID(1), Evidence(.saved, first: instant(900))), assignment: nil), 900) }
        compare("evidence after the end")
        add { $0.session(20, alice, "late.odt", from: 1000, to: 1010) }
        compare("late work")
        add { $0.add(.assignmentCreated(map()), 1100) }
        add { $0.session(21, bob, "again.odt", from: 1200, to: 1290) }
        compare("reopened")
        add {
            var facts = map()
            facts.rule.idleContinuous = .seconds(60)
            facts.ruleChange = RuleChange(before: Rule(), by: 900, byLogin: "keller")
            $0.add(.assignmentChanged(facts), 1300)
        }
        compare("recomputed")
        // All of it anew, in one.
        let whole = try #require(indexed.contents(of: [homework])[homework])
        #expect(whole == plain.contents(of: [homework])[homework] && whole.seqs.count == 4)
        indexed.use([homework: Bytes(whole.bytes, name: "b")])
        #expect(indexed.evidenceCounts.inMemory == 0 && indexed.evidenceCounts.indexed == plain.evidenceCounts.inMemory)
        compare("indexed again")
        // An older one lacks sessions that are nowhere else any more.
        indexed.use([homework: Bytes(content.bytes, name: "a")])
        compare("an older one is left alone")
        plain.forget(bob)
        indexed.forget(bob)
        compare("forgotten")
        #expect(indexed.evidenceToIndex(now: book.moment(1300).wall) == [homework], "the index still has them")
        let rest = try #require(indexed.contents(of: [homework])[homework])
        #expect(rest == plain.contents(of: [homework])[homework])
        indexed.use([homework: Bytes(rest.bytes, name: "c")])
        #expect(indexed.evidenceToIndex(now: book.moment(1300).wall) == [])
        compare("without them")
        for facts in plain.totals(of: homework, now: book.moment(2000), clock: .utc) { add { $0.add(.totals(facts), 2000) } }
        compare("aged")
        plain.workWent(of: homework)
        indexed.workWent(of: homework)
        compare("gone")
        #expect(indexed.evidenceIndexes.isEmpty)
    }

    @Test("that are damaged are wanted again, and taken under the same name")
    func again() throws {
        let book = Self.book()
        var ledger = book.ledger
        let content = try #require(ledger.contents(of: [homework])[homework])
        ledger.use([homework: Bytes(content.bytes, name: "a", isSound: false)])
        #expect(ledger.evidenceToIndex(now: book.moment(501).wall) == [homework])
        ledger.use([homework: Bytes(content.bytes, name: "a")])
        #expect(ledger.evidenceToIndex(now: book.moment(501).wall) == [] && ledger == book.ledger)
    }

    @Test(
        "make no difference through any mixture of entries, erasures, restarts, and indexes written anew",
        arguments: 1...8 as ClosedRange<UInt64>)
    func mixture(seed: UInt64) throws {
        var random = SnapshotTests.Numbers(state: seed &* 77)
        var plain = Ledger()
        var indexed = Ledger()
        var written: [EvidenceIndexID: Bytes] = [:]
        var (uses, restarts) = (0, 0)
        for seq in UInt64(1)...1500 {
            var same = random
            SnapshotTests.step(&plain, &random, seq: seq)
            SnapshotTests.step(&indexed, &same, seq: seq)
            switch random.upTo(60) {
            case 0, 1:
                var indexes: [AssignmentID: any EvidenceIndexBytes] = [:]
                for (id, content) in indexed.contents(of: SnapshotTests.assignments) where random.upTo(3) > 0 {
                    let bytes = Bytes(content.bytes, name: "\(seq) \(id.text)")
                    written[bytes.id] = bytes
                    indexes[id] = bytes
                }
                indexed.use(indexes)
                uses += indexes.count
                #expect(indexed == plain, "\(seed) at \(seq)")
            case 2:
                let bytes = SnapshotTests.bytes(indexed)
                let names = Set(indexed.evidenceIndexes.values)
                indexed = try bytes.withUnsafeBytes { buffer in
                    try Ledger(snapshot: buffer, indexes: { names.contains($1) ? written[$1] : nil })
                }
                restarts += 1
                #expect(indexed == plain, "\(seed) at \(seq)")
                // Without any one of them there is no ledger.
                for missing in names {
                    #expect(throws: SnapshotError.withoutIndex) {
                        _ = try bytes.withUnsafeBytes { buffer in
                            try Ledger(snapshot: buffer, indexes: { $1 == missing ? nil : written[$1] })
                        }
                    }
                }
            default: break
            }
        }
        #expect(indexed == plain)
        #expect(uses > 5 && restarts > 5, "\(uses), \(restarts)")
    }

    @Test("of other bytes give no evidence that is not there, and end nothing")
    func damaged() throws {
        let book = Self.book()
        let content = try #require(book.ledger.contents(of: [homework])[homework])
        let head = 16 + 2 * 32
        for index in Array(0..<head) + Array(stride(from: head, to: content.bytes.count, by: 5)) {
            for bit in 0..<8 {
                var bytes = content.bytes
                bytes[index] ^= 1 << UInt8(bit)
                var ledger = book.ledger
                ledger.use([homework: Bytes(bytes, name: "odd")])
                // The checksum of the file finds these; whoever asks all the same gets what can be read.
                for session in ledger.sessions(SessionFilter()) { #expect(session.work.evidence.count <= 150) }
                ledger.forget(bob)
                _ = SnapshotTests.bytes(ledger)
            }
        }
        for length in stride(from: 0, to: content.bytes.count, by: 7) {
            var ledger = book.ledger
            ledger.use([homework: Bytes(Array(content.bytes.prefix(length)), name: "short")])
            #expect(ledger == book.ledger && ledger.evidenceIndexes.isEmpty)
        }
    }
}
