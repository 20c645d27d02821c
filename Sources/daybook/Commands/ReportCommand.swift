// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import ProgramTexts
import Reports

/// `daybook report [ASSIGNMENT]`
enum ReportCommand {
    static let command = Command(
        "report", "[ASSIGNMENT]", summary: "my assignments; with a name, the class's table",
        explanation: """
            Without a name: the assignments of your classes, one line each. With a name or title: the class's table, with how long each
            student worked on it and what came of it. That you looked is journaled, and the students can see it.
            """,
        options: [
            OptionSpec(
                "sort", short: "s", value: "ORDER", words: ["surname", "state", "worked", "last"],
                "surname, state, worked or last; surname if it is not given"),
            OptionSpec("since", value: "T", "only what was done after this"),
            OptionSpec("until", value: "T", "only what was done before this"),
            OptionSpec("lesson", value: "LESSON", "only what was done then: '10:00-10:45' today, or '2026-03-11 10:00-10:45'"),
            OptionSpec(
                "by", value: "STEP", words: AssignmentOverTime.Step.allCases.map(\.rawValue),
                "day or week: the assignment over time instead of its students"),
            OptionSpec("group", value: "GROUP", "only these students: logins with commas, or '@group' of this machine"),
            RuleOption.option,
        ] + CSVOption.options,
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...1, "")
        let order = try invocation.choice("sort", ClassReport.Order.self) ?? .surname
        let rule = try invocation.rule()
        // What is not understood is said before anything is asked: each look is journaled.
        let separator = try invocation.csv()
        guard let assignment = invocation.operand(0) else {
            if rule != nil { throw CommandFailure.usage("--rule needs an assignment: the list has each by its own rule") }
            for option in ["since", "until", "lesson", "group", "by"] where invocation.arguments.has(option) {
                throw CommandFailure.usage("--\(option) needs an assignment")
            }
            return try list(invocation)
        }
        let (since, until) = try invocation.window()
        if let step = try invocation.choice("by", AssignmentOverTime.Step.self) {
            for option in ["sort", "group", "lesson"] where invocation.arguments.has(option) {
                throw CommandFailure.usage("--\(option) is for the table of students, not for --by, which shows all of them together")
            }
            return try overTime(
                object([
                    "assignment": .string(assignment), "by": .string(step.rawValue), "rule": rule, "since": since, "until": until,
                ]), invocation)
        }
        let group = try invocation.group()
        let reply = try invocation.ask(
            "org.daybook.Reports.Report",
            object(["assignment": .string(assignment), "rule": rule, "since": since, "until": until]))
        var report = try invocation.read { try ClassReport(json: reply["report"] ?? .null) }
        if let logins = group {
            let whole = report
            report = report.part(of: logins)
            let known = Set(whole.rows.map(\.person.login))
            // A mistyped login is no student who did nothing; a group of the machine may have others in it.
            let unknown = logins.subtracting(known).sorted()
            if !whole.rows.isEmpty, report.rows.isEmpty || !unknown.isEmpty && !(invocation.arguments.value("group") ?? "").hasPrefix("@") {
                let names = unknown.prefix(5).joined(separator: ", ")
                throw CommandFailure("'\(whole.title)' is not set for \(names); 'daybook report' with its name lists its students")
            }
        }
        report = report.sorted(by: order)
        if separator != nil, report.rows.isEmpty, report.studentCount > 0 {
            throw CommandFailure(
                "the rows of '\(report.title)' are not yours to see, so there is no table; without --csv you get its figures")
        }
        if let separator {
            invocation.output.write(report.csv(separator: separator, clock: LocalTime.clock))
        } else if invocation.isJSON {
            invocation.output.line(terminalSafe(report.json))
        } else {
            invocation.output.write(report.text(invocation.style, clock: LocalTime.clock, hasPages: reply["pages"]?.boolValue ?? false))
        }
        return .good
    }

    private static func isStudent(_ invocation: Invocation) throws(CommandFailure) -> Bool {
        try invocation.ask("org.daybook.Reports.Status")["status"]?["role"]?.stringValue == "student"
    }

    private static func overTime(_ parameters: JSONObject, _ invocation: Invocation) throws -> ExitCode {
        let reply = try invocation.ask("org.daybook.Reports.OverTime", parameters)
        let report = try invocation.read { try AssignmentOverTime(json: reply["report"] ?? .null) }
        if let separator = try invocation.csv() {
            invocation.output.write(report.csv(separator: separator))
        } else if invocation.isJSON {
            invocation.output.line(terminalSafe(report.json))
        } else {
            invocation.output.write(report.text(invocation.style, clock: LocalTime.clock))
        }
        return .good
    }

    private static func list(_ invocation: Invocation) throws -> ExitCode {
        let reply = try invocation.ask("org.daybook.Reports.ListAssignments")
        let summaries = try invocation.read { try (reply["assignments"]?.arrayValue ?? []).map { try AssignmentSummary(json: $0) } }
        if let separator = try invocation.csv() {
            invocation.output.write(AssignmentSummary.csv(summaries, separator: separator, clock: LocalTime.clock))
        } else if invocation.isJSON {
            for summary in summaries { invocation.output.line(terminalSafe(summary.json)) }
        } else if summaries.isEmpty, try isStudent(invocation) {
            invocation.output.line("These are a teacher's tables. What is recorded of you, and your assignments: daybook me")
        } else {
            invocation.output.write(AssignmentSummary.text(summaries, invocation.style, clock: LocalTime.clock, now: LocalTime.now))
        }
        return .good
    }
}

extension Invocation {
    /// One of a few words; nil where the option is absent.
    func choice<Word: RawRepresentable<String> & CaseIterable>(_ option: String, _ type: Word.Type) throws(CommandFailure) -> Word? {
        guard let text = arguments.value(option) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw .usage("--\(option) knows \(Word.allCases.map(\.rawValue).joined(separator: ", ")), not '\(text)'")
        }
        return word
    }

    /// Reads a reply; a server of another version may say what this program does not understand.
    func read<Value>(_ body: () throws -> Value) throws(CommandFailure) -> Value {
        do { return try body() } catch { throw CommandFailure("\(error)") }
    }
}
