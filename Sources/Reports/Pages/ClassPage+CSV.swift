// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import Ledger

extension ClassPage {
    /// The table for a spreadsheet: UTF-8 with a byte order mark, lines that end in CR LF, durations in minutes.
    package func csv(clock: LocalClock) -> String {
        var heads = ["Student", "Login", "State", "Worked (min)", "At least (min)", "At most (min)", "Sure", "Saves"]
        if let primary = report.primary { heads.append(ItemText.heading(primary.identifier, title: primary.title)) }
        if report.target != nil { heads.append("Goal (%)") }
        heads += ["Level", "Last day", "Main document", "Documents"]
        if report.hasReports { heads += ProgramReport.heads }
        let rows = report.rows.map { row in
            var cells = [
                CSV.text(row.name), CSV.text(row.person.login), CSV.text(row.standing), CSV.minutes(row.figures?.active),
                CSV.minutes(row.figures?.atLeast), CSV.minutes(row.figures?.atMost), row.figures?.confidence.rawValue ?? "",
                row.figures.map { String($0.saves) } ?? "",
            ]
            if let primary = report.primary { cells.append(CSV.number(row.figure(primary.identifier))) }
            if report.target != nil { cells.append(report.goal(row).map { String($0) } ?? "") }
            cells += [
                CSV.number(row.figure(ItemText.level)), row.last.map { clock.civil($0).date.text } ?? "",
                CSV.text(row.document ?? ""), String(row.documents),
            ]
            if report.hasReports {
                cells += [
                    CSV.minutes(row.reports.worked), row.reports.progress.map { ItemText.number($0 * 100, digits: 0) } ?? "",
                    CSV.text(row.reports.results), CSV.text(row.reports.by),
                ]
            }
            return cells
        }
        return "\u{feff}" + ([heads.map(CSV.text)] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }
}

/// Cells of a file that spreadsheets open.
enum CSV {
    /// Text by somebody else. A spreadsheet takes what begins with one of some signs for a formula, and runs it; an apostrophe before it
    /// makes it text.
    static func text(_ value: String) -> String {
        var safe = ""
        for scalar in value.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: safe += " "
            default: safe.unicodeScalars.append(scalar)
            }
        }
        // Also their full-width forms, and what stands behind spaces. By scalars: a mark that joins a sign does not take its meaning.
        let formula: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "|", "%"]
        if let first = safe.unicodeScalars.first(where: { !$0.properties.isWhitespace }), formula.contains(first) { safe = "'" + safe }
        guard safe.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\"") }) else {
            return safe
        }
        var quoted = "\""
        for scalar in safe.unicodeScalars {
            quoted.unicodeScalars.append(scalar)
            if scalar == "\"" { quoted += "\"" }
        }
        return quoted + "\""
    }

    static func minutes(_ span: Duration?) -> String { span.map { ItemText.number($0.seconds / 60, digits: 1) } ?? "" }

    static func number(_ value: Double?) -> String {
        value.map { ItemText.number($0, digits: ItemText.isWhole($0) ? 0 : 1) } ?? ""
    }
}
