// SPDX-License-Identifier: Apache-2.0
import DaemonService
import Testing

@Suite("How much of the loop's time a user's calls may take")
struct CallAllowanceTests {
    @Test("is a slice in one go, then a rest as long as what was taken")
    func slice() {
        var allowance = CallAllowance()
        allowance.charge(CallAllowance.slice - 1, at: 1_000_000)
        #expect(allowance.restUntil == 0)
        allowance.charge(1, at: 1_000_001)
        #expect(allowance.restUntil == 1_000_001 + CallAllowance.slice)
        // One dear call.
        var other = CallAllowance()
        other.charge(500_000, at: 2_000_000)
        #expect(other.restUntil == 2_500_000)
    }

    @Test("is not used up by cheap calls with pauses between")
    func pauses() {
        var allowance = CallAllowance()
        for number in 1...1000 as ClosedRange<Int64> { allowance.charge(1000, at: number * 2000) }
        #expect(allowance.restUntil == 0)
        for number in 0..<100 as Range<Int64> { allowance.charge(1000, at: 2_001_000 + number * 1000) }
        #expect(allowance.restUntil > 0)
    }
}
