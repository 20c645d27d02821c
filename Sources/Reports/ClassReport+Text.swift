// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import Ledger

extension ClassReport {
    /// The table for a terminal: 80 columns as documented, fewer columns on a narrower one, more on a wider one.
    ///
    /// `hasPages` adds how to get the same as a page.
    package func text(_ style: TextStyle, clock: LocalClock, hasPages: Bool = false) -> String {
        let times = TimeText(clock: clock, now: asOf)
        var lines = heading(style, times)
        if rows.isEmpty {
            lines += ["", studentCount == 0 ? "Nobody is in this class yet." : "The rows are not yours to see."] + figureLines(style)
        } else {
            lines += [""] + table(style, times)
        }
        lines += excludedLines(style) + (anewSentence(times).map { wrapped($0, to: style.textWidth) } ?? [])
        lines += leftOpenLines(style) + programLines(style)
        lines += [""] + limits(style, times, hasPages: hasPages)
        return lines.map { style.shown($0) + "\n" }.joined()
    }

    private func heading(_ style: TextStyle, _ times: TimeText) -> [String] {
        var first = [title]
        if !className.isEmpty { first.append("class \(className)") }
        if let ended {
            first.append("ended \(times.day(of: ended))")
        } else if let due {
            first.append("due \(times.dayAndTime(due)), \(times.distance(due))")
        }
        var second = [plural(studentCount, "student"), "as of \(times.dayAndTime(asOf))"]
        switch (recording, recordedSince) {
        case (.on, let since?): second.append("recorded since \(times.dayAndTime(since))")
        case (.paused, _): second.append("recording is paused")
        default: second.append("recording is off")
        }
        if gaps > 0 { second.append(plural(gaps, "gap")) }
        if let from = window.from { second.append("only from \(times.dayAndTime(from))") }
        if let to = window.to { second.append("only to \(times.dayAndTime(to))") }
        return [first, second].flatMap { wrapped($0.joined(separator: " \(style.dot) "), to: style.width) }
    }

    /// For whoever does not see the rows.
    private func figureLines(_ style: TextStyle) -> [String] {
        var lines = ["\(started) of \(studentCount) started, \(finished) handed in or done."]
        for (label, summary) in [("Median", median), ("Average", average)] {
            var parts: [String] = []
            if let worked = summary?.worked { parts.append("worked \(SpanText.best(worked, step: 1))") }
            if let primary, let value = summary?.primary {
                parts.append(
                    "\(ItemText.heading(primary.identifier, title: primary.title).lowercased()) \(ItemText.summary(value, of: primary.identifier))"
                )
            }
            if let level = summary?.level { parts.append("level \(ItemText.number(level, digits: 1))") }
            if !parts.isEmpty {
                lines.append("\(label): \(parts.joined(separator: ", "))" + (withTime > 0 ? " (\(withTime) with time)." : "."))
            }
        }
        if median == nil { lines.append("Too few students have figures for a median that tells of nobody.") }
        return lines.flatMap { wrapped($0, to: style.textWidth) }
    }

    private func table(_ style: TextStyle, _ times: TimeText) -> [String] {
        let table = ClassTable(self, style: style, times: times)
        let line = String(repeating: style.line, count: min(table.width - 1, style.width))
        var lines = [table.head, line] + rows.indices.map(table.row)
        if let median, let average {
            lines.append(line)
            lines.append(table.summary("Median", median))
            lines.append(table.summary("Average", average))
        }
        if !table.leftOut.isEmpty {
            lines += wrapped(
                "No room for: \(table.leftOut.joined(separator: ", ")); a wider terminal or --csv has all.", to: style.textWidth)
        }
        return lines
    }

    /// `Not in the time figures: Evans (too little evidence), 1 excused, 1 not started, 1 recording off.`
    private func excludedLines(_ style: TextStyle) -> [String] {
        var parts: [String] = []
        let out = rows.filter { $0.state.hasStarted && $0.figures?.countsInClass != true }
        let told = out.count { $0.figures == nil && !$0.reports.isEmpty }
        if told > 0 { parts.append("\(told) of whom only a program reports") }
        let thin = out.filter { $0.figures != nil || $0.reports.isEmpty }.map { surname($0.name) }
        if !thin.isEmpty {
            parts.append(
                (thin.count <= Self.namedAtMost ? thin.joined(separator: ", ") : "\(thin.count) students") + " (too little evidence)")
        }
        parts += withoutTime.map { "\($0.count) \($0.words)" }
        return parts.isEmpty ? [] : wrapped("Not in the time figures: " + parts.joined(separator: ", ") + ".", to: style.textWidth)
    }

    /// `Left open, not counted: Berg 8 h 40.`
    private func leftOpenLines(_ style: TextStyle) -> [String] {
        let left = rows.filter { ($0.figures?.leftOpen ?? .zero) >= Self.leftOpenFrom }
        guard !left.isEmpty else { return [] }
        let named = left.prefix(Self.namedAtMost).map { "\(surname($0.name)) \(SpanText.best($0.figures?.leftOpen ?? .zero))" }
        let more = left.count - named.count
        let text = named.joined(separator: ", ") + (more > 0 ? " and \(plural(more, "other"))" : "")
        return wrapped("Left open, not counted: \(text).", to: style.textWidth)
    }

    /// Shorter stretches are not worth a teacher's time.
    private static let leftOpenFrom = Duration.seconds(300)

    /// More names than these are counted.
    static let namedAtMost = 5

    private func limits(_ style: TextStyle, _ times: TimeText, hasPages: Bool) -> [String] {
        let text =
            "Worked is estimated from saves, lock files and open files on this server. Pauses over \(SpanText.limit(rule.idleContinuous)) "
            + "(\(SpanText.limit(rule.idleSavesOnly)) where only saves are seen) do not count. Paper, thinking and work on other copies are "
            + "not seen. Not a measure of effort."
        var last = RuleText.sentence(rule, instead: ownRule, changed: ruleChange, times)
        if let example { last += "  One student: daybook show \(example)" }
        if hasPages { last += "   As a page: daybook pages" }
        var lines = wrapped(text, to: style.textWidth) + wrapped(last, to: style.textWidth)
        if style.width >= ClassTable.wideFrom, longest > .zero {
            let marks = barMarks(style)
            lines.append("Bars: \(marks[0]) at least, \(marks[1]) worked, \(marks[2]) at most; the longest is the column's head.")
        }
        return lines
    }

    /// What bars are drawn to the scale of.
    fileprivate var longest: Duration { rows.compactMap { $0.figures?.atMost }.max() ?? .zero }

    /// Whom to look at in detail: the first whose work is over and has figures.
    private var example: String? {
        let known = rows.filter { $0.figures != nil }
        return (known.first { !$0.isWorking } ?? known.first ?? rows.first)?.person.login
    }
}

/// At least, worked, at most.
private func barMarks(_ style: TextStyle) -> [String] { style.isUTF8 ? ["█", "▓", "░"] : ["#", "=", "."] }

/// The columns of a class table that fit.
private struct ClassTable {
    private let report: ClassReport
    private let style: TextStyle
    private let table: TextTable
    private let cells: [[String]]
    private let kinds: [Kind]
    /// The heads of the columns for which there is no room.
    let leftOut: [String]

    private enum Kind: Equatable { case student, state, worked, range, sure, primary, goal, level, last, more(Int), bar }

    /// Names may be cut to this, before columns fall away.
    private static let shortestName = 12
    private static let longestName = 32
    private static let rangeWidth = 9
    private static let barWidth = 12
    /// From this width on, bars and two more items are shown.
    static let wideFrom = 120

    var width: Int { table.width }
    var head: String { fitted(table.head, to: style.width, ellipsis: style.ellipsis) }

    init(_ report: ClassReport, style: TextStyle, times: TimeText) {
        self.report = report
        self.style = style
        var kinds: [Kind] = [.student, .state, .worked, .range, .sure]
        if report.primary != nil { kinds.append(.primary) }
        if report.target != nil { kinds.append(.goal) }
        if report.rows.contains(where: { $0.item(ItemText.level) != nil }) { kinds.append(.level) }
        kinds.append(.last)
        if style.width >= Self.wideFrom { kinds += report.more.indices.map(Kind.more) + [.bar] }
        let all = report.rows.map { row in kinds.map { Self.cell($0, row, report, style, times) } }
        var columns = kinds.indices.map { index in Self.column(kinds[index], report, style, all, index) }
        let name = max(columns[0].head.count, all.map { displayWidth($0[0]) }.max() ?? 0)
        func room() -> Int { style.width - columns.dropFirst().reduce(0) { $0 + $1.gap + $1.width } }
        var leftOut: [String] = []
        while columns.count > 3, room() < min(name, Self.shortestName) {
            leftOut.insert(columns.removeLast().head, at: 0)
            kinds.removeLast()
        }
        self.leftOut = leftOut
        columns[0].width = max(columns[0].head.count, min(name, min(Self.longestName, room())))
        let width = columns[0].width
        table = TextTable(columns: columns)
        self.kinds = kinds
        cells = all.map { cells in
            [fitted(cells[0], to: width, ellipsis: style.ellipsis)] + cells.dropFirst().prefix(kinds.count - 1)
        }
    }

    func row(_ index: Int) -> String { line(cells[index]) }

    func summary(_ label: String, _ summary: ClassReport.Summary) -> String {
        line(
            kinds.map { kind in
                switch kind {
                case .student: label
                case .state: "\(report.withTime) with time"
                case .worked: summary.worked.map { SpanText.best($0, step: 1) } ?? ""
                case .primary: summary.primary.map { ItemText.summary($0, of: report.primary?.identifier) } ?? ""
                case .level: summary.level.map { ItemText.number($0, digits: 1) } ?? ""
                default: ""
                }
            })
    }

    private func line(_ cells: [String]) -> String {
        fitted(table.line(cells), to: style.width, ellipsis: style.ellipsis)
    }

    private static func cell(
        _ kind: Kind, _ row: ClassReport.Row, _ report: ClassReport, _ style: TextStyle, _ times: TimeText
    ) -> String {
        func item(_ identifier: String?) -> String {
            identifier.flatMap(row.item).map { ItemText.value($0, isUTF8: style.isUTF8) } ?? ""
        }
        return switch kind {
        case .student: style.shown(row.name)
        case .state: row.isLate ? "handed late" : report.standing(row)
        case .worked: row.figures?.cells(dash: style.dash).worked ?? ""
        // `up to 45` begins where ranges begin.
        case .range: padded(row.figures?.cells(dash: style.dash).range ?? "", to: row.figures?.active == nil ? rangeWidth : 0)
        case .sure: row.figures?.confidence.rawValue ?? ""
        case .primary: item(report.primary?.identifier)
        case .goal: report.goal(row).map { "\($0) %" } ?? ""
        case .level: item(ItemText.level)
        case .last: row.isWorking ? "now" : row.last.map(times.short) ?? ""
        case .more(let index): item(report.more[index].identifier)
        case .bar: row.figures.map { bar($0, longest: report.longest, style) } ?? ""
        }
    }

    private static func column(_ kind: Kind, _ report: ClassReport, _ style: TextStyle, _ cells: [[String]], _ index: Int)
        -> TextTable.Column
    {
        func made(_ head: String, gap: Int, _ least: Int, right: Bool) -> TextTable.Column {
            let widest = cells.reduce(0) { max($0, displayWidth($1[index])) }
            return TextTable.Column(head: head, gap: gap, width: max(least, displayWidth(head), widest), right: right)
        }
        func heading(_ column: ClassReport.Column?) -> String { column.map { ItemText.heading($0.identifier, title: $0.title) } ?? "" }
        switch kind {
        case .student: return made("Student", gap: 0, 7, right: false)
        case .state:
            // A state whose row is empty beyond it may flow over; so may `10 with time`, by its gap.
            let widest = cells.filter { $0.count > index + 1 && !$0[index + 1].isEmpty }.reduce(11) { max($0, displayWidth($1[index])) }
            return TextTable.Column(head: "State", gap: 3, width: max(widest, "\(report.withTime) with time".count - 1), right: false)
        case .worked: return made("Worked", gap: 2, 6, right: true)
        case .range: return made("(range)", gap: 3, rangeWidth, right: true)
        case .sure: return made("Sure", gap: 2, 4, right: false)
        case .primary: return made(heading(report.primary), gap: 2, 5, right: true)
        case .goal: return made("Goal", gap: 1, 5, right: true)
        case .level: return made("Level", gap: 1, 5, right: true)
        case .last: return made("Last", gap: 2, 4, right: false)
        case .more(let more): return made(heading(report.more[more]), gap: 2, 5, right: true)
        case .bar:
            let longest = report.longest
            let head = longest > .zero ? SpanText.range(from: .zero, to: longest, best: longest, dash: style.dash) : ""
            return TextTable.Column(head: head, gap: 2, width: max(barWidth, head.count), right: false)
        }
    }

    /// At least, best and at most, to the scale of the longest row.
    private static func bar(_ figures: Figures, longest: Duration, _ style: TextStyle) -> String {
        guard longest > .zero else { return "" }
        func length(_ span: Duration) -> Int { Int(nearest(span.seconds / longest.seconds * Double(barWidth))) }
        let least = length(figures.atLeast)
        let best = max(least, figures.active.map(length) ?? least)
        let most = max(best, length(figures.atMost))
        let marks = barMarks(style)
        return String(repeating: marks[0], count: least) + String(repeating: marks[1], count: best - least)
            + String(repeating: marks[2], count: most - best)
    }
}
