// SPDX-License-Identifier: Apache-2.0

/// When school is: outside of it, teachers are told the day and how long, not the time of day.
package struct SchoolTime: Equatable, Sendable {
    /// Hours of some days of the week.
    package struct Hours: Equatable, Sendable {
        /// 0 for Sunday to 6 for Saturday.
        package var weekdays: Set<Int>
        /// Minutes since midnight.
        package var minutes: Range<Int>

        package init(weekdays: Set<Int>, minutes: Range<Int>) {
            self.weekdays = weekdays
            self.minutes = minutes
        }
    }

    package var hours: [Hours]
    /// First and last day, both included.
    package var holidays: [ClosedRange<CivilDate>]

    package init(hours: [Hours], holidays: [ClosedRange<CivilDate>] = []) {
        self.hours = hours
        self.holidays = holidays
    }

    /// Monday to Friday, 7 to 17 o'clock.
    package static let usual = SchoolTime(hours: [Hours(weekdays: [1, 2, 3, 4, 5], minutes: 420..<1020)])

    /// Whether a day is in the holidays.
    package func isHoliday(_ date: CivilDate) -> Bool { holidays.contains { $0.contains(date) } }

    /// Whether a minute of a day is school.
    package func isSchool(_ date: CivilDate, minute: Int) -> Bool {
        !isHoliday(date) && hours.contains { $0.weekdays.contains(date.weekday) && $0.minutes.contains(minute) }
    }
}

extension SchoolTime.Hours {
    /// Reads `Mon-Fri 07:00-17:00` or `Sat 08:00-12:30`; nil for anything else. `24:00` ends a day.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2 else { return nil }
        let days = words[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.names.firstIndex(of: $0.lowercased()) }
        let times = words[1].split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
        guard (1...2).contains(days.count), let first = days[0], let last = days[days.count - 1], times.count == 2, let from = times[0],
            let to = times[1], from < to
        else { return nil }
        // Sat-Mon goes over the end of the week.
        let count = (last - first + 7) % 7
        self.init(weekdays: Set((0...count).map { (first + $0) % 7 }), minutes: from..<to)
    }

    private static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 2, parts[1].utf8.count == 2, let hour = number(parts[0]),
            let minute = number(parts[1]),
            minute < 60, hour < 24 || hour == 24 && minute == 0
        else { return nil }
        return hour * 60 + minute
    }

    private static func number(_ text: Substring) -> Int? { text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil }
}
