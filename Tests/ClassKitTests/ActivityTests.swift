// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import Foundation
import Testing

@testable import ClassKit

@Suite("An activity")
struct ActivityTests {
    private let store = emptyStore()
    private var activity: CLSActivity { (store.mainAppContext.child("c") ?? store.add("c")).createNewActivity() }

    @Test("counts its stretches together; a second start or stop changes nothing")
    func timer() {
        var timer = ActivityTimer()
        func stops(at now: Int64) -> Bool { timer.stop(at: now) }
        func starts(at now: Int64) -> Bool { timer.start(at: now) }
        #expect(!stops(at: 5) && timer.seconds(at: 9) == 0)
        #expect(starts(at: 1_000_000) && !starts(at: 2_000_000))
        #expect(timer.seconds(at: 3_500_000) == 2.5)
        #expect(stops(at: 4_000_000) && !stops(at: 9_000_000))
        #expect(timer.seconds(at: 99_000_000) == 3)
        #expect(starts(at: 10_000_000) && timer.seconds(at: 10_000_000) == 3)
        #expect(stops(at: 10_250_000) && timer.seconds() == 3.25)
        for seconds in [Double.nan, -1, .infinity] { #expect(ActivityTimer(seconds: seconds).seconds() == 0) }
        // What comes back from the daemon is what was sent, to the microsecond.
        #expect((0..<100_000).allSatisfy { ActivityTimer(seconds: Double($0) / 1e6).seconds() == Double($0) / 1e6 })
    }

    @Test("is not started when it is new, and counts up to now while it runs")
    func started() {
        let activity = activity
        #expect(!activity.isStarted && activity.duration == 0 && activity.progress == 0 && activity.primaryActivityItem == nil)
        activity.start()
        #expect(activity.isStarted)
        let early = activity.duration
        while activity.duration == early {}
        activity.stop()
        let last = activity.duration
        #expect(!activity.isStarted && last > early && activity.duration == last)
    }

    @Test("counts nothing while the program stands still")
    func standstill() {
        var heartbeat = Heartbeat()
        func stood(at now: Int64) -> Int64 { heartbeat.beat(at: now) }
        heartbeat.begin(at: 0)
        #expect(stood(at: 5_000_000) == 0 && stood(at: 20_000_000) == 0)
        #expect(stood(at: 35_000_001) == 10_000_001 && stood(at: 40_000_000) == 0)
        heartbeat.end()
        #expect(stood(at: 900_000_000) == 0)
        // In a store: a minute of which five seconds were work.
        let activity = activity
        activity.start()
        let before = activity.duration
        Model.locked { activity.timer.leaveOut(-60_000_000, at: .max) }
        Model.locked { store.noticeStandstill(at: Clocks.monotonicMicroseconds() + 60_000_000) }
        #expect(activity.duration < before + 15)
        activity.stop()
    }

    @Test("may run beside others; the store shows the one that was started last")
    func running() {
        let (one, two) = (store.add("one").createNewActivity(), store.add("two").createNewActivity())
        #expect(store.runningActivity == nil)
        one.start()
        two.start()
        one.start()
        #expect(store.runningActivity === two)
        two.stop()
        #expect(store.runningActivity === one)
        one.stop()
        #expect(store.runningActivity == nil)
    }

    @Test("that is new stops the one before for good, whose data are kept")
    func attempts() {
        let context = store.add("quiz")
        let first = context.createNewActivity()
        first.start()
        first.progress = 0.5
        let second = context.createNewActivity()
        #expect(context.currentActivity === second && !first.isStarted && second.duration == 0 && second.progress == 0)
        first.start()
        #expect(!first.isStarted)
        #expect(store.plan.names == ["+quiz", "activity \(first.id)", "activity \(second.id)"])
    }

    @Test("adds up pieces of progress: the union of all")
    func union() {
        let audio = activity
        audio.addProgressRange(fromStart: 0, toEnd: 0.3)
        audio.addProgressRange(fromStart: 0.2, toEnd: 0.5)
        audio.addProgressRange(fromStart: 0.2, toEnd: 0.5)
        #expect(audio.progress == 0.5)
        audio.addProgressRange(fromStart: 0.75, toEnd: 1)
        #expect(audio.progress == 0.75)
        let editor = activity
        editor.progress = 0.75
        editor.progress = 0.25
        editor.progress = 0
        #expect(editor.progress == 0.75)
        editor.addProgressRange(fromStart: 0.7, toEnd: 0.8)
        #expect(editor.progress == 0.8)
        #expect(store.plan.codes == [])
    }

    @Test(
        "takes no progress outside of 0 to 1, and the next save says so once",
        arguments: [(-0.1, 0.5), (0.5, 1.1), (0.5, 0.5), (0.6, 0.5), (.nan, 0.5), (0, .nan), (0, .infinity), (-.infinity, 1)])
    func outside(start: Double, end: Double) {
        let activity = activity
        activity.progress = 0.25
        activity.addProgressRange(fromStart: start, toEnd: end)
        #expect(activity.progress == 0.25)
        let plan = store.plan
        #expect(plan.codes == [.invalidArgument] && plan.names.last == "activity \(activity.id)")
        #expect(plan.problems.first?.userInfo[CLSErrorUserInfoKey.objectKey.rawValue] as? CLSActivity === activity)
        #expect(store.plan.codes == [])
    }

    @Test("takes no such value for its progress, either", arguments: [-0.1, 1.01, .nan, .infinity])
    func outsideProgress(value: Double) {
        let activity = activity
        activity.progress = value
        #expect(activity.progress == 0 && store.plan.codes == [.invalidArgument])
    }

    @Test("keeps pieces apart, sorted and as one where they touch, in any order")
    func pieces() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var ranges = ProgressRanges()
            var covered = [Bool](repeating: false, count: 32)
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let start = Int.random(in: 0..<32, using: &generator)
                let end = Int.random(in: start + 1...32, using: &generator)
                let added = ranges.add(from: Double(start) / 32, to: Double(end) / 32)
                #expect(added)
                for index in start..<end { covered[index] = true }
            }
            #expect(ranges.length == Double(covered.count { $0 }) / 32)
            #expect(zip(ranges.pieces, ranges.pieces.dropFirst()).allSatisfy { $0.end < $1.start })
        }
    }

    @Test("has 1000 pieces that do not touch, and no more")
    func manyPieces() {
        let activity = activity
        for index in 0..<1000 { activity.addProgressRange(fromStart: Double(index) / 2000, toEnd: (Double(index) + 0.5) / 2000) }
        #expect(store.plan.codes == [])
        activity.addProgressRange(fromStart: 0.9, toEnd: 0.95)
        #expect(store.plan.codes == [.limits] && activity.progress < 0.3)
        // One that joins others is welcome.
        activity.progress = 0.4
        #expect(store.plan.codes == [] && activity.progress > 0.4)
    }

    @Test("has one item of each identifier: the later one")
    func items() {
        let activity = activity
        let first = CLSQuantityItem(identifier: "hints", title: "Hints")
        let second = CLSQuantityItem(identifier: "hints", title: "Hints used")
        activity.addAdditionalActivityItem(first)
        activity.addAdditionalActivityItem(CLSQuantityItem(identifier: "other", title: "Other"))
        activity.addAdditionalActivityItem(second)
        #expect(activity.additionalActivityItems.map(\.title) == ["Hints used", "Other"])
        activity.primaryActivityItem = CLSBinaryItem(identifier: "done", title: "Done", type: .yesNo)
        activity.removeAllActivityItems()
        #expect(activity.primaryActivityItem == nil && activity.additionalActivityItems.isEmpty)
        for index in 0..<100 { activity.addAdditionalActivityItem(CLSQuantityItem(identifier: "\(index)", title: "")) }
        #expect(store.plan.codes == [])
        activity.addAdditionalActivityItem(CLSQuantityItem(identifier: "100", title: ""))
        #expect(store.plan.codes == [.limits] && activity.additionalActivityItems.count == 100)
    }

    @Test("is sent without its bad items, and each of those is named")
    func badItems() throws {
        let activity = activity
        let over = CLSScoreItem(identifier: "over", title: "", score: 4, maxScore: 3)
        let bad = [
            over, CLSScoreItem(identifier: "none", title: "", score: 0, maxScore: 0),
            CLSScoreItem(identifier: "nan", title: "", score: .nan, maxScore: 1),
            CLSScoreItem(identifier: "infinite", title: "", score: 0, maxScore: .infinity), CLSQuantityItem(identifier: "", title: ""),
        ]
        for item in bad { activity.addAdditionalActivityItem(item) }
        let count = CLSQuantityItem(identifier: "count", title: "")
        count.quantity = .nan
        activity.addAdditionalActivityItem(count)
        activity.addAdditionalActivityItem(CLSQuantityItem(identifier: "good", title: String(repeating: "x", count: 256)))
        activity.addAdditionalActivityItem(CLSQuantityItem(identifier: "long", title: String(repeating: "x", count: 257)))
        let plan = store.plan
        #expect(
            plan.codes == [
                .invalidArgument, .invalidArgument, .invalidArgument, .invalidArgument, .invalidArgument, .invalidArgument, .limits,
            ])
        #expect(plan.problems.first?.userInfo[CLSErrorUserInfoKey.objectKey.rawValue] as? CLSScoreItem === over)
        let sent = try #require(plan.steps.last?.change["activity"]?["additional"]?.arrayValue)
        #expect(sent.compactMap { $0["identifier"]?.stringValue } == ["good"])
    }

    @Test("goes to the daemon and comes back as it was")
    func form() throws {
        let activity = activity
        activity.addProgressRange(fromStart: 0.1, toEnd: 0.2)
        activity.addProgressRange(fromStart: 0.3, toEnd: 0.4)
        let primary = CLSBinaryItem(identifier: "b", title: "B", type: .correctIncorrect)
        primary.value = true
        activity.primaryActivityItem = primary
        let quantity = CLSQuantityItem(identifier: "q", title: "Q")
        quantity.quantity = 41.5
        activity.addAdditionalActivityItem(quantity)
        activity.addAdditionalActivityItem(CLSScoreItem(identifier: "s", title: "S", score: 2, maxScore: 3))
        // The primary item is not among the others.
        activity.addAdditionalActivityItem(primary)
        let value = Model.locked { ActivityForm.value(of: activity).value }
        let back = try #require(ActivityForm.activity(value, subject: .document("/x"), store: store))
        #expect(back.id == activity.id && back.dateCreated == activity.dateCreated && back.progress == activity.progress && !back.needsSave)
        let first = try #require(back.primaryActivityItem as? CLSBinaryItem)
        #expect(first.value && first.valueType == .correctIncorrect && first.title == "B")
        #expect((back.additionalActivityItems.first as? CLSQuantityItem)?.quantity == 41.5)
        #expect((back.additionalActivityItems.last as? CLSScoreItem)?.score == 2 && back.additionalActivityItems.count == 2)
        #expect(ActivityForm.activity(.null, subject: .document("/x"), store: store) == nil)
    }
}
