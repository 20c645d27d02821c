// SPDX-License-Identifier: Apache-2.0
import Glibc
import ProgramTexts
import Reports

/// The command line of Daybook.
@main
enum Daybook {
    static func main() {
        setlocale(LC_ALL, "")
        // Whoever started us may have ignored it; a reader that goes away should end us quietly.
        signal(SIGPIPE, SIG_DFL)
        tzset()
        let output = Output()
        let code = run(TypedWords.texts, environment: variable, output: output)
        output.flush()
        exit(code.rawValue)
    }

    /// Everything between the words and the exit code.
    static func run(_ words: [String], environment: @escaping @Sendable (String) -> String?, output: Output) -> ExitCode {
        let terminal = Terminal.current(environment: environment)
        do {
            let before = try parse(words, options: Help.globalOptions, stopsAtOperand: true)
            guard let name = before.operands.first else {
                if before.has("version") { return say(Help.version + "\n", output) }
                if before.has("help") { return say(Help.overview(Commands.all, terminal.style), output) }
                throw CommandFailure.usage("a command is missing; 'daybook --help' lists them")
            }
            let command = try Commands.named(name)
            let rest = Array(before.operands.dropFirst())
            let arguments = try Self.arguments(of: command, before: before, rest)
            if arguments.has("help") { return say(Help.text(command, terminal.style), output) }
            if arguments.has("version") { return say(Help.version + "\n", output) }
            let invocation = Invocation(
                command: command.name, arguments: arguments, words: rest, environment: environment, output: output, terminal: terminal)
            do {
                return try command.run(invocation)
            } catch let mistake as Arguments.Mistake {
                throw CommandFailure.usage("\(command.name): \(mistake)\nTry 'daybook \(command.name) --help'.")
            } catch let failure as CommandFailure where failure.code == .usage {
                throw CommandFailure.usage("\(command.name): \(failure.message)\nTry 'daybook \(command.name) --help'.")
            }
        } catch let failure as CommandFailure {
            output.message(safe(failure.message, terminal.style))
            return failure.code
        } catch {
            output.message(safe("\(error)", terminal.style))
            return .failed
        }
    }

    private static func arguments(of command: Command, before: Arguments, _ rest: [String]) throws -> Arguments {
        if command.handsOn {
            // Only a lone word is surely ours; anywhere else it may belong to the other program.
            return rest == ["--help"] ? before.merging(try parse(rest, options: Help.globalOptions, stopsAtOperand: false)) : before
        }
        do {
            return before.merging(try parse(rest, options: command.options + Help.globalOptions, stopsAtOperand: false))
        } catch let failure as CommandFailure {
            throw CommandFailure.usage("\(command.name): \(failure.message)\nTry 'daybook \(command.name) --help'.")
        }
    }

    private static func parse(_ words: [String], options: [OptionSpec], stopsAtOperand: Bool) throws -> Arguments {
        do {
            return try Arguments(parsing: words, options: options, stopsAtOperand: stopsAtOperand)
        } catch {
            throw CommandFailure.usage(
                stopsAtOperand ? "\(error)\nOptions of a command stand behind it. Try 'daybook --help'." : "\(error)")
        }
    }

    /// Messages quote what others wrote; their own line breaks stay.
    private static func safe(_ message: String, _ style: TextStyle) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false).map { style.shown(String($0)) }.joined(separator: "\n")
    }

    private static func say(_ text: String, _ output: Output) -> ExitCode {
        output.write(text)
        return .good
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
