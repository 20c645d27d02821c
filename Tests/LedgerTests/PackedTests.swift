// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("What is kept packed")
struct PackedTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let instants: [Int64] = [0, 1, -1, 1_000_000, 30_000_000, 1 << 46, (1 << 47) - 1, 1 << 47, -(1 << 47), .max, .min]

    private static func anInstant(_ random: inout Numbers) -> BootTime {
        if Int.random(in: 0..<12, using: &random) == 0 {
            return BootTime(microseconds: instants.randomElement(using: &random) ?? 0)
        }
        return BootTime(microseconds: Int64.random(in: 0...100, using: &random) * 10_000_000)
    }

    private static func event(_ id: ActivityID, _ random: inout Numbers) -> SessionEvent {
        switch Int.random(in: 0..<42, using: &random) {
        case 0: return .paused(id, at: anInstant(&random))
        case 1: return .resumed(id, at: anInstant(&random))
        case 2: return .attributed(id, Attribution(person: [alice, bob, nil].randomElement(using: &random) ?? nil, source: .holder))
        case 3: return .moved(id, place("\(Int.random(in: 1...3, using: &random)).odt"))
        case 4:
            let end = SessionEnd(ending: .process, closedAt: anInstant(&random), notAfter: anInstant(&random), confidence: .fair)
            return .stopped(id, end)
        case 5, 6:
            let read = Delivery(position: Int64.random(in: 1...100, using: &random), size: Int64.random(in: 50...100, using: &random))
            return read.map { .delivered(id, $0, at: anInstant(&random)) } ?? .resumed(id, at: anInstant(&random))
        default:
            let kinds: [Evidence.Kind] = [
                .opened, .closed, .saved, .typed, .read, .lockAppeared, .lockVanished, .lockChanged, .broughtIn,
            ]
            let first = anInstant(&random)
            let counts = [1, 1, 1, 2, 9, 65_535, 65_536, 0, -1, Int.max]
            return .evidence(
                id,
                Evidence(
                    kinds.randomElement(using: &random) ?? .saved, first: first,
                    last: Bool.random(using: &random) ? first : anInstant(&random),
                    count: counts.randomElement(using: &random) ?? 1, isInferred: Bool.random(using: &random),
                    isContinuous: Bool.random(using: &random)))
        }
    }

    @Test(
        "gives sessions back as their own events make them, whatever came and in whatever order", arguments: 1...20 as ClosedRange<UInt64>)
    func sessions(seed: UInt64) {
        var random = Numbers(state: seed)
        var ledger = Ledger()
        var model: [ActivityID: WorkSession] = [:]
        for seq in UInt64(1)...600 {
            let id = ActivityID(UInt64.random(in: 1...12, using: &random))
            var event = Self.event(id, &random)
            if model[id] == nil {
                let process = Bool.random(using: &random) ? ProcessID(pid: 7, startedAt: Self.anInstant(&random)) : nil
                event = .started(
                    SessionStart(
                        id: id, document: place("\(id.rawValue % 3).odt"), attribution: Attribution(person: alice, source: .event),
                        presence: [.held, .companion, .process, .points].randomElement(using: &random) ?? .held,
                        openedAt: Self.anInstant(&random), notBefore: Self.anInstant(&random), process: process))
            }
            if case .started(let start) = event { model[id] = WorkSession(start) } else { model[id]?.apply(event) }
            ledger.apply(
                Entry(
                    seq: seq, at: WallTime(microseconds: Int64(seq)), boot: BootID(text: "b"), mono: BootTime(microseconds: Int64(seq)),
                    body: .session(event, assignment: homework)))
            if seq % 50 == 0 {
                for (id, work) in model { #expect(ledger.session(id)?.work == work, "\(id) at \(seq)") }
            }
        }
        #expect(model.count == 12)
    }

    @Test("gives measured saves back to the last bit")
    func saves() {
        let values: [Double] = [
            0, -0.0, 1, -1, 0.1, 7.83, -12.5, 0.125, 1e15, 0x1p53, -0x1p53, 1e300, .infinity, -.infinity, .greatestFiniteMagnitude,
            .leastNonzeroMagnitude, 1.0 / 3, 558,
        ]
        var ledger = Ledger()
        var expected: [MetricsFacts] = []
        for (index, value) in values.enumerated() {
            var items = [Item(identifier: "total_word_count", title: "Word Count", value: .quantity(value), method: .counted)]
            if index % 2 == 0 { items.append(Item(identifier: "quiz", title: "Quiz", value: .score(value, max: 10), method: .declared)) }
            if index % 3 == 0 {
                items.append(
                    Item(
                        identifier: "question_\(index)", title: "Question", value: .binary(index % 2 == 0, type: .correctIncorrect),
                        method: .estimated))
            }
            let facts = MetricsFacts(
                document: place("essay.odt"), assignment: index % 4 == 0 ? nil : homework,
                attribution: index % 5 == 0 ? .unknown : Attribution(person: index % 2 == 0 ? alice : bob, source: .save),
                savedAt: BootTime(microseconds: index == 3 ? .max : Int64(index) * 60_000_000 - 1), size: index == 4 ? .min : Int64(index),
                format: index % 2 == 0 ? "odt" : nil, language: index % 3 == 0 ? "en" : nil, items: items,
                notes: index % 4 == 1 ? [MissingItem(identifier: "page_count", reason: "none")] : [], error: index == 7 ? "broken" : nil)
            expected.append(facts)
            ledger.apply(
                Entry(
                    seq: UInt64(index + 1), at: WallTime(microseconds: 5), boot: BootID(text: "b"), mono: BootTime(microseconds: 0),
                    body: .metrics(facts)))
        }
        let found = ledger.saves(of: place("essay.odt"))
        #expect(found.map(\.facts) == expected)
        #expect(found.map(\.seq) == Array(1...UInt64(values.count)))
        #expect(found[1].facts.items.first.map { if case .quantity(let value) = $0.value { value.sign == .minus } else { false } } == true)
        #expect(ledger.latestSave(of: place("essay.odt"))?.facts == expected.last)
        #expect(ledger.latestSave(of: place("other.odt")) == nil)
    }

    @Test("lets nothing stay of a person who is forgotten, and gives their room to others")
    func forgets() {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        for id in UInt64(1)...9 { book.session(id, id % 2 == 0 ? bob : alice, "essay.odt", from: Double(id), to: Double(id) + 1) }
        let own = DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map/bob/essay.odt"))
        for id in UInt64(10)...12 {
            let start = SessionStart(
                id: ActivityID(id), document: own, attribution: Attribution(person: bob, source: .event), presence: .held,
                openedAt: instant(20), notBefore: instant(20))
            book.add(.session(.started(start), assignment: homework), 20)
            for minute in 20...40 {
                book.add(
                    .session(.evidence(ActivityID(id), Evidence(.saved, first: instant(Double(minute)))), assignment: nil), Double(minute))
            }
        }
        book.words(3, alice, "essay.odt", 9)
        var ledger = book.ledger
        ledger.forget(alice)
        #expect(!String(reflecting: ledger).contains("alice"))
        #expect(String(reflecting: book.ledger).contains("alice"))
        let left = ledger
        for id in UInt64(20)...24 {
            let start = SessionStart(
                id: ActivityID(id), document: DocumentRef(share: "/srv", path: PathBytes("x\(id)")),
                attribution: Attribution(person: keller, source: .event), presence: .held, openedAt: instant(50), notBefore: instant(50))
            ledger.apply(
                Entry(seq: 99 + id, at: book.start, boot: book.boot, mono: instant(50), body: .session(.started(start), assignment: nil)))
        }
        #expect(ledger != left)
        #expect(ledger.sessions(SessionFilter(person: keller)).map(\.work.document.path.text) == (20...24).map { "x\($0)" })
        #expect(left.sessions(SessionFilter()).map(\.id.rawValue) == [10, 11, 12])
        for session in left.sessions(SessionFilter()) {
            #expect(session.work.evidence.count == 21)
            #expect(ledger.session(session.id) == session)
        }
    }
}
