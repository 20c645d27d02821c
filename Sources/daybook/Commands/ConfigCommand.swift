// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Settings

/// `daybook config check [FILE]`
enum ConfigCommand {
    static let command = Command(
        "config", "check [FILE]", summary: "every mistake of a configuration, with line and column",
        explanation: """
            Reads a configuration as the server would and names every mistake with its line and column. Nothing is changed and no server
            is needed. Without FILE it is \(Settings.defaultPath).
            """,
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...2, "'check'")
        guard invocation.arguments.operands[0] == "check" else {
            throw CommandFailure.usage("'\(invocation.arguments.operands[0])' is not known here; write 'config check'")
        }
        let file = invocation.operand(1) ?? Settings.defaultPath
        do {
            let settings = try Settings.load(file)
            if invocation.isJSON {
                invocation.output.line(
                    JSONValue.object([
                        "file": .string(file), "good": true, "shares": .integer(Int64(settings.shares.count)),
                        "classes": .integer(Int64(settings.classes.count)),
                    ]).text)
            } else {
                let what = "\(count(settings.shares.count, "share")), \(count(settings.classes.count, "class", "classes"))"
                let hint = settings.shares.isEmpty ? "; without a [[share]] nothing is watched" : ""
                invocation.output.line("\(invocation.shown(file)) is good: \(what)\(hint).")
            }
            return .good
        } catch {
            for (problem, line) in zip(error.problems, error.lines) {
                invocation.output.line(
                    invocation.isJSON
                        ? JSONValue.object(
                            object([
                                "file": .string(file), "line": problem.line.map { .integer(Int64($0)) },
                                "column": problem.column.map { .integer(Int64($0)) }, "message": .string(problem.message),
                            ])
                        ).text : invocation.shown(line))
            }
            invocation.output.flush()
            if !invocation.isJSON { invocation.output.message("\(count(error.problems.count, "mistake")) in \(invocation.shown(file))") }
            return .failed
        }
    }
}

/// `1 share`, `2 shares`.
func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(Int64(number))) \(number == 1 ? one : many ?? one + "s")"
}
