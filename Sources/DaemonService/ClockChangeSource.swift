// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop

/// Tells when the wall clock was set, or the machine slept: nothing else notices, and durations must not.
final class ClockChangeSource {
    /// The three clocks at one moment, in microseconds.
    struct Reading: Equatable, Sendable {
        var wall: Int64
        /// Counts in suspend, too.
        var boot: Int64
        /// Stands still in suspend.
        var monotonic: Int64

        static func now() -> Reading {
            Reading(wall: Clocks.wallMicroseconds(), boot: Clocks.bootMicroseconds(), monotonic: Clocks.monotonicMicroseconds())
        }
    }

    private let timer: OwnedDescriptor
    private let read: () -> Reading
    private var source: DescriptorSource?
    private var last: Reading

    /// `handler` gets by how much the clock was moved and how long the machine slept, both in microseconds.
    init(
        _ loop: EventLoop, read: @escaping () -> Reading = Reading.now, handler: @escaping (_ stepped: Int64, _ slept: Int64) -> Void
    ) throws(SystemCallError) {
        timer = try Clocks.changeTimer()
        self.read = read
        last = read()
        source = try DescriptorSource(loop, timer, .readable, priority: .changes) { [weak self] _ in self?.changed(handler) }
    }

    private func changed(_ handler: (Int64, Int64) -> Void) {
        // Armed before it is read: a change in between is told next.
        Clocks.rearmChangeTimer(timer)
        let now = read()
        let stepped = (now.wall - now.boot) - (last.wall - last.boot)
        let slept = (now.boot - now.monotonic) - (last.boot - last.monotonic)
        last = now
        handler(stepped, slept)
    }
}

extension ClockFacts {
    /// What is worth an entry: the kernel's own slewing and rounding are below a second.
    static func entries(stepped: Int64, slept: Int64) -> [ClockFacts] {
        var facts: [ClockFacts] = []
        if slept > 1_000_000 { facts.append(ClockFacts(cause: .suspended, by: slept)) }
        if stepped.magnitude > 1_000_000 { facts.append(ClockFacts(cause: .stepped, by: stepped)) }
        return facts
    }
}
