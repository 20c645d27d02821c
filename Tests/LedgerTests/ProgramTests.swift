// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Testing

@Suite("What programs report")
struct ProgramTests {
    private func ledger(_ bodies: [EntryBody]) -> Ledger {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        for (index, body) in bodies.enumerated() { book.add(body, Double(index + 1)) }
        return book.ledger
    }

    @Test("progress is the union of its ranges, however they come")
    func union() {
        let parts = [(0.2, 0.5), (0, 0.3), (0.9, 1.0), (0.5, 0.6)].map { ProgressRange(from: $0.0, to: $0.1) }
        let merged = [ProgressRange(from: 0, to: 0.6), ProgressRange(from: 0.9, to: 1)]
        #expect(ProgressRange.merged(parts) == merged)
        #expect(ProgressRange.merged(parts.reversed() + merged) == merged)
        let attempt = Attempt(id: "1", created: Book().start, modified: Book().start, duration: .zero, ranges: merged)
        #expect(abs(attempt.progress - 0.7) < 1e-12)
    }

    @Test("a tree of contexts belongs to its program, is found by path, and loses what is below what is removed")
    func tree() throws {
        let ledger = ledger([
            .contextSaved(quizContext(["b", "c"])), .contextSaved(quizContext(["a"])), .contextSaved(quizContext(["b"])),
            .contextSaved(quizContext(["a", "x"])), .contextSaved(quizContext(["a"], title: "Other")),
        ])
        let tree = try #require(ledger.contextTree(of: quiz))
        #expect(tree.all.map(\.ref.path) == [["a"], ["a", "x"], ["b"], ["b", "c"]])
        #expect(tree.chain(to: ["a", "x"]).map(\.title) == ["Other", "Chapter"])
        #expect(tree.chain(to: ["a", "none", "x"]).map(\.ref.path) == [["a"]])
        #expect(tree.chain(to: ["x"]).isEmpty)
        #expect(ledger.contextTree(of: "org.example.Editor") == nil)
        let after = self.ledger([
            .contextSaved(quizContext(["a"])), .contextSaved(quizContext(["a", "x"])), .contextSaved(quizContext(["ab"])),
            .contextRemoved(ContextRef(app: quiz, path: ["a"]), by: 900),
        ])
        #expect(after.contextTree(of: quiz)?.all.map(\.ref.path) == [["ab"]])
        #expect(after.contextApps == [quiz])
    }

    @Test("a later save of an attempt replaces it, another attempt stands beside it, and the newest is the current one")
    func attempts() throws {
        let ledger = ledger([
            .reported(quizReport(alice, attempt: "2", created: 5, seconds: 10)), .reported(quizReport(alice, seconds: 60)),
            .reported(quizReport(bob, seconds: 7)), .reported(quizReport(alice, seconds: 90, isRunning: true)),
        ])
        #expect(ledger.reports(of: alice, in: homework).map(\.facts.attempt.id) == ["1", "2"])
        #expect(ledger.reports(of: alice, in: homework).map(\.facts.attempt.duration) == [.seconds(90), .seconds(10)])
        let first = try #require(ledger.report(attempt: "1", of: alice, in: homework))
        #expect((first.since, first.at, first.seq) == (Book().start + minutes(2), Book().start + minutes(4), 5))
        #expect(ledger.currentReport(of: alice, app: quiz, subject: .context(["a"]))?.facts.attempt.id == "2")
        #expect(ledger.currentReport(of: alice, app: quiz, subject: .context(["b"])) == nil)
        #expect(ledger.currentReport(of: alice, app: "other", subject: .context(["a"])) == nil)
        #expect(ledger.runningReports.map(\.facts.person) == [alice])
        #expect(ledger.hasWork(homework))
    }

    @Test("reports that come before the entry of their assignment wait for it")
    func orphans() {
        var book = Book()
        book.add(.reported(quizReport(alice)), 1)
        book.add(.assignmentChanged(map()), 2)
        #expect(book.ledger.reports(of: alice, in: homework).count == 1)
        #expect(book.ledger.assignment(homework)?.students == [alice, bob])
    }

    @Test("who is not among the students an assignment names still has what was reported of them")
    func left() {
        let ledger = ledger([.reported(quizReport(bob)), .assignmentChanged(map(students: [alice]))])
        #expect(ledger.assignments(for: bob).map(\.id) == [homework])
        #expect(self.ledger([.assignmentChanged(map(students: [])), .reported(quizReport(bob))]).assignment(homework)?.students == [bob])
    }

    @Test("forgetting a person, their work or an assignment takes the reports with it, and nobody else's")
    func forgetting() {
        var whole = ledger([
            .reported(quizReport(alice)), .reported(quizReport(bob)), .contextSaved(quizContext(["a"])),
        ])
        var inHers = quizReport(bob, attempt: "9")
        inHers.subject = .document(place("essay.odt"))
        whole.apply(
            Entry(seq: 9, at: Book().start, boot: BootID(text: "b1"), mono: instant(9), body: .reported(inHers)))
        #expect(whole.reports(of: bob, in: homework).count == 2)
        var ledger = whole
        ledger.forget(alice)
        #expect(ledger.reports(of: alice, in: homework).isEmpty)
        #expect(ledger.reports(of: bob, in: homework).map(\.facts.attempt.id) == ["1"])
        ledger = whole
        ledger.forgetWork(of: bob)
        #expect(ledger.reports(of: bob, in: homework).isEmpty)
        #expect(ledger.reports(of: alice, in: homework).count == 1)
        ledger = whole
        ledger.workWent(of: homework)
        #expect(ledger.reports(of: alice, in: homework).isEmpty)
        #expect(ledger.contextTree(of: quiz)?.count == 1)
        ledger = whole
        ledger.workOfDeletedWent(homework)
        #expect(ledger.reports(of: bob, in: homework).isEmpty)
    }

    @Test("forgetting empties exactly the entries that the ledger forgets")
    func entries() {
        var theirs = PersonalEntries(of: alice)
        var inHers = quizReport(bob)
        inHers.subject = .document(place("essay.odt"))
        let bodies: [EntryBody] = [
            .assignmentCreated(map()), .reported(quizReport(alice)), .reported(quizReport(bob)), .reported(inHers),
            .contextSaved(quizContext(["a"])), .contextRemoved(ContextRef(app: quiz, path: ["a"]), by: 900),
        ]
        let entries = bodies.enumerated().map { index, body in
            Entry(seq: UInt64(index + 1), at: Book().start, boot: BootID(text: "b1"), mono: instant(0), body: body)
        }
        for entry in entries { theirs.learn(entry) }
        #expect(entries.filter { theirs.isTheirs($0) }.map(\.seq) == [1, 2, 4])
    }

    @Test("of evidence that ages out the last save of each attempt stays, as the result")
    func aging() {
        let bodies: [EntryBody] = [
            .reported(quizReport(alice, seconds: 1)), .reported(quizReport(bob, seconds: 1)), .reported(quizReport(alice, seconds: 2)),
            .reported(quizReport(alice, attempt: "2")), .reported(quizReport(alice, in: AssignmentID(text: "7b/Other"))),
        ]
        let entries = bodies.enumerated().map { index, body in
            Entry(seq: UInt64(index + 1), at: Book().start, boot: BootID(text: "b1"), mono: instant(0), body: body)
        }
        func aged(evidence: Set<AssignmentID>, work: Set<AssignmentID>) -> [UInt64] {
            var aged = AgedEntries(evidence: evidence, work: work, ended: [], viewsBefore: Book().start, through: 100)
            for entry in entries { aged.learn(entry) }
            return entries.filter { aged.isAged($0) }.map(\.seq)
        }
        #expect(aged(evidence: [homework], work: []) == [1])
        #expect(aged(evidence: [], work: [homework]) == [1, 2, 3, 4])
    }
}
