// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Ledger
import ProgramTexts
import Reports

/// `daybook assignment show|change|end|delete|reopen|return|copy|recompute ASSIGNMENT`
enum AssignmentCommand {
    static let command = Command(
        "assignment", "show|change|end|delete|reopen|return|copy|recompute ASSIGNMENT [STUDENT|FILE]",
        summary: "look at an assignment, change it, end it, give work back; journaled",
        explanation: """
            'show' says how it was set and how it stands for each student. 'change' takes the options below; what you do not name stays. Two
            teachers may change one at once: with --edition N (as 'show' says it) your change is refused where somebody else's came first. 'end'
            completes it, and recording in it ends; 'delete' also empties what was recorded in it, for good, so it asks first. 'reopen' lets a completed one go
            on; with a student, that student is asked to try again. 'return' says to a student that their work was looked at. 'copy' goes
            on putting copies of a file where students work: what is there stays. 'recompute' changes its rule for good: an assignment keeps
            the rule that was configured when it was made, so that figures do not move under people's feet; every figure follows the new one
            from then on, also of the past, and tables say so. For the teachers of its class and for administrators.
            """,
        options: AssignmentOptions.common + [
            OptionSpec("publish", "a draft is set"),
            OptionSpec("unexcuse", value: "STUDENT", repeats: true, "it is asked of this student again"),
            OptionSpec(
                "clear", value: "WHAT", repeats: true, words: AssignmentChange.Part.allCases.map(\.rawValue),
                "take away: \(AssignmentChange.Part.allCases.map(\.rawValue).joined(separator: ", ")); may stand several times"),
            OptionSpec("edition", value: "N", "only if nobody has changed it since this edition"),
            OptionSpec("text", value: "TEXT", "what you write to the student, with 'return' and 'reopen'"),
            OptionSpec("shared", "with 'copy': one file for all"),
            OptionSpec("yes", short: "y", "with 'delete': do not ask"),
            OptionSpec(
                "rule", value: "RULE", "with 'recompute': the new rule; 'configured' if it is not given. " + RuleOption.help),
        ], run: run)

    private static let words = ["show", "change", "end", "delete", "reopen", "return", "copy", "recompute"]

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...3, "what to do (\(words.joined(separator: ", ")))")
        let word = invocation.arguments.operands[0]
        guard words.contains(word) else {
            let near = nearest(word, among: words)
            throw CommandFailure.usage(
                "'\(word)' is not known here; " + (near.map { "did you mean '\($0)'?" } ?? "there are \(words.joined(separator: ", "))"))
        }
        guard let name = invocation.operand(1) else { throw CommandFailure.usage("the assignment's name is missing") }
        let third = invocation.operand(2)
        guard third == nil || ["reopen", "return", "copy"].contains(word) else {
            throw CommandFailure.usage("'\(third ?? "")' is too much here; a name with spaces goes in quotes")
        }
        let edition = try invocation.arguments.number("edition", in: 0...1_000_000_000).map { JSONValue.integer($0) } ?? .null
        let assignment = JSONValue.string(name)
        let text = invocation.arguments.value("text").map { JSONValue.string($0) } ?? .null
        switch word {
        case "show": try invocation.printAssignment(try invocation.ask("org.daybook.Classroom.GetAssignment", ["assignment": assignment]))
        case "change":
            try invocation.printAssignment(
                try invocation.ask(
                    "org.daybook.Classroom.ChangeAssignment",
                    ["assignment": assignment, "edition": edition, "change": try change(invocation)]))
        case "end", "delete":
            if word == "delete", !invocation.arguments.has("yes") {
                try invocation.confirm("what was recorded in '\(invocation.shown(name))'", naming: name, instead: "'end' to keep it")
            }
            try invocation.printAssignment(
                try invocation.ask(
                    "org.daybook.Classroom.EndAssignment",
                    ["assignment": assignment, "edition": edition, "delete": .bool(word == "delete")]))
        case "reopen":
            try invocation.printAssignment(
                try invocation.ask(
                    "org.daybook.Classroom.ReopenAssignment",
                    ["assignment": assignment, "edition": edition, "person": third.map { .string($0) } ?? .null, "text": text]))
        case "return":
            guard let third else { throw CommandFailure.usage("the student is missing") }
            try invocation.printAssignment(
                try invocation.ask(
                    "org.daybook.Classroom.ReturnWork", ["assignment": assignment, "person": .string(third), "text": text]))
        case "copy":
            guard let third else { throw CommandFailure.usage("the file to copy is missing") }
            return try copy(third, assignment, invocation)
        default: try recompute(assignment, invocation)
        }
        return .good
    }

    private static func change(_ invocation: Invocation) throws -> JSONValue {
        let arguments = invocation.arguments
        for word in arguments.values("clear") where AssignmentChange.Part(rawValue: word) == nil {
            throw CommandFailure.usage(
                "--clear knows \(AssignmentChange.Part.allCases.map(\.rawValue).joined(separator: ", ")), not '\(word)'")
        }
        let deadlines = try invocation.deadlines()
        let change = object([
            "title": arguments.value("title").map { .string($0) }, "due": try invocation.instant("due", dayMeansEnd: true),
            "opens": try invocation.instant("from", dayMeansEnd: false), "instructions": try invocation.instructions(),
            "students": arguments.has("to") ? try invocation.students("to") : nil, "excuse": try invocation.students("excuse"),
            "unexcuse": try invocation.students("unexcuse"), "deadlines": deadlines, "target": try invocation.target(), "materials": nil,
            "key": try invocation.key(), "analyzers": invocation.analyzers(), "publish": .bool(arguments.has("publish")),
            "clear": invocation.names("clear"), "past": .bool(arguments.has("past")),
        ])
        let named = [
            "title", "due", "from", "instructions", "to", "excuse", "unexcuse", "extend", "target", "key", "analyzer", "publish", "clear",
        ]
        guard named.contains(where: arguments.has) else { throw CommandFailure.usage("nothing to change; see the options") }
        return .object(change)
    }

    private static func copy(_ path: String, _ assignment: JSONValue, _ invocation: Invocation) throws -> ExitCode {
        let template = try Template(path: path)
        let detail = try invocation.detail(try invocation.ask("org.daybook.Classroom.GetAssignment", ["assignment": assignment]))
        let copies = TemplateCopies(template: template, assignment: detail, isShared: invocation.arguments.has("shared"))
        let outcome = try copies.make(in: try AssignmentFolder.open(detail), invocation)
        outcome.say(
            invocation, again: "the same command", isDraft: detail.state == .draft)
        return outcome.isComplete ? .good : .failed
    }

    private static func recompute(_ assignment: JSONValue, _ invocation: Invocation) throws {
        let reply = try invocation.ask(
            "org.daybook.Reports.Recompute",
            ["assignment": assignment, "rule": try invocation.rule() ?? RuleChoice(base: .configured).json])
        let answer = try invocation.read { try RecomputedRule(json: .object(reply)) }
        if invocation.isJSON {
            invocation.output.line(terminalSafe(.object(answer.json)))
        } else {
            invocation.output.write(answer.text(invocation.style))
        }
    }
}
