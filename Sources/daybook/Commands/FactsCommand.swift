// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import ProgramTexts
import Reports
import Settings

/// `daybook facts`
enum FactsCommand {
    static let command = Command(
        "facts", summary: "what is kept of people, why, who sees it, and how long",
        explanation: """
            The facts that a school's data-protection papers need, with the values that are in force: what is kept, where it comes from, whose
            it is, why, who sees it, how long, how it is erased, and what is not taken. Anybody may ask. With --config no server is asked:
            the sheet is of that configuration.
            """,
        options: [
            OptionSpec("markdown", "as a page of Markdown, to be put into those papers"),
            OptionSpec("config", short: "c", value: "FILE", "the sheet of this configuration"),
        ],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let sheet = FactSheet(try facts(invocation))
        if invocation.isJSON {
            invocation.output.line(terminalSafe(.object(sheet.json)))
        } else if invocation.arguments.has("markdown") {
            invocation.output.write(sheet.markdown)
        } else {
            invocation.output.write(sheet.text(invocation.style))
        }
        return .good
    }

    private static func facts(_ invocation: Invocation) throws -> RunningFacts {
        guard let file = invocation.arguments.value("config") else {
            let reply = try invocation.ask("org.daybook.Reports.Facts")
            return try invocation.read { try RunningFacts(json: reply["facts"] ?? .null) }
        }
        do {
            return try Settings.load(file).facts(version: DaybookVersion.text)
        } catch {
            throw CommandFailure(
                "\(invocation.shown(file)) cannot be used: \(count(error.problems.count, "mistake")); 'daybook config check' names each")
        }
    }
}
