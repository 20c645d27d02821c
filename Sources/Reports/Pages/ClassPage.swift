// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference
package import Ledger

/// What the published page of an assignment shows: the class's table, and of each row the days and the growth. No clock times of anybody:
/// when in the day, or in the night, somebody worked is theirs to see.
package struct ClassPage: Equatable, Sendable {
    package struct Line: Equatable, Sendable {
        package var days: [StudentReport.Day]
        /// The primary figure of the main document, after its last save of each day.
        package var growth: [Point]
    }

    package struct Point: Equatable, Sendable {
        package var date: CivilDate
        package var value: Double
    }

    package var report: ClassReport
    package var lines: [PersonID: Line]

    /// Nil where there is no such assignment. Costs what its table and the days of each row cost.
    package init?(of id: AssignmentID, in ledger: Ledger, now: Moment, clock: LocalClock) {
        guard let report = ClassReport(of: id, in: ledger, now: now) else { return nil }
        self.report = report
        lines = [:]
        for row in report.rows where row.figures != nil {
            let person = row.person
            // What a note takes out counts nowhere.
            let sessions = ledger.countedSessions(of: person, in: id)
            let days = StudentReport.joined(
                Aged(ledger.totals(of: person, in: id), saves: []).days,
                ledger.figuresByDay(for: sessions, of: person, rule: report.rule, now: now, clock: clock), ledger)
            var growth: [Point] = []
            if let primary = report.primary {
                for save in ledger.saves(in: id, by: person) where save.facts.document.path.text == row.document {
                    guard let value = save.item(primary.identifier).flatMap(ItemText.figure) else { continue }
                    let date = clock.civil(save.at).date
                    if growth.last?.date == date { growth.removeLast() }
                    growth.append(Point(date: date, value: value))
                }
            }
            lines[person] = Line(days: days, growth: growth.sorted { $0.date < $1.date })
        }
    }

    /// The page as a whole file.
    package func html(clock: LocalClock) -> String {
        let times = TimeText(clock: clock, now: report.asOf)
        return PageFrame.page(
            title: report.title,
            """
            \(header(times))
            \(tiles)
            \(ClassPageTable(self, times).markup)
            \(ProgramList.of(report.rows.map { (name: $0.name, reports: $0.reports) }))\(plots(times))
            <p class="screen"><a href="index.csv" download="index.csv">The table for a spreadsheet</a></p>
            \(PageFrame.foot(
                report.rule, changed: report.ruleChange, made: report.asOf, times,
                readers: "Only teachers of this class and administrators can open this page. That somebody opened it is not written down."))
            """)
    }

    private func header(_ times: TimeText) -> Markup {
        var facts: [Markup] = []
        if let ended = report.ended {
            facts.append("ended \(times.day(of: ended))")
        } else if let due = report.due {
            facts.append("due \(times.dayAndTime(due))")
        }
        facts.append("\(plural(report.studentCount, "student"))")
        switch (report.recording, report.recordedSince) {
        case (.on, let since?): facts.append("recorded since \(times.day(of: since))")
        case (.paused, _): facts.append("recording is paused")
        default: facts.append("recording is off")
        }
        if report.gaps > 0 { facts.append("\(plural(report.gaps, "gap")) in what could be seen") }
        facts.append("as of \(times.dayAndTime(report.asOf))")
        let over: Markup = report.className.isEmpty ? "Daybook" : "Daybook · class \(name: report.className)"
        return """
            <header><p class="over">\(over)</p><h1>\(name: report.title)</h1>\
            <p class="lede">\(facts.map { "<span>\($0)</span>" as Markup }.joined())</p></header>
            """
    }

    private var tiles: Markup {
        var tiles: [Markup] = [
            "<span>Started</span><strong>\(report.started) of \(report.studentCount)</strong>",
            "<span>Handed in or done</span><strong>\(report.finished)</strong>",
        ]
        if let worked = report.median?.worked {
            tiles.append(
                """
                <span>Worked, median</span><strong>\(SpanText.best(worked, step: 1))</strong>\
                <small>of \(report.withTime) with time</small>
                """)
        }
        if let primary = report.primary, let value = report.median?.primary {
            let count = report.rows.count { $0.figure(primary.identifier) != nil }
            tiles.append(
                """
                <span>\(ItemText.heading(primary.identifier, title: primary.title)), median</span>\
                <strong>\(ItemText.summary(value, of: report.primary?.identifier))</strong><small>of \(plural(count, "document"))</small>
                """)
        }
        return "<ul class=\"tiles\">\(tiles.map { "<li>\($0)</li>" as Markup }.joined())</ul>"
    }

    private func plots(_ times: TimeText) -> Markup {
        var plots: [Markup] = []
        let spans = report.rows.compactMap { row in row.figures?.active.map { (name: row.name, span: $0) } }
        if spans.count > 1, let drawing = Plots.spread(spans, median: report.median?.worked, of: "Time worked") {
            plots.append(PageFrame.figure("How long they worked", "A dot is a student; dots above each other are about equal.", drawing))
        }
        let days = classDays
        if days.count > 1, let drawing = Plots.perDay(days, of: "Time worked by the class", times) {
            plots.append(PageFrame.figure("On which days", "The best estimates of all students, added up.", drawing))
        }
        if let primary = report.primary {
            let lines = report.rows.compactMap { row in
                self.lines[row.person].map { line in
                    Plots.Line(name: row.name, points: line.growth.map { (Double($0.date.daysSince1970) + 0.5, $0.value) })
                }
            }
            let heading = ItemText.heading(primary.identifier, title: primary.title)
            if let drawing = Plots.growth(lines, goal: report.target, of: heading, times) {
                plots.append(
                    PageFrame.figure("\(heading) over time", "A line is a student's main document, a dot its last save.", drawing))
            }
        }
        return plots.isEmpty ? Markup() : "<div class=\"plots\">\(plots.joined())</div>"
    }

    /// The best estimates of all rows, by day.
    private var classDays: [(date: CivilDate, span: Duration, note: String)] {
        var sums: [CivilDate: (span: Duration, students: Int)] = [:]
        for day in lines.values.joinedDays {
            guard let active = day.figures.active else { continue }
            sums[day.date, default: (.zero, 0)].span += active
            sums[day.date, default: (.zero, 0)].students += 1
        }
        return sums.keys.sorted().map { date in
            let sum = sums[date] ?? (.zero, 0)
            return (date, sum.span, "\(SpanText.best(sum.span, step: 1)) by \(plural(sum.students, "student"))")
        }
    }
}

extension Sequence<ClassPage.Line> {
    var joinedDays: [StudentReport.Day] { flatMap(\.days) }
}
