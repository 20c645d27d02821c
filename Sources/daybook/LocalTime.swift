// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Ledger
import Reports

/// The machine's time zone, asked of the C library.
enum LocalTime {
    /// For the reports, which read no clock and no zone by themselves.
    static let clock = LocalClock { instant in
        guard let fields = fields(of: instant),
            let date = CivilDate(year: Int64(fields.tm_year) + 1900, month: Int64(fields.tm_mon) + 1, day: Int64(fields.tm_mday))
        else { return civilTime(of: instant, offset: .zero) }  // a year beyond what C can say
        return CivilTime(date: date, hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
    }

    static var now: WallTime { WallTime(microseconds: Clocks.wallMicroseconds()) }

    /// Days and times as people read them, now.
    static var text: TimeText { TimeText(clock: clock, now: now) }

    /// The local calendar day and time of an instant; nil only for years beyond what C can say.
    static func fields(of instant: WallTime) -> tm? {
        var seconds = time_t(floorSeconds(instant))
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return nil }
        return fields
    }

    /// The instant at which a local day begins, or a time of it. Where the clock jumps over it, the next one that exists.
    static func instant(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) -> WallTime? {
        var fields = tm()
        fields.tm_year = Int32(clamping: date.year - 1900)
        fields.tm_mon = Int32(date.month - 1)
        fields.tm_mday = Int32(date.day)
        fields.tm_hour = Int32(hour)
        fields.tm_min = Int32(minute)
        fields.tm_sec = Int32(second)
        fields.tm_isdst = -1
        errno = 0
        let seconds = mktime(&fields)
        if seconds == -1, errno != 0 { return nil }
        return WallTime(microseconds: Int64(seconds) * 1_000_000)
    }

    private static func floorSeconds(_ instant: WallTime) -> Int64 {
        let second = instant.microseconds / 1_000_000
        return instant.microseconds % 1_000_000 < 0 ? second - 1 : second
    }
}

/// What people type for an instant: `2026-03-11`, `2026-03-11 14:30`, RFC 3339, `14:30`, `today`, `yesterday`, `now`, `90m`, `2h`, `3d`, `2w` (ago).
struct TimeArgument {
    static let help = "e.g. 2026-03-11, '2026-03-11 14:30', 14:30, yesterday, 2h, 3d"

    static func parse(_ text: String, option: String, now: WallTime) throws(CommandFailure) -> WallTime {
        guard let instant = read(text, now: now) else { throw .usage("--\(option) does not understand '\(text)'; write \(help)") }
        return instant
    }

    static func read(_ text: String, now: WallTime) -> WallTime? {
        if let instant = WallTime(rfc3339: text) { return instant }
        guard let fields = LocalTime.fields(of: now),
            let today = CivilDate(year: Int64(fields.tm_year) + 1900, month: Int64(fields.tm_mon) + 1, day: Int64(fields.tm_mday))
        else { return nil }
        switch text {
        case "now": return now
        case "today": return LocalTime.instant(today)
        case "yesterday": return LocalTime.instant(CivilDate(daysSince1970: today.daysSince1970 - 1))
        default: break
        }
        if let span = ago(text) { return now - span }
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "T" })
        switch parts.count {
        case 1:
            if let (hour, minute, second) = clock(parts[0]) { return LocalTime.instant(today, hour: hour, minute: minute, second: second) }
            return day(parts[0]).flatMap { LocalTime.instant($0) }
        case 2:
            guard let date = day(parts[0]), let (hour, minute, second) = clock(parts[1]) else { return nil }
            return LocalTime.instant(date, hour: hour, minute: minute, second: second)
        default: return nil
        }
    }

    private static func ago(_ text: String) -> Duration? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int64(text.dropLast()), count <= 100_000
        else { return nil }
        return .seconds(count * unit)
    }

    private static func day(_ text: Substring) -> CivilDate? {
        text.utf8.count == 10 ? CivilDate(prefixOf: String(text)) : nil
    }

    private static func clock(_ text: Substring) -> (Int, Int, Int)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy({ $0.isASCII && $0.isNumber }) && part.count <= 2 ? Int(part) : nil }
        guard numbers.count == parts.count, (2...3).contains(parts.count), numbers[0] < 24, numbers[1] < 60 else { return nil }
        let second = numbers.count == 3 ? numbers[2] : 0
        return second < 60 ? (numbers[0], numbers[1], second) : nil
    }
}
