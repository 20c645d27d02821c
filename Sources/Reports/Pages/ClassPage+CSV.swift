// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import Ledger

extension ClassPage {
    /// The table for a spreadsheet, as `daybook report --csv` has it.
    package func csv(clock: LocalClock) -> String {
        report.csv(separator: ",", clock: clock)
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
}
