// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("Forgetting a person")
struct ForgettingTests {
    /// A class at work: two students on documents of their own and on each other's, looks, a changed rule, an ended assignment.
    private var book: Book {
        var book = Book()
        book.add(.started(version: "1"), 0)
        book.add(.recording(RecordingChange(state: .on)), 0)
        for person in [alice, bob] {
            book.add(.person(PersonFacts(person: person, displayName: person.login, role: .student, classes: ["7b"])), 1)
        }
        book.add(.assignmentCreated(map()), 2)
        book.add(.recording(RecordingChange(state: .paused, person: alice)), 3)
        book.add(.recording(RecordingChange(state: .on, person: alice)), 4)
        session(&book, 1, alice, "alice/essay.odt", 5, 30)
        session(&book, 2, bob, "bob/essay.odt", 6, 40)
        words(&book, 210, bob, "bob/essay.odt", 39)
        words(&book, 90, alice, "alice/essay.odt", 29)
        // Bob in her document, and somebody who had no name; she in his.
        session(&book, 3, bob, "alice/essay.odt", 41, 45)
        session(&book, 4, nil, "alice/notes.odt", 46, 47)
        session(&book, 5, alice, "bob/plan.odt", 48, 52)
        book.add(.viewed(ViewedFacts(by: 900, byLogin: "keller", person: alice, assignment: nil, what: "Show")), 60)
        book.add(.viewed(ViewedFacts(by: 900, byLogin: "keller", person: bob, assignment: nil, what: "Show")), 61)
        book.add(.viewed(ViewedFacts(by: 900, byLogin: "keller", person: nil, assignment: homework, what: "Report")), 62)
        var changed = map()
        changed.rule.name = "mild"
        changed.ruleChange = RuleChange(before: Rule(), by: 900, byLogin: "keller")
        book.add(.assignmentChanged(changed), 63)
        book.add(.done(DoneFacts(assignment: homework, person: alice, state: .done)), 64)
        book.add(.done(DoneFacts(assignment: homework, person: bob, state: .done)), 65)
        book.add(.assignmentEnded(homework, reason: "its folder is gone"), 70)
        return book
    }

    private func session(_ book: inout Book, _ id: UInt64, _ person: PersonID?, _ path: String, _ from: Double, _ to: Double) {
        let document = DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map/\(path)"))
        let start = SessionStart(
            id: ActivityID(id), document: document, attribution: Attribution(person: person, source: .companion), presence: .companion,
            openedAt: instant(from), notBefore: instant(from))
        book.add(.session(.started(start), assignment: homework), from)
        let typed = Evidence(.typed, first: instant(from), last: instant(to), count: 9, isContinuous: true)
        book.add(.session(.evidence(ActivityID(id), typed), assignment: nil), to)
        let end = SessionEnd(ending: .companion, closedAt: instant(to), notAfter: instant(to), confidence: .good)
        book.add(.session(.stopped(ActivityID(id), end), assignment: nil), to)
    }

    private func words(_ book: inout Book, _ count: Double, _ person: PersonID, _ path: String, _ minute: Double) {
        let document = DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map/\(path)"))
        book.add(
            .metrics(
                MetricsFacts(
                    document: document, assignment: homework, attribution: Attribution(person: person, source: .save),
                    savedAt: instant(minute), size: 1,
                    items: [Item(identifier: "total_word_count", title: "Words", value: .quantity(count), method: .counted)])), minute)
    }

    /// The journal as it stands after the person was forgotten.
    private func forgotten(_ person: PersonID, _ book: Book) -> (entries: [Entry], emptied: Int) {
        var theirs = PersonalEntries(of: person)
        for entry in book.entries { theirs.learn(entry) }
        var entries = book.entries
        var emptied = 0
        for index in entries.indices where theirs.isTheirs(entries[index]) {
            entries[index] = Entry(
                seq: entries[index].seq, at: WallTime(microseconds: 0), boot: BootID(text: ""), mono: instant(0), body: .erased)
            emptied += 1
        }
        for body in theirs.replacements() {
            entries.append(
                Entry(
                    seq: UInt64(entries.count + 1), at: book.start + minutes(80), boot: book.boot, mono: instant(80), body: body))
        }
        return (entries, emptied)
    }

    /// All that can be asked of one student of the assignment.
    private struct Answers: Equatable {
        var assignment: AssignmentRecord?
        var sessions: [SessionRecord]
        var views: [View]
        var saves: [SavePoint]
        var documents: [DocumentRef]
        var recording: RecordingChange.State
    }

    private func answers(_ ledger: Ledger, _ person: PersonID, _ book: Book) -> Answers {
        var record = ledger.assignment(homework)
        // The replacement's number: the only thing that says it came later.
        record?.createdSeq = 0
        return Answers(
            assignment: record, sessions: ledger.sessions(SessionFilter(person: person)), views: ledger.views(of: person),
            saves: ledger.saves(in: homework, by: person), documents: ledger.documents(in: homework, of: person),
            recording: ledger.recording.personState(person))
    }

    @Test("leaves what others did as it was, and nothing of them, in memory as after a restart")
    func others() {
        let book = book
        let before = book.ledger
        let (entries, emptied) = forgotten(alice, book)
        #expect(emptied > 15)
        let restarted = entries.reduce(into: Ledger()) { $0.apply($1) }
        var live = before
        for entry in entries.dropFirst(book.entries.count) { live.apply(entry) }
        live.forget(alice)

        for (name, ledger) in [("restarted", restarted), ("live", live)] {
            #expect(ledger.person(alice) == nil, "\(name)")
            #expect(ledger.people(login: "alice").isEmpty, "\(name)")
            #expect(ledger.sessions(SessionFilter(person: alice)).isEmpty, "\(name)")
            #expect(ledger.assignments(for: alice).isEmpty, "\(name)")
            #expect(ledger.views(of: alice).isEmpty, "\(name)")
            #expect(ledger.assignment(homework)?.students == [bob], "\(name)")
            #expect(ledger.assignment(homework)?.marks.keys.sorted() == [bob], "\(name)")
            #expect(ledger.assignment(homework)?.createdAt == before.assignment(homework)?.createdAt, "\(name)")
            #expect(ledger.assignment(homework)?.ended == before.assignment(homework)?.ended, "\(name)")
            #expect(ledger.assignment(homework)?.ruleChanges == before.assignment(homework)?.ruleChanges, "\(name)")
            #expect(ledger.assignment(homework)?.facts.rule.name == "mild", "\(name)")
            #expect(ledger.sessions(SessionFilter()).map(\.id) == [ActivityID(2)], "\(name)")
            #expect(ledger.views(of: bob) == before.views(of: bob), "\(name)")
            #expect(ledger.saves(in: homework, by: bob) == before.saves(in: homework, by: bob), "\(name)")
            #expect(
                ledger.documents(in: homework, of: bob) == [DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map/bob/essay.odt"))])
            #expect(ledger.assignmentID(share: "/srv/classes", folder: PathBytes("7b/Map")) == nil, "it has ended")
        }
        #expect(answers(restarted, bob, book) == answers(live, bob, book))
    }

    @Test("keeps what entries tell that came while the journal was being emptied, wherever that began")
    func meanwhile() {
        let book = book
        var compared = 0
        for cut in 1..<book.entries.count {
            // On the disk: emptied up to the cut, then what came meanwhile, then what takes the place of emptied entries.
            var theirs = PersonalEntries(of: alice)
            for entry in book.entries[..<cut] { theirs.learn(entry) }
            let gone = Set(book.entries[..<cut].filter { theirs.isTheirs($0) }.map(\.seq))
            for entry in book.entries[cut...] { theirs.learn(entry) }
            var after = book
            for body in theirs.replacements() { after.add(body, 80) }
            let later = Array(after.entries[cut...])
            let restarted = after.entries.reduce(into: Ledger()) { ledger, entry in
                guard gone.contains(entry.seq) else { return ledger.apply(entry) }
                ledger.apply(
                    Entry(seq: entry.seq, at: WallTime(microseconds: 0), boot: BootID(text: ""), mono: instant(0), body: .erased))
            }
            var live = after.ledger
            live.forget(alice)
            live.retell(later)
            #expect(live.lastSeq == restarted.lastSeq)
            for person in [alice, bob] {
                #expect(answers(live, person, book) == answers(restarted, person, book), "\(person.login), cut at \(cut)")
                #expect(live.person(person) == restarted.person(person), "\(person.login), cut at \(cut)")
            }
            #expect(live.sessions(SessionFilter()).map(\.id) == restarted.sessions(SessionFilter()).map(\.id), "cut at \(cut)")
            if live.sessions(SessionFilter(person: alice)).isEmpty == false { compared += 1 }
        }
        #expect(compared > 10)
    }

    @Test("goes by the account, not by the login alone: a later owner of the login stays")
    func namesake() {
        var book = book
        let second = PersonID(uid: 2050, login: "alice")
        book.add(.person(PersonFacts(person: second, displayName: "Alice", role: .student, classes: [])), 71)
        session(&book, 9, second, "alice/essay.odt", 72, 75)
        let (entries, _) = forgotten(alice, book)
        let ledger = entries.reduce(into: Ledger()) { $0.apply($1) }
        #expect(ledger.people(login: "alice") == [second])
        #expect(ledger.sessions(SessionFilter(person: second)).count == 1)
        #expect(ledger.sessions(SessionFilter(person: alice)).isEmpty)
    }

    @Test("goes from what a lock beside another's document says, and no more of that session")
    func lockWords() throws {
        var book = book
        book.add(.person(PersonFacts(person: alice, displayName: "Adams, Alice", role: .student, classes: ["7b"])), 71)
        func says(_ login: String?, _ name: String?) throws -> EntryBody {
            let words = try #require(LockWords(program: "libreoffice", login: login, name: name, host: "pc"))
            return .session(.lockSays(ActivityID(9), words, at: instant(73)), assignment: nil)
        }
        session(&book, 9, bob, "bob/essay.odt", 72, 72.5)
        // The session has ended for the ledger; one that goes on takes the words in.
        let start = SessionStart(
            id: ActivityID(10), document: DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map/bob/essay.odt")),
            attribution: Attribution(person: bob, source: .companion), presence: .companion, openedAt: instant(74), notBefore: instant(74))
        book.add(.session(.started(start), assignment: homework), 74)
        for words in [("ALICE", nil), ("b", "adams, alice"), ("bob", "Bob")] as [(String?, String?)] {
            guard case .session(.lockSays(_, let words, let at), _) = try says(words.0, words.1) else { continue }
            book.add(.session(.lockSays(ActivityID(10), words, at: at), assignment: nil), 75)
        }
        #expect(book.ledger.session(ActivityID(10))?.work.lockWords.count == 3)
        let restarted = forgotten(alice, book).entries.reduce(into: Ledger()) { $0.apply($1) }
        var live = book.ledger
        live.forget(alice)
        for ledger in [restarted, live] {
            #expect(ledger.session(ActivityID(10))?.work.lockWords.map(\.login) == ["bob"])
            #expect(ledger.session(ActivityID(10))?.person == bob)
        }
        var bobs = book.ledger
        bobs.forget(bob)
        #expect(bobs.session(ActivityID(10)) == nil)
    }

    @Test("a teacher's acts stay for those they concerned")
    func office() {
        let (entries, emptied) = forgotten(keller, book)
        #expect(emptied == 0)
        #expect(entries == book.entries)
    }
}
