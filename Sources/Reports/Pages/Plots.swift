// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The plots of published pages, as drawings without a script. Whatever they show, a table on the same page says, too.
enum Plots {
    /// How long on each day: bars of the best estimates. Nil where no time is known.
    static func perDay(_ days: [(date: CivilDate, span: Duration, note: String)], of what: String, _ times: TimeText) -> Markup? {
        let frame = PlotFrame()
        let known = days.filter { $0.span > .zero }
        guard let longest = known.map(\.span).max(), let scale = DayScale(days.map(\.date), left: frame.left, right: frame.right) else {
            return nil
        }
        let spans = PlotScale(time: longest)
        var bars = Markup()
        for day in known where day.date.daysSince1970 >= scale.first {
            let top = frame.y(day.span.seconds / spans.end)
            bars += """
                <rect class="mark" x="\(scale.center(day.date) - scale.bar / 2)" y="\(top)" width="\(scale.bar)" \
                height="\(max(1, frame.bottom - top))"><title>\(times.day(day.date)): \(day.note)</title></rect>
                """
        }
        return frame.svg(
            "\(what), on \(plural(known.count, "day"))", frame.vertical(spans) + bars + frame.dates(scale, times))
    }

    /// A figure as it grew over days: one line each. `goal` is drawn across. Nil where it was not measured on more than one day.
    static func growth(_ lines: [Line], goal: Double?, of what: String, _ times: TimeText) -> Markup? {
        let frame = PlotFrame()
        let lines = lines.filter { !$0.points.isEmpty }
        let values = lines.flatMap { $0.points.map(\.value) }
        guard Set(lines.flatMap { $0.points.map { Int64($0.day) } }).count > 1, let most = (values + [goal ?? 0]).max(),
            let scale = DayScale(
                lines.flatMap { $0.points.map { CivilDate(daysSince1970: Int64($0.day)) } }, left: frame.left, right: frame.right)
        else { return nil }
        let counts = PlotScale(count: most)
        var paths = Markup()
        var dots = Markup()
        for line in lines {
            var path = Markup()
            var isFirst = true
            var last = (0.0, 0.0)
            for point in line.points where Int64(point.day) >= scale.first {
                last = (scale.place(point.day), frame.y(point.value / counts.end))
                path += isFirst ? "M\(last.0) \(last.1)" : "L\(last.0) \(last.1)"
                isFirst = false
            }
            guard !isFirst else { continue }
            if line.points.count > 1 { paths += "<path class=\"\(lines.count > 1 ? "faint" : "path")\" d=\"\(path)\"/>" }
            dots += "<circle class=\"dot\" cx=\"\(last.0)\" cy=\"\(last.1)\" r=\"3.5\"><title>\(line.name)</title></circle>"
        }
        let across = goal.map { goal -> Markup in
            let y = frame.y(goal / counts.end)
            return """
                <path class="dash" d="M\(frame.left) \(y)H\(frame.right)"/><text class="k e" x="\(frame.right)" y="\(y - 4)">goal \
                \(ItemText.number(goal, digits: 0))</text>
                """
        }
        return frame.svg(
            "\(what) over time, \(plural(lines.count, "line"))",
            frame.vertical(counts) + paths + dots + (across ?? Markup()) + frame.dates(scale, times))
    }

    struct Line {
        var name: String
        /// In order. A day is a number since 1970, in the school's zone, with its fraction.
        var points: [(day: Double, value: Double)]
    }

    /// How a figure is spread over a class: a dot each, those that are close above each other, and where the middle is.
    static func spread(_ dots: [(name: String, span: Duration)], median: Duration?, of what: String) -> Markup? {
        guard let longest = dots.map(\.span).max() else { return nil }
        let scale = PlotScale(time: longest)
        var frame = PlotFrame()
        frame.left = 16
        let columns = dots.count > 60 ? 40.0 : 32.0
        var stacks: [Int: Int] = [:]
        var places: [(x: Double, level: Int, name: String)] = []
        for dot in dots.sorted(by: { $0.span < $1.span }) {
            let column = min(columns - 1, dot.span.seconds / scale.end * columns)
            let level = stacks[Int(column), default: 0]
            stacks[Int(column)] = level + 1
            let x = frame.left + (frame.right - frame.left) * (Double(Int(column)) + 0.5) / columns
            places.append((x, level, "\(dot.name): \(SpanText.best(dot.span, step: 1))"))
        }
        let highest = (places.map(\.level).max() ?? 0) + 1
        let radius = highest < 6 ? 4.6 : 3.4
        // So many stand above each other without leaving the plot; beyond that they move together.
        let rise = min(radius * 2 + 0.8, (frame.bottom - frame.top - 24) / Double(highest))
        var content = frame.horizontal(scale)
        if let median {
            let x = frame.left + (frame.right - frame.left) * min(1, median.seconds / scale.end)
            let isRight = x > (frame.left + frame.right) / 2
            let label: Markup = "median \(SpanText.best(median, step: 1))"
            content += """
                <path class="second" d="M\(x) \(frame.top)V\(frame.bottom)"/><text class="\(isRight ? "k e" : "k")" \
                x="\(x + (isRight ? -5 : 5))" y="\(frame.top + 9)">\(label)</text>
                """
        }
        for place in places {
            content += """
                <circle class="dot" cx="\(place.x)" cy="\(frame.bottom - radius - 3 - Double(place.level) * rise)" r="\(radius)">\
                <title>\(place.name)</title></circle>
                """
        }
        return frame.svg("\(what), \(plural(dots.count, "student"))", content)
    }

    /// A line of small bars, a day each, for a row of a table: to the scale of the longest day of all rows.
    static func sparkline(_ days: [(date: CivilDate, span: Duration)], scale: DayScale, longest: Duration) -> Markup {
        guard longest > .zero else { return Markup() }
        var path = Markup()
        for day in days where day.span > .zero && day.date.daysSince1970 >= scale.first {
            let height = max(1, day.span.seconds / longest.seconds * 26)
            path += "M\(scale.center(day.date) - scale.bar / 2) 28v-\(height)h\(scale.bar)v\(height)z"
        }
        return """
            <svg viewBox="0 0 176 30" aria-hidden="true"><path class="grid" d="M0 28.5H176"/><path class="mark" \
            d="\(path)"/></svg>
            """
    }
}
