// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// The clocks at the edge. The core gets instants as values and never reads these.
package enum Clocks {
    /// Microseconds of CLOCK_BOOTTIME.
    package static func bootMicroseconds() -> Int64 { read(CLOCK_BOOTTIME) }

    /// Microseconds of CLOCK_REALTIME since 1970, UTC.
    package static func wallMicroseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// Microseconds of CLOCK_MONOTONIC, which stands still in suspend: only for protocols that ask for it, such as systemd's.
    package static func monotonicMicroseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        // Cannot fail for these clocks and a valid pointer.
        _ = clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}

extension Clocks {
    /// A timer that becomes readable when the wall clock is set or the machine wakes (TFD_TIMER_CANCEL_ON_SET), and at no other time.
    package static func changeTimer() throws(SystemCallError) -> OwnedDescriptor {
        let raw = try systemCall("timerfd_create") { Int(daybook_clock_change_timer()) }
        return OwnedDescriptor(adopting: Int32(raw))
    }

    /// Takes the signal and waits for the next change.
    package static func rearmChangeTimer(_ timer: borrowing OwnedDescriptor) {
        timer.withRaw { daybook_clock_change_rearm($0) }
    }
}
