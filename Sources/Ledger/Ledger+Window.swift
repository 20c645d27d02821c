// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// From one instant to another on the wall clock; nil is open.
package struct TimeWindow: Equatable, Sendable {
    package var from: WallTime?
    package var to: WallTime?

    package init(from: WallTime? = nil, to: WallTime? = nil) {
        self.from = from
        self.to = to
    }

    package var isWhole: Bool { from == nil && to == nil }

    package func contains(_ instant: WallTime) -> Bool { (from.map { $0 <= instant } ?? true) && (to.map { instant < $0 } ?? true) }
}

extension Ledger {
    /// Whether a session has anything in a window.
    package func touches(_ session: SessionRecord, _ window: TimeWindow) -> Bool {
        if window.isWhole { return true }
        if let to = window.to, openedAt(session) >= to { return false }
        if let from = window.from, let closed = closedAt(session), closed < from { return false }
        return true
    }

    /// Time on task within a window: what sessions have of it, no more.
    package func figures(
        for sessions: [SessionRecord], of person: PersonID?, rule: Rule, now: Moment, within window: TimeWindow
    ) -> TimeFigures {
        if window.isWhole { return figures(for: sessions, of: person, rule: rule, now: now) }
        return Self.joined(
            byBoot(sessions).map { boot, works in
                let low = window.from.flatMap { clocks.bootTime(of: $0, in: boot) } ?? BootTime(microseconds: .min / 2)
                let high = window.to.flatMap { clocks.bootTime(of: $0, in: boot) } ?? BootTime(microseconds: .max / 2)
                guard low < high else { return .nothing }
                return figures(for: works, of: person, boot: boot, rule: rule, now: now, within: low..<high)
            })
    }
}
