// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import Glibc
import Testing

@testable import DaemonService

@Suite("Changes of the clocks")
struct ClockChangeTests {
    private typealias Reading = ClockChangeSource.Reading

    /// Really sets the wall clock, by a microsecond to and fro: a real suspend or step would be the whole machine's.
    private static func setClock(forward: Bool) -> Bool {
        // Not in Swift's Glibc module. The structure has 208 bytes; it begins with what is to be done (ADJ_SETOFFSET), the time is at byte 72.
        guard let symbol = dlsym(nil, "adjtimex") else { return false }
        let adjust = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Int32).self)
        var change = [UInt64](repeating: 0, count: 32)
        change[0] = 0x0100
        change[9] = forward ? 0 : UInt64(bitPattern: -1)
        change[10] = forward ? 1 : 999_999
        return change.withUnsafeMutableBytes { adjust($0.baseAddress) } != -1
    }

    private static let canSetClock = setClock(forward: true) && setClock(forward: false)

    @Test("are told when the kernel says so, as what the clocks say", .enabled(if: canSetClock, "setting the clock needs CAP_SYS_TIME"))
    func told() throws {
        let loop = try EventLoop()
        let start = Reading(wall: 5_000_000_000, boot: 100_000_000, monotonic: 90_000_000)
        var clocks = start
        var told: [[Int64]] = []
        let source = try ClockChangeSource(loop, read: { clocks }) { told.append([$0, $1]) }
        /// One hour of the boot clock goes by, of which the machine sleeps a part, and the wall clock is moved by something.
        func pass(stepped: Int64, slept: Int64) throws {
            let hour: Int64 = 3_600_000_000
            clocks.boot += hour
            clocks.monotonic += hour - slept
            clocks.wall += hour + stepped
            let count = told.count
            #expect(Self.setClock(forward: count.isMultiple(of: 2)))
            let end = Clocks.bootMicroseconds() + 10_000_000
            while told.count == count, Clocks.bootMicroseconds() < end { _ = try loop.step(within: .milliseconds(20)) }
        }
        try pass(stepped: 0, slept: 0)
        try pass(stepped: 7_200_000_000, slept: 0)
        try pass(stepped: -7_200_000_000, slept: 0)
        try pass(stepped: 0, slept: 1_800_000_000)
        try pass(stepped: 60_000_000, slept: 600_000_000)
        let others = told.filter { $0 != [0, 0] }
        #expect(told.first == [0, 0], "armed again after each")
        #expect(others == [[7_200_000_000, 0], [-7_200_000_000, 0], [0, 1_800_000_000], [60_000_000, 600_000_000]])
        withExtendedLifetime(source) {}
    }

    @Test("are entries from more than a second on")
    func entries() {
        #expect(ClockFacts.entries(stepped: 1_000_000, slept: 1_000_000) == [])
        #expect(ClockFacts.entries(stepped: -1_000_000, slept: 0) == [])
        #expect(ClockFacts.entries(stepped: -1_000_001, slept: 0) == [ClockFacts(cause: .stepped, by: -1_000_001)])
        #expect(
            ClockFacts.entries(stepped: 1_000_001, slept: 1_000_001) == [
                ClockFacts(cause: .suspended, by: 1_000_001), ClockFacts(cause: .stepped, by: 1_000_001),
            ])
        #expect(ClockFacts.entries(stepped: .min, slept: 0) == [ClockFacts(cause: .stepped, by: .min)])
    }
}
