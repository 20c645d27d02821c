// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

/// Times of day outside school are the student's own: a teacher is told the day and how long. An instant that is hidden is the first of its day.
package struct HiddenTimes: Sendable {
    private let school: SchoolTime
    private let clock: LocalClock

    /// Without any hours nothing is hidden.
    package init(_ school: SchoolTime, clock: LocalClock) {
        self.school = school
        self.clock = clock
    }

    func hides(_ instant: WallTime) -> Bool {
        guard !school.hours.isEmpty else { return false }
        let civil = clock.civil(instant)
        return !school.isSchool(civil.date, minute: civil.hour * 60 + civil.minute)
    }

    func day(_ instant: WallTime) -> WallTime { clock.startOfDay(clock.civil(instant).date) }

    /// A window that asks for no more than may be told: borders outside school move to those of their days, so that nobody finds the time
    /// of day by asking for ever smaller windows.
    package func widened(_ window: TimeWindow) -> TimeWindow {
        TimeWindow(
            from: window.from.map(shown),
            to: window.to.map { hides($0) ? clock.startOfDay(CivilDate(daysSince1970: clock.civil($0).date.daysSince1970 + 1)) : $0 })
    }

    /// Whether a session is one of which the days alone are told.
    package func hides(_ session: SessionRecord, in ledger: Ledger) -> Bool {
        hides(ledger.openedAt(session)) || ledger.closedAt(session).map(hides) ?? false
    }

    func shown(_ instant: WallTime) -> WallTime { hides(instant) ? day(instant) : instant }
}

extension TimeText {
    /// An instant that is the first of its day is one of which only the day is told.
    func dayOrTime(_ instant: WallTime) -> String {
        let civil = clock.civil(instant)
        let isMidnight = civil.hour == 0 && civil.minute == 0 && civil.second == 0 && instant.microseconds % 1_000_000 == 0
        return isMidnight ? day(of: instant) : dayAndTime(instant)
    }
}

extension SessionRow {
    package func hiding(_ times: HiddenTimes) -> SessionRow {
        guard times.hides(openedAt) || closedAt.map(times.hides) ?? false else { return self }
        var copy = self
        copy.openedAt = times.day(openedAt)
        copy.closedAt = closedAt.map(times.day)
        copy.hidesTimes = true
        return copy
    }
}

extension StudentReport {
    /// For somebody who teaches the student.
    package func hiding(_ times: HiddenTimes) -> StudentReport {
        var copy = self
        for index in copy.assignments.indices {
            copy.assignments[index].sessions = assignments[index].sessions.map { $0.hiding(times) }
            copy.assignments[index].saves = assignments[index].saves.map { save in
                var save = save
                save.at = times.shown(save.at)
                return save
            }
            // Over night is when things are left open: how long stands in the figures.
            copy.assignments[index].leftOpen.removeAll { times.hides($0.from) || times.hides($0.to) }
            copy.assignments[index].row.hide(times)
        }
        return copy
    }
}

extension ClassReport {
    package func hiding(_ times: HiddenTimes) -> ClassReport {
        var copy = self
        for index in copy.rows.indices { copy.rows[index].hide(times) }
        return copy
    }
}

extension ClassReport.Row {
    fileprivate mutating func hide(_ times: HiddenTimes) {
        last = last.map(times.shown)
        for index in reports.indices {
            reports[index].last = times.shown(reports[index].last)
            for attempt in reports[index].attempts.indices {
                reports[index].attempts[attempt].at = times.shown(reports[index].attempts[attempt].at)
            }
        }
    }
}
