// SPDX-License-Identifier: Apache-2.0

/// How much of the loop's time the calls of one uid may take: after each `slice`, a rest of the same length. Instants and spans are
/// microseconds of the boot clock.
package struct CallAllowance: Equatable, Sendable {
    package static let slice: Int64 = 20_000

    private var spent: Int64 = 0
    private var spentAt: Int64 = 0
    /// Until then, calls wait.
    package private(set) var restUntil: Int64 = 0

    package init() {}

    /// A call took so long and has just ended.
    package mutating func charge(_ span: Int64, at now: Int64) {
        // The time in which nothing was done for them was a rest, too.
        let rested = max(0, now - span - spentAt)
        spent = max(0, spent - rested) + max(0, span)
        spentAt = now
        guard spent >= Self.slice else { return }
        restUntil = now + spent
        spent = 0
    }
}
