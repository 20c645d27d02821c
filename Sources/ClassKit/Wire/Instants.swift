// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Foundation

/// Instants as the daemon writes them: RFC 3339 in UTC with microseconds. A date that was read is written as the same text again.
enum Instants {
    static func now() -> Date { date(microseconds: Clocks.wallMicroseconds()) }

    static func date(microseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(microseconds) / 1e6) }

    static func text(_ date: Date) -> String {
        // Years 0 to 9999, whatever the app's clock says.
        let limits = -62_167_219_200.0...253_402_300_799.0
        let seconds = date.timeIntervalSince1970
        let clamped = seconds.isFinite ? min(max(seconds, limits.lowerBound), limits.upperBound) : 0
        let total = Int64((clamped * 1e6).rounded())
        let day = floorDivide(total, 86_400_000_000)
        let rest = total - day * 86_400_000_000
        let (year, month, dayOfMonth) = civil(day)
        let second = rest / 1_000_000
        return
            "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))T\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))"
            + ".\(pad(rest % 1_000_000, 6))Z"
    }

    /// Nil for what is no instant in UTC. Finer fractions than microseconds are cut.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            bytes[range].allSatisfy { (0x30...0x39).contains($0) } ? Int64(String(decoding: bytes[range], as: UTF8.self)) : nil
        }
        guard bytes.count >= 20, bytes[4] == 0x2d, bytes[7] == 0x2d, bytes[10] == 0x54, bytes[13] == 0x3a, bytes[16] == 0x3a,
            bytes.last == 0x5a,
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), (1...31).contains(day), hour < 24,
            minute < 60,
            second <= 60
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            guard bytes[19] == 0x2e, bytes.count > 21, number(20..<bytes.count - 1) != nil else { return nil }
            let digits = String(decoding: bytes[20..<bytes.count - 1].prefix(6), as: UTF8.self)
            fraction = (Int64(digits) ?? 0) * [1, 100_000, 10_000, 1000, 100, 10, 1][digits.utf8.count]
        }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        return date(microseconds: seconds * 1_000_000 + fraction)
    }

    private static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 { value >= 0 ? value / by : -((by - 1 - value) / by) }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// Days since 1970 of a day of the Gregorian calendar; years begin in March, so that a leap day ends one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = floorDivide(year, 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let yearOfEra = year - era * 400
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let era = floorDivide(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
