// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Which sessions began on which day (UTC, as an index only; people's days are drawn in their zone).
struct SessionDays: Equatable, Sendable {
    var days: [Int64: [ActivityID]] = [:]
    var first = Int64.max
    var last = Int64.min
    /// How many days the longest session reaches over; a query looks that far back.
    var reach: Int64 = 1

    mutating func began(_ id: ActivityID, at: WallTime) {
        let day = Self.day(of: at)
        days[day, default: []].append(id)
        first = min(first, day)
        last = max(last, day)
    }

    mutating func ended(from: WallTime, to: WallTime) {
        reach = max(reach, Self.day(of: to) - Self.day(of: from) + 1)
    }

    /// Sessions that are gone leave their number here, which does no harm until they come back.
    mutating func remove(_ ids: Set<ActivityID>) {
        guard !ids.isEmpty else { return }
        for (day, list) in days where list.contains(where: ids.contains) { days[day] = list.filter { !ids.contains($0) } }
    }

    /// Every session that can touch the stretch, and few others.
    func candidates(since: WallTime?, until: WallTime?) -> [ActivityID] {
        guard first <= last else { return [] }
        let from = max(first, since.map { Self.day(of: $0) - reach } ?? first)
        let to = min(last, until.map { Self.day(of: $0) } ?? last)
        guard from <= to else { return [] }
        // A clock that was once in 1970 must not make a walk over fifty years of empty days.
        if to - from > Int64(days.count) {
            return days.keys.filter { $0 >= from && $0 <= to }.sorted().flatMap { days[$0] ?? [] }
        }
        return (from...to).flatMap { days[$0] ?? [] }
    }

    private static func day(of instant: WallTime) -> Int64 {
        let length: Int64 = 86_400_000_000
        let day = instant.microseconds / length
        return instant.microseconds % length < 0 ? day - 1 : day
    }
}
