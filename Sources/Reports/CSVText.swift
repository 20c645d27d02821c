// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
package import Ledger

/// A table for spreadsheets: UTF-8 with a byte-order mark, CRLF, durations in minutes with one decimal, days as `YYYY-MM-DD`.
package struct CSVText: Sendable {
    package static let separators: [(word: String, character: Character)] = [(",", ","), (";", ";"), ("tab", "\t")]

    private let separator: Character
    private var text = "\u{FEFF}"

    package init(separator: Character) { self.separator = separator }

    fileprivate mutating func row(_ cells: [Cell]) {
        text += cells.map(\.written).joined(separator: String(separator)) + "\r\n"
    }

    fileprivate var whole: String { text }

    fileprivate enum Cell {
        case text(String)
        case number(Double?, digits: Int)

        static func minutes(_ span: Duration?) -> Cell { .number(span.map { $0.seconds / 60 }, digits: 1) }
        static func count(_ value: Int?) -> Cell { .number(value.map(Double.init), digits: 0) }

        var written: String {
            switch self {
            case .number(let value, let digits): value.map { ItemText.number($0, digits: digits) } ?? ""
            case .text(let value): CSV.text(value)
            }
        }
    }

    /// Whole figures without a decimal.
    fileprivate static func item(_ item: Item?) -> Cell {
        let value = item.flatMap(ItemText.figure)
        return .number(value, digits: value.map(ItemText.isWhole) ?? true ? 0 : 1)
    }
}

extension ClassReport {
    /// One line a student: the same columns by command and beside the page.
    package func csv(separator: Character, clock: LocalClock) -> String {
        var csv = CSVText(separator: separator)
        let columns = [primary].compactMap { $0 } + more
        csv.row(
            (["Student", "Login", "State", "Worked (min)", "At least (min)", "At most (min)", "Sure", "Saves"]
                + columns.map { ItemText.heading($0.identifier, title: $0.title) }
                + ["Goal (%)", "Level", "Last day", "Main document", "Documents"] + (hasReports ? ProgramReport.heads : []))
                .map { .text($0) })
        for row in rows {
            let reported: [CSVText.Cell] = [
                .minutes(row.reports.worked), .number(row.reports.progress.map { $0 * 100 }, digits: 0), .text(row.reports.results),
                .text(row.reports.by),
            ]
            let standing: [CSVText.Cell] = [
                .text(row.name), .text(row.person.login), .text(standing(row)), .minutes(row.figures?.active),
                .minutes(row.figures?.atLeast), .minutes(row.figures?.atMost), .text(row.figures?.confidence.rawValue ?? ""),
                .count(row.figures?.saves),
            ]
            let results = (columns.map(\.identifier)).map { CSVText.item(row.item($0)) }
            let document: [CSVText.Cell] = [
                .count(goal(row)), CSVText.item(row.item(ItemText.level)), .text(row.last.map { clock.civil($0).date.text } ?? ""),
                .text(row.document ?? ""), .count(row.documents),
            ]
            csv.row(standing + results + document + (hasReports ? reported : []))
        }
        return csv.whole
    }
}

extension AssignmentSummary {
    /// One line an assignment.
    package static func csv(_ summaries: [AssignmentSummary], separator: Character, clock: LocalClock) -> String {
        var csv = CSVText(separator: separator)
        csv.row(
            ["Assignment", "Title", "Class", "Due", "Students", "Started", "Handed in or done", "Median worked (min)", "Counted"]
                .map { .text($0) })
        for summary in summaries {
            csv.row([
                .text(summary.id.text), .text(summary.title), .text(summary.className),
                .text(summary.due.map { clock.civil($0).date.text } ?? ""), .count(summary.students), .count(summary.started),
                .count(summary.finished), .minutes(summary.median), .count(summary.withTime),
            ])
        }
        return csv.whole
    }
}

extension AssignmentOverTime {
    /// One line a day or week.
    package func csv(separator: Character) -> String {
        var csv = CSVText(separator: separator)
        csv.row(
            ([step == .day ? "Day" : "Week from", "Students", "Counted", "Median worked (min)", "Worked together (min)"]
                + (primary.map { ["\($0.title), median"] } ?? [])).map { .text($0) })
        for line in lines {
            csv.row(
                [
                    .text(line.from.text), .count(line.students), .count(line.withTime), .minutes(line.median), .minutes(line.together),
                ] + (primary == nil ? [] : [.number(line.primary, digits: 1)]))
        }
        return csv.whole
    }
}

extension SessionRow {
    /// One line a session.
    package static func csv(_ rows: [SessionRow], separator: Character, clock: LocalClock) -> String {
        var csv = CSVText(separator: separator)
        csv.row(
            [
                "Session", "Login", "Document", "Day", "Opened", "Closed", "Worked (min)", "At least (min)", "At most (min)", "Sure",
                "Saves",
                "Left out", "Notes",
            ].map { .text($0) })
        func time(_ instant: WallTime?) -> String {
            instant.map { instant in
                let civil = clock.civil(instant)
                return twoDigits(civil.hour) + ":" + twoDigits(civil.minute)
            } ?? ""
        }
        for row in rows {
            csv.row([
                .count(Int(clamping: row.number)), .text(row.person?.login ?? ""), .text(row.document),
                .text(clock.civil(row.openedAt).date.text), .text(row.hidesTimes ? "" : time(row.openedAt)),
                .text(row.hidesTimes ? "" : time(row.closedAt)), .minutes(row.figures.active), .minutes(row.figures.atLeast),
                .minutes(row.figures.atMost), .text(row.figures.confidence.rawValue), .count(row.figures.saves),
                .text(row.isExcluded ? "yes" : ""), .text(row.notes.map(\.text).joined(separator: " / ")),
            ])
        }
        return csv.whole
    }
}

extension StudentReport {
    /// One line a day and assignment.
    package func csv(separator: Character) -> String {
        var csv = CSVText(separator: separator)
        csv.row(
            ["Student", "Assignment", "Class", "Day", "Worked (min)", "At least (min)", "At most (min)", "Sure", "Saves"].map { .text($0) })
        for assignment in assignments {
            for day in assignment.days {
                csv.row([
                    .text(name), .text(assignment.title), .text(assignment.className), .text(day.date.text), .minutes(day.figures.active),
                    .minutes(day.figures.atLeast), .minutes(day.figures.atMost), .text(day.figures.confidence.rawValue),
                    .count(day.figures.saves),
                ])
            }
        }
        return csv.whole
    }
}
