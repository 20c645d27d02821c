// SPDX-License-Identifier: Apache-2.0

/// Finds out that the program stood still (Ctrl-Z in its terminal, a debugger): then no beat came for long. Apple's framework pauses what runs while an app is
/// not in the foreground; this is what a terminal has of that.
struct Heartbeat: Equatable {
    /// Microseconds from beat to beat.
    static let interval: Int64 = 5_000_000
    /// How late a beat may be on a busy machine.
    static let tolerance: Int64 = 10_000_000

    private var last: Int64?

    /// Microseconds that the program stood still before this beat.
    mutating func beat(at now: Int64) -> Int64 {
        defer { last = now }
        guard let last, now - last > Self.interval + Self.tolerance else { return 0 }
        return now - last - Self.interval
    }

    /// Beats begin anew.
    mutating func begin(at now: Int64) { last = now }

    mutating func end() { last = nil }
}
