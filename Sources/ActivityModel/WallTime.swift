// SPDX-License-Identifier: Apache-2.0

/// An instant on the wall clock, UTC. It can jump: information for people, never a source of durations.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    package let microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (left: WallTime, right: WallTime) -> Bool { left.microseconds < right.microseconds }

    package static func + (instant: WallTime, span: Duration) -> WallTime {
        WallTime(microseconds: instant.microseconds &+ span.microseconds)
    }

    package static func - (instant: WallTime, span: Duration) -> WallTime {
        WallTime(microseconds: instant.microseconds &- span.microseconds)
    }

    package static func - (left: WallTime, right: WallTime) -> Duration {
        .microseconds(left.microseconds &- right.microseconds)
    }

    /// RFC 3339 in UTC with six digits of fraction, e.g. `2026-03-14T22:59:00.000000Z`.
    package var rfc3339: String {
        let second = microseconds.floorDivided(by: 1_000_000)
        let fraction = microseconds - second * 1_000_000
        let date = CivilDate(daysSince1970: second.floorDivided(by: 86_400))
        let rest = second - second.floorDivided(by: 86_400) * 86_400
        return date.text + "T" + digits(rest / 3600, 2) + ":" + digits(rest / 60 % 60, 2) + ":" + digits(rest % 60, 2) + "."
            + digits(fraction, 6) + "Z"
    }

    /// Reads RFC 3339 with any fraction and offset; nil for anything else.
    package init?(rfc3339 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2), scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
            let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2), scanner.skip(":"),
            let second = scanner.number(2), let date = CivilDate(year: year, month: month, day: day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var fraction: Int64 = 0
        if scanner.skip(".") {
            guard let read = scanner.fraction() else { return nil }
            fraction = read
        }
        var offset: Int64 = 0
        if !(scanner.skip("Z") || scanner.skip("z")) {
            let sign: Int64
            if scanner.skip("+") { sign = 1 } else if scanner.skip("-") { sign = -1 } else { return nil }
            guard let hours = scanner.number(2), scanner.skip(":"), let minutes = scanner.number(2), hours < 24, minutes < 60
            else { return nil }
            offset = sign * (hours * 3600 + minutes * 60)
        }
        guard scanner.isAtEnd else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }
}

/// A day of the Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable {
    package let year: Int64
    package let month: Int64
    package let day: Int64

    /// Nil where the calendar has no such day, e.g. 30 February.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), day >= 1, (1...9999).contains(year) else { return nil }
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[Int(month) - 1] else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Days-to-civil over 400-year eras that begin on 1 March, so that the leap day comes last (H. Hinnant's published algorithm).
    package init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 0 for Sunday to 6 for Saturday.
    package var weekday: Int { Int((daysSince1970 + 4) - (daysSince1970 + 4).floorDivided(by: 7) * 7) }

    /// `YYYY-MM-DD`.
    package var text: String { digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) }

    /// Reads `YYYY-MM-DD` at the start of a text; nil where there is none or the calendar has no such day.
    package init?(prefixOf text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension Int64 {
    /// Division that rounds down, also below zero.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

private func digits(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
}

private struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ count: Int) -> Int64? {
        guard rest.count >= count else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(count) {
            guard byte >= 48, byte <= 57 else { return nil }
            value = value * 10 + Int64(byte - 48)
        }
        rest = rest.dropFirst(count)
        return value
    }

    /// Microseconds; digits beyond the sixth are dropped.
    mutating func fraction() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while let byte = rest.first, byte >= 48, byte <= 57 {
            if count < 6 { value = value * 10 + Int64(byte - 48) }
            count += 1
            rest.removeFirst()
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 6 - count) { value *= 10 }
        return value
    }
}
