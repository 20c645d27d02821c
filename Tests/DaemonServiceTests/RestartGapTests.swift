// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Testing

@testable import DaemonService

@Suite("The gap of a restart")
struct RestartGapTests {
    private let boot = BootID(text: "this")

    /// Bounds of the gap in seconds of the wall clock.
    private func gap(lastAt: Int64, mono: Int64, isSameBoot: Bool = true, now: Int64, wall: Int64) -> [Int64] {
        let last = Moment(
            wall: WallTime(microseconds: lastAt * 1_000_000), boot: isSameBoot ? boot : BootID(text: "another"),
            mono: BootTime(microseconds: mono * 1_000_000))
        let facts = GapFacts(
            after: last, boot: boot, now: BootTime(microseconds: now * 1_000_000), wall: WallTime(microseconds: wall * 1_000_000))
        #expect(facts.cause == .restart && facts.share == nil)
        return [facts.from.microseconds / 1_000_000, facts.to.microseconds / 1_000_000]
    }

    @Test("is as long as the boot clock says, whatever the wall clock was set to meanwhile", arguments: [-7200, 0, 7200] as [Int64])
    func clockSet(step: Int64) {
        #expect(gap(lastAt: 10_000, mono: 500, now: 530, wall: 10_030 + step) == [10_000 + step, 10_030 + step])
    }

    @Test("reaches back over a boot by the wall clock, but never ends before it begins")
    func boots() {
        #expect(gap(lastAt: 10_000, mono: 500, isSameBoot: false, now: 20, wall: 10_100) == [10_000, 10_100])
        #expect(gap(lastAt: 10_000, mono: 500, isSameBoot: false, now: 20, wall: 9_000) == [9_000, 9_000])
    }
}
