// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import JournalFormat
import Ledger
import Testing

@testable import DaemonService

@Suite("What is recorded of programs that report")
struct ProgramRecorderTests {
    private static let berg = PersonID(uid: 2001, login: "berg")
    private static let moss = PersonID(uid: 2002, login: "moss")
    private static let kelly = PersonID(uid: 900, login: "kelly")
    private static let now = BootTime(microseconds: 60_000_000)
    private static let program = ReportFacts.Program(app: "quiz", executable: nil, isListed: false)

    private func recorder(on: Bool = true, students: Set<PersonID> = [berg]) throws -> Recorder {
        let share = ShareLayout(
            path: "/srv", layouts: LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")]))
        var recorder = Recorder(
            shares: [share], rule: Rule(), roster: Roster(classes: [.init(name: "8b", students: students, teachers: [Self.kelly])]),
            clock: .utc)
        if on { _ = recorder.switchRecording(RecordingChange(state: .on), at: Self.now) }
        var request = AssignmentRequest()
        request.title = "Quiz"
        request.className = "8b"
        request.materials = [.context(["quiz", "a"])]
        _ = try recorder.assign(
            request, by: .init(uid: 900, login: "kelly"), mayAssignTo: { _ in true }, wall: WallTime(microseconds: 1), at: Self.now)
        return recorder
    }

    private func attempt(_ id: String = "1", running: Bool = false) -> Attempt {
        Attempt(
            id: id, created: WallTime(microseconds: 5), modified: WallTime(microseconds: 6), duration: .seconds(10), isRunning: running)
    }

    private func kinds(
        _ recorder: inout Recorder, _ person: PersonID?, _ subject: ProgramChange.Subject = .context(["a"])
    ) -> (entries: [String], drops: [String]) {
        let user = ProgramUser(uid: person?.uid ?? 7, login: person?.login ?? "7", person: person, keepsContexts: false)
        let (save, entries) = recorder.save(
            [.attempt(attempt(), of: subject)], program: Self.program, by: user, known: Ledger(), at: Self.now)
        #expect(save.outcomes == [nil])
        let kinds = entries.map { body -> String in
            switch body {
            case .person: "person"
            case .reported(let facts): "reported \(facts.assignment.text)"
            default: "other"
            }
        }
        return (kinds, save.drops.map(\.why))
    }

    @Test("of a student to whom exactly this context was set, and of nobody and nothing else")
    func contexts() throws {
        var recorder = try recorder()
        #expect(kinds(&recorder, Self.berg) == (["reported 8b/Quiz"], []))
        #expect(kinds(&recorder, Self.berg, .context(["a", "b"])) == ([], ["not-assigned"]))
        #expect(kinds(&recorder, Self.berg, .context([])) == ([], ["not-assigned"]))
        #expect(kinds(&recorder, Self.moss) == ([], ["not-a-student"]))
        #expect(kinds(&recorder, Self.kelly) == ([], ["not-a-student"]))
        #expect(kinds(&recorder, nil) == ([], ["not-a-student"]))
    }

    @Test("only while recording is on, for all and for the student, and the assignment goes on")
    func switches() throws {
        var off = try recorder(on: false)
        #expect(kinds(&off, Self.berg) == ([], ["recording-off"]))
        var recorder = try recorder()
        _ = recorder.switchRecording(RecordingChange(state: .paused, person: Self.berg), at: Self.now)
        #expect(kinds(&recorder, Self.berg) == ([], ["person-paused"]))
        _ = recorder.switchRecording(RecordingChange(state: .on, person: Self.berg), at: Self.now)
        #expect(kinds(&recorder, Self.berg).entries.count == 1)
        _ = try recorder.close(
            AssignmentID(text: "8b/Quiz"), deletes: false, edition: nil, by: .init(uid: 900, login: "kelly"), at: Self.now)
        #expect(kinds(&recorder, Self.berg) == ([], ["not-assigned"]))
    }

    @Test("to each of the assignments that name it")
    func several() throws {
        var recorder = try recorder()
        var request = AssignmentRequest()
        request.title = "Again"
        request.className = "8b"
        request.materials = [.context(["quiz", "a"])]
        _ = try recorder.assign(
            request, by: .init(uid: 900, login: "kelly"), mayAssignTo: { _ in true }, wall: WallTime(microseconds: 1), at: Self.now)
        #expect(kinds(&recorder, Self.berg).entries == ["reported 8b/Again", "reported 8b/Quiz"])
    }

    @Test("of a document by its place, as of one that was seen")
    func documents() throws {
        var recorder = try recorder()
        func document(_ path: String) -> ProgramChange.Subject {
            .document(DocumentRef(share: "/srv", path: PathBytes(path)), path: "/srv/" + path)
        }
        #expect(kinds(&recorder, Self.berg, document("8b/Quiz/berg/a.txt")).entries == ["reported 8b/Quiz"])
        #expect(kinds(&recorder, Self.moss, document("8b/Quiz/berg/a.txt")) == ([], ["not-a-student"]))
        #expect(kinds(&recorder, Self.berg, document("8b/Other/berg/a.txt")) == ([], ["not-assigned"]))
        #expect(kinds(&recorder, Self.berg, document("letter.txt")) == ([], ["not-assigned"]))
    }

    @Test("a timer that stands by itself has run as long as its program lived, and no longer than it was recorded")
    func stopped() throws {
        var recorder = try recorder()
        let facts = ReportFacts(
            assignment: AssignmentID(text: "8b/Quiz"), person: Self.berg, program: Self.program, subject: .context(["a"]),
            attempt: attempt(running: true))
        let wall = WallTime(microseconds: 99)
        let stopped = recorder.stopped(facts, .programGone, after: .seconds(7), wall: wall)
        #expect((stopped.attempt.duration, stopped.attempt.isRunning, stopped.stop) == (.seconds(17), false, .programGone))
        #expect(stopped.attempt.modified == wall)
        #expect(recorder.stopped(facts, .serviceGone, after: .zero, wall: wall).attempt.duration == .seconds(10))
        _ = recorder.switchRecording(RecordingChange(state: .off), at: Self.now)
        #expect(recorder.stopped(facts, .programGone, after: .seconds(7), wall: wall).attempt.duration == .seconds(10))
    }

    @Test("an account may save a number of activities in one go, and then one a second")
    func allowance() {
        var state = ProgramsState()
        let one: JSONValue = ["activity": ["id": "1"]]
        let many = [JSONValue](repeating: one, count: 600)
        let answers = [
            state.allows(7, many, at: Self.now), state.allows(7, [one], at: Self.now + .milliseconds(999)),
            state.allows(7, [one], at: Self.now + .milliseconds(1000)), state.allows(8, [one], at: Self.now),
        ]
        #expect(answers == [.all, .fewerActivities, .all, .all])
        // A large one is several: of 40 KiB there are 54 in one go.
        let large: JSONValue = ["activity": ["id": .string(String(repeating: "1", count: 40 << 10))]]
        #expect((0..<55).map { _ in state.allows(9, [large], at: Self.now) } == Array(repeating: .all, count: 54) + [.fewerActivities])
    }

    @Test("an account may save 32 MiB of contexts in one go, and then 10 KiB a second")
    func contextAllowance() {
        var state = ProgramsState()
        let megabyte: JSONValue = ["context": ["title": .string(String(repeating: "x", count: (1 << 20) - 64))]]
        #expect((0..<33).map { _ in state.allows(7, [megabyte], at: Self.now) } == Array(repeating: .all, count: 32) + [.fewerContexts])
        let small: JSONValue = ["context": ["title": .string(String(repeating: "x", count: 9 << 10))]]
        #expect(state.allows(7, [small], at: Self.now + .milliseconds(1000)) == .all)
        #expect(state.allows(7, [small], at: Self.now + .milliseconds(1100)) == .fewerContexts)
        #expect(state.allows(7, [["activity": ["id": "1"]]], at: Self.now + .milliseconds(1100)) == .all, "activities are apart")
    }

    @Test("what waits in pieces is counted as memory, where small values weigh more than as text")
    func weights() {
        let many = JSONValue.array([JSONValue](repeating: "", count: 1000))
        #expect(many.roughMemory > 32_000 && many.roughSize < 5_000)
    }

    @Test("its content that a teacher made does not end with the folder of its assignment")
    func folder() throws {
        var recorder = try recorder()
        _ = recorder.crawlFinished(share: 0, at: Self.now)
        let restored = recorder.ahead
        recorder.restore(restored)
        recorder.resume([])
        #expect(recorder.crawlFinished(share: 0, at: Self.now).isEmpty)
        #expect(recorder.ahead.assignment(AssignmentID(text: "8b/Quiz"))?.state == .active)
    }
}

@Suite("A developer's store")
struct DeveloperStoreTests {
    private func save(_ store: inout DeveloperStore, _ changes: [ProgramChange]) -> (save: ProgramSave, notices: [ReportFacts]) {
        store.save(
            changes, program: ReportFacts.Program(app: "quiz", executable: nil, isListed: false), uid: 7, login: "dev",
            at: WallTime(microseconds: 1))
    }

    private func context(_ assignable: Bool = true, app: String = "quiz", title: String = "A") -> ProgramChange {
        var facts = ContextFacts(
            ref: ContextRef(app: app, path: ["a"]), title: title, created: WallTime(microseconds: 1), modified: WallTime(microseconds: 1),
            by: 0,
            byLogin: "")
        facts.isAssignable = assignable
        return .context(facts)
    }

    private let attempt = ProgramChange.attempt(
        Attempt(id: "1", created: WallTime(microseconds: 1), modified: WallTime(microseconds: 1), duration: .seconds(3)),
        of: .context(["a"]))

    @Test("keeps a teacher's contexts and a student's activities of them, and says why it drops the others")
    func roles() {
        var store = DeveloperStore()
        #expect(store.role == .student)
        #expect(save(&store, [context(), attempt]).save.drops.map(\.index) == [0, 1])
        store.role = .teacher
        let (kept, none) = save(&store, [context(), attempt])
        #expect(kept.drops.map(\.index) == [1] && none.isEmpty)
        store.role = .student
        let (own, notices) = save(&store, [attempt])
        #expect(own.drops.isEmpty && notices.map(\.attempt.id) == ["1"])
        #expect(save(&store, [attempt]).notices.isEmpty)
        #expect(store.current(of: 7, login: "dev", app: "quiz", subject: .context(["a"]))?.facts.attempt.duration == .seconds(3))
        store.reset()
        #expect(store == DeveloperStore())
    }

    @Test("comes back from its lines as it was, and not from any others")
    func lines() throws {
        var store = DeveloperStore()
        #expect(store.isNew && store.size == 0)
        store.role = .teacher
        _ = save(&store, [context(), context(app: "other", title: "Ä\n\"\0")])
        store.role = .student
        _ = save(&store, [attempt])
        #expect(!store.isNew && store.size > 1_000)
        let again = try DeveloperStore(lines: store.lines)
        #expect(again.contents.map(\.body) == store.contents.map(\.body) && again.role == .student && again.size == store.size)
        #expect(again.current(of: 7, login: "dev", app: "quiz", subject: .context(["a"]))?.facts.attempt.duration == .seconds(3))
        #expect(again.lines == store.lines)
        for bytes in [[], Array("{\"role\":\"head\"}\n".utf8), Array(store.lines.dropLast(40)), Array(store.lines.dropFirst(19))] {
            #expect(throws: EntryError.self) { try DeveloperStore(lines: bytes) }
        }
    }

    @Test("has nothing assigned that is not assignable")
    func container() {
        var store = DeveloperStore()
        store.role = .teacher
        _ = save(&store, [context(false)])
        store.role = .student
        #expect(save(&store, [attempt]).save.drops.map(\.why) == ["the context is not assignable, so that no teacher can have assigned it"])
    }
}

@Suite("Links to contexts")
struct ContextURLTests {
    @Test("have every part encoded")
    func url() {
        #expect(
            ContextRef(app: "org.example.Quiz", path: ["chapter 1", "a/b%", "é~-._"]).url
                == "daybook://org.example.Quiz/chapter%201/a%2Fb%25/%C3%A9~-._")
    }
}
