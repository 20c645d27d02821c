// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaemonService
import Testing

@Suite("When a page is written")
struct PagesDeskTests {
    private let essay = PageKey.assignment(AssignmentID(text: "8b/essay"))
    private let berg = PageKey.person(PersonID(uid: 1, login: "berg"))

    private func at(_ seconds: Int64) -> BootTime { BootTime(microseconds: seconds * 1_000_000) }

    @Test("soon after a change, and then not before its time has passed, however much changes")
    func interval() {
        var desk = PagesDesk(interval: .seconds(300))
        #expect(desk.deadline == nil && desk.next(at: at(1000)) == nil)
        desk.touch(essay, at: at(1000))
        #expect(desk.deadline == at(1005))
        #expect(desk.next(at: at(1004)) == nil)
        desk.touch(essay, at: at(1004))
        #expect(desk.next(at: at(1005)) == essay)
        #expect(desk.deadline == nil)
        for second in 1006..<1300 { desk.touch(essay, at: at(Int64(second))) }
        #expect(desk.deadline == at(1305))
        #expect(desk.next(at: at(1304)) == nil)
        #expect(desk.next(at: at(1305)) == essay)
        desk.touch(essay, at: at(5000))
        #expect(desk.deadline == at(5005))
    }

    @Test("at once where that is asked for, before all others")
    func atOnce() {
        var desk = PagesDesk(interval: .seconds(300))
        desk.touch(essay, at: at(10))
        #expect(desk.next(at: at(15)) == essay)
        desk.touch(essay, at: at(16))
        desk.touch(berg, at: at(16))
        desk.touch(essay, at: at(17), atOnce: true)
        #expect(desk.next(at: at(17)) == essay)
        // A later change does not put off what is due.
        #expect(desk.deadline == at(21))
        desk.touch(berg, at: at(20))
        #expect(desk.next(at: at(21)) == berg)
        desk.drop(essay)
        #expect(desk.waiting == 0)
    }

    @Test("never later than its own short time")
    func short() {
        var desk = PagesDesk(interval: .seconds(1))
        desk.touch(essay, at: at(10))
        #expect(desk.deadline == at(11))
    }
}
