// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension SettingsDecoder {
    /// `[school]`: when school is, and how small a group may be.
    mutating func readSchool(_ table: TableReader) {
        var table = table
        if let values = table.list("hours", wanted: "a list such as [\"Mon-Fri 07:00-17:00\"]", orOne: true) {
            settings.school.time.hours = values.value.compactMap { value in
                guard case .string(let text) = value.content, let hours = SchoolTime.Hours(text) else {
                    mistakes.add(
                        value.position, "hours are written like \"Mon-Fri 07:00-17:00\"; an empty list means that no time is hidden")
                    return nil
                }
                return hours
            }
        }
        if let values = table.list("holidays", wanted: "a list such as [\"2026-12-21 2027-01-08\"]", orOne: true) {
            settings.school.time.holidays = values.value.compactMap { value in
                guard case .string(let text) = value.content, let days = Self.days(text) else {
                    mistakes.add(value.position, "a holiday is one day, \"2026-10-31\", or its first and last, \"2026-12-21 2027-01-08\"")
                    return nil
                }
                return days
            }
        }
        if settings.recording.when == .schoolHours, settings.school.time.hours.isEmpty {
            mistakes.add(table.position, "recording is for school hours only, and there are none, so that nothing would ever be recorded")
        }
        table.number("small-group", into: &settings.school.smallGroup, in: 2...100)
        table.finish()
    }

    /// `[live]`: who is working at this moment.
    mutating func readLive(_ table: TableReader) {
        var table = table
        table.flag("enabled", into: &settings.live.enabled)
        table.finish()
    }

    private static func days(_ text: String) -> ClosedRange<CivilDate>? {
        let words = text.split(separator: " ").map(String.init)
        let dates = words.compactMap(day)
        guard (1...2).contains(words.count), dates.count == words.count, let first = dates.first, let last = dates.last, first <= last
        else {
            return nil
        }
        return first...last
    }

    static func day(_ text: String) -> CivilDate? { text.utf8.count == 10 ? CivilDate(prefixOf: text) : nil }

    /// `[[class.cover]]`: who teaches a class until a day.
    func covers(of table: inout TableReader) -> [Settings.Cover] {
        table.tables("cover", name: "class.cover").compactMap { table in
            var table = table
            let login = table.text("login")
            let until = table.text("until", wanted: "a date in quotes, such as \"2026-12-18\"")
            for key in ["login", "until"] where !isPartial && table.lacks(key) {
                mistakes.add(table.position, "this cover has no \(key); write who covers and the last day, such as \"2026-12-18\"")
            }
            table.finish()
            guard let login, let until else { return nil }
            if let problem = loginProblem(login.value) { mistakes.add(login.position, problem) }
            guard let day = Self.day(until.value) else {
                mistakes.add(until.position, "'\(shown(until.value))' is no day; write it like \"2026-12-18\"")
                return nil
            }
            return Settings.Cover(login: login.value, until: day)
        }
    }
}
