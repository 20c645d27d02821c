// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaemonService
import Inference
import Ledger
import Testing

/// A class of two, their teacher, one share, and a clock that stands where the test puts it.
private struct School {
    static let alice = PersonID(uid: 2001, login: "alice")
    static let bob = PersonID(uid: 2002, login: "bob")
    static let teacher = PersonID(uid: 2003, login: "teach")
    static let roster = Roster(classes: [Roster.SchoolClass(name: "8b", students: [alice, bob], teachers: [teacher])])

    var recorder: Recorder
    var ledger = Ledger()
    private var seq: UInt64 = 0

    init(recording: Bool = true) throws {
        let layouts = LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")])
        recorder = Recorder(
            shares: [ShareLayout(path: "/srv", layouts: layouts)], rule: Rule(), roster: Self.roster, clock: .utc)
        if recording { keep(recorder.switchRecording(RecordingChange(state: .on), at: at(0))) }
    }

    func at(_ seconds: Int64) -> BootTime { BootTime(microseconds: seconds * 1_000_000) }

    /// The journal as the disk would have it.
    mutating func keep(_ bodies: [EntryBody], second: Int64 = 0) {
        for body in bodies {
            seq += 1
            ledger.apply(
                Entry(
                    seq: seq, at: WallTime(microseconds: second * 1_000_000), boot: BootID(text: "boot"), mono: at(second), body: body))
        }
    }

    mutating func makeAssignment(owner: UInt32 = teacher.uid, second: Int64 = 1) -> [EntryBody] {
        let placement = Placement(className: "8b", assignment: "Hamlet", assignmentFolder: PathBytes("8b/Hamlet"))
        let entries = recorder.take(
            folder: PathBytes("8b/Hamlet"), share: 0, placement: placement, owner: owner, event: .appeared, at: at(second))
        keep(entries, second: second)
        return entries
    }

    mutating func open(
        _ id: UInt64, _ person: PersonID?, _ path: String = "8b/Hamlet/alice/essay.odt", presence: Presence = .companion, second: Int64 = 2
    ) -> [EntryBody] {
        let start = SessionStart(
            id: ActivityID(id), document: DocumentRef(share: "/srv", path: PathBytes(path)),
            attribution: Attribution(person: person, source: .companion), presence: presence, openedAt: at(second),
            notBefore: at(second))
        let entries = recorder.take(.started(start), at: at(second))
        keep(entries, second: second)
        return entries
    }

    mutating func hear(_ event: SessionEvent, second: Int64) -> [EntryBody] {
        let entries = recorder.take(event, at: at(second))
        keep(entries, second: second)
        return entries
    }
}

private func kinds(_ bodies: [EntryBody]) -> [String] {
    bodies.map { body in
        switch body {
        case .person: "person"
        case .recording: "recording"
        case .assignmentCreated: "created"
        case .assignmentEnded: "ended"
        case .session(.started, _): "started"
        case .session(.stopped, _): "stopped"
        case .session(.attributed, _): "attributed"
        case .session(.evidence, _): "evidence"
        default: "other"
        }
    }
}

@Suite("The recorder")
struct RecorderTests {
    private let saved = Evidence(.saved, first: BootTime(microseconds: 3_000_000))

    @Test("gives new assignments the configured rule, leaves the others theirs, and changes one for good when asked, once")
    func rules() throws {
        var school = try School()
        _ = school.makeAssignment()
        let id = AssignmentID(text: "8b/Hamlet")
        let wide = Rule(name: "wide", idleContinuous: .seconds(600))
        let layouts = LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")])
        school.recorder.use(shares: [ShareLayout(path: "/srv", layouts: layouts)], rule: wide)
        let placement = Placement(className: "8b", assignment: "Map", assignmentFolder: PathBytes("8b/Map"))
        school.keep(
            school.recorder.take(
                folder: PathBytes("8b/Map"), share: 0, placement: placement, owner: School.teacher.uid, event: .appeared, at: school.at(9)))
        #expect(school.ledger.assignment(id)?.facts.rule == Rule())
        #expect(school.ledger.assignment(AssignmentID(text: "8b/Map"))?.facts.rule == wide)

        let change = RuleChange(before: Rule(), by: School.teacher.uid, byLogin: School.teacher.login)
        let entries = school.recorder.recompute(id, by: change, to: wide, at: school.at(10))
        guard case .assignmentChanged(let facts)? = entries.first, entries.count == 1 else {
            Issue.record("\(entries)")
            return
        }
        #expect(facts.rule == wide && facts.ruleChange == change && facts.id == id)
        school.keep(entries)
        #expect(school.ledger.assignment(id)?.facts.rule == wide)
        #expect(school.recorder.recompute(id, by: change, to: wide, at: school.at(11)).isEmpty)
        #expect(school.recorder.recompute(AssignmentID(text: "none"), by: change, to: wide, at: school.at(11)).isEmpty)
        // What is journaled later of the same assignment keeps the rule and does not say it again.
        let roster = Roster(classes: [.init(name: "8b", students: [School.alice], teachers: [School.teacher])])
        let later = school.recorder.use(roster: roster, names: [:], at: school.at(12))
        let changed = later.compactMap { if case .assignmentChanged(let facts) = $0 { facts } else { nil } }
        #expect(changed.map(\.rule) == [wide, wide])
        #expect(changed.allSatisfy { $0.ruleChange == nil })
    }

    @Test("journals a student's session in an assignment, and introduces every student once")
    func records() throws {
        var school = try School()
        #expect(kinds(school.makeAssignment()) == ["person", "person", "created"])
        #expect(kinds(school.open(1, School.alice)) == ["started"])
        #expect(kinds(school.hear(.evidence(ActivityID(1), saved), second: 3)) == ["evidence"])
        #expect(kinds(school.open(2, School.alice, "8b/Hamlet/alice/notes.txt", second: 4)) == ["started"])
        #expect(school.ledger.openSessionCount == 2)
    }

    @Test("writes nothing of teachers, strangers, other places, or while recording is off")
    func drops() throws {
        var school = try School()
        #expect(school.open(1, School.alice).isEmpty, "no assignment yet")
        _ = school.makeAssignment()
        #expect(school.open(2, School.teacher, second: 3).isEmpty)
        #expect(school.open(3, PersonID(uid: 9, login: "stranger"), second: 3).isEmpty)
        #expect(school.open(4, School.alice, "8b/essay.odt", second: 3).isEmpty)
        #expect(school.hear(.evidence(ActivityID(2), saved), second: 4).isEmpty)
        #expect(school.hear(.attributed(ActivityID(2), Attribution(person: School.teacher, source: .event)), second: 4).isEmpty)

        var off = try School(recording: false)
        _ = off.makeAssignment()
        #expect(off.open(1, School.alice).isEmpty)
        #expect(off.ledger.openSessionCount == 0)
    }

    @Test("keeps back what nobody can be named for, up to a limit, and writes it once somebody is")
    func waits() throws {
        var school = try School()
        _ = school.makeAssignment()
        #expect(school.open(1, nil).isEmpty)
        for _ in 0...Recorder.heldEventsLimit { #expect(school.hear(.evidence(ActivityID(1), saved), second: 3).isEmpty) }
        let named = school.hear(.attributed(ActivityID(1), Attribution(person: School.bob, source: .save)), second: 4)
        #expect(kinds(named) == ["started"] + Array(repeating: "evidence", count: Recorder.heldEventsLimit))
    }

    @Test("says that a session is nobody's when it was not the student after all")
    func takesBack() throws {
        var school = try School()
        _ = school.makeAssignment()
        _ = school.open(1, School.alice)
        let entries = school.hear(.attributed(ActivityID(1), Attribution(person: School.teacher, source: .event)), second: 4)
        #expect(kinds(entries) == ["attributed", "stopped"])
        #expect(!"\(entries)".contains("teach"), "who it is stays out of the journal")
        #expect(school.ledger.sessions(SessionFilter(person: School.alice)).isEmpty)
    }

    @Test("writes what a lock says of who is recorded, and nothing from before or of anybody else")
    func lockWords() throws {
        let words = try #require(LockWords(program: "vim", login: "somebody", name: nil, host: "pc"))
        var school = try School()
        _ = school.makeAssignment()
        _ = school.open(1, School.alice)
        let said = SessionEvent.lockSays(ActivityID(1), words, at: school.at(4))
        #expect(school.hear(said, second: 4) == [.session(said, assignment: nil)])
        let off = school.recorder.switchRecording(RecordingChange(state: .paused), at: school.at(10))
        school.keep(off, second: 10)
        #expect(school.hear(.lockSays(ActivityID(1), words, at: school.at(11)), second: 11).isEmpty)
        let on = school.recorder.switchRecording(RecordingChange(state: .on), at: school.at(20))
        school.keep(on, second: 20)
        #expect(school.hear(.lockSays(ActivityID(1), words, at: school.at(19)), second: 21).isEmpty, "read before it counts")
        #expect(
            school.hear(.lockSays(ActivityID(1), words, at: school.at(22)), second: 22)
                == [.session(.lockSays(ActivityID(2), words, at: school.at(22)), assignment: nil)])
        _ = school.open(5, School.teacher, second: 23)
        #expect(school.hear(.lockSays(ActivityID(5), words, at: school.at(24)), second: 24).isEmpty, "a teacher")
    }

    @Test("ends sessions when recording stops, and begins anew when it goes on, never counting the time between")
    func switches() throws {
        var school = try School()
        _ = school.makeAssignment()
        _ = school.open(1, School.alice)
        let off = school.recorder.switchRecording(RecordingChange(state: .paused), at: school.at(10))
        school.keep(off, second: 10)
        #expect(kinds(off) == ["stopped", "recording"])
        #expect(school.hear(.evidence(ActivityID(1), saved), second: 11).isEmpty)
        let on = school.recorder.switchRecording(RecordingChange(state: .on), at: school.at(20))
        school.keep(on, second: 20)
        #expect(kinds(on) == ["recording", "started"])
        guard case .session(.started(let start), _) = on[1] else { return }
        #expect(start.openedAt == school.at(20))
        #expect(start.id == ActivityID(2), "a number is never used twice")
        #expect(school.recorder.switchRecording(RecordingChange(state: .on), at: school.at(21)).isEmpty)
    }

    @Test(
        "of single signs from before recording was switched on nothing is written, not even that there were any", arguments: [true, false])
    func silent(isNamed: Bool) throws {
        var school = try School(recording: false)
        _ = school.makeAssignment()
        #expect(school.open(1, isNamed ? School.alice : nil, presence: .points).isEmpty)
        #expect(school.hear(.evidence(ActivityID(1), saved), second: 3).isEmpty)
        let on = school.recorder.switchRecording(RecordingChange(state: .on), at: school.at(10))
        school.keep(on, second: 10)
        #expect(kinds(on) == ["recording"])
        if !isNamed {
            #expect(school.hear(.attributed(ActivityID(1), Attribution(person: School.alice, source: .save)), second: 11).isEmpty)
        }
        // Told late, but it happened before.
        #expect(school.hear(.evidence(ActivityID(1), saved), second: 12).isEmpty)
        let folded = Evidence(.typed, first: school.at(8), last: school.at(14), count: 9)
        let more = school.hear(.evidence(ActivityID(1), folded), second: 15)
        #expect(kinds(more) == ["started", "evidence"])
        guard case .session(.started(let start), _) = more[0], case .session(.evidence(_, let sign), _) = more[1] else { return }
        #expect(start.openedAt == school.at(10) && start.notBefore == school.at(10))
        #expect(sign.first == school.at(10) && sign.last == school.at(14))
    }

    @Test("keeps what it held back for want of a name when the class lists change meanwhile")
    func waitsThroughRoster() throws {
        var school = try School()
        _ = school.makeAssignment()
        _ = school.open(1, nil, presence: .points)
        _ = school.hear(.evidence(ActivityID(1), saved), second: 3)
        var roster = School.roster
        roster.classes[0].teachers.insert(PersonID(uid: 2004, login: "more"))
        #expect(school.recorder.use(roster: roster, names: [:], at: school.at(4)).isEmpty)
        let named = school.hear(.attributed(ActivityID(1), Attribution(person: School.bob, source: .save)), second: 5)
        #expect(kinds(named) == ["started", "evidence"])
    }

    @Test("stops recording one person and nobody else")
    func onePerson() throws {
        var school = try School()
        _ = school.makeAssignment()
        _ = school.open(1, School.alice)
        _ = school.open(2, School.bob, "8b/Hamlet/bob/essay.odt")
        let off = school.recorder.switchRecording(RecordingChange(state: .off, person: School.alice), at: school.at(10))
        #expect(kinds(off) == ["stopped", "recording"])
        #expect(kinds(school.hear(.evidence(ActivityID(2), saved), second: 11)) == ["evidence"])
        #expect(school.hear(.evidence(ActivityID(1), saved), second: 11).isEmpty)
    }

    @Test("makes a folder an assignment only where its owner may, also when that is learnt later")
    func assigns() throws {
        var school = try School()
        #expect(school.makeAssignment(owner: School.alice.uid).isEmpty)
        var roster = School.roster
        roster.classes[0].teachers.insert(School.alice)
        let learnt = school.recorder.use(roster: roster, names: [School.bob: "Bob Builder"], at: school.at(5))
        #expect(kinds(learnt) == ["person", "created"], "who teaches a class is none of its students")
        var second = try School()
        _ = second.makeAssignment()
        _ = second.open(1, School.alice)
        let gone = second.recorder.take(
            folder: PathBytes("8b"), share: 0, placement: Placement(className: "8b"), owner: nil, event: .vanished, at: second.at(9))
        #expect(kinds(gone) == ["stopped", "ended"])
    }

    @Test("goes on where the journal left off, with the same numbers")
    func resumes() throws {
        var school = try School()
        _ = school.makeAssignment()
        _ = school.open(1, School.alice)
        var next = try School(recording: false)
        next.recorder.restore(school.ledger)
        #expect(next.recorder.firstInferenceID == ActivityID(2))
        next.recorder.resume(school.ledger.openSessions(boot: BootID(text: "boot")))
        let more = next.recorder.take(.evidence(ActivityID(1), saved), at: next.at(9))
        #expect(more == [.session(.evidence(ActivityID(1), saved), assignment: nil)])
        #expect(kinds(next.recorder.crawlFinished(share: 0, at: next.at(10))) == ["stopped", "ended"], "its folder was not seen again")
    }

    @Test("who is in no class any more has left, once, and comes back with a class")
    func leavers() throws {
        var school = try School()
        _ = school.makeAssignment()
        #expect(school.recorder.noteLeavers(at: school.at(3)).isEmpty)
        var roster = School.roster
        roster.classes[0].students = [School.bob]
        school.keep(school.recorder.use(roster: roster, names: [:], at: school.at(4)), second: 4)
        school.keep(school.recorder.noteLeavers(at: school.at(5)), second: 5)
        #expect(school.ledger.leftAt == [School.alice: WallTime(microseconds: 5_000_000)])
        #expect(school.recorder.noteLeavers(at: school.at(6)).isEmpty)
        school.keep(school.recorder.use(roster: School.roster, names: [:], at: school.at(7)), second: 7)
        #expect(school.ledger.leftAt.isEmpty)
    }

    @Test("a person who is forgotten has no session and no past, and what they do next is new")
    func forgotten() throws {
        var school = try School()
        _ = school.makeAssignment()
        _ = school.open(1, School.alice)
        let ends = school.recorder.forget(School.alice, at: school.at(5))
        #expect(ends.count == 1)
        guard case .session(.stopped(ActivityID(1), let end), _) = ends.first else { throw CancellationError() }
        #expect(end.ending == .censored)
        #expect(school.recorder.ahead.person(School.alice) == nil)
        #expect(school.recorder.recordedSessions == 0)
        #expect(school.hear(.evidence(ActivityID(1), Evidence(.typed, first: school.at(6))), second: 6).isEmpty)
        // Until the entries are emptied, nothing new is written of them.
        #expect(school.open(2, School.alice, second: 7).isEmpty)
        // Whoever is in class then is introduced as if for the first time, and what they begin is recorded.
        let again = school.recorder.addMissingStudents(at: school.at(8))
        #expect(again.first == .person(PersonFacts(person: School.alice, displayName: "alice", role: .student, classes: ["8b"])))
        #expect(again.count == 2)
        #expect(school.open(3, School.alice, second: 9).count == 1)
    }
}
