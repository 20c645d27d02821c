// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaemonService
import Testing

@Suite("How many sessions of a person may begin")
struct SessionAllowanceTests {
    private func at(_ seconds: Int64) -> BootTime { BootTime(microseconds: seconds * 1_000_000) }

    /// How many of so many may begin at an instant.
    private func taken(_ allowance: inout SessionAllowance, of count: Int64, at now: BootTime) -> Int64 {
        (0..<count).reduce(0) { sum, _ in sum + (allowance.take(at: now) ? 1 : 0) }
    }

    @Test("is a number in one go, not one more, and then one in each interval")
    func limit() {
        var allowance = SessionAllowance(at: at(10))
        #expect(taken(&allowance, of: SessionAllowance.burst + 1, at: at(10)) == SessionAllowance.burst)
        let next = BootTime(microseconds: 10_000_000 + SessionAllowance.interval)
        #expect(taken(&allowance, of: 1, at: BootTime(microseconds: next.microseconds - 1)) == 0)
        #expect(taken(&allowance, of: 2, at: next) == 1)
    }

    @Test("never grows beyond the number, nor by a clock that goes back")
    func neverMore() {
        var allowance = SessionAllowance(at: at(0))
        #expect(taken(&allowance, of: SessionAllowance.burst + 1, at: at(1_000_000)) == SessionAllowance.burst)
        #expect(taken(&allowance, of: 1, at: at(0)) == 0)
    }
}
