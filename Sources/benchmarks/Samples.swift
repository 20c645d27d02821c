// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What repetitions gave. The machine is never quiet, so all three are shown.
struct Samples {
    private var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    var isEmpty: Bool { values.isEmpty }
    var least: Double { values.min() ?? .nan }
    var most: Double { values.max() ?? .nan }

    var median: Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

/// Several ways to do the same, measured in turns so that noise meets all of them.
struct Comparison {
    struct Row {
        var name: String
        var amounts = Samples()
        /// This way's amount divided by the baseline's of the same turn.
        var ratios = Samples()
        /// Why it was not measured.
        var skipped: String?
    }

    let title: String
    let unit: String
    /// The first row is what the others are compared with.
    private(set) var rows: [Row]
    private var baseline = Double.nan

    init(_ title: String, unit: String, _ names: [String]) {
        self.title = title
        self.unit = unit
        rows = names.map { Row(name: $0) }
    }

    mutating func add(_ amount: Double, to row: Int) {
        if row == 0 { baseline = amount }
        rows[row].amounts.add(amount)
        rows[row].ratios.add(amount / baseline)
    }

    mutating func skip(_ row: Int, because reason: String) { rows[row].skipped = reason }

    /// A table of Markdown, which is good to read on a terminal too.
    var text: String {
        var cells = [["\(title)", "\(unit)", "ratio (least, median, most)"]]
        for (index, row) in rows.enumerated() {
            if let reason = row.skipped {
                cells.append([row.name, "skipped: \(reason)", ""])
            } else {
                let amounts = "\(rounded(row.amounts.median)) (\(rounded(row.amounts.least)) to \(rounded(row.amounts.most)))"
                let ratios =
                    index == 0 ? "1" : [row.ratios.least, row.ratios.median, row.ratios.most].map { rounded($0) }.joined(separator: " · ")
                cells.append([row.name, amounts, ratios])
            }
        }
        let widths = (0..<3).map { column in cells.map { $0[column].count }.max() ?? 0 }
        func line(_ row: [String]) -> String {
            "| " + row.enumerated().map { $1 + String(repeating: " ", count: widths[$0] - $1.count) }.joined(separator: " | ") + " |\n"
        }
        return line(cells[0]) + line(widths.map { String(repeating: "-", count: $0) }) + cells.dropFirst().map(line).joined()
    }
}

/// Prints at once, also into a file.
func show(_ text: String) {
    print(text)
    fflush(nil)
}

/// Three digits that matter.
func rounded(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    var places = 0
    var size = abs(value)
    while size < 100, places < 3, size > 0 {
        size *= 10
        places += 1
    }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let units = Int64((abs(value) * scale).rounded())
    let sign = value < 0 ? "-" : ""
    let whole = units / Int64(scale)
    guard places > 0 else { return sign + grouped(whole) }
    let rest = String(units % Int64(scale))
    return "\(sign)\(whole)." + String(repeating: "0", count: places - rest.count) + rest
}

func grouped(_ number: some BinaryInteger) -> String {
    var digits = Array(String(number))
    var place = digits.count - 3
    while place > 0 {
        digits.insert(",", at: place)
        place -= 3
    }
    return String(digits)
}
