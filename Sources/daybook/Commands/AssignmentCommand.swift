// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Reports

/// `daybook assignment recompute ASSIGNMENT`
enum AssignmentCommand {
    static let command = Command(
        "assignment", "recompute ASSIGNMENT", summary: "change an assignment's rule for good; journaled",
        explanation: """
            An assignment keeps the rule that was configured when it was made, so that figures do not move under people's feet. 'recompute'
            gives it another one for good: every figure of it, also of the past, follows that rule from then on, and its tables say so. For
            the teachers of its class and for administrators. The old rule, the new one and who changed it are an entry of the journal; the
            evidence stays as it is, so the old rule can be had back in the same way. To look only, use 'report --rule'.
            """,
        options: [OptionSpec("rule", value: "RULE", "the new rule; 'configured' if it is not given. " + RuleOption.help)], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(2...2, invocation.operand(0) == nil ? "'recompute'" : "the assignment's name")
        let word = invocation.arguments.operands[0]
        guard word == "recompute" else {
            throw CommandFailure.usage("'\(word)' is not known here; write 'assignment recompute ASSIGNMENT'")
        }
        let reply = try invocation.ask(
            "org.daybook.Reports.Recompute",
            [
                "assignment": .string(invocation.arguments.operands[1]),
                "rule": try invocation.rule() ?? RuleChoice(base: .configured).json,
            ])
        let answer = try invocation.read { try RecomputedRule(json: .object(reply)) }
        if invocation.isJSON {
            invocation.output.line(terminalSafe(.object(answer.json)))
        } else {
            invocation.output.write(answer.text(invocation.style))
        }
        return .good
    }
}
