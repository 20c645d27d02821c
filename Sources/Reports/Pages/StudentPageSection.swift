// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// One assignment on a student's page.
struct StudentPageSection {
    let assignment: StudentReport.Assignment
    let number: Int
    let asOf: WallTime
    let times: TimeText

    init(_ assignment: StudentReport.Assignment, number: Int, asOf: WallTime, _ times: TimeText) {
        self.assignment = assignment
        self.number = number
        self.asOf = asOf
        self.times = times
    }

    var markup: Markup {
        """
        <section>
        <h2>\(name: assignment.title)</h2>
        <p class="lede">\(facts)</p>
        \(tiles)
        \(ProgramList.of([(name: nil, reports: assignment.row.reports)]))\(plots)\(sessions)
        \(rule)</section>

        """
    }

    private var facts: Markup {
        var facts: [Markup] = []
        if !assignment.className.isEmpty { facts.append("class \(name: assignment.className)") }
        if let due = assignment.due { facts.append("due \(times.dayAndTime(due))") }
        facts.append("\(assignment.row.standing)")
        return facts.map { "<span>\($0)</span>" as Markup }.joined()
    }

    private var tiles: Markup {
        guard let figures = assignment.row.figures else {
            if !assignment.row.reports.isEmpty { return "<p>Daybook itself saw nothing.</p>" }
            return assignment.row.recordedAnew == nil
                ? "<p>Nothing was seen yet.</p>" : "<p>Nothing was seen since recording is on again.</p>"
        }
        let cells = figures.cells(dash: "–")
        var tiles: [Markup] = []
        if figures.active != nil {
            tiles.append(
                """
                <span>Worked, about</span><strong>\(cells.worked)</strong>\
                <small>\(cells.range), confidence \(figures.confidence.rawValue)</small>
                """)
        } else {
            let here: Markup = cells.range.isEmpty ? "" : "; here \(cells.range) min"
            tiles.append("<span>Worked</span><strong>unknown</strong><small>saved once: worked elsewhere or pasted\(here)</small>")
        }
        if let progress = assignment.progress {
            tiles.append(
                "<span>Goal</span><strong>\(progress.percent.map { "\($0) %" } ?? "–")</strong><small>\(progress.text)</small>")
        }
        for item in shownItems {
            tiles.append(
                "<span>\(ItemText.heading(item.identifier, title: item.title))</span><strong>\(ItemText.value(item, isUTF8: true))</strong>"
            )
        }
        let document: Markup =
            assignment.row.document.map { path in
                let more: Markup = assignment.row.documents > 1 ? ", 1 of \(assignment.row.documents); time on all of them counts once" : ""
                return "<p class=\"s\">Results of \(name: path.split(separator: "/").last.map(String.init) ?? path)\(more).</p>"
            } ?? ""
        return "<ul class=\"tiles\">\(tiles.map { "<li>\($0)</li>" as Markup }.joined())</ul>\(document)"
    }

    /// What a column of the class's table may show first; results beyond these stand in `daybook me`.
    private var shownItems: [Item] {
        let order = ItemText.primaries + [ItemText.level] + ItemText.more
        let ranked = assignment.row.items.enumerated().map { index, item in
            (rank: order.firstIndex(of: item.identifier) ?? order.count, index: index, item: item)
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.prefix(Self.itemsAtMost).map(\.item)
    }

    private static let itemsAtMost = 4

    private var plots: Markup {
        var plots: [Markup] = []
        if let (drawing, left) = Plots.timeline(assignment.sessions, until: asOf, times) {
            plots.append(
                PageFrame.figure(
                    "When it was open", left > 0 ? "\(plural(left, "earlier day")) not shown." : "From opening to closing, each day.",
                    drawing))
        }
        let days = assignment.days.compactMap { day in
            day.figures.active.map { (date: day.date, span: $0, note: SpanText.best($0)) }
        }
        if days.count > 1, let drawing = Plots.perDay(days, of: "Time worked", times) {
            plots.append(PageFrame.figure("How long on each day", "Best estimates.", drawing))
        }
        if let (heading, lines) = growth, let drawing = Plots.growth(lines, goal: assignment.target, of: heading, times) {
            plots.append(
                PageFrame.figure("\(heading) over time", lines.count > 1 ? "A line is a document." : "After each save.", drawing))
        }
        return plots.isEmpty ? "" : "<div class=\"plots\">\(plots.joined())</div>\n"
    }

    /// What each document had after each save, by the figure that most saves have.
    private var growth: (heading: String, lines: [Plots.Line])? {
        let items = assignment.saves.compactMap(\.item)
        let counts = Dictionary(items.map { ($0.identifier, 1) }, uniquingKeysWith: +)
        guard let identifier = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
            let title = items.first(where: { $0.identifier == identifier })?.title
        else { return nil }
        var lines: [String: [(day: Double, value: Double)]] = [:]
        for save in assignment.saves {
            guard let item = save.item, item.identifier == identifier, let value = ItemText.figure(item) else { continue }
            lines[save.document, default: []].append((times.dayNumber(save.at), value))
        }
        return (
            ItemText.heading(identifier, title: title),
            lines.sorted { $0.key < $1.key }.map { path, points in
                Plots.Line(name: path.split(separator: "/").last.map(String.init) ?? path, points: points.sorted { $0.day < $1.day })
            }
        )
    }

    private var sessions: Markup {
        let shown = assignment.sessions.suffix(StudentPage.sessionsAtMost)
        guard !shown.isEmpty else { return "" }
        let rows = shown.map { session -> Markup in
            let cells = session.figures.cells(dash: "–")
            let name = session.document.split(separator: "/").last.map(String.init) ?? session.document
            return """
                <tr><th scope="row">\(times.stretch(from: session.openedAt, to: session.closedAt, dash: "–"))</th>\
                <td class="n">\(cells.worked)</td><td class="n s">\(cells.range)</td><td class="s">\(session.figures.confidence.rawValue)</td>\
                <td class="n">\(session.figures.saves)</td><td class="name">\(name: name)</td></tr>

                """
        }
        let left = assignment.sessions.count - shown.count
        let note =
            left > 0 ? "The latest \(shown.count); \(left) earlier ones are not shown" : plural(shown.count, "stretch", "stretches")
        return """
            <div class="card wide" tabindex="0" role="region" aria-labelledby="s\(number)"><table>
            <caption id="s\(number)">Sessions<small>\(note)</small></caption>
            <thead><tr><th scope="col">When</th><th scope="col" class="n">Worked</th><th scope="col" class="n">Range</th><th scope="col">Sure</th>\
            <th scope="col" class="n">Saves</th><th scope="col">Document</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody></table></div>

            """
    }

    private var rule: Markup {
        guard assignment.row.figures != nil else { return "" }
        return """
            <p class="s">Estimated from saves, lock files and open files on this server; pauses over \
            \(SpanText.limit(assignment.rule.idleContinuous)) (\(SpanText.limit(assignment.rule.idleSavesOnly)) where only saves are seen) do \
            not count. Not a measure of effort or attention. \
            \(RuleText.sentence(assignment.rule, instead: assignment.ownRule, changed: assignment.ruleChange, times))</p>
            """
    }
}
