// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What a clock on the wall shows: a day and a time of it.
package struct CivilTime: Hashable, Sendable {
    package var date: CivilDate
    package var hour: Int
    package var minute: Int
    package var second: Int

    package init(date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }
}

/// The school's time zone as a value: the edge knows how to ask the C library, the core only reads the answer.
package struct LocalClock: Sendable {
    /// What the clock on the wall shows at an instant.
    package let civil: @Sendable (WallTime) -> CivilTime

    package init(civil: @escaping @Sendable (WallTime) -> CivilTime) { self.civil = civil }

    /// Greenwich, for tests and for machines without a zone.
    package static let utc = LocalClock { instant in civilTime(of: instant, offset: .zero) }

    /// The first instant of a local day. Where midnight does not exist, or exists twice, this is the border at which the date changes, so
    /// that days share nothing and lose nothing.
    package func startOfDay(_ date: CivilDate) -> WallTime {
        // No zone is further than 26 hours from Greenwich. Between the two ends lies the border; halving finds it to the microsecond.
        let greenwich = date.daysSince1970 * day
        var before = greenwich - 26 * hour
        var after = greenwich + 26 * hour
        while after - before > 1 {
            let middle = before + (after - before) / 2
            if civil(WallTime(microseconds: middle)).date < date { before = middle } else { after = middle }
        }
        return WallTime(microseconds: after)
    }

    /// The minute before the next day begins: 23:59, when something is due on a day.
    package func endOfDay(_ date: CivilDate) -> WallTime {
        startOfDay(CivilDate(daysSince1970: date.daysSince1970 + 1)) - .seconds(60)
    }

    /// The stretches of local days that cover from … to, in order; each begins where the one before ends.
    package func days(from: WallTime, to: WallTime) -> [(date: CivilDate, from: WallTime, to: WallTime)] {
        guard from < to else { return [] }
        var result: [(date: CivilDate, from: WallTime, to: WallTime)] = []
        var date = civil(from).date
        var start = from
        while start < to {
            let next = CivilDate(daysSince1970: date.daysSince1970 + 1)
            let border = startOfDay(next)
            if border > start {
                result.append((date, start, min(border, to)))
                start = border
            }
            date = next
        }
        return result
    }
}

/// The civil time at a fixed distance from Greenwich.
package func civilTime(of instant: WallTime, offset: Duration) -> CivilTime {
    let local = instant.microseconds &+ offset.microseconds
    var days = local / day
    var rest = local % day
    if rest < 0 {
        days -= 1
        rest += day
    }
    let second = Int(rest / 1_000_000)
    return CivilTime(
        date: CivilDate(daysSince1970: days), hour: second / 3600, minute: second / 60 % 60, second: second % 60)
}

private let hour: Int64 = 3_600_000_000
private let day: Int64 = 86_400_000_000
