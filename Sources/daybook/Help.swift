// SPDX-License-Identifier: Apache-2.0
import DaybookVarlink
import ProgramTexts
import Reports

/// The texts of `--help` and `--version`.
enum Help {
    static let globalOptions: [OptionSpec] = [
        OptionSpec("socket", value: "PATH", "the server's socket; otherwise $DAYBOOK_SOCKET or /run/daybook/daybook.sock"),
        OptionSpec("json", "for programs: one JSON object a line"),
        OptionSpec("help", short: "h", "this text; after a command, the command's"),
        OptionSpec("version", short: "V", "the version"),
    ]

    static var version: String { "daybook \(DaybookVersion.text)" }

    static func overview(_ commands: [Command], _ style: TextStyle) -> String {
        let rows = commands.map { ($0.operands.isEmpty ? $0.name : "\($0.name) \($0.operands)", $0.summary) }
        let lines =
            [
                "How long did each student work on it, and what came of it?", "", "Usage: daybook [--socket PATH] [--json] COMMAND …", "",
                "Commands:",
            ]
            + table(rows, style) + ["", "Options, before or after the command:"] + table(globalOptions.map { (label($0), $0.help) }, style)
            + [""]
            + wrapped(
                "'daybook COMMAND --help' explains a command. Exit: 0 good, 1 failed or not found, 2 wrong usage, 3 no server.",
                to: room(style))
        return text(lines, style)
    }

    static func text(_ command: Command, _ style: TextStyle) -> String {
        let usage = ["daybook", command.name, command.operands, command.options.isEmpty ? "" : "[OPTION …]"].filter { !$0.isEmpty }
        var lines = wrapped("Usage: " + usage.joined(separator: " "), to: room(style), indent: "         ") + [""]
        lines += wrapped(command.explanation.split(separator: "\n").joined(separator: " "), to: room(style))
        if !command.options.isEmpty { lines += ["", "Options:"] + table(command.options.map { (label($0), $0.help) }, style) }
        if !command.handsOn { lines += ["", "Options of every command:"] + table(globalOptions.map { (label($0), $0.help) }, style) }
        return text(lines, style)
    }

    private static func room(_ style: TextStyle) -> Int { min(style.width, 100) - 1 }

    private static func text(_ lines: [String], _ style: TextStyle) -> String {
        lines.map { style.shown(style.isUTF8 ? $0 : $0.replacing("…", with: "...")) + "\n" }.joined()
    }

    private static func label(_ option: OptionSpec) -> String {
        (option.short.map { "-\($0), " } ?? "    ") + "--" + option.long + (option.value.map { " \($0)" } ?? "")
    }

    private static func table(_ rows: [(String, String)], _ style: TextStyle) -> [String] {
        let width = min(rows.reduce(0) { max($0, displayWidth($1.0)) }, 24)
        let space = String(repeating: " ", count: width + 4)
        return rows.flatMap { left, right -> [String] in
            let lines = wrapped(right, to: max(20, room(style) - width - 4))
            let begin = "  " + padded(left, to: width)
            if displayWidth(left) > width { return [begin] + lines.map { space + $0 } }
            return lines.enumerated().map { ($0 == 0 ? begin + "  " : space) + $1 }
        }
    }
}
