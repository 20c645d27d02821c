// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference
package import Ledger

/// One assignment over its days or weeks: how many students worked on it then, how long, and how far they were.
package struct AssignmentOverTime: Equatable, Sendable {
    package enum Step: String, Sendable, CaseIterable { case day, week }

    package struct Line: Equatable, Sendable {
        /// The day, or the Monday of the week.
        package var from: CivilDate
        /// How many students were at it.
        package var students: Int
        /// How many of them are counted in `median`: those with enough evidence, as in the class's table.
        package var withTime: Int
        package var median: Duration?
        /// The best estimates of all students, added up.
        package var together: Duration
        /// The median over students of the primary figure after their last save up to then.
        package var primary: Double?
    }

    package var id: AssignmentID
    package var title: String
    package var className: String
    package var asOf: WallTime
    package var students: Int
    package var step: Step
    package var primary: ClassReport.Column?
    package var rule: Rule
    package var ownRule: String?
    package var ruleChange: RuleChangeLine?
    /// In order; days and weeks on which nobody worked are left out.
    package var lines: [Line]

    /// Nil where there is no such assignment. `window` leaves out whole days: those that do not begin in it.
    package init?(
        of id: AssignmentID, in ledger: Ledger, now: Moment, clock: LocalClock, by step: Step, rule asked: Rule? = nil,
        within window: TimeWindow = TimeWindow()
    ) {
        guard let record = ledger.assignment(id), let report = ClassReport(of: id, in: ledger, now: now, rule: asked, clock: clock) else {
            return nil
        }
        self.id = id
        self.step = step
        (title, className, asOf, students) = (report.title, report.className, report.asOf, report.studentCount)
        (primary, rule, ownRule, ruleChange) = (report.primary, report.rule, report.ownRule, report.ruleChange)
        var spans: [CivilDate: [PersonID: (active: Duration, counts: Bool)]] = [:]
        var growth: [[(date: CivilDate, value: Double)]] = []
        for row in report.rows where row.figures != nil {
            let days = StudentReport.joined(
                Aged(ledger.totals(of: row.person, in: id), saves: []).days,
                ledger.figuresByDay(
                    for: ledger.countedSessions(of: row.person, in: id), of: row.person, rule: rule, now: now, clock: clock), ledger)
            for day in days where window.isWhole || window.contains(clock.startOfDay(day.date)) {
                let bucket = Self.bucket(day.date, step)
                let before = spans[bucket]?[row.person]
                spans[bucket, default: [:]][row.person] = (
                    (before?.active ?? .zero) + (day.figures.active ?? .zero), (before?.counts ?? false) || day.figures.countsInClass
                )
            }
            guard let primary else { continue }
            let saves = ledger.saves(in: record.id, by: row.person).filter { $0.facts.document.path.text == row.document }
            growth.append(
                saves.compactMap { save in
                    save.item(primary.identifier).flatMap(ItemText.figure).map { (Self.bucket(clock.civil(save.at).date, step), $0) }
                })
        }
        lines = spans.keys.sorted().map { from in
            let all = spans[from] ?? [:]
            let counted = all.values.filter(\.counts).map(\.active.seconds)
            let reached = growth.compactMap { points in points.last { $0.date <= from }?.value }
            return Line(
                from: from, students: all.count, withTime: counted.count,
                median: Statistics.median(counted).map { .microseconds(Int64($0 * 1_000_000)) },
                together: all.values.reduce(.zero) { $0 + $1.active }, primary: Statistics.median(reached))
        }
    }

    private static func bucket(_ date: CivilDate, _ step: Step) -> CivilDate {
        // Weeks begin on Mondays, as in ISO 8601.
        step == .day ? date : CivilDate(daysSince1970: date.daysSince1970 - Int64((date.weekday + 6) % 7))
    }
}
