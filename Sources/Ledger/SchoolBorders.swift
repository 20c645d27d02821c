// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

extension SchoolTime {
    /// Whether an instant is school.
    package func isSchool(at instant: WallTime, _ clock: LocalClock) -> Bool {
        let civil = clock.civil(instant)
        return isSchool(civil.date, minute: civil.hour * 60 + civil.minute)
    }

    /// Further borders are not looked for; whoever waits for one asks again by then.
    private static let days: Int64 = 400

    /// When school ends or begins next after an instant; nil where it does neither within 400 days.
    package func nextBorder(after now: WallTime, _ clock: LocalClock) -> WallTime? {
        let isNow = isSchool(at: now, clock)
        let today = clock.civil(now).date
        for offset in 0...Self.days {
            let date = CivilDate(daysSince1970: today.daysSince1970 + offset)
            let ranges = holidays.contains { $0.contains(date) } ? [] : hours.filter { $0.weekdays.contains(date.weekday) }.map(\.minutes)
            // A day without school has no border of its own, but where school goes on over midnight.
            if ranges.isEmpty, !isNow { continue }
            let start = clock.startOfDay(date)
            let minutes = Set([0] + ranges.flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
            for minute in minutes {
                let border = instant(date, minute, from: start, clock)
                if border > now, isSchool(at: border, clock) != isNow { return border }
            }
        }
        return nil
    }

    /// When the clock shows a minute of a day; on a day on which it is set, by what it shows then.
    private func instant(_ date: CivilDate, _ minute: Int, from start: WallTime, _ clock: LocalClock) -> WallTime {
        let guess = start + .seconds(Int64(minute) * 60)
        let shown = clock.civil(guess)
        guard shown.date == date else { return guess }
        return guess + .seconds(Int64(minute - shown.hour * 60 - shown.minute) * 60)
    }
}
