// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Testing

@Suite("Which pages an entry touches")
struct TouchedPagesTests {
    private let berg = PersonID(uid: 1, login: "berg")
    private let ito = PersonID(uid: 2, login: "ito")
    private let essay = AssignmentID(text: "8b/essay")
    private let poem = AssignmentID(text: "8b/poem")

    private func touched(_ body: EntryBody) -> TouchedPages {
        var ledger = Ledger()
        var seq: UInt64 = 0
        func entry(_ body: EntryBody) -> Entry {
            seq += 1
            return Entry(
                seq: seq, at: WallTime(microseconds: 1_000_000), boot: BootID(text: "b"), mono: BootTime(microseconds: 5), body: body)
        }
        func facts(_ id: AssignmentID, _ students: [PersonID]) -> AssignmentFacts {
            AssignmentFacts(
                id: id, title: id.text, className: "8b", share: "/s", folder: PathBytes(id.text), due: nil, by: nil, rule: Rule(),
                students: students)
        }
        let start = SessionStart(
            id: ActivityID(1), document: DocumentRef(share: "/s", path: PathBytes("8b/essay/berg/a")),
            attribution: Attribution(person: berg, source: .save), presence: .points, openedAt: BootTime(microseconds: 1),
            notBefore: BootTime(microseconds: 1))
        for body in [
            EntryBody.person(PersonFacts(person: berg, displayName: "Berg", role: .student, classes: ["8b"])),
            .person(PersonFacts(person: ito, displayName: "Ito", role: .student, classes: ["8b"])),
            .assignmentCreated(facts(essay, [berg, ito])), .assignmentCreated(facts(poem, [berg])),
            .session(.started(start), assignment: essay),
        ] { ledger.apply(entry(body)) }
        let last = entry(body)
        ledger.apply(last)
        return ledger.pagesTouched(by: last)
    }

    private func pages(
        _ assignments: Set<AssignmentID> = [], _ people: Set<PersonID> = [], everything: Bool = false, atOnce: Bool = false,
        new: Bool = false
    ) -> TouchedPages {
        var touched = TouchedPages()
        touched.assignments = assignments
        touched.people = people
        touched.everything = everything
        touched.atOnce = atOnce
        touched.newPages = new
        return touched
    }

    @Test("work touches its assignment and whose it is; what changes nothing of a page touches none")
    func work() {
        let seen = Evidence(.saved, first: BootTime(microseconds: 3), last: BootTime(microseconds: 3), count: 1, isContinuous: false)
        #expect(touched(.session(.evidence(ActivityID(1), seen), assignment: nil)) == pages([essay], [berg]))
        #expect(touched(.session(.evidence(ActivityID(9), seen), assignment: nil)) == pages())
        #expect(touched(.done(DoneFacts(assignment: poem, person: berg, state: .done))) == pages([poem], [berg]))
        #expect(touched(.assignmentEnded(essay, reason: "gone")) == pages([essay], [berg, ito], new: true))
        for body in [EntryBody.started(version: "1"), .stopped(reason: "x"), .erased, .base, .checkpoint(note: "")] {
            #expect(touched(body) == pages())
        }
    }

    @Test("a switch for one person touches their pages at once, one for all everything in its time")
    func switches() {
        #expect(touched(.recording(RecordingChange(state: .off, person: berg))) == pages([essay, poem], [berg], atOnce: true))
        #expect(touched(.recording(RecordingChange(state: .off, person: ito))) == pages([essay], [ito], atOnce: true))
        #expect(touched(.recording(RecordingChange(state: .paused))) == pages(everything: true))
    }

    @Test("a look touches the pages of those who were looked at")
    func looks() {
        func viewed(_ person: PersonID?, _ assignment: AssignmentID?) -> EntryBody {
            .viewed(ViewedFacts(by: 0, byLogin: "root", person: person, assignment: assignment, what: "Show"))
        }
        #expect(touched(viewed(ito, nil)) == pages([], [ito]))
        #expect(touched(viewed(nil, essay)) == pages([], [berg, ito]))
        #expect(touched(viewed(nil, nil)) == pages([], [berg, ito]))
    }

    @Test("people and assignments that are new or changed may need other pages")
    func plans() {
        #expect(
            touched(.person(PersonFacts(person: ito, displayName: "I", role: .student, classes: []))) == pages([essay], [ito], new: true))
    }
}
