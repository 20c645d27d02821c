// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc
import Reports

/// Where the text will be read.
struct Terminal: Equatable, Sendable {
    /// Columns.
    var width: Int
    /// Whether the reader's locale shows more than ASCII.
    var isUTF8: Bool
    var isTerminal: Bool

    /// Without a terminal, e.g. in a file.
    static let defaultWidth = 80
    /// Narrower is of no use to a table, wider is a mistake somewhere.
    static let widths = 20...1000

    var style: TextStyle { TextStyle(width: width, isUTF8: isUTF8) }

    /// COLUMNS wins, then the terminal itself.
    static func current(environment: (String) -> String?) -> Terminal {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var width = defaultWidth
        if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 {
            width = columns
        } else if isTerminal {
            let columns = Int(daybook_terminal_columns(STDOUT_FILENO))
            if columns > 0 { width = columns }
        }
        return Terminal(
            width: min(max(width, widths.lowerBound), widths.upperBound), isUTF8: isUTF8(environment), isTerminal: isTerminal)
    }

    /// By the variables that name the locale, in the C library's order; a locale that is set but not installed counts as named.
    static func isUTF8(_ environment: (String) -> String?) -> Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            if let value = environment(name), !value.isEmpty {
                let codeset = value.split(separator: ".").last.map { $0.lowercased() } ?? ""
                return value.contains(".") && (codeset.hasPrefix("utf-8") || codeset.hasPrefix("utf8"))
            }
        }
        return false
    }
}
