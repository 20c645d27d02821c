// SPDX-License-Identifier: Apache-2.0
import ProgramTexts

/// `daybook completions bash|zsh|fish`
enum CompletionsCommand {
    static let command = Command(
        "completions", Completions.Shell.allCases.map(\.rawValue).joined(separator: "|"), summary: "what TAB offers in your shell",
        explanation: """
            Prints a script by which bash, zsh or fish complete commands, options and files. An installed Daybook has them in place; without,
            try 'source <(daybook completions bash)'.
            """,
        run: run)

    static var table: Completions {
        Completions(program: "daybook", commands: Commands.all.map(\.shape), globalOptions: Help.globalOptions)
    }

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...1, "the shell (bash, zsh or fish)")
        let word = invocation.arguments.operands[0]
        guard let shell = Completions.Shell(rawValue: word) else {
            throw CommandFailure.usage("there are completions for bash, zsh and fish, not for '\(word)'")
        }
        invocation.output.write(table.script(for: shell))
        return .good
    }
}
