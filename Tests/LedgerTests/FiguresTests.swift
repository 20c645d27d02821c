// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("A student's time")
struct FiguresTests {
    private func figures(_ book: Book, of person: PersonID = alice, rule: Rule = Rule(), now: Double = 100_000) -> TimeFigures {
        let ledger = book.ledger
        return ledger.figures(
            for: ledger.sessions(SessionFilter(person: person)), of: person, rule: rule, now: book.moment(now))
    }

    private func days(_ book: Book, _ clock: LocalClock = .utc, now: Double = 100_000) -> [(date: CivilDate, figures: TimeFigures)] {
        let ledger = book.ledger
        return ledger.figuresByDay(
            for: ledger.sessions(SessionFilter(person: alice)), of: alice, rule: Rule(), now: book.moment(now), clock: clock)
    }

    @Test("is the union over documents, never the sum")
    func union() {
        var book = Book()
        book.session(1, alice, "essay.odt", from: 0, to: 30)
        book.session(2, alice, "notes.md", from: 20, to: 45)
        book.session(3, alice, "copy.odt", from: 5, to: 10)
        let total = figures(book)
        #expect(total.active == minutes(45))
        #expect(total.atLeast == minutes(45))
        #expect(total.atMost == minutes(45))
        #expect(total.open == minutes(45))
    }

    @Test("never exceeds the span it lies in, however sessions overlap")
    func bounded() throws {
        var random: UInt64 = 7
        func next(_ limit: UInt64) -> Double {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double((random >> 33) % limit)
        }
        for round in 0..<100 {
            var book = Book()
            for id in 1...8 {
                let from = next(200)
                book.session(UInt64(id), alice, "\(id).odt", from: from, to: from + next(60))
            }
            let total = figures(book)
            let active = try #require(total.active, "round \(round)")
            let most = try #require(total.atMost, "round \(round)")
            #expect(total.atLeast <= active && active <= most && most <= minutes(260), "round \(round)")
            #expect(active > .zero)
        }
    }

    @Test("adds up over two runs of the machine, and a session that the first left open ends with it")
    func boots() {
        var book = Book()
        book.session(1, alice, from: 0, to: 10)
        book.session(2, alice, from: 20, to: nil)
        let typed = Evidence(.typed, first: instant(20), last: instant(25), count: 9, isContinuous: true)
        book.add(.session(.evidence(ActivityID(2), typed), assignment: nil), 25)
        book.add(.stopped(reason: "reboot"), 27)
        book.boot = BootID(text: "b2")
        book.start = book.start + minutes(60)
        book.session(3, alice, from: 5, to: 12)
        let total = figures(book)
        #expect(total.active == minutes(10 + 7 + 7))
        #expect(total.atLeast == minutes(10 + 7 + 7))
        #expect(total.confidence == .good)
    }

    @Test(
        "is unknown for a lone save, never 0, and bounded by when the file was not there yet", arguments: [Evidence.Kind.saved, .broughtIn])
    func loneSave(kind: Evidence.Kind) {
        var book = Book()
        let start = SessionStart(
            id: ActivityID(1), document: place("essay.odt"), attribution: Attribution(person: alice, source: .save), presence: .points,
            openedAt: instant(50), notBefore: instant(30))
        book.add(.session(.started(start), assignment: homework), 50)
        book.add(.session(.evidence(ActivityID(1), Evidence(kind, first: instant(50))), assignment: nil), 50)
        let end = SessionEnd(ending: .idle, closedAt: instant(50), notAfter: instant(50), confidence: .thin)
        book.add(.session(.stopped(ActivityID(1), end), assignment: nil), 65)
        let total = figures(book)
        #expect(total.active == nil)
        #expect(total.open == nil)
        #expect(total.atLeast == .zero)
        #expect(total.atMost == minutes(20))
        #expect(total.confidence == .thin)
        #expect(total.isBroughtIn == (kind == .broughtIn))
    }

    @Test("does not count a mere touch")
    func touch() {
        var book = Book()
        book.session(1, alice, from: 0, to: nil)
        let end = SessionEnd(ending: .closed, closedAt: instant(1), notAfter: instant(1), confidence: .none)
        book.add(.session(.stopped(ActivityID(1), end), assignment: nil), 1)
        #expect(figures(book) == .nothing)
        #expect(days(book).isEmpty)
    }

    @Test("does not run while the machine sleeps, or while recording is off for everybody or for this person")
    func excluded() {
        for (cause, expected) in [
            (EntryBody.clock(ClockFacts(cause: .suspended, by: minutes(10).microseconds)), 50.0),
            (.recording(RecordingChange(state: .paused)), 20), (.recording(RecordingChange(state: .off, person: alice)), 20),
            (.recording(RecordingChange(state: .off, person: bob)), 60), (.clock(ClockFacts(cause: .stepped, by: 600_000_000)), 60),
        ] {
            var book = Book()
            book.add(.recording(RecordingChange(state: .on)), 0)
            book.add(cause, 20)
            book.session(1, alice, from: 0, to: 60)
            #expect(figures(book).active == minutes(expected), "\(cause)")
        }
        var book = Book()
        for (state, minute) in [(RecordingChange.State.on, 0.0), (.paused, 10), (.off, 12), (.on, 30)] {
            book.add(.recording(RecordingChange(state: state)), minute)
        }
        book.session(1, alice, from: 0, to: 60)
        #expect(figures(book).active == minutes(40))
    }

    @Test("may have gone on after the machine woke, as long as it may before, and the days still add up to it")
    func asleep() {
        var book = Book()
        book.session(1, alice, from: 0, to: nil)
        let typed = Evidence(.typed, first: instant(0), last: instant(10), count: 9, isContinuous: true)
        book.add(.session(.evidence(ActivityID(1), typed), assignment: nil), 10)
        // Asleep from minute 20 to minute 2000; closed at minute 2030.
        book.add(.clock(ClockFacts(cause: .suspended, by: minutes(1980).microseconds)), 2000)
        let end = SessionEnd(ending: .companion, closedAt: instant(2030), notAfter: instant(2030), confidence: .good)
        book.add(.session(.stopped(ActivityID(1), end), assignment: nil), 2030)
        let total = figures(book)
        #expect(total.active == minutes(10))
        #expect(total.open == minutes(50))
        // All 40 minutes in which the machine was awake: fewer than an hour without a sign.
        #expect(total.atMost == minutes(50))
        #expect(total.leftOpen == .zero)
        #expect(days(book).reduce(Duration.zero) { $0 + ($1.figures.atMost ?? .zero) } == minutes(50))
        #expect(figures(book, rule: Rule(name: "short", atMost: minutes(20))).atMost == minutes(30))
    }

    @Test("changes with the rule, and only with it")
    func rules() {
        var book = Book()
        book.session(1, alice, from: 0, to: nil)
        for minute in [0.0, 1, 5, 15] {
            let sign = Evidence(.typed, first: instant(minute), isContinuous: true)
            book.add(.session(.evidence(ActivityID(1), sign), assignment: nil), minute)
        }
        let end = SessionEnd(ending: .companion, closedAt: instant(15), notAfter: instant(15), confidence: .good)
        book.add(.session(.stopped(ActivityID(1), end), assignment: nil), 15)
        #expect(figures(book).active == minutes(5))
        #expect(figures(book).active == minutes(5))
        #expect(figures(book, rule: Rule(name: "wide", idleContinuous: minutes(10))).active == minutes(15))
        #expect(figures(book).atLeast == minutes(1))
    }

    @Test("is split at midnight, and nothing of it is lost")
    func overnight() {
        var book = Book()
        // Two in the afternoon of the first day until ten in the morning of the third.
        book.session(1, alice, from: 14 * 60, to: 58 * 60)
        let parts = days(book)
        #expect(parts.map(\.date.text) == ["2025-03-10", "2025-03-11", "2025-03-12"])
        #expect(parts.map(\.figures.active) == [minutes(10 * 60), minutes(24 * 60), minutes(10 * 60)])
        #expect(parts.reduce(Duration.zero) { $0 + ($1.figures.active ?? .zero) } == figures(book).active)
    }

    @Test("is split at the borders of the days on which the clocks change", arguments: [(-1.0, 23.0), (1.0, 25.0)])
    func summerTime(jump: Double, hours: Double) {
        var book = Book()
        book.session(1, alice, from: 0, to: 72 * 60)
        // The offset changes in the second night: the second day has 23 hours, or 25.
        let change = book.start + minutes(25 * 60)
        let clock = LocalClock { civilTime(of: $0, offset: $0 < change ? .zero : minutes(-jump * 60)) }
        let parts = days(book, clock)
        #expect(parts.prefix(2).map(\.figures.active) == [minutes(24 * 60), minutes(hours * 60)])
        #expect(parts.reduce(Duration.zero) { $0 + ($1.figures.active ?? .zero) } == minutes(72 * 60))
    }

    @Test("keeps its length when the wall clock steps over midnight", arguments: [-7200.0, -60, 60, 7200])
    func clockSteps(seconds: Double) {
        var book = Book()
        book.session(1, alice, from: 23 * 60, to: nil)
        book.start = book.start + .microseconds(Int64(seconds * 1_000_000))
        let typed = Evidence(.typed, first: instant(23 * 60), last: instant(25 * 60), count: 9, isContinuous: true)
        book.add(.session(.evidence(ActivityID(1), typed), assignment: nil), 24 * 60)
        let end = SessionEnd(ending: .companion, closedAt: instant(25 * 60), notAfter: instant(25 * 60), confidence: .good)
        book.add(.session(.stopped(ActivityID(1), end), assignment: nil), 25 * 60)
        #expect(figures(book).active == minutes(120))
        #expect(days(book).reduce(Duration.zero) { $0 + ($1.figures.active ?? .zero) } == minutes(120))
    }

    @Test("is the same however the entries of one instant are ordered")
    func permutations() {
        var book = Book()
        book.session(1, alice, from: 0, to: nil)
        let signs: [Evidence] = [
            Evidence(.saved, first: instant(4)), Evidence(.lockChanged, first: instant(4)),
            Evidence(.typed, first: instant(2), last: instant(4), count: 3, isContinuous: true),
            Evidence(.saved, first: instant(4), count: 2),
        ]
        var results: [TimeFigures] = []
        for order in orders(Array(signs.indices)) {
            var copy = book
            for index in order { copy.add(.session(.evidence(ActivityID(1), signs[index]), assignment: nil), 4) }
            results.append(figures(copy, now: 5))
        }
        #expect(results.count == 24)
        #expect(results.allSatisfy { $0 == results.first })
        #expect(results.first?.saves == 3)
    }

    private func orders(_ items: [Int]) -> [[Int]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { first in orders(items.filter { $0 != first }).map { [first] + $0 } }
    }
}
