// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import ProgramTexts

/// `daybook done ASSIGNMENT`
enum DoneCommand {
    static let command = Command(
        "done", "ASSIGNMENT", summary: "say that you are done with an assignment",
        explanation: "For students. Your teacher sees that you said so; what is recorded goes on. --undo takes it back.",
        options: [OptionSpec("undo", short: "u", "you are not done after all")], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...1, "the assignment's name")
        try invocation.printAssignment(
            try invocation.ask(
                "org.daybook.Classroom.MarkDone",
                ["assignment": .string(invocation.arguments.operands[0]), "done": .bool(!invocation.arguments.has("undo"))]))
        return .good
    }
}

/// `daybook handin ASSIGNMENT [FILE]`
enum HandInCommand {
    static let command = Command(
        "handin", "ASSIGNMENT [FILE]", summary: "hand in your document",
        explanation: """
            For students. Hands in the document you name, or the one you saved last. Its size and SHA-256 are recorded, so that everybody can see
            later whether it is still the same. After the due time it counts as late. --withdraw takes it back.
            """,
        options: [OptionSpec("withdraw", short: "w", "take back what you handed in")], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...2, "the assignment's name")
        let withdraw = invocation.arguments.has("withdraw")
        if withdraw, invocation.operand(1) != nil { throw CommandFailure.usage("--withdraw takes no file") }
        let document = invocation.operand(1).map { JSONValue.string(invocation.serverPath($0)) } ?? .null
        try invocation.printAssignment(
            try invocation.ask(
                "org.daybook.Classroom.HandIn",
                ["assignment": .string(invocation.arguments.operands[0]), "document": document, "withdraw": .bool(withdraw)]))
        return .good
    }
}

/// `daybook note SESSION TEXT`
enum NoteCommand {
    static let command = Command(
        "note", "SESSION TEXT", summary: "write something beside a session; the figure stays",
        explanation: """
            Something to be read beside a session, by its number in 'sessions' and 'show': what was wrong with it, or what happened. With --exclude
            figures leave the session out, with --include they count it again; both stay to be seen, session and note. For the teachers of
            the class and administrators; without --exclude also for the student whose session it is. Journaled.
            """,
        options: [
            OptionSpec("exclude", short: "x", "figures leave this session out"), OptionSpec("include", "figures count it again"),
        ], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(2...2, invocation.operand(0) == nil ? "the session's number" : "the text")
        guard let number = Int64(invocation.arguments.operands[0]), number > 0 else {
            throw CommandFailure.usage("'\(invocation.arguments.operands[0])' is no session's number; 'daybook sessions' shows them")
        }
        let (exclude, include) = (invocation.arguments.has("exclude"), invocation.arguments.has("include"))
        if exclude, include { throw CommandFailure.usage("either --exclude or --include") }
        _ = try invocation.ask(
            "org.daybook.Classroom.NoteSession",
            [
                "session": .integer(number), "text": .string(invocation.arguments.operands[1]),
                "exclude": exclude ? true : include ? false : .null,
            ])
        if !invocation.isJSON {
            invocation.output.line(
                "Noted" + (exclude ? "; figures leave session \(number) out." : include ? "; session \(number) counts again." : "."))
        }
        return .good
    }
}
