// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("A ledger's snapshot")
struct SnapshotTests {
    struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }

        mutating func upTo(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
    }

    @Test("holds how far audio and video was read")
    func deliveries() throws {
        var book = Book()
        let start = SessionStart(
            id: ActivityID(1), document: place("hymn.mp3"), attribution: Attribution(person: alice, source: .holder), presence: .process,
            openedAt: instant(1), notBefore: instant(1))
        book.add(.session(.started(start), assignment: homework), 1)
        for position in [Int64(30), 70, 50] {
            let read = try #require(Delivery(position: position, size: 100))
            book.add(.session(.delivered(ActivityID(1), read, at: instant(2)), assignment: nil), 2)
        }
        let restored = try Self.restored(Self.bytes(book.ledger))
        #expect(restored.session(ActivityID(1))?.work.delivery == Delivery(position: 70, size: 100), "the furthest")
        #expect(restored.session(ActivityID(1))?.work.evidence.isEmpty == true, "it is no sign of work")
    }

    static func bytes(_ ledger: Ledger) -> [UInt8] {
        var bytes: [UInt8] = []
        ledger.snapshot { bytes.append(contentsOf: $0) }
        return bytes
    }

    static func restored(_ bytes: [UInt8]) throws -> Ledger {
        try bytes.withUnsafeBytes { buffer in try Ledger(snapshot: buffer) }
    }

    private static let people = [alice, bob, keller, PersonID(uid: 2003, login: "clara")]
    static let assignments = [homework, AssignmentID(text: "7b/Essay"), AssignmentID(text: "/srv/other")]

    private static func aPlace(_ random: inout Numbers) -> DocumentRef {
        let person = people[random.upTo(people.count)].login
        return DocumentRef(share: "/srv/classes", path: PathBytes("7b/\(["Map", "Essay"][random.upTo(2)])/\(person)/\(random.upTo(3)).odt"))
    }

    private static func facts(_ random: inout Numbers) -> AssignmentFacts {
        let id = assignments[random.upTo(assignments.count)]
        var facts = AssignmentFacts(
            id: id, title: id.text, className: "7b", share: "/srv/classes",
            folder: id.text.hasPrefix("/") ? nil : PathBytes(id.text), due: random.upTo(2) == 0 ? nil : wall("2025-03-20T00:00:00Z"),
            by: 900, rule: Rule(), students: people.filter { _ in random.upTo(2) == 0 })
        facts.excused = facts.students.filter { _ in random.upTo(5) == 0 }
        if random.upTo(4) == 0 { facts.target = Target(identifier: "total_word_count", value: 500.5) }
        if random.upTo(6) == 0 { facts.ruleChange = RuleChange(before: Rule(name: "old"), by: 900, byLogin: "keller") }
        if random.upTo(2) == 0 {
            facts.plan.stage = [.draft, .scheduled, .active][random.upTo(3)]
            facts.plan.opens = wall("2025-03-12T00:00:00Z")
            facts.plan.instructions = "do"
            facts.plan.chosen = facts.students
            facts.plan.deadlines = facts.students.map { Deadline(person: $0, due: wall("2025-03-22T00:00:00Z"), reason: "r") }
            facts.plan.materials = [.document(aPlace(&random)), .context(["c"])]
            facts.plan.edition = random.upTo(9)
            facts.plan.editor = AssignmentPlan.Editor(uid: 900, login: "keller")
        }
        if random.upTo(8) == 0 { facts.asOf = wall("2025-03-01T00:00:00Z") }
        return facts
    }

    /// An entry of any kind; sessions have numbers from 1 to 30, so that many go on.
    private static func body(_ random: inout Numbers, at minute: Double) -> EntryBody {
        let person = people[random.upTo(people.count)]
        let id = ActivityID(UInt64(1 + random.upTo(30)))
        let now = instant(minute)
        switch random.upTo(48) {
        case 0: return .started(version: "\(random.upTo(3))")
        case 1: return .settings(SettingsFacts(rule: Rule(), shares: ["/srv/classes"], classes: ["7b"]))
        case 2:
            return .recording(
                RecordingChange(state: [.on, .off, .paused][random.upTo(3)], person: random.upTo(2) == 0 ? person : nil, by: 7))
        case 3: return .watching(WatchingFacts(share: "/srv/classes", state: .partial, source: "inotify", folders: 5, reason: "full"))
        case 4:
            return .gap(
                GapFacts(cause: .overflow, share: nil, from: wall("2025-03-10T00:00:00Z"), to: wall("2025-03-10T01:00:00Z"), lost: 3))
        case 5: return .clock(ClockFacts(cause: .suspended, by: 60_000_000))
        case 6, 7:
            return .person(
                PersonFacts(person: person, displayName: person.login + "'s", role: .student, classes: random.upTo(3) == 0 ? [] : ["7b"]))
        case 8, 9: return .assignmentCreated(facts(&random))
        case 10: return .assignmentChanged(facts(&random))
        case 11: return .assignmentEnded(assignments[random.upTo(assignments.count)], reason: "gone")
        case 12:
            return .done(
                DoneFacts(
                    assignment: assignments[random.upTo(assignments.count)], person: person, state: .handedIn, document: aPlace(&random),
                    file: random.upTo(2) == 0 ? HandedInFile(size: 9, sha256: "ff") : nil, by: random.upTo(2) == 0 ? 900 : nil, text: "x"))
        case 13:
            return .viewed(
                ViewedFacts(
                    by: 900, byLogin: "keller", person: random.upTo(2) == 0 ? person : nil,
                    assignment: random.upTo(2) == 0 ? homework : nil, what: "Show"))
        case 14:
            return .repaired(RepairFacts(lastGoodSeq: 4, lastGoodChain: "00", setAside: "torn", bytes: 9, reason: "cut"))
        case 15, 16:
            return .metrics(
                MetricsFacts(
                    document: aPlace(&random), assignment: random.upTo(4) == 0 ? nil : assignments[random.upTo(assignments.count)],
                    attribution: Attribution(person: random.upTo(5) == 0 ? nil : person, source: .save), savedAt: now,
                    size: Int64(random.upTo(90_000)), format: "odt", language: "en",
                    items: [
                        Item(identifier: "total_word_count", title: "Words", value: .quantity(Double(random.upTo(900))), method: .counted)
                    ], notes: random.upTo(3) == 0 ? [MissingItem(identifier: "page_count", reason: "no pages")] : []))
        case 17...21:
            let presence: Presence = [.held, .companion, .process, .points][random.upTo(4)]
            return .session(
                .started(
                    SessionStart(
                        id: id, document: aPlace(&random),
                        attribution: Attribution(person: random.upTo(5) == 0 ? nil : person, source: .companion), presence: presence,
                        openedAt: now, notBefore: now, process: random.upTo(3) == 0 ? ProcessID(pid: 99, startedAt: now) : nil)),
                assignment: random.upTo(6) == 0 ? nil : assignments[random.upTo(assignments.count)])
        case 22: return .session(.paused(id, at: now), assignment: nil)
        case 23: return .session(.attributed(id, Attribution(person: person, source: .holder)), assignment: nil)
        case 24: return .session(.moved(id, aPlace(&random)), assignment: nil)
        case 25...27:
            let end = SessionEnd(ending: .closed, closedAt: now, notAfter: now, confidence: .good)
            return .session(.stopped(id, end), assignment: nil)
        case 40:
            return .note(
                NoteFacts(activity: id, text: "n", excludes: [true, false, nil][random.upTo(3)], by: 900, byLogin: "keller"))
        case 41:
            return .bookmarkCreated(
                BookmarkFacts(
                    number: UInt64(1 + random.upTo(5)), by: 900, byLogin: "keller", title: "t",
                    material: random.upTo(2) == 0 ? .document(aPlace(&random)) : .context(["a", "b"])))
        case 42: return .bookmarkRemoved(number: UInt64(1 + random.upTo(5)), by: 900)
        case 43:
            if random.upTo(2) == 0 {
                return .assignmentEnded(
                    assignments[random.upTo(assignments.count)],
                    reason: random.upTo(2) == 0 ? AssignmentRecord.Ended.completed : AssignmentRecord.Ended.deleted)
            }
            return .imported(ImportFacts(source: "OneRoster 1.1", classes: 3, people: 9, sha256: "00", by: 0, byLogin: "root"))
        case 44:
            return .contextSaved(
                quizContext(
                    ["a", "b", "c"].prefix(1 + random.upTo(3)).map { $0 }, title: "\(random.upTo(9))", link: "https://school.example"))
        case 45: return .contextRemoved(ContextRef(app: quiz, path: random.upTo(2) == 0 ? ["a"] : ["a", "b"]), by: 900)
        case 46, 47:
            var facts = quizReport(
                person, attempt: "\(random.upTo(3))", seconds: Int64(random.upTo(900)),
                in: assignments[random.upTo(assignments.count)], isListed: random.upTo(2) == 0)
            if random.upTo(2) == 0 { facts.subject = .document(aPlace(&random)) }
            if random.upTo(2) == 0 { facts.stop = .programGone }
            return .reported(facts)
        case 28: return .erased
        case 29: return .unknown(kind: "later")
        default:
            return .session(
                .evidence(
                    id,
                    Evidence(
                        [.saved, .typed, .lockAppeared][random.upTo(3)], first: now, last: now + .seconds(random.upTo(30)),
                        count: random.upTo(12) == 0 ? 70_000 : 3, isContinuous: true)), assignment: nil)
        }
    }

    /// A year in which anything happens, also what is no entry: somebody is forgotten, evidence ages out.
    static func step(_ ledger: inout Ledger, _ random: inout Numbers, seq: UInt64) {
        let minute = Double(seq) / 2
        var book = Book()
        book.boot = BootID(text: seq % 900 < 450 ? "b1" : "b2")
        book.add(body(&random, at: minute), minute)
        var entry = book.entries[0]
        entry.seq = seq
        ledger.apply(entry)
        switch random.upTo(300) {
        case 0: ledger.forget(people[random.upTo(people.count)])
        case 1: ledger.workWent(of: assignments[random.upTo(assignments.count)])
        case 2: ledger.evidenceWent(of: assignments[random.upTo(assignments.count)], through: seq)
        case 3: ledger.viewsWent(before: entry.at - minutes(60))
        case 4:
            for facts in ledger.totals(of: homework, now: book.moment(minute), clock: .utc) {
                ledger.apply(Entry(seq: seq, at: entry.at, boot: entry.boot, mono: entry.mono, body: .totals(facts)))
            }
        default: break
        }
    }

    @Test("makes an equal ledger, which goes on like the one that it was made of", arguments: 1...12 as ClosedRange<UInt64>)
    func equal(seed: UInt64) throws {
        var random = Numbers(state: seed)
        var ledger = Ledger()
        var copies: [Ledger] = []
        for seq in UInt64(1)...1500 {
            let before = random
            Self.step(&ledger, &random, seq: seq)
            for index in copies.indices {
                var same = before
                Self.step(&copies[index], &same, seq: seq)
            }
            if random.upTo(150) == 0 {
                let copy = try Self.restored(Self.bytes(ledger))
                #expect(copy == ledger, "\(seed) at \(seq)")
                copies.append(copy)
            }
        }
        #expect(copies.count > 2)
        for copy in copies { #expect(copy == ledger, "\(seed)") }
        #expect(ledger.sessions(SessionFilter()).count > 3)
        // What decides about recording is whole in what is kept of it for that.
        let decisions = ledger.decisions
        #expect(decisions.recording == ledger.recording && decisions.people == ledger.people)
        #expect(decisions.allAssignments.map(\.facts) == ledger.allAssignments.map(\.facts))
    }

    @Test("of other bytes makes no ledger, or one that can be asked: cut anywhere, with any byte another")
    func damaged() throws {
        var random = Numbers(state: 77)
        var ledger = Ledger()
        for seq in UInt64(1)...120 { Self.step(&ledger, &random, seq: seq) }
        let whole = Self.bytes(ledger)
        for length in 0..<whole.count {
            #expect(throws: SnapshotError.self, "cut at \(length)") { try Self.restored(Array(whole.prefix(length))) }
        }
        #expect(throws: SnapshotError.self) { try Self.restored(whole + [0]) }
        var survived = 0
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= UInt8(1 << random.upTo(8))
            // The file's checksum finds these; here nothing may be trusted with more than it has.
            guard var odd = try? Self.restored(bytes) else { continue }
            survived += 1
            _ = odd.sessions(SessionFilter())
            for session in odd.sessions(SessionFilter()) { _ = odd.saves(of: session.work.document) }
            for id in Self.assignments { for person in Self.people { _ = odd.saves(in: id, by: person) } }
            odd.forget(alice)
            Self.step(&odd, &random, seq: 500)
        }
        #expect(survived > 0)
    }
}
