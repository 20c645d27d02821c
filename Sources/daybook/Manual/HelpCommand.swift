// SPDX-License-Identifier: Apache-2.0

/// `daybook help [COMMAND]`
enum HelpCommand {
    static let command = Command(
        "help", "[COMMAND]", summary: "this text, or a command's",
        explanation: "What there is, or how a command is called and what it does. The same as --help, before or behind the command.",
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...1, "")
        guard let name = invocation.operand(0) else {
            invocation.output.write(Help.overview(Commands.all, invocation.style))
            return .good
        }
        invocation.output.write(Help.text(try Commands.named(name), invocation.style))
        return .good
    }
}
