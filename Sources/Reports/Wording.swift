// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

/// Durations as people read them: above 30 min to 5, below to 1 minute, no seconds.
package enum SpanText {
    /// `55 min`, `1 h 35`; hours from 60 min on. `step` of 1 for class figures.
    package static func best(_ span: Duration, step: Int? = nil) -> String {
        let minutes = rounded(span, step: step)
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h " + twoDigits(minutes % 60)
    }

    /// `40–75 min`, or `1:10–2:05` where the best estimate is an hour or more. Rounded outwards: bounds may only widen.
    package static func range(from least: Duration, to most: Duration, best: Duration, dash: String = "–") -> String {
        let low = outwards(least, up: false)
        let high = max(outwards(most, up: true), low)
        if rounded(best) < 60, high < 600 { return "\(low)\(dash)\(high) min" }
        return clock(low) + dash + clock(high)
    }

    /// `up to 45`, `up to 1:30`.
    package static func upTo(_ most: Duration) -> String {
        let minutes = outwards(most, up: true)
        return "up to " + (minutes < 60 ? "\(minutes)" : clock(minutes))
    }

    /// A limit of the rule: `5 min`, `90 s`.
    static func limit(_ span: Duration) -> String {
        let seconds = span.microseconds / 1_000_000
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    /// Whole minutes, nearest; halves go up.
    private static func rounded(_ span: Duration, step: Int? = nil) -> Int {
        let length = max(0, span.microseconds)
        let step = Int64(step ?? (length <= halfHour ? 1 : 5))
        return Int((length + step * minute / 2) / (step * minute) * step)
    }

    private static func outwards(_ span: Duration, up: Bool) -> Int {
        let length = max(0, span.microseconds)
        let step: Int64 = length <= halfHour ? 1 : 5
        // Some milliseconds are no reason to say five minutes more, or less.
        let slack: Int64 = 100_000
        return Int((up ? max(0, length - slack) + step * minute - 1 : length + slack) / (step * minute) * step)
    }

    private static let minute: Int64 = 60_000_000
    private static let halfHour = 30 * minute

    private static func clock(_ minutes: Int) -> String { "\(minutes / 60):" + twoDigits(minutes % 60) }
}

/// Days and times as people read them, in the school's zone.
package struct TimeText: Sendable {
    let clock: LocalClock
    let now: CivilTime

    package init(clock: LocalClock, now: WallTime) {
        self.clock = clock
        self.now = clock.civil(now)
    }

    /// `Fri 14 Mar`, with the year where it is another one.
    package func day(_ date: CivilDate) -> String {
        let text = "\(Self.weekdays[date.weekday]) \(date.day) \(Self.months[Int(date.month) - 1])"
        return date.year == now.date.year ? text : text + " \(date.year)"
    }

    package func day(of instant: WallTime) -> String { day(clock.civil(instant).date) }

    /// `Fri 14 Mar 23:59`.
    package func dayAndTime(_ instant: WallTime) -> String {
        let civil = clock.civil(instant)
        return day(civil.date) + " " + time(civil)
    }

    /// `23:59`.
    package func time(_ instant: WallTime) -> String { time(clock.civil(instant)) }

    /// `in 3 days`, `tomorrow`, `today`, `yesterday`, `2 days ago`.
    package func distance(_ instant: WallTime) -> String {
        let days = clock.civil(instant).date.daysSince1970 - now.date.daysSince1970
        return switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case 2...: "in \(days) days"
        default: "\(-days) days ago"
        }
    }

    /// For a narrow column: `today`, `Mon` in the last six days, `3 Mar` this year, else `Mar 2024`.
    package func short(_ instant: WallTime) -> String {
        let date = clock.civil(instant).date
        let ago = now.date.daysSince1970 - date.daysSince1970
        if ago <= 0 { return "today" }
        if ago < 7 { return Self.weekdays[date.weekday] }
        let month = Self.months[Int(date.month) - 1]
        return date.year == now.date.year ? "\(date.day) \(month)" : "\(month) \(date.year)"
    }

    private func time(_ civil: CivilTime) -> String { twoDigits(civil.hour) + ":" + twoDigits(civil.minute) }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// The nearest whole number, halves away from zero, for values that an `Int64` holds. `rounded()` would be a call into the C library's
/// mathematics, which the core does not link.
func nearest(_ value: Double) -> Int64 {
    if abs(value) >= 4_503_599_627_370_496 { return Int64(value) }  // 2^52: whole already
    return value < 0 ? -Int64(0.5 - value) : Int64(value + 0.5)
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

func plural(_ count: Int, _ noun: String, _ several: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : several ?? noun + "s")"
}
