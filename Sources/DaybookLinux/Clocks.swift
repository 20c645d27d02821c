// SPDX-License-Identifier: Apache-2.0
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
