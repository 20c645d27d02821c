// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The table of a class page.
struct ClassPageTable {
    let page: ClassPage
    let times: TimeText
    private let days: DayScale?
    private let longestDay: Duration
    /// One day alone says nothing that `Last` does not.
    private let hasSeveralDays: Bool
    private let hasLevel: Bool

    init(_ page: ClassPage, _ times: TimeText) {
        self.page = page
        self.times = times
        let all = page.lines.values.joinedDays.filter { $0.figures.active != nil }
        days = DayScale(all.map(\.date), left: 0, right: 176)
        longestDay = all.compactMap(\.figures.active).max() ?? .zero
        hasSeveralDays = Set(all.map(\.date)).count > 1
        hasLevel = page.report.rows.contains { $0.item(ItemText.level) != nil }
    }

    private var report: ClassReport { page.report }
    private var showsDays: Bool { days != nil && hasSeveralDays }

    var markup: Markup {
        guard !report.rows.isEmpty else { return "<p>Nobody is in this class yet.</p>" }
        return """
            <div class="card wide" tabindex="0" role="region" aria-labelledby="students"><table class="people">
            <caption id="students">Students<small>\(note)</small><small class="narrow">More columns stand to the right: swipe.</small></caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(report.rows.map(row).joined())</tbody>
            \(foot)</table></div>
            """
    }

    private var note: Markup {
        let thin = report.rows.count { $0.state.hasStarted && $0.figures?.countsInClass != true }
        let parts = ((thin > 0 ? [(thin, "with too little evidence")] : []) + report.withoutTime).map { "\($0.0) \($0.1)" }
        let left: Markup = parts.isEmpty ? "" : " Not in median and average of the time: \(parts.joined(separator: ", "))."
        let anew: Markup = report.anewSentence(times).map { " \(name: $0)" } ?? ""
        return "Worked is the best estimate, the range what the evidence allows.\(left)\(anew)"
    }

    private var head: Markup {
        var cells: [Markup] = [
            "<th scope=\"col\">Student</th>", "<th scope=\"col\">State</th>", "<th scope=\"col\" class=\"n\">Worked</th>",
            "<th scope=\"col\" class=\"n\">Range</th>", "<th scope=\"col\">Sure</th>",
        ]
        if let primary = report.primary {
            cells.append("<th scope=\"col\" class=\"n\">\(ItemText.heading(primary.identifier, title: primary.title))</th>")
        }
        if report.target != nil { cells.append("<th scope=\"col\" class=\"n\">Goal</th>") }
        if hasLevel { cells.append("<th scope=\"col\" class=\"n\">Level</th>") }
        cells.append("<th scope=\"col\">Last</th>")
        if showsDays { cells.append("<th scope=\"col\">Days</th>") }
        return cells.joined()
    }

    private func row(_ row: ClassReport.Row) -> Markup {
        let cells = row.figures?.cells(dash: "–")
        func item(_ identifier: String) -> Markup { row.item(identifier).map { "\(ItemText.value($0, isUTF8: true))" } ?? "" }
        var markup: Markup = """
            <tr><th scope="row">\(name: row.name)</th><td>\(report.standing(row))</td><td class="n">\(cells?.worked ?? "")</td>\
            <td class="n s">\(cells?.range ?? "")</td><td class="s">\(row.figures?.confidence.rawValue ?? "")</td>
            """
        if let primary = report.primary { markup += "<td class=\"n\">\(item(primary.identifier))</td>" }
        if report.target != nil { markup += "<td class=\"n\">\(report.goal(row).map { "\($0) %" } ?? "")</td>" }
        if hasLevel { markup += "<td class=\"n\">\(item(ItemText.level))</td>" }
        markup += "<td class=\"s\">\(row.isWorking ? "now" : row.last.map(times.day(of:)) ?? "")</td>"
        if let days, showsDays { markup += "<td class=\"days\">\(sparkline(of: row, days))</td>" }
        return markup + "</tr>\n"
    }

    private func sparkline(of row: ClassReport.Row, _ scale: DayScale) -> Markup {
        let days = (page.lines[row.person]?.days ?? []).compactMap { day in day.figures.active.map { (date: day.date, span: $0) } }
        return days.isEmpty ? "" : Plots.sparkline(days, scale: scale, longest: longestDay)
    }

    private var foot: Markup {
        guard let median = report.median, let average = report.average else { return "" }
        return "<tfoot>\(summary("Median", median))\(summary("Average", average))</tfoot>\n"
    }

    private func summary(_ label: String, _ summary: ClassReport.Summary) -> Markup {
        var markup: Markup = """
            <tr><th scope="row">\(label)</th><td class="s">of \(report.withTime) with time</td>\
            <td class="n">\(summary.worked.map { SpanText.best($0, step: 1) } ?? "")</td><td></td><td></td>
            """
        if report.primary != nil {
            markup += "<td class=\"n\">\(summary.primary.map { ItemText.summary($0, of: report.primary?.identifier) } ?? "")</td>"
        }
        if report.target != nil { markup += "<td></td>" }
        if hasLevel { markup += "<td class=\"n\">\(summary.level.map { ItemText.number($0, digits: 1) } ?? "")</td>" }
        return markup + (showsDays ? "<td></td><td></td></tr>" : "<td></td></tr>")
    }
}
