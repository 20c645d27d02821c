// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A plot's area with its axes. Places are in a drawing 360 wide, which is about what a telephone shows.
struct PlotFrame {
    static let width = 360.0

    var height = 190.0
    var left = 40.0
    var right = 350.0
    var top = 10.0
    var bottom: Double { height - 22 }

    /// Share 0 to 1 of the height.
    func y(_ share: Double) -> Double { bottom - (bottom - top) * min(1, max(0, share)) }

    /// The whole drawing. `title` is for those who do not see it; the caption says the same to all others.
    func svg(_ title: String, _ content: Markup) -> Markup {
        "<svg viewBox=\"0 0 360 \(height)\" role=\"img\" aria-label=\"\(title)\">\(content)</svg>"
    }

    /// Grid lines with their figures, from 0 up to the scale's end.
    func vertical(_ scale: PlotScale) -> Markup {
        var lines = Markup()
        var labels = Markup()
        for tick in scale.ticks {
            let y = self.y(tick.value / scale.end)
            if tick.value > 0 { lines += "M\(left) \(y)H\(right)" }
            labels += "<text class=\"e\" x=\"\(left - 6)\" y=\"\(y + 3.5)\">\(tick.label)</text>"
        }
        return "<path class=\"grid\" d=\"\(lines)\"/><path class=\"axis\" d=\"M\(left) \(bottom)H\(right)\"/>\(labels)"
    }

    /// Figures along the lower edge, of a scale that begins at 0.
    func horizontal(_ scale: PlotScale) -> Markup {
        var lines = Markup()
        var labels = Markup()
        for tick in scale.ticks {
            let x = left + (right - left) * tick.value / scale.end
            lines += "M\(x) \(bottom)v4"
            labels += "<text class=\"c\" x=\"\(x)\" y=\"\(bottom + 16)\">\(tick.label)</text>"
        }
        return "<path class=\"axis\" d=\"M\(left) \(bottom)H\(right)\(lines)\"/>\(labels)"
    }

    /// Dates along the lower edge.
    func dates(_ scale: DayScale, _ times: TimeText) -> Markup {
        var lines = Markup()
        var labels = Markup()
        for day in scale.marked {
            let x = scale.center(day)
            lines += "M\(x) \(bottom)v4"
            let anchor = x > right - 18 ? "e" : "c"
            labels += "<text class=\"\(anchor)\" x=\"\(anchor == "e" ? right : x)\" y=\"\(bottom + 16)\">\(times.dayOfMonth(day))</text>"
        }
        return "<path class=\"axis\" d=\"\(lines)\"/>\(labels)"
    }
}

/// From 0 to a round end, with some round figures on the way.
struct PlotScale {
    var end: Double
    var ticks: [(value: Double, label: String)]

    /// Times: steps of minutes and hours as clocks have them.
    init(time most: Duration) {
        let minutes = max(1, most.seconds / 60)
        let steps: [Double] = [5, 10, 15, 30, 60, 120, 240, 480, 1_440]
        var step = steps.first { minutes / $0 <= 4 } ?? 1_440
        while minutes / step > 4 { step *= 2 }
        let count = Int(minutes / step) + (minutes > Double(Int(minutes / step)) * step ? 1 : 0)
        end = Double(count) * step * 60
        ticks = (0...count).map { index in
            let minutes = Double(index) * step
            let label = index == 0 ? "0" : step < 60 ? "\(Int(minutes)) min" : "\(Int(minutes / 60)) h"
            return (minutes * 60, label)
        }
    }

    /// Counts of anything.
    init(count most: Double) {
        let most = most.isFinite ? min(max(1, most), 1e12) : 1
        var step = 1.0
        let factors = [2.0, 2.5, 2.0]
        var index = 0
        while most / step > 4 {
            step *= factors[index % 3]
            // 1, 2, 5, 10: the steps that people count in.
            index += 1
        }
        let count = Int(most / step) + (most > Double(Int(most / step)) * step ? 1 : 0)
        end = Double(count) * step
        ticks = (0...count).map { (Double($0) * step, ItemText.number(Double($0) * step, digits: 0)) }
    }
}

/// Days from left to right, each of the same width.
struct DayScale {
    let first: Int64
    let count: Int
    let left: Double
    let right: Double

    /// At least a week, so that one day does not fill the plot.
    init?(_ days: some Sequence<CivilDate>, left: Double, right: Double) {
        let numbers = days.map(\.daysSince1970)
        guard let low = numbers.min(), let high = numbers.max() else { return nil }
        let missing = max(0, 6 - (high - low))
        // What is longer is no assignment: a wrong clock must not make the others invisible.
        first = max(low - missing / 2, high - Self.longest)
        count = Int(max(high, first + 6) - first) + 1
        self.left = left
        self.right = right
    }

    static let longest: Int64 = 730

    var step: Double { (right - left) / Double(count) }

    /// As wide as a bar may be with some air between two.
    var bar: Double { step > 3 ? min(22, step * 0.72) : step }

    func center(_ day: CivilDate) -> Double { place(Double(day.daysSince1970) + 0.5) }

    /// Of an instant within a day.
    func place(_ day: Double) -> Double { left + max(0, day - Double(first)) * step }

    /// Up to five days, evenly apart.
    var marked: [CivilDate] {
        let apart = max(1, (count + 4) / 5)
        // On Mondays, where weeks pass.
        let start = apart >= 7 ? (0..<7).first { CivilDate(daysSince1970: first + $0).weekday == 1 } ?? 0 : Int64(min(1, count / 5))
        let step = apart >= 7 ? (apart + 6) / 7 * 7 : apart
        return stride(from: Int(start), to: count, by: step).map { CivilDate(daysSince1970: first + Int64($0)) }
    }
}
