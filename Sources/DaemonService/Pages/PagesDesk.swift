// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// A published page, by what it is about.
package enum PageKey: Hashable, Sendable {
    case assignment(AssignmentID)
    case person(PersonID)
}

/// Decides which page is written when: soon after a change, never again before its time has passed, and at once where that is asked for.
/// Knows no clock and no file.
package struct PagesDesk {
    /// So long a first change waits for those that come with it.
    package static let settle = Duration.seconds(5)

    package var interval: Duration
    private var due: [PageKey: BootTime] = [:]
    private var taken: [PageKey: BootTime] = [:]

    package init(interval: Duration) { self.interval = interval }

    /// It is to be written.
    package mutating func touch(_ key: PageKey, at now: BootTime, atOnce: Bool = false) {
        var time = now
        if !atOnce {
            time = now + min(Self.settle, interval)
            if let last = taken[key] { time = max(time, last + interval) }
        }
        due[key] = min(due[key] ?? time, time)
    }

    /// It is not to be written any more.
    package mutating func drop(_ key: PageKey) {
        due[key] = nil
        taken[key] = nil
    }

    /// The page whose time has come first; it counts as written then.
    package mutating func next(at now: BootTime) -> PageKey? {
        guard let first = due.min(by: { $0.value < $1.value }), first.value <= now else { return nil }
        due[first.key] = nil
        taken[first.key] = now
        return first.key
    }

    /// When `next` has something to say.
    package var deadline: BootTime? { due.values.min() }

    package var waiting: Int { due.count }
}
