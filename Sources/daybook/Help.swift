// SPDX-License-Identifier: Apache-2.0
import DaybookVarlink

/// The texts of `--help` and `--version`.
enum Help {
    static let globalOptions: [OptionSpec] = [
        OptionSpec("socket", value: "PATH", "the server's socket; otherwise $DAYBOOK_SOCKET or /run/daybook/daybook.sock"),
        OptionSpec("json", "for programs: one JSON object a line"),
        OptionSpec("help", "h", "this text; after a command, the command's"),
        OptionSpec("version", "V", "the version"),
    ]

    static var version: String { "daybook \(DaybookVersion.text)" }

    static func overview(_ commands: [Command]) -> String {
        let rows = commands.map { ("\($0.name) \($0.operands)".trimmed, $0.summary) }
        return """
            How long did each student work on it, and what came of it?

            Usage: daybook [--socket PATH] [--json] COMMAND …

            Commands:
            \(table(rows))
            Options, before or after the command:
            \(table(globalOptions.map { (label($0), $0.help) }))
            'daybook COMMAND --help' explains a command. Exit: 0 good, 1 failed or not found, 2 wrong usage, 3 no server.

            """
    }

    static func text(_ command: Command) -> String {
        let options = command.options.isEmpty ? "" : "\nOptions:\n" + table(command.options.map { (label($0), $0.help) })
        return """
            Usage: daybook \(command.name)\(command.operands.isEmpty ? "" : " " + command.operands)\(command.options.isEmpty ? "" : " [OPTION …]")

            \(command.explanation)
            \(options)
            Options of every command:
            \(table(globalOptions.map { (label($0), $0.help) }))
            """
    }

    private static func label(_ option: OptionSpec) -> String {
        (option.short.map { "-\($0), " } ?? "    ") + "--" + option.long + (option.value.map { " \($0)" } ?? "")
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = min(rows.map(\.0.count).max() ?? 0, 30)
        return rows.map { left, right in
            let gap =
                left.count > width ? "\n" + String(repeating: " ", count: width + 4) : String(repeating: " ", count: width - left.count + 2)
            return "  \(left)\(gap)\(right)\n"
        }.joined()
    }
}

extension String {
    /// Without spaces at its end.
    var trimmed: String { String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]) }
}
