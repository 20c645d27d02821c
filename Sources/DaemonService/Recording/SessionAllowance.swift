// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// How many sessions of one person may begin. Nobody works on more documents than this; a program that makes and deletes files in a loop
/// does, and must not fill the journal.
package struct SessionAllowance: Equatable, Sendable {
    /// Sessions that may begin in one go: a student who unpacks a folder and looks at all of it.
    package static let burst: Int64 = 300
    /// One more may begin after each such time, in microseconds.
    package static let interval: Int64 = 2_000_000

    private var left: Int64
    private var filledAt: BootTime
    private let burst: Int64
    private let interval: Int64

    package init(at now: BootTime, burst: Int64 = burst, interval: Int64 = interval) {
        filledAt = now
        left = burst
        self.burst = burst
        self.interval = interval
    }

    /// True where one more may begin.
    package mutating func take(at now: BootTime) -> Bool {
        let gained = max(0, now.microseconds - filledAt.microseconds) / interval
        if gained > 0 {
            left = min(burst, left + gained)
            filledAt = now
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
