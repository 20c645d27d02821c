// SPDX-License-Identifier: Apache-2.0
import ProgramTexts
import Settings

/// `daybook man [PAGE]`
enum ManCommand {
    static let command = Command(
        "man", "[" + pages.joined(separator: "|") + "]", summary: "the manual pages, as man reads them",
        explanation: """
            Prints a manual page in the language mdoc, made from the same tables as the help: daybook(1), daybook-config(5), daybookd(8) or
            daybook-analyze(8). An installed Daybook has them in place; without, try 'daybook man | man -l -'.
            """,
        options: [OptionSpec("example", value: "FILE", "for daybook-config: where config.example.toml is, if not at \(examplePath)")],
        run: run)

    static let pages = ["daybook", "daybook-config", "daybookd", "daybook-analyze"]
    private static let examplePath = "/usr/share/doc/daybook/config.example.toml"

    /// When what the pages say last changed; mdoc wants a day, and the same source must make the same page.
    private static let date = "November 30, 2026"

    static func page(_ name: String, example: () throws -> String) rethrows -> String? {
        switch name {
        case "daybook": manual.page(date: date)
        case "daybook-config": ConfigurationManual(example: try example(), path: Settings.defaultPath).page(date: date)
        case "daybookd": ProgramDescription.daybookd(configuration: Settings.defaultPath).page(date: date)
        case "daybook-analyze": ProgramDescription.analyze.page(date: date)
        default: nil
        }
    }

    private static var manual: CommandManual {
        CommandManual(
            name: "daybook", summary: "how long each student worked on it, and what came of it", commands: Commands.all.map(\.shape),
            globalOptions: Help.globalOptions,
            environment: [
                ("DAYBOOK_SOCKET", "The server's socket, where --socket does not say it."),
                ("COLUMNS", "How wide tables are, where it is not the terminal's width."),
                ("TZ", "The time zone in which times are read and shown."),
            ],
            files: [
                (Settings.defaultPath, "The server's configuration."),
                (Invocation.usualSocket, "Where the server is asked."),
            ],
            exitStatus: [
                (ExitCode.good.rawValue, "Good."), (ExitCode.failed.rawValue, "The thing asked for failed or was not found."),
                (ExitCode.usage.rawValue, "Wrong usage."), (ExitCode.noDaemon.rawValue, "No server answers."),
            ])
    }

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...1, "")
        let name = invocation.operand(0) ?? "daybook"
        let text = try page(name) {
            try FileText.read(invocation.arguments.value("example") ?? examplePath, limit: 1 << 20)
        }
        guard let text else { throw CommandFailure.usage("there is no page '\(name)'; there are \(pages.joined(separator: ", "))") }
        invocation.output.write(text)
        return .good
    }
}
