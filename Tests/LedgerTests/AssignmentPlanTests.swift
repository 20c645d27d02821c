// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("What a teacher says of an assignment")
struct AssignmentPlanTests {
    private static let carol = PersonID(uid: 2003, login: "carol")
    private static let school: Roster.SchoolClass = {
        var school = Roster.SchoolClass(name: "7b", students: [alice, bob, keller], teachers: [keller])
        school.covers = [PersonID(uid: 905, login: "cover"): WallTime(microseconds: 5_000)]
        return school
    }()
    private let policy = RecordingPolicy(roster: Roster(classes: [school], administrators: [800]))
    private let editor = AssignmentPlan.Editor(uid: 900, login: "keller")
    private let now = wall("2025-03-10T08:00:00Z")

    private func shares() throws -> [ShareLayout] {
        [ShareLayout(path: "/srv/classes", layouts: LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")]))]
    }

    private func make(_ request: AssignmentRequest, in ledger: Ledger = Ledger()) throws -> (facts: AssignmentFacts, isNew: Bool) {
        try policy.assignment(
            request, by: editor, mayAssignTo: { $0 == "7b" }, shares: try shares(), rule: Rule(), clock: .utc, at: now, in: ledger)
    }

    private func request(_ title: String = "Map", _ change: (inout AssignmentRequest) -> Void = { _ in }) -> AssignmentRequest {
        var request = AssignmentRequest()
        request.title = title
        request.className = "7B"
        change(&request)
        return request
    }

    private func refusal(_ request: AssignmentRequest, in ledger: Ledger = Ledger()) -> String? {
        do {
            _ = try make(request, in: ledger)
            return nil
        } catch { return "\(error)" }
    }

    @Test("becomes facts with a folder that is named by day and title, and can be one")
    func facts() throws {
        let made = try make(request("a/b ..") { $0.due = wall("2025-03-14T23:59:00Z") })
        #expect(made.isNew)
        #expect(made.facts.id.text == "7b/2025-03-14 a-b")
        #expect(made.facts.folder == PathBytes("7b/2025-03-14 a-b"))
        #expect(made.facts.students == [alice, bob], "who teaches is no student")
        #expect(made.facts.plan.edition == 1 && made.facts.plan.editor == editor && made.facts.plan.stage == .active)
        #expect(try make(request(".hidden")).facts.folder == PathBytes("7b/-.hidden"))
        let long = try make(request(String(repeating: "ü", count: 256))).facts
        #expect(long.title.count == 256 && long.folder?.name.count == 200)
        #expect(try make(request("نص عربي")).facts.folder == PathBytes("7b/نص عربي"))
    }

    @Test("is refused with what is wrong and what to do")
    func refusals() {
        let cases: [(AssignmentRequest, String)] = [
            (request { $0.className = "9z" }, "no class '9z'; there are 7b"),
            (request(String(repeating: "x", count: 257)), "a title has 1 to 256 characters and no line break"),
            (request("a\nb"), "a title has 1 to 256 characters and no line break"),
            (request { $0.instructions = String(repeating: "x", count: 4001) }, "instructions have at most 4000 characters"),
            (request { $0.due = wall("2025-03-09T23:59:00Z") }, "2025-03-09 is past; give --past if that is meant"),
            (request { $0.target = Target(identifier: "total_word_count", value: 0) }, "a target is a number above 0"),
            (request { $0.target = Target(identifier: "total_word_count", value: .nan) }, "a target is a number above 0"),
            (request { $0.chosen = [Self.carol] }, "carol is no student of 7b"),
            (request { $0.excused = [keller] }, "keller is no student of 7b"),
            (request { $0.chosen = [] }, "nobody is chosen"),
            (
                request { request in
                    request.opens = wall("2025-03-15T00:00:00Z")
                    request.due = wall("2025-03-14T23:59:00Z")
                }, "it would begin after it is due"
            ),
            (
                request { $0.folder = DocumentRef(share: "/srv/classes", path: PathBytes("7b")) },
                "/srv/classes/7b does not stand at {assignment} of a layout with {class}, so nothing there is recorded"
            ),
            (
                request { $0.folder = DocumentRef(share: "/srv/other", path: PathBytes("7b/x")) },
                "/srv/other/7b/x does not stand at {assignment} of a layout with {class}, so nothing there is recorded"
            ),
            (request { $0.materials = Array(repeating: .context(["x"]), count: 51) }, "at most 50 documents or contexts"),
        ]
        for (request, expected) in cases { #expect(refusal(request) == expected) }
        #expect(refusal(request(String(repeating: "x", count: 256)) { $0.instructions = String(repeating: "x", count: 4000) }) == nil)
        // The 200th of a class is set, the next is not.
        var book = Book()
        for number in 1...199 {
            var facts = map()
            facts.id = AssignmentID(text: "7b/\(number)")
            facts.folder = PathBytes("7b/\(number)")
            book.add(.assignmentCreated(facts), 0)
        }
        #expect(refusal(request(), in: book.ledger) == nil)
        var last = map()
        last.id = AssignmentID(text: "7b/200")
        last.folder = PathBytes("7b/200")
        book.add(.assignmentCreated(last), 0)
        #expect(refusal(request(), in: book.ledger) == "class 7b has 200 assignments that go on; end some before")
    }

    @Test("changes what is named, and is refused where somebody else's change came first")
    func changes() throws {
        var book = Book()
        var facts = try make(request { $0.target = Target(identifier: "total_word_count", value: 300) }).facts
        book.add(.assignmentCreated(facts), 0)
        func changed(_ edit: (inout AssignmentChange) -> Void) throws -> AssignmentFacts {
            var change = AssignmentChange()
            edit(&change)
            let record = try #require(book.ledger.assignment(facts.id))
            return try policy.changed(record, by: change, editor: .init(uid: 901, login: "moss"), clock: .utc, at: now)
        }
        let first = try changed { $0.deadlines = [Deadline(person: bob, due: wall("2025-03-20T23:59:00Z"), reason: "ill")] }
        #expect(first.plan.edition == 2 && first.plan.editor?.login == "moss" && first.target?.value == 300)
        #expect(first.due(for: bob) == wall("2025-03-20T23:59:00Z") && first.due(for: alice) == nil)
        #expect(try changed { $0.title = facts.title } == facts, "nothing new is no edition")
        book.add(.assignmentChanged(first), 1)
        facts = first
        #expect(throws: AssignmentRefusal.changedMeanwhile(by: "moss", edition: 2)) {
            try changed {
                $0.edition = 1
                $0.title = "Other"
            }
        }
        #expect(throws: AssignmentRefusal.self) { try changed { $0.opens = wall("2025-03-11T00:00:00Z") } }
        let cleared = try changed {
            $0.clears = [.target, .deadlines]
            $0.edition = 2
        }
        #expect(cleared.target == nil && cleared.plan.deadlines.isEmpty && cleared.plan.edition == 3)
        let chosen = try changed { $0.chosen = [bob] }
        #expect(chosen.students == [bob] && !chosen.isFor(alice))
        book.add(.assignmentChanged(chosen), 2)
        #expect(try changed { $0.clears = [.chosen] }.students == [alice, bob])
    }

    private func decide(_ person: PersonID, _ facts: AssignmentFacts) -> RecordingPolicy.Decision {
        var book = Book()
        book.add(.recording(RecordingChange(state: .on)), 0)
        book.add(.assignmentCreated(facts), 0)
        let placement = Placement(className: "7b", assignment: "Map", assignmentFolder: PathBytes("7b/Map"), person: "alice")
        return policy.decide(person: person, document: place("essay.odt"), placement: placement, in: book.ledger)
    }

    @Test("decides what is recorded: active ones only, and chosen students only")
    func recorded() throws {
        let active = try make(request()).facts
        #expect(decide(alice, active) == .record(active.id))
        #expect(decide(alice, try make(request { $0.isDraft = true }).facts) == .drop(.notAssigned))
        #expect(decide(alice, try make(request { $0.opens = wall("2025-03-11T00:00:00Z") }).facts) == .drop(.notAssigned))
        let chosen = try make(request { $0.chosen = [bob] }).facts
        #expect(decide(alice, chosen) == .drop(.notAStudent))
        #expect(decide(bob, chosen) == .record(chosen.id))
        // The only one who was chosen left the class: that makes it nobody's, not everybody's.
        var left = chosen
        left.students = []
        #expect(decide(alice, left) == .drop(.notAStudent))
        #expect(decide(PersonID(uid: 905, login: "cover"), active) == .drop(.notAStudent))
    }

    @Test("begins when its time has come, and not before")
    func opening() throws {
        var book = Book()
        let facts = try make(request { $0.opens = wall("2025-03-11T00:00:00Z") }).facts
        book.add(.assignmentCreated(facts), 0)
        #expect(policy.opened(at: wall("2025-03-10T23:59:59Z"), in: book.ledger).isEmpty)
        #expect(policy.opened(at: wall("2025-03-11T00:00:00Z"), in: book.ledger).map(\.plan.stage) == [.active])
    }

    private let mapFolder = Placement(className: "7b", assignment: "Map", assignmentFolder: PathBytes("7b/Map"))

    private func appears(_ book: Book) -> AssignmentFacts? {
        policy.assignmentFolder(share: "/srv/classes", placement: mapFolder, owner: 900, rule: Rule(), clock: .utc, in: book.ledger)
    }

    @Test("outlives a folder that stays: ended by a teacher is ended, until the folder goes or it is reopened")
    func closed() throws {
        var book = Book()
        let facts = try make(request()).facts
        book.add(.assignmentCreated(facts), 0)
        book.add(.assignmentEnded(facts.id, reason: AssignmentRecord.Ended.completed), 1)
        #expect(book.ledger.assignment(facts.id)?.state == .completed)
        #expect(appears(book) == nil)
        var again = book
        again.add(.assignmentCreated(facts), 2)
        #expect(again.ledger.assignment(facts.id)?.state == .active)
        #expect(again.ledger.closedAssignment(share: "/srv/classes", folder: PathBytes("7b/Map")) == nil)
        // The folder went: one that is made later is a new start.
        book.add(.assignmentEnded(facts.id, reason: AssignmentRecord.Ended.folderGone), 2)
        #expect(book.ledger.assignment(facts.id)?.state == .completed)
        #expect(appears(book)?.id == facts.id)
        book.add(.assignmentEnded(facts.id, reason: AssignmentRecord.Ended.deleted), 3)
        #expect(book.ledger.assignment(facts.id)?.state == .deleted)
    }

    @Test("is not overwritten by a new name of the folder, nor forgotten when the folder comes back")
    func renamed() throws {
        var book = Book()
        var facts = try make(request("The Map") { $0.folder = DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map")) }).facts
        facts.due = wall("2025-04-01T23:59:00Z")
        facts.plan.chosen = [bob]
        facts.students = [bob]
        book.add(.assignmentCreated(facts), 0)
        let moved = Placement(className: "7b", assignment: "2025-05-01 Atlas", assignmentFolder: PathBytes("7b/2025-05-01 Atlas"))
        let renamed = policy.renamedAssignment(
            share: "/srv/classes", from: PathBytes("7b/Map"), to: moved, clock: .utc, in: book.ledger)
        #expect(renamed?.title == "The Map" && renamed?.due == facts.due)
        book.add(.assignmentEnded(facts.id, reason: AssignmentRecord.Ended.folderGone), 1)
        let back = appears(book)
        #expect(back?.title == "The Map" && back?.due == facts.due && back?.plan == facts.plan && back?.students == [bob])
    }

    @Test("keeps chosen students chosen, whoever comes to the class")
    func roster() throws {
        var book = Book()
        book.add(.assignmentCreated(try make(request { $0.chosen = [bob] }).facts), 0)
        #expect(policy.changedByRoster(in: book.ledger).isEmpty)
        let smaller = RecordingPolicy(roster: Roster(classes: [.init(name: "7b", students: [alice], teachers: [keller])]))
        #expect(smaller.changedByRoster(in: book.ledger).map(\.students) == [[]])
        #expect(smaller.changedByRoster(in: book.ledger).map(\.plan.chosen) == [[bob]], "who comes back has it again")
    }

    @Test("may be said by a cover teacher up to their day")
    func cover() {
        var policy = policy
        func owned() -> AssignmentFacts? {
            policy.assignmentFolder(share: "/srv/classes", placement: mapFolder, owner: 905, rule: Rule(), clock: .utc, in: Ledger())
        }
        policy.now = WallTime(microseconds: 4_999)
        #expect(owned() != nil)
        policy.now = WallTime(microseconds: 5_000)
        #expect(owned() == nil)
    }
}
