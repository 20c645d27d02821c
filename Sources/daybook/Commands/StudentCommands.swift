// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import ProgramTexts
import Reports

/// `daybook show PERSON [ASSIGNMENT]`
enum ShowCommand {
    static let command = Command(
        "show", "PERSON [ASSIGNMENT]", summary: "one student in detail",
        explanation: """
            One student, by login or name: sessions, words at each save, results, what the times rest on. For the teachers of the student's
            classes. That you looked is journaled, and the student can see it.
            """,
        options: [RuleOption.option] + CSVOption.options, run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...2, "the student's login or name")
        let parameters = object([
            "person": .string(invocation.arguments.operands[0]), "assignment": invocation.operand(1).map { .string($0) },
            "rule": try invocation.rule(),
        ])
        return try print(try invocation.ask("org.daybook.Reports.Show", parameters), invocation)
    }

    static func print(_ reply: JSONObject, _ invocation: Invocation) throws(CommandFailure) -> ExitCode {
        let report = try invocation.read { try StudentReport(json: reply["report"] ?? .null) }
        if let separator = try invocation.csv() {
            invocation.output.write(report.csv(separator: separator))
        } else if invocation.isJSON {
            invocation.output.line(terminalSafe(report.json))
        } else {
            invocation.output.write(report.text(invocation.style, clock: LocalTime.clock))
        }
        return .good
    }
}

/// `daybook me`
enum MeCommand {
    static let command = Command(
        "me", summary: "what is recorded of me, and who has looked",
        explanation: "All that is recorded of you, the times as they stand, and who has looked at it.",
        options: [
            OptionSpec("as", value: "LOGIN", "see what that student sees; for administrators, in a demonstration only"), RuleOption.option,
        ] + CSVOption.options,
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let login = invocation.arguments.value("as")
        let parameters = object(["as": login.map { .string($0) }, "rule": try invocation.rule()])
        return try ShowCommand.print(try invocation.ask("org.daybook.Reports.Me", parameters), invocation)
    }
}

/// `daybook sessions`
enum SessionsCommand {
    static let command = Command(
        "sessions", summary: "the raw table of sessions",
        explanation: """
            Each stretch of one person's work on one document that you may see, oldest first. Times for --since and --until are
            \(TimeArgument.help).
            """,
        options: [
            OptionSpec("person", short: "p", value: "P", "only this student, by login or name"),
            OptionSpec("file", short: "f", value: "F", "only this document: its path below the share, or the end of it"),
            OptionSpec("since", value: "T", "only what ended after this"), OptionSpec("until", value: "T", "only what began before this"),
            RuleOption.option,
        ] + CSVOption.options,
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let separator = try invocation.csv()
        let arguments = invocation.arguments
        let now = LocalTime.now
        func instant(_ option: String) throws(CommandFailure) -> JSONValue? {
            guard let text = arguments.value(option) else { return nil }
            return .string(try TimeArgument.parse(text, option: option, now: now).rfc3339)
        }
        let parameters = object([
            "person": arguments.value("person").map { .string($0) }, "document": arguments.value("file").map { .string($0) },
            "since": try instant("since"), "until": try instant("until"), "rule": try invocation.rule(),
        ])
        var rows: [SessionRow] = []
        try invocation.askForMany("org.daybook.Reports.Sessions", parameters) { reply throws(CommandFailure) in
            let more = try invocation.read { try (reply["sessions"]?.arrayValue ?? []).map { try SessionRow(json: $0) } }
            if invocation.isJSON {
                for row in more { invocation.output.line(terminalSafe(row.json)) }
            } else {
                rows += more
            }
        }
        // The columns' widths depend on all rows.
        if let separator {
            invocation.output.write(SessionRow.csv(rows, separator: separator, clock: LocalTime.clock))
        } else if !invocation.isJSON {
            invocation.output.write(SessionRow.text(rows, invocation.style, clock: LocalTime.clock, now: now))
            let asked = arguments.value("rule").map { "By the rule asked for, \(invocation.shown($0))." }
            if !rows.isEmpty { invocation.output.line(asked ?? "Each by the rule of its assignment.") }
        }
        return .good
    }
}
