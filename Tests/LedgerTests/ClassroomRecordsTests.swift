// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("What is said beside the work")
struct ClassroomRecordsTests {
    private func book() -> Book {
        var book = Book()
        book.add(.recording(RecordingChange(state: .on)), 0)
        book.add(.person(PersonFacts(person: alice, displayName: "Alice", role: .student, classes: ["7b"])), 0)
        book.add(.person(PersonFacts(person: bob, displayName: "Bob", role: .student, classes: ["7b"])), 0)
        var facts = map()
        facts.due = book.start + minutes(100)
        facts.plan.chosen = [alice, bob]
        facts.plan.deadlines = [Deadline(person: alice, due: book.start + minutes(200), reason: "ill")]
        facts.plan.materials = [.document(place("start.odt")), .context(["chapter"])]
        book.add(.assignmentCreated(facts), 1)
        book.session(1, alice, from: 10, to: 20)
        book.session(2, alice, from: 30, to: 45)
        book.words(300, alice, "essay.odt", 45)
        // In a folder of his own, else it would be in hers.
        let start = SessionStart(
            id: ActivityID(3), document: DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map/bob/essay.odt")),
            attribution: Attribution(person: bob, source: .companion), presence: .companion, openedAt: instant(30), notBefore: instant(30))
        book.add(.session(.started(start), assignment: homework), 30)
        return book
    }

    private func note(_ session: UInt64, _ text: String, excludes: Bool?) -> EntryBody {
        .note(NoteFacts(activity: ActivityID(session), text: text, excludes: excludes, by: 900, byLogin: "keller"))
    }

    @Test("takes a session out of figures, and back in; both stay to be seen")
    func excluded() {
        var book = book()
        func active() -> Double {
            let ledger = book.ledger
            return ledger.figures(
                for: ledger.countedSessions(of: alice, in: homework), of: alice, rule: Rule(), now: book.moment(300)
            ).active?.seconds ?? -1
        }
        #expect(active() == 25 * 60)
        book.add(note(2, "left it open for a friend", excludes: true), 70)
        #expect(active() == 10 * 60)
        #expect(book.ledger.isExcluded(ActivityID(2)))
        book.add(note(2, "looked at it again", excludes: nil), 80)
        #expect(active() == 10 * 60, "words alone change no figure")
        book.add(note(2, "it was her after all", excludes: false), 90)
        #expect(active() == 25 * 60)
        #expect(book.ledger.notes(on: ActivityID(2)).map(\.facts.excludes) == [true, nil, false])
        #expect(book.ledger.sessions(SessionFilter(person: alice)).count == 2)
        // The figures that outlive the evidence leave it out as well.
        book.add(note(2, "out", excludes: true), 95)
        let totals = book.ledger.totals(of: homework, now: book.moment(300), clock: .utc).filter {
            $0.person == alice && $0.document == nil
        }
        #expect(totals.last?.active == .seconds(600))
        // Of a session that nobody knows nothing can be said.
        book.add(note(77, "?", excludes: true), 96)
        #expect(!book.ledger.isExcluded(ActivityID(77)) && book.ledger.notes(on: ActivityID(77)).isEmpty)
    }

    @Test("is late by the student's own due time, from the minute after it")
    func late() {
        var book = book()
        func late(_ person: PersonID, at minute: Double) -> Bool? {
            var later = book
            later.add(.done(DoneFacts(assignment: homework, person: person, state: .handedIn)), minute)
            return later.ledger.assignment(homework)?.isLate(person)
        }
        #expect(late(bob, at: 100.9) == false)
        #expect(late(bob, at: 101) == true)
        #expect(late(alice, at: 101) == false)
        #expect(late(alice, at: 201) == true)
        #expect(book.ledger.assignment(homework)?.isLate(bob) == nil)
        book.add(.done(DoneFacts(assignment: homework, person: bob, state: .returned, by: 900)), 150)
        #expect(book.ledger.assignment(homework)?.isLate(bob) == nil)
    }

    @Test("goes with a person who is forgotten, as if they had never been named")
    func forgetting() {
        var book = book()
        book.add(note(1, "x", excludes: true), 70)
        book.add(
            .bookmarkCreated(BookmarkFacts(number: 1, by: 900, byLogin: "keller", title: "t", material: .document(place("a.odt")))), 71)
        book.add(.bookmarkCreated(BookmarkFacts(number: 2, by: 900, byLogin: "keller", title: "t", material: .context(["c"]))), 72)
        var theirs = PersonalEntries(of: alice)
        for entry in book.entries { theirs.learn(entry) }
        let gone = Set(book.entries.filter(theirs.isTheirs).map(\.seq))
        var without = Ledger()
        for entry in book.entries where !gone.contains(entry.seq) { without.apply(entry) }
        for (index, body) in theirs.replacements().enumerated() {
            without.apply(
                Entry(
                    seq: UInt64(book.entries.count + 1 + index), at: book.start + minutes(100), boot: book.boot, mono: instant(100),
                    body: body))
        }
        var ledger = book.ledger
        ledger.forget(alice)
        for ledger in [ledger, without] {
            let facts = ledger.assignment(homework)?.facts
            #expect(facts?.students == [bob] && facts?.plan.chosen == [bob] && facts?.plan.deadlines == [])
            #expect(facts?.plan.materials == [.context(["chapter"])])
            #expect(ledger.notes(on: ActivityID(1)).isEmpty && !ledger.isExcluded(ActivityID(1)))
            #expect(ledger.bookmarks(of: 900).map(\.number) == [2])
        }
    }

    @Test("of a person who was switched off loses the work, and keeps who they are and what was set")
    func switchedOff() {
        var book = book()
        book.add(note(1, "x", excludes: nil), 70)
        book.add(.done(DoneFacts(assignment: homework, person: alice, state: .done)), 71)
        book.add(.recording(RecordingChange(state: .off, person: alice, by: 0)), 72)
        var theirs = WorkEntries(of: alice, through: .max)
        for entry in book.entries { theirs.learn(entry) }
        var without = Ledger()
        for entry in book.entries where !theirs.isTheirs(entry) { without.apply(entry) }
        var ledger = book.ledger
        ledger.forgetWork(of: alice)
        for ledger in [ledger, without] {
            #expect(ledger.sessions(SessionFilter(person: alice)).isEmpty)
            #expect(ledger.saves(in: homework, by: alice).isEmpty)
            #expect(ledger.assignment(homework)?.marks[alice] == nil)
            #expect(ledger.assignment(homework)?.facts.students == [alice, bob])
            #expect(ledger.recording.personState(alice) == .off)
            #expect(ledger.person(alice)?.displayName == "Alice")
            #expect(ledger.sessions(SessionFilter(person: bob)).count == 1)
        }
        // What comes after the switch is no part of it.
        var early = WorkEntries(of: alice, through: 5)
        for entry in book.entries { early.learn(entry) }
        #expect(book.entries.filter(early.isTheirs).allSatisfy { $0.seq <= 5 })
    }
}
