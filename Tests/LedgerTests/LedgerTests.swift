// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("The ledger")
struct LedgerTests {
    /// A little of everything, over two runs of the machine.
    private static func year() -> Book {
        var book = Book()
        book.add(.started(version: "1"), 0)
        book.add(.recording(RecordingChange(state: .on)), 0)
        book.add(.person(PersonFacts(person: alice, displayName: "Alice", role: .student, classes: ["7b"])), 0)
        book.add(.assignmentCreated(map()), 1)
        book.session(1, alice, from: 2, to: 12)
        book.words(120, alice, "essay.odt", 12)
        book.session(2, bob, "notes.md", from: 5, to: 9)
        book.session(3, alice, from: 3000, to: nil)
        book.add(.gap(GapFacts(cause: .overflow, from: book.start + minutes(3001), to: book.start + minutes(3002))), 3002)
        book.add(.viewed(ViewedFacts(by: 900, byLogin: "keller", person: alice, assignment: nil, what: "Student")), 3003)
        book.boot = BootID(text: "b2")
        book.start = book.start + minutes(4000)
        book.add(.started(version: "1"), 0)
        let cut = SessionEnd(ending: .censored, closedAt: instant(3003), notAfter: instant(3003), confidence: .thin)
        book.add(.session(.stopped(ActivityID(3), cut), assignment: nil), 1)
        book.session(4, bob, from: 2, to: nil)
        return book
    }

    @Test("is a function of its entries: the same ones make an equal ledger, and an unknown kind changes nothing")
    func deterministic() {
        var book = Self.year()
        #expect(book.ledger == Self.year().ledger)
        let before = book.ledger
        book.add(.unknown(kind: "bookmark.created"), 5)
        book.add(.erased, 5)
        let after = book.ledger
        #expect(after != before)
        #expect(after.lastSeq == before.lastSeq + 2)
        #expect(after.sessions(SessionFilter()) == before.sessions(SessionFilter()))
        #expect(after.clocks == before.clocks)
    }

    @Test("knows after a restart at any entry which sessions go on, and never gives a number twice")
    func restart() {
        let entries = Self.year().entries
        for length in 0...entries.count {
            var used: Set<ActivityID> = []
            var open: Set<ActivityID> = []
            for entry in entries.prefix(length) {
                guard case .session(let event, _) = entry.body else { continue }
                used.insert(event.id)
                open.insert(event.id)
                if case .stopped = event { open.remove(event.id) }
            }
            let ledger = entries.prefix(length).reduce(into: Ledger()) { $0.apply($1) }
            #expect(!used.contains(ledger.nextActivityID), "cut at \(length)")
            let boot = ledger.boot ?? BootID(text: "none")
            let found = ledger.openSessions(boot: boot) + ledger.openSessions(beforeBoot: boot)
            #expect(Set(found.map(\.id)) == open, "cut at \(length)")
            #expect(ledger.openSessionCount == open.count, "cut at \(length)")
        }
        let cut = entries.prefix { $0.body != .started(version: "1") || $0.seq == 1 }.reduce(into: Ledger()) { $0.apply($1) }
        #expect(cut.openSessions(boot: BootID(text: "b1")).map(\.id) == [ActivityID(3)])
        #expect(cut.openSessions(beforeBoot: BootID(text: "b2")).map(\.id) == [ActivityID(3)])
    }

    @Test("rebuilds the same sessions that the events make")
    func rebuilds() throws {
        let ledger = Self.year().ledger
        let session = try #require(ledger.session(ActivityID(1)))
        #expect(session.assignment == homework)
        #expect(ledger.openedAt(session) == wall("2025-03-10T00:02:00Z"))
        #expect(ledger.closedAt(session) == wall("2025-03-10T00:12:00Z"))
        #expect(session.work.evidence.count == 1)
        // A session of the first boot, ended by an entry of the second: its times stay those of its own clock.
        let cut = try #require(ledger.session(ActivityID(3)))
        #expect(ledger.closedAt(cut) == wall("2025-03-12T02:03:00Z"))
    }

    @Test("ignores events of a session whose start is gone, and a number that comes twice")
    func strangers() throws {
        var book = Book()
        book.add(.session(.paused(ActivityID(7), at: instant(1)), assignment: nil), 1)
        #expect(book.ledger.sessions(SessionFilter()).isEmpty)
        book.session(1, alice, from: 1, to: 2)
        book.session(1, bob, from: 5, to: nil)
        let only = try #require(book.ledger.sessions(SessionFilter()).first)
        #expect(only.person == alice)
        #expect(book.ledger.openSessionCount == 0)
        #expect(book.ledger.nextActivityID == ActivityID(2))
    }

    @Test("gives a session to the person who is named later, and to nobody else")
    func attributed() {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        book.session(1, bob, from: 1, to: nil)
        #expect(book.ledger.documents(in: homework, of: bob) == [place("essay.odt")])
        book.add(.session(.attributed(ActivityID(1), Attribution(person: alice, source: .event)), assignment: nil), 2)
        #expect(book.ledger.sessions(SessionFilter(person: alice)).map(\.id) == [ActivityID(1)])
        #expect(book.ledger.sessions(SessionFilter(person: bob)).isEmpty)
        #expect(book.ledger.sessions(SessionFilter(person: alice, assignment: homework)).map(\.id) == [ActivityID(1)])
        #expect(book.ledger.documents(in: homework, of: bob).isEmpty)
        #expect(book.ledger.documents(in: homework, of: alice) == [place("essay.odt")])
    }

    @Test("takes a document's saves along when it is renamed")
    func moved() {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        book.session(1, alice, "draft.odt", from: 1, to: nil)
        book.words(100, alice, "draft.odt", 2)
        book.add(.session(.moved(ActivityID(1), place("essay.odt")), assignment: nil), 3)
        book.words(150, alice, "essay.odt", 4)
        let ledger = book.ledger
        #expect(ledger.saves(of: place("draft.odt")).isEmpty)
        #expect(ledger.saves(of: place("essay.odt")).map(\.at) == [book.start + minutes(2), book.start + minutes(4)])
        #expect(ledger.documents(in: homework, of: alice) == [place("essay.odt")])
        #expect(ledger.sessions(SessionFilter(document: place("essay.odt"))).count == 1)
        #expect(ledger.sessions(SessionFilter(document: place("draft.odt"))).isEmpty)
        #expect(ledger.latestSave(of: place("essay.odt"))?.item("total_word_count")?.value == .quantity(150))
    }

    @Test("finds by its indexes what a walk over everything finds")
    func filters() {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        var random: UInt64 = 42
        func next(_ limit: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % limit
        }
        for id in 1...60 {
            let from = Double(next(20_000))
            book.session(
                UInt64(id), [alice, bob, nil][Int(next(3))], "\(next(3)).odt", from: from,
                to: next(8) == 0 ? nil : from + Double(next(4000)),
                assignment: next(4) == 0 ? nil : homework)
        }
        let ledger = book.ledger
        let all = (1...60).compactMap { ledger.session(ActivityID($0)) }
        #expect(all.count == 60)
        for round in 0..<200 {
            var filter = SessionFilter()
            if next(2) == 0 { filter.person = [alice, bob][Int(next(2))] }
            if next(3) == 0 { filter.document = place("\(next(3)).odt") }
            if next(3) == 0 { filter.assignment = homework }
            if next(2) == 0 { filter.since = book.start + minutes(Double(next(24_000))) }
            if next(2) == 0 { filter.until = book.start + minutes(Double(next(24_000))) }
            let expected = all.filter { session in
                (filter.person == nil || session.person == filter.person)
                    && (filter.document == nil || session.work.document == filter.document)
                    && (filter.assignment == nil || session.assignment == filter.assignment)
                    && (filter.until.map { ledger.openedAt(session) < $0 } ?? true)
                    && (filter.since.map { since in ledger.closedAt(session).map { $0 >= since } ?? true } ?? true)
            }
            let found = ledger.sessions(filter)
            #expect(Set(found.map(\.id)) == Set(expected.map(\.id)) && found.count == expected.count, "round \(round): \(filter)")
            let starts = found.map { ledger.openedAt($0) }
            #expect(starts == starts.sorted())
        }
    }

    @Test("knows who looked at a person, also by way of the whole table")
    func views() {
        var book = Self.year()
        book.add(.viewed(ViewedFacts(by: 900, byLogin: "keller", person: nil, assignment: homework, what: "Report")), 9)
        book.add(.viewed(ViewedFacts(by: 900, byLogin: "keller", person: bob, assignment: nil, what: "Student")), 10)
        #expect(book.ledger.views(of: alice).map(\.facts.what) == ["Student", "Report"])
        #expect(book.ledger.views(of: bob).map(\.facts.what) == ["Report", "Student"])
        #expect(book.ledger.views(of: keller).isEmpty)
        let everybody = EntryBody.viewed(ViewedFacts(by: 0, byLogin: "root", person: nil, assignment: nil, what: "Tail"))
        book.add(everybody, 11)
        #expect(book.ledger.views(of: bob).count == 2, "nothing spoke of him yet")
        book.add(.person(PersonFacts(person: bob, displayName: "Bob", role: .student, classes: ["8b"])), 12)
        book.add(everybody, 13)
        #expect(book.ledger.views(of: bob).map(\.facts.what) == ["Report", "Student", "Tail"], "at everybody, so at them too")
        #expect(book.ledger.views(of: PersonID(uid: 4711, login: "later")).isEmpty)
    }

    @Test("lists the gaps that touch a stretch, of its share or of all")
    func gaps() {
        var book = Book()
        let at = { (minute: Double) in book.start + minutes(minute) }
        let shares: [String?] = [nil, "/srv/classes", "/srv/other"]
        let gaps = shares.map { GapFacts(cause: .overflow, share: $0, from: at(10), to: at(20)) }
        for gap in gaps { book.add(.gap(gap), 20) }
        let ledger = book.ledger
        #expect(ledger.gaps(from: at(0), to: at(11), share: "/srv/classes").map(\.facts) == Array(gaps.prefix(2)))
        #expect(ledger.gaps(from: at(20), to: at(30)).isEmpty)
        #expect(ledger.gaps(from: at(0), to: at(10)).isEmpty)
        #expect(ledger.gaps(from: at(19), to: at(30)).count == 3)
    }

    @Test("tells a uid with a new login from the person who had it before")
    func newPerson() {
        var book = Book()
        let other = PersonID(uid: alice.uid, login: "anna")
        for person in [alice, other] {
            book.add(.person(PersonFacts(person: person, displayName: person.login, role: .student, classes: [])), 0)
        }
        book.session(1, alice, from: 1, to: 2)
        #expect(book.ledger.sessions(SessionFilter(person: other)).isEmpty)
        #expect(book.ledger.people(login: "anna") == [other])
        #expect(book.ledger.people(login: "alice") == [alice])
    }
}

@Suite("Assignments in the ledger")
struct AssignmentLedgerTests {
    @Test("own a document by the folder it lies in, and the nameless one owns the rest")
    func owners() {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        #expect(book.ledger.assignmentID(for: place("deep/er/essay.odt")) == homework)
        #expect(book.ledger.assignmentID(for: DocumentRef(share: "/srv/classes", path: PathBytes("7b/Maps/alice/x.odt"))) == nil)
        #expect(book.ledger.assignmentID(for: DocumentRef(share: "/srv/other", path: PathBytes("7b/Map/alice/x.odt"))) == nil)
        var nameless = map()
        nameless.id = AssignmentID(text: "/srv/classes")
        nameless.folder = nil
        book.add(.assignmentCreated(nameless), 1)
        #expect(book.ledger.assignmentID(for: DocumentRef(share: "/srv/classes", path: PathBytes("x.odt"))) == nameless.id)
        #expect(book.ledger.assignmentID(for: place("essay.odt")) == homework)
        #expect(book.ledger.assignmentIDs(share: "/srv/classes", atOrBelow: PathBytes("7b")) == [homework])
    }

    @Test("end with their folder, stay ended when changed, and go on when it comes back")
    func life() throws {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        book.add(.assignmentEnded(homework, reason: "folder removed"), 10)
        #expect(book.ledger.assignmentID(for: place("essay.odt")) == nil)
        var changed = map()
        changed.rule.name = "2027-1"
        book.add(.assignmentChanged(changed), 11)
        let ended = try #require(book.ledger.assignment(homework))
        #expect(ended.ended?.at == book.start + minutes(10))
        #expect(ended.ended?.reason == "folder removed")
        #expect(ended.facts.rule.name == "2027-1")
        #expect(book.ledger.assignmentID(for: place("essay.odt")) == nil)
        book.add(.assignmentCreated(map()), 12)
        let again = try #require(book.ledger.assignment(homework))
        #expect(again.ended == nil)
        #expect(again.createdAt == book.start)
        #expect(book.ledger.assignmentID(for: place("essay.odt")) == homework)
    }

    @Test("are found by id, title, folder, capitals or beginning, those that go on first")
    func names() {
        var book = Book()
        for (id, title) in [("7b/Map", "Map"), ("8a/Map", "Map"), ("8a/Mapping", "Mapping the coast")] {
            var facts = map()
            facts.id = AssignmentID(text: id)
            facts.title = title
            facts.folder = PathBytes(title == "Map" ? id : "8a/2026-03-14 Coast")
            book.add(.assignmentCreated(facts), 0)
        }
        book.add(.assignmentEnded(homework, reason: "gone"), 1)
        let found = { (text: String) in book.ledger.assignments(named: text).map(\.id.text) }
        #expect(found("7b/Map") == ["7b/Map"])
        #expect(found("Map") == ["8a/Map", "7b/Map"])
        #expect(found("map") == ["8a/Map", "7b/Map"])
        #expect(found("mappi") == ["8a/Mapping"])
        #expect(found("2026-03-14 Coast") == ["8a/Mapping"])
        #expect(found("nothing").isEmpty)
        #expect(found("").isEmpty)
    }

    @Test("belong to those they were set for and to those who worked")
    func ofStudents() {
        var book = Book()
        book.add(.assignmentCreated(map(students: [alice])), 0)
        book.session(1, bob, from: 1, to: 2)
        #expect(book.ledger.assignments(for: alice).map(\.id) == [homework])
        #expect(book.ledger.assignments(for: bob).map(\.id) == [homework])
        #expect(book.ledger.assignment(homework)?.students == [alice])
        book.add(.assignmentChanged(map(students: [])), 3)
        #expect(book.ledger.assignments(for: alice).isEmpty)
        #expect(book.ledger.assignment(homework)?.students == [bob])
        #expect(book.ledger.assignments(forClasses: ["7b"]).map(\.id) == [homework])
        #expect(book.ledger.assignments(forClasses: ["8a"]).isEmpty)
    }
}
