// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Reports

/// `daybook developer role|reset`
enum DeveloperCommand {
    static let command = Command(
        "developer", "role [teacher|student] | reset", summary: "what you are where programs that report are tried out",
        explanation: """
            For people who write programs with ClassKit. With DAYBOOK_CLASSKIT_ENVIRONMENT=development a program saves into a store of your own with
            a made-up class; nothing of it is recorded. 'role' says or changes what you are in that class: a teacher's contexts are kept, and a
            student's activities. Start the program again afterwards. 'reset' empties the store, which outlives the daemon.
            """,
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...2, "'role' or 'reset'")
        switch invocation.operand(0) {
        case "role":
            let role = invocation.operand(1)
            guard role.map({ ["teacher", "student"].contains($0) }) ?? true else {
                throw CommandFailure.usage("'\(invocation.shown(role ?? ""))' is neither teacher nor student")
            }
            let reply = try invocation.ask("org.daybook.ClassKit.DeveloperRole", object(["role": role.map { .string($0) }]))
            let now = reply["role"]?.stringValue ?? "?"
            invocation.output.line(
                invocation.isJSON ? terminalSafe(.object(reply)) : "You are a \(now) in the class Development.")
        case "reset":
            try invocation.requireOperands(1...1, "")
            _ = try invocation.ask("org.daybook.ClassKit.DeveloperReset")
            invocation.output.line(invocation.isJSON ? terminalSafe([:]) : "The development store is empty.")
        default: throw CommandFailure.usage("'\(invocation.shown(invocation.operand(0) ?? ""))' is neither role nor reset")
        }
        return .good
    }
}
