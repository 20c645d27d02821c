// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop

/// Tells when the wall clock was set, or the machine slept: nothing else notices, and durations must not.
final class ClockChangeSource {
    private let timer: OwnedDescriptor
    private var source: DescriptorSource?
    /// Wall clock minus boot clock, in microseconds.
    private var offset: Int64
    /// Boot clock minus monotonic clock, in microseconds: what the machine slept.
    private var slept: Int64

    /// `handler` gets by how much the clock was moved and how long the machine slept, both in microseconds.
    init(_ loop: EventLoop, handler: @escaping (_ stepped: Int64, _ slept: Int64) -> Void) throws(SystemCallError) {
        timer = try Clocks.changeTimer()
        offset = Clocks.wallMicroseconds() - Clocks.bootMicroseconds()
        slept = Clocks.bootMicroseconds() - Clocks.monotonicMicroseconds()
        source = try DescriptorSource(loop, timer, .readable, priority: .changes) { [weak self] _ in self?.changed(handler) }
    }

    private func changed(_ handler: (Int64, Int64) -> Void) {
        Clocks.rearmChangeTimer(timer)
        let nowOffset = Clocks.wallMicroseconds() - Clocks.bootMicroseconds()
        let nowSlept = Clocks.bootMicroseconds() - Clocks.monotonicMicroseconds()
        let stepped = nowOffset - offset
        let asleep = nowSlept - slept
        offset = nowOffset
        slept = nowSlept
        handler(stepped, asleep)
    }
}
