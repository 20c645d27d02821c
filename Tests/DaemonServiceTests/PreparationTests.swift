// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@testable import DaemonService

@Suite("What lies there when a prepared assignment begins")
struct PreparationTests {
    private static let berg = PersonID(uid: 2001, login: "berg")
    private static let kelly = PersonID(uid: 900, login: "kelly")
    private static let editor = AssignmentPlan.Editor(uid: 900, login: "kelly")
    private static let placement = Placement(className: "8b", assignment: "Essay", assignmentFolder: PathBytes("8b/Essay"), person: "berg")
    private static let document = DocumentRef(share: "/srv", path: PathBytes("8b/Essay/berg/essay.md"))

    private func at(_ second: Double) -> BootTime { BootTime(microseconds: Int64(second * 1_000_000)) }

    /// A draft whose folder holds a copy of a template in the name of the student, since second 5; at second 10 it is set.
    private func begun() throws -> Recorder {
        let share = ShareLayout(path: "/srv", layouts: LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")]))
        var recorder = Recorder(
            shares: [share], rule: Rule(), roster: Roster(classes: [.init(name: "8b", students: [Self.berg], teachers: [Self.kelly])]),
            clock: .utc)
        _ = recorder.switchRecording(RecordingChange(state: .on), at: at(0))
        var request = AssignmentRequest()
        request.title = "Essay"
        request.className = "8b"
        request.isDraft = true
        request.folder = DocumentRef(share: "/srv", path: PathBytes("8b/Essay"))
        let wall = WallTime(microseconds: 1)
        let id = try recorder.assign(request, by: Self.editor, mayAssignTo: { _ in true }, wall: wall, at: at(1)).id
        #expect(hear(&recorder, start(1), 5).isEmpty)
        #expect(hear(&recorder, .evidence(ActivityID(1), Evidence(.broughtIn, first: at(5))), 5).isEmpty)
        #expect(counts(recorder, since: 5) == nil, "a draft")
        var change = AssignmentChange()
        change.publishes = true
        _ = try recorder.change(id, change, by: Self.editor, wall: wall, at: at(10))
        return recorder
    }

    private func start(_ id: UInt64, _ source: IdentitySource = .assumed, second: Double = 5) -> SessionEvent {
        .started(
            SessionStart(
                id: ActivityID(id), document: Self.document, attribution: Attribution(person: Self.berg, source: source),
                presence: .points, openedAt: at(second), notBefore: at(second)))
    }

    private func hear(_ recorder: inout Recorder, _ event: SessionEvent, _ second: Double) -> [EntryBody] {
        recorder.take(event, at: at(second))
    }

    private func counts(_ recorder: Recorder, since: Double) -> AssignmentID? {
        recorder.assignment(
            for: Self.document, placement: Self.placement, attribution: Attribution(person: Self.berg, source: .save), since: at(since))
    }

    @Test("is no student's save, also where a scan finds it only later")
    func template() throws {
        var recorder = try begun()
        #expect(counts(recorder, since: 9) == nil)
        let found = Evidence(.saved, first: at(9), last: at(12), isInferred: true)
        #expect(hear(&recorder, .evidence(ActivityID(1), found), 13).isEmpty)
        #expect(recorder.recordedSessions == 0)
    }

    @Test("hides no save that a student makes right after, though nothing more is heard of the copy")
    func firstSave() throws {
        var recorder = try begun()
        #expect(recorder.recordedSessions == 0)
        // By a process of the student's own, so that it is a session of its own beside what lay there.
        #expect(!hear(&recorder, start(2, .event, second: 12), 12).isEmpty)
        #expect(!hear(&recorder, .evidence(ActivityID(2), Evidence(.saved, first: at(12))), 12).isEmpty)
        #expect(recorder.recordedSessions == 1)
        #expect(counts(recorder, since: 12) != nil)
        #expect(counts(recorder, since: 10) != nil)
        #expect(counts(recorder, since: 9.999) == nil)
    }
}
