// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger

extension Plots {
    /// Days beyond these are left out, the oldest first.
    static let timelineDays = 60

    /// When somebody worked: a row for each day, with a bar from opening to closing. For their own eyes.
    static func timeline(_ sessions: [SessionRow], until now: WallTime, _ times: TimeText) -> (drawing: Markup, leftOut: Int)? {
        var days: [CivilDate: [(from: Double, to: Double)]] = [:]
        for session in sessions {
            let end = max(session.closedAt ?? now, session.openedAt + .seconds(1))
            // A document that stood open for weeks is one bar on each of the last days only.
            let begin = max(session.openedAt, end - .seconds(Int64(timelineDays) * 86_400))
            for part in times.clock.days(from: begin, to: end) {
                let to = times.clock.civil(part.to)
                days[part.date, default: []].append((hour(times.clock.civil(part.from)), to.date == part.date ? hour(to) : 24))
            }
        }
        guard !days.isEmpty else { return nil }
        let shown = days.keys.sorted().suffix(timelineDays)
        let bars = shown.flatMap { days[$0] ?? [] }
        var first = Int(bars.map(\.from).min() ?? 8)
        var last = min(24, Int(bars.map(\.to).max() ?? 16) + 1)
        // Half a day at least, so that a quarter of an hour does not look like a day.
        if last - first < 8 {
            first = max(0, min(first - (8 - (last - first)) / 2, 16))
            last = first + 8
        }
        let row = min(24, max(11, 160 / Double(shown.count)))
        var frame = PlotFrame()
        frame.left = 66
        frame.top = 4
        frame.height = frame.top + Double(shown.count) * row + 26
        func x(_ hour: Double) -> Double { frame.left + (frame.right - frame.left) * (hour - Double(first)) / Double(last - first) }
        let apart = last - first > 16 ? 4 : last - first > 8 ? 3 : 2
        var lines = Markup()
        var labels = Markup()
        for hour in first...last where hour % apart == 0 {
            lines += "M\(x(Double(hour))) \(frame.top)V\(frame.bottom)"
            labels += "<text class=\"c\" x=\"\(x(Double(hour)))\" y=\"\(frame.bottom + 15)\">\(hour):00</text>"
        }
        var content: Markup = "<path class=\"grid\" d=\"\(lines)\"/>\(labels)"
        for (index, date) in shown.enumerated() {
            let top = frame.top + Double(index) * row
            content += "<text class=\"e\" x=\"\(frame.left - 6)\" y=\"\(top + row / 2 + 3.5)\">\(times.weekdayAndDay(date))</text>"
            for bar in days[date] ?? [] {
                content += """
                    <rect class="mark" x="\(x(bar.from))" y="\(top + 2)" width="\(max(1.2, x(bar.to) - x(bar.from)))" height="\(row - 4)" \
                    rx="1.5"/>
                    """
            }
        }
        return (
            frame.svg("When it was open, on \(plural(shown.count, "day")); the table of sessions has the same times", content),
            days.count - shown.count
        )
    }

    private static func hour(_ time: CivilTime) -> Double { Double(time.hour) + Double(time.minute) / 60 + Double(time.second) / 3600 }
}

extension TimeText {
    /// `3 Mar`
    func dayOfMonth(_ date: CivilDate) -> String { String(weekdayAndDay(date).drop { $0 != " " }.dropFirst()) }

    /// `Mon 3 Mar`, whatever the year.
    func weekdayAndDay(_ date: CivilDate) -> String { day(date).split(separator: " ").prefix(3).joined(separator: " ") }

    /// The school's day of an instant as a number, with its fraction.
    func dayNumber(_ instant: WallTime) -> Double {
        let civil = clock.civil(instant)
        return Double(civil.date.daysSince1970) + (Double(civil.hour) + Double(civil.minute) / 60) / 24
    }
}
