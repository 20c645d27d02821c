// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("An assignment's rule")
struct RuleTests {
    private let wide = Rule(name: "wide", idleContinuous: minutes(20), idleSavesOnly: minutes(40))

    /// Two sessions that the live timer made of one, since 20 minutes passed between two saves.
    private func split() -> Book {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        for (id, saves) in [(UInt64(1), [0.0, 10, 20]), (2, [40, 50])] {
            let start = SessionStart(
                id: ActivityID(id), document: place("essay.odt"), attribution: Attribution(person: alice, source: .save),
                presence: .points, openedAt: instant(saves[0]), notBefore: instant(saves[0]))
            book.add(.session(.started(start), assignment: homework), saves[0])
            for save in saves {
                book.add(.session(.evidence(ActivityID(id), Evidence(.saved, first: instant(save))), assignment: nil), save)
            }
            let last = saves[saves.count - 1]
            let end = SessionEnd(ending: .idle, closedAt: instant(last), notAfter: instant(last + 15), confidence: .fair)
            book.add(.session(.stopped(ActivityID(id), end), assignment: nil), last + 15)
        }
        return book
    }

    private func figures(_ book: Book, _ rule: Rule) -> TimeFigures {
        let ledger = book.ledger
        return ledger.figures(for: ledger.sessions(SessionFilter(person: alice)), of: alice, rule: rule, now: book.moment(500))
    }

    @Test("with a longer limit joins what the live timer took for two sessions, with a shorter one counts less")
    func joins() {
        #expect(figures(split(), Rule()).active == minutes(30))
        #expect(figures(split(), Rule()).open == minutes(30))
        #expect(figures(split(), wide).active == minutes(50))
        #expect(figures(split(), wide).open == minutes(50))
        #expect(figures(split(), wide).atLeast == .zero)
        let edge = Rule(name: "edge", idleSavesOnly: minutes(20))
        #expect(figures(split(), edge).active == minutes(50))
        let below = Rule(name: "below", idleSavesOnly: minutes(20) - .microseconds(1))
        #expect(figures(split(), below).active == minutes(30))
        #expect(figures(split(), Rule(name: "short", idleSavesOnly: minutes(9))).active == .zero)
        // A document that was closed is not worked on, whatever the limit.
        var closed = Book()
        closed.session(1, alice, from: 0, to: 10)
        closed.session(2, alice, from: 12, to: 20)
        #expect(figures(closed, wide).active == minutes(18))
    }

    @Test("is the one it was made with, until an entry changes it; copies of the facts do not change it again")
    func change() throws {
        var book = split()
        book.add(.settings(SettingsFacts(rule: wide, shares: [], classes: [])), 100)
        #expect(book.ledger.assignment(homework)?.facts.rule == Rule())
        var facts = map()
        facts.rule = wide
        facts.ruleChange = RuleChange(before: Rule(), by: 900, byLogin: "keller")
        book.add(.assignmentChanged(facts), 110)
        let record = try #require(book.ledger.assignment(homework))
        #expect(record.facts.rule == wide)
        #expect(record.ruleChanges.map(\.change) == [RuleChange(before: Rule(), by: 900, byLogin: "keller")])
        #expect(record.facts.ruleChange == nil)
        book.add(.assignmentChanged(record.facts), 120)
        #expect(book.ledger.assignment(homework)?.ruleChanges.count == 1)
    }

    @Test("that is asked for is named by its limits, and must be one that can be")
    func choices() throws {
        let own = Rule(name: "2025-2", idleContinuous: minutes(3))
        #expect(try RuleChoice().applied(own: own, configured: wide) == own)
        #expect(try RuleChoice(base: .configured).applied(own: own, configured: wide) == wide)
        #expect(try RuleChoice(base: .standard).applied(own: own, configured: wide) == Rule())
        let asked = try RuleChoice(idleContinuous: minutes(10), atLeast: .seconds(90)).applied(own: own, configured: wide)
        #expect(asked.name == "idle 10m/15m, at least 90s, at most 60m")
        #expect(asked.idleContinuous == minutes(10) && asked.idleSavesOnly == minutes(15))
        // Back at the built-in limits it has the built-in name.
        #expect(try RuleChoice(idleContinuous: minutes(5)).applied(own: own, configured: wide) == Rule())
        for (choice, text) in [
            (RuleChoice(idleContinuous: .zero), "idle-continuous is 1s to 24h, not 0s"),
            (RuleChoice(atMost: .seconds(86_401)), "at-most is 1s to 24h, not 86401s"),
            (RuleChoice(atLeast: .milliseconds(-500)), "at-least is 0s to 24h, not -500ms"),
            (RuleChoice(idleSavesOnly: minutes(1)), "at-least (2m) must not be longer than idle-saves-only (1m)"),
            (RuleChoice(idleContinuous: minutes(61)), "idle-continuous (61m) must not be longer than at-most (60m)"),
        ] {
            #expect(throws: RuleMistake(text)) { try choice.applied(own: own, configured: wide) }
        }
    }
}

@Suite("A program that saves by itself")
struct ClockworkTests {
    /// A lock, typing for 20 minutes, then saves at these minutes; `words` says what each save held.
    private func night(_ saves: [Double], words: (Int) -> Double, typed: [Double] = []) -> TimeFigures {
        var book = Book()
        let start = SessionStart(
            id: ActivityID(1), document: place("essay.odt"), attribution: Attribution(person: alice, source: .companion),
            presence: .companion, openedAt: instant(0), notBefore: instant(0))
        book.add(.session(.started(start), assignment: homework), 0)
        book.add(.session(.evidence(ActivityID(1), Evidence(.lockAppeared, first: instant(0))), assignment: nil), 0)
        for (index, minute) in saves.enumerated() {
            book.add(.session(.evidence(ActivityID(1), Evidence(.saved, first: instant(minute))), assignment: nil), minute)
            book.words(words(index), alice, "essay.odt", minute)
        }
        for minute in typed {
            book.add(.session(.evidence(ActivityID(1), Evidence(.typed, first: instant(minute))), assignment: nil), minute)
        }
        let last = (saves.last ?? 0) + 5
        let end = SessionEnd(ending: .companion, closedAt: instant(last), notAfter: instant(last), confidence: .good)
        book.add(.session(.stopped(ActivityID(1), end), assignment: nil), last)
        let ledger = book.ledger
        return ledger.figures(for: ledger.sessions(SessionFilter(person: alice)), of: alice, rule: Rule(), now: book.moment(last + 10))
    }

    private let everyTen = stride(from: 10.0, through: 600, by: 10).map { $0 }

    @Test("keeps nobody present over night")
    func overNight() {
        let figures = night(everyTen, words: { _ in 100 })
        // Until the first save, which a person may have made, and the last minutes before the close.
        #expect(figures.active == minutes(10))
        #expect(figures.atMost == minutes(70))
        #expect(figures.open == minutes(605))
        #expect(figures.leftOpen == minutes(535))
        #expect(figures.saves == 60)
    }

    @Test("is a person who saves where something changes, the pauses differ, or it is too short to tell")
    func people() {
        let most = everyTen.last.map { $0 + 5 } ?? 0
        #expect(night(everyTen, words: { Double($0) }).active == minutes(most))
        let uneven = everyTen.enumerated().map { $1 + ($0 % 2 == 0 ? 0 : 0.1) }
        #expect(night(uneven, words: { _ in 100 }).active == minutes((uneven.last ?? 0) + 5))
        #expect(night([10, 20, 30], words: { _ in 100 }).active == minutes(35))
        #expect(night([10, 20, 30, 40], words: { _ in 100 }).active == minutes(10))
        // Typing beside it is somebody.
        #expect(night([10, 20, 30, 40], words: { _ in 100 }, typed: [24, 38]).active == minutes(45))
    }
}
