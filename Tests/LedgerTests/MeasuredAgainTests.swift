// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Testing

@Suite("A save that is measured again")
struct MeasuredAgainTests {
    private func score(_ value: Double) -> Item {
        Item(identifier: "quiz_score", title: "Score", value: .score(value, max: 3), method: .counted)
    }

    private func book() -> Book {
        var book = Book()
        book.add(.recording(RecordingChange(state: .on)), 0)
        book.add(.assignmentCreated(map()), 0)
        book.words(12, alice, "essay.odt", 10)
        return book
    }

    /// As the daemon says it: of an earlier save, at a time before the boot where another machine run had it.
    private func again(_ seq: UInt64, _ person: PersonID, savedAt minute: Double, _ points: Double) -> EntryBody {
        .metrics(
            MetricsFacts(
                document: place("essay.odt"), assignment: homework, attribution: Attribution(person: person, source: .save),
                savedAt: instant(minute), size: 1, format: "txt", items: [score(points)], again: seq))
    }

    @Test("stays one save, of the moment and the place that it had, with other figures")
    func replaces() throws {
        var book = book()
        let before = try #require(book.ledger.saves(in: homework, by: alice).first)
        book.boot = BootID(text: "b2")
        book.add(again(before.seq, alice, savedAt: -30, 2), 60)
        let after = book.ledger.saves(in: homework, by: alice)
        try #require(after.count == 1)
        #expect(after[0].facts.items == [score(2)] && after[0].facts.format == "txt")
        #expect(after[0].at == before.at && after[0].boot == before.boot && after[0].seq == before.seq)
        #expect(after[0].facts.savedAt == before.facts.savedAt)
        // Once more, by yet another key.
        book.add(again(before.seq, alice, savedAt: -30, 3), 61)
        #expect(book.ledger.saves(in: homework, by: alice).map(\.facts.items) == [[score(3)]])
    }

    @Test("says nothing more where it was saved anew meanwhile")
    func tooLate() throws {
        var book = book()
        let first = try #require(book.ledger.saves(in: homework, by: alice).first)
        book.words(20, alice, "essay.odt", 20)
        let before = book.ledger.saves(in: homework, by: alice)
        book.add(again(first.seq, alice, savedAt: 10, 2), 21)
        #expect(book.ledger.saves(in: homework, by: alice) == before)
    }

    @Test("speaks for the save where the entry of that was emptied")
    func orphan() throws {
        var book = Book()
        book.add(.recording(RecordingChange(state: .on)), 0)
        book.add(.assignmentCreated(map()), 0)
        book.add(again(77, alice, savedAt: 10, 2), 60)
        let saves = book.ledger.saves(in: homework, by: alice)
        #expect(saves.map(\.facts.items) == [[score(2)]] && saves.first?.at == book.start + minutes(10))
    }

    @Test("is forgotten with the person")
    func forgotten() throws {
        var book = book()
        let seq = try #require(book.ledger.saves(in: homework, by: alice).first).seq
        book.add(again(seq, alice, savedAt: 10, 2), 21)
        var ledger = book.ledger
        ledger.forget(alice)
        #expect(ledger.saves(in: homework, by: alice).isEmpty)
    }
}
