// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("What may be recorded")
struct RecordingPolicyTests {
    private let roster = Roster(
        classes: [
            .init(
                name: "7b", students: [alice, bob, PersonID(uid: 2010, login: "tutor")],
                teachers: [keller, PersonID(uid: 2010, login: "tutor")]),
            .init(name: "8A", students: [PersonID(uid: 2003, login: "carol")], teachers: [PersonID(uid: 901, login: "moss")]),
        ], administrators: [800])
    private let inMap = Placement(className: "7b", assignment: "Map", assignmentFolder: PathBytes("7b/Map"), person: "alice")

    private func book(recording: [RecordingChange] = [RecordingChange(state: .on)]) -> Book {
        var book = Book()
        for change in recording { book.add(.recording(change), 0) }
        book.add(.assignmentCreated(map()), 0)
        return book
    }

    private func decide(_ person: PersonID?, _ placement: Placement?, _ book: Book, _ roster: Roster? = nil) -> RecordingPolicy.Decision {
        RecordingPolicy(roster: roster ?? self.roster)
            .decide(person: person, document: place("essay.odt"), placement: placement, in: book.ledger)
    }

    @Test("is a student's work on what is assigned, and nothing else")
    func table() {
        let elsewhere = Placement(className: "7b", assignment: "Private", assignmentFolder: PathBytes("7b/Private"), person: "alice")
        let cases: [(PersonID?, Placement?, RecordingPolicy.Decision)] = [
            (alice, inMap, .record(homework)),
            (bob, inMap, .record(homework)),
            (nil, inMap, .wait),
            (keller, inMap, .drop(.notAStudent)),
            // Teacher and student of one class by a slip of the lists: a teacher.
            (PersonID(uid: 2010, login: "tutor"), inMap, .drop(.notAStudent)),
            // A student of another class.
            (PersonID(uid: 2003, login: "carol"), inMap, .drop(.notAStudent)),
            (PersonID(uid: 800, login: "admin"), inMap, .drop(.notAStudent)),
            (PersonID(uid: 0, login: "root"), inMap, .drop(.notAStudent)),
            // The same uid, another login: a new person.
            (PersonID(uid: 2001, login: "anna"), inMap, .drop(.notAStudent)),
            (alice, elsewhere, .drop(.notAssigned)),
            (nil, elsewhere, .drop(.notAssigned)),
            (alice, nil, .drop(.notAssigned)),
        ]
        for (person, placement, expected) in cases {
            #expect(decide(person, placement, book()) == expected, "\(String(describing: person)) \(String(describing: placement))")
        }
    }

    @Test("stops while recording is off or paused, for everybody or for one")
    func switches() {
        typealias Change = RecordingChange
        let cases: [([Change], PersonID?, RecordingPolicy.Decision)] = [
            ([], alice, .drop(.recordingOff)),
            ([], nil, .drop(.recordingOff)),
            ([Change(state: .on), Change(state: .off)], alice, .drop(.recordingOff)),
            ([Change(state: .on), Change(state: .paused)], alice, .drop(.recordingPaused)),
            ([Change(state: .on), Change(state: .paused), Change(state: .on)], alice, .record(homework)),
            ([Change(state: .on), Change(state: .off, person: alice)], alice, .drop(.personOff)),
            ([Change(state: .on), Change(state: .off, person: alice)], bob, .record(homework)),
            ([Change(state: .on), Change(state: .paused, person: alice)], alice, .drop(.personPaused)),
            ([Change(state: .on), Change(state: .off, person: alice), Change(state: .on, person: alice)], alice, .record(homework)),
            // A person's own switch opens nothing that is closed for all.
            ([Change(state: .on, person: alice)], alice, .drop(.recordingOff)),
        ]
        for (changes, person, expected) in cases {
            #expect(decide(person, inMap, book(recording: changes)) == expected, "\(changes)")
        }
    }

    @Test("ends with the assignment")
    func ended() {
        var book = book()
        book.add(.assignmentEnded(homework, reason: "folder removed"), 1)
        #expect(decide(alice, inMap, book) == .drop(.notAssigned))
    }

    @Test("is only work of those the assignment was set for, where it names them")
    func chosen() {
        var book = book()
        book.add(.assignmentChanged(map(students: [bob])), 1)
        #expect(decide(alice, inMap, book) == .drop(.notAStudent))
        #expect(decide(bob, inMap, book) == .record(homework))
    }

    @Test("is everybody's work where no class is configured, and goes to the share's nameless assignment where the layout names none")
    func trial() throws {
        var book = Book()
        book.add(.recording(RecordingChange(state: .on)), 0)
        let policy = RecordingPolicy(roster: Roster())
        let nameless = try #require(policy.namelessAssignment(share: "/srv/classes", rule: Rule(), in: book.ledger))
        #expect(nameless.id == AssignmentID(text: "/srv/classes"))
        #expect(nameless.folder == nil)
        #expect(nameless.students.isEmpty)
        book.add(.assignmentCreated(nameless), 1)
        #expect(policy.namelessAssignment(share: "/srv/classes", rule: Rule(), in: book.ledger) == nil)
        for placement in [
            Placement(person: "alice"), Placement(className: "7b"), Placement(assignment: "Map", assignmentFolder: PathBytes("Map")),
        ] {
            for person in [alice, PersonID(uid: 0, login: "root")] {
                #expect(decide(person, placement, book, Roster()) == .record(nameless.id))
            }
        }
        // With classes, the students of any class.
        let all = RecordingPolicy(roster: roster).namelessAssignment(share: "/srv/x", rule: Rule(), in: book.ledger)
        #expect(all?.students == [alice, bob, PersonID(uid: 2003, login: "carol")])
    }
}

@Suite("A folder at {assignment}")
struct AssignmentFolderTests {
    private let policy = RecordingPolicy(
        roster: Roster(
            classes: [
                .init(name: "8B", students: [bob, alice], teachers: [keller]),
                .init(name: "9c", students: [], teachers: [PersonID(uid: 901, login: "moss")]),
            ], administrators: [800]))

    private func folder(
        _ name: String, owner: UInt32 = 900, className: String? = "8b", in ledger: Ledger = Ledger(), clock: LocalClock = .utc
    )
        -> AssignmentFacts?
    {
        let path = PathBytes("\(className ?? "")/\(name)")
        return policy.assignmentFolder(
            share: "/srv/classes", placement: Placement(className: className, assignment: name, assignmentFolder: path), owner: owner,
            rule: Rule(), clock: clock, in: ledger)
    }

    @Test(
        "is an assignment where a teacher of the class or an administrator owns it",
        arguments: [
            (900, true), (800, true), (0, true), (901, false), (2001, false), (65534, false),
        ] as [(UInt32, Bool)])
    func owners(owner: UInt32, expected: Bool) {
        #expect((folder("Hamlet", owner: owner) != nil) == expected)
    }

    @Test("gives title, due time and the class's students")
    func facts() {
        #expect(
            folder("2025-03-14 Hamlet essay")
                == AssignmentFacts(
                    id: AssignmentID(text: "8b/2025-03-14 Hamlet essay"), title: "Hamlet essay", className: "8B", share: "/srv/classes",
                    folder: PathBytes("8b/2025-03-14 Hamlet essay"), due: wall("2025-03-14T23:59:00Z"), by: 900, rule: Rule(),
                    students: [alice, bob]))
        let berlin = LocalClock { civilTime(of: $0, offset: minutes(60)) }
        #expect(folder("2025-03-14 Hamlet", clock: berlin)?.due == wall("2025-03-14T22:59:00Z"))
        #expect(folder("Hamlet", className: nil) == nil)
        // A folder that is no configured class is named nowhere, also where an administrator made what is in it.
        #expect(folder("Hamlet", className: "5x") == nil)
        #expect(folder("Hamlet", owner: 0, className: "5x") == nil)
    }

    @Test(
        "has a due date only where its name begins with a day of the calendar",
        arguments: [
            ("2025-03-14 Hamlet", "Hamlet", "2025-03-14T23:59:00Z"), ("2025-03-14_Hamlet", "Hamlet", "2025-03-14T23:59:00Z"),
            ("2025-03-14", "2025-03-14", "2025-03-14T23:59:00Z"), ("2024-02-29 Leap", "Leap", "2024-02-29T23:59:00Z"),
            ("2025-02-29 Leap", "2025-02-29 Leap", nil), ("2025-03-145 Pages", "2025-03-145 Pages", nil),
            ("Hamlet 2025-03-14", "Hamlet 2025-03-14", nil),
            ("", "", nil),
        ] as [(String, String, String?)])
    func dates(name: String, title: String, due: String?) {
        let read = RecordingPolicy.reading(folderName: name, clock: .utc)
        #expect(read.title == title)
        #expect(read.due == due.map { wall($0) })
    }

    @Test("that comes back keeps the rule and the target that it had")
    func comesBack() throws {
        var book = Book()
        var facts = try #require(folder("Hamlet"))
        facts.rule = Rule(name: "2025-1")
        facts.target = Target(identifier: "total_word_count", value: 500)
        facts.excused = [bob]
        book.add(.assignmentCreated(facts), 0)
        #expect(folder("Hamlet", in: book.ledger) == nil)
        book.add(.assignmentEnded(facts.id, reason: "folder removed"), 1)
        let again = try #require(folder("Hamlet", in: book.ledger))
        #expect(again == facts)
    }

    @Test("that is renamed in its class stays the same assignment; moved elsewhere, it is none")
    func renamed() throws {
        var book = Book()
        let facts = try #require(folder("Hamlte"))
        book.add(.assignmentCreated(facts), 0)
        let to = Placement(className: "8b", assignment: "2025-03-14 Hamlet", assignmentFolder: PathBytes("8b/2025-03-14 Hamlet"))
        let changed = try #require(
            policy.renamedAssignment(share: "/srv/classes", from: PathBytes("8b/Hamlte"), to: to, clock: .utc, in: book.ledger))
        #expect(changed.id == facts.id)
        #expect(changed.title == "Hamlet")
        #expect(changed.due == wall("2025-03-14T23:59:00Z"))
        book.add(.assignmentChanged(changed), 1)
        #expect(book.ledger.assignmentID(share: "/srv/classes", folder: PathBytes("8b/2025-03-14 Hamlet")) == facts.id)
        #expect(book.ledger.assignmentID(share: "/srv/classes", folder: PathBytes("8b/Hamlte")) == nil)
        // A new folder of the old name is another assignment.
        #expect(folder("Hamlte", in: book.ledger)?.id == AssignmentID(text: "8b/Hamlte#2"))
        let away = Placement(className: "9c", assignment: "Hamlet", assignmentFolder: PathBytes("9c/Hamlet"))
        #expect(
            policy.renamedAssignment(share: "/srv/classes", from: PathBytes("8b/2025-03-14 Hamlet"), to: away, clock: .utc, in: book.ledger)
                == nil)
    }

    @Test("follows its class: who joins is asked, who leaves is not")
    func follows() throws {
        var book = Book()
        book.add(.assignmentCreated(try #require(folder("Hamlet"))), 0)
        #expect(policy.changedByRoster(in: book.ledger).isEmpty)
        var later = policy
        later.roster.classes[0].students = [bob, PersonID(uid: 2003, login: "carol")]
        #expect(later.changedByRoster(in: book.ledger).map(\.students) == [[bob, PersonID(uid: 2003, login: "carol")]])
        book.add(.assignmentEnded(AssignmentID(text: "8b/Hamlet"), reason: "gone"), 1)
        #expect(later.changedByRoster(in: book.ledger).isEmpty)
    }

    @Test("reads roles for one class, or for any")
    func roles() {
        let roster = policy.roster
        #expect(roster.role(of: alice, in: "8b") == .student)
        #expect(roster.role(of: alice, in: "9c") == nil)
        #expect(roster.role(of: alice) == .student)
        #expect(roster.role(of: keller, in: "8B") == .teacher)
        #expect(roster.role(of: keller, in: "9c") == nil)
        #expect(roster.role(of: PersonID(uid: 800, login: "x"), in: "9c") == .administrator)
        #expect(roster.classesTaught(by: keller, at: WallTime(microseconds: 0)) == ["8B"])
        #expect(Roster().role(of: alice, in: "any") == .student)
    }
}
