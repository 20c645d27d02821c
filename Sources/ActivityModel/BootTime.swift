// SPDX-License-Identifier: Apache-2.0

/// An instant on the boot clock (CLOCK_BOOTTIME, counts in suspend too). Durations come from this clock only.
package struct BootTime: Hashable, Comparable, Sendable {
    /// Microseconds since the machine started.
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (left: BootTime, right: BootTime) -> Bool { left.microseconds < right.microseconds }

    package static func + (instant: BootTime, span: Duration) -> BootTime {
        BootTime(microseconds: instant.microseconds &+ span.microseconds)
    }

    package static func - (instant: BootTime, span: Duration) -> BootTime {
        BootTime(microseconds: instant.microseconds &- span.microseconds)
    }

    package static func - (left: BootTime, right: BootTime) -> Duration {
        .microseconds(left.microseconds &- right.microseconds)
    }
}

/// Which run of the machine a `BootTime` belongs to (`/proc/sys/kernel/random/boot_id` without its dashes).
package struct BootID: Hashable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }
}

extension Duration {
    /// Whole microseconds, rounded towards zero.
    package var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    }

    /// Seconds with their fraction, for figures that people read.
    package var seconds: Double { Double(microseconds) / 1_000_000 }
}
