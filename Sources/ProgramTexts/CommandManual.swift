// SPDX-License-Identifier: Apache-2.0

/// The manual page of a program with commands.
package struct CommandManual: Sendable {
    let name: String
    let summary: String
    let commands: [CommandShape]
    let globalOptions: [OptionSpec]
    let environment: [(name: String, what: String)]
    let files: [(path: String, what: String)]
    let exitStatus: [(status: Int32, meaning: String)]

    package init(
        name: String, summary: String, commands: [CommandShape], globalOptions: [OptionSpec],
        environment: [(name: String, what: String)], files: [(path: String, what: String)], exitStatus: [(status: Int32, meaning: String)]
    ) {
        self.name = name
        self.summary = summary
        self.commands = commands
        self.globalOptions = globalOptions
        self.environment = environment
        self.files = files
        self.exitStatus = exitStatus
    }

    /// In mdoc(7), section 1.
    package func page(date: String) -> String {
        var page = Mdoc(name, section: 1, date: date, summary: summary)
        page.heading("SYNOPSIS")
        page.synopsis(name, ["[--socket PATH] [--json] COMMAND …"])
        page.heading("DESCRIPTION")
        page.sentences(
            "Asks the Daybook server of this machine, and looks after it. Options stand before or behind the command, a long one may be cut "
                + "short where it stays the only one, and what follows a lone -- is no option.")
        page.macro(".Pp")
        page.sentences("Every command takes these options:")
        page.options(globalOptions)
        page.heading("COMMANDS")
        for command in commands { Self.add(command, to: &page) }
        page.heading("ENVIRONMENT")
        page.macro(".Bl -tag -width Ds")
        for variable in environment {
            page.macro(".It Ev \(Mdoc.word(variable.name))")
            page.sentences(variable.what)
        }
        page.macro(".El")
        page.heading("FILES")
        page.files(files)
        page.heading("EXIT STATUS")
        page.macro(".Bl -tag -width Ds")
        for row in exitStatus {
            page.macro(".It \(row.status)")
            page.sentences(row.meaning)
        }
        page.macro(".El")
        page.related([("daybook-config", 5), ("daybook-analyze", 8), ("daybookd", 8)])
        return page.text
    }

    private static func add(_ command: CommandShape, to page: inout Mdoc) {
        page.subheading(command.operands.isEmpty ? command.name : "\(command.name) \(command.operands)")
        page.paragraphs(command.explanation)
        if !command.options.isEmpty { page.options(command.options) }
    }
}
