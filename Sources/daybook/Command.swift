// SPDX-License-Identifier: Apache-2.0
import ProgramTexts
import Reports

/// What the program says to the shell.
enum ExitCode: Int32, Sendable {
    case good = 0
    /// The thing asked for failed or was not found.
    case failed = 1
    case usage = 2
    case noDaemon = 3
}

/// Why a command ends, in words for whoever typed it.
struct CommandFailure: Error, Equatable {
    var code: ExitCode
    var message: String

    init(_ message: String, code: ExitCode = .failed) {
        self.code = code
        self.message = message
    }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(message, code: .usage) }
}

/// One command: how it is called, what its help says, and what it does.
struct Command: Sendable {
    let name: String
    /// One line for the overview.
    let summary: String
    /// What follows the name, e.g. `[ASSIGNMENT]`.
    let operands: String
    /// Sentences for `--help`.
    let explanation: String
    let options: [OptionSpec]
    /// Its words are not read here but given to another program.
    let handsOn: Bool
    let run: @Sendable (Invocation) throws -> ExitCode

    init(
        _ name: String, _ operands: String = "", summary: String, explanation: String, options: [OptionSpec] = [],
        handsOn: Bool = false, run: @escaping @Sendable (Invocation) throws -> ExitCode
    ) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.explanation = explanation
        self.options = options
        self.handsOn = handsOn
        self.run = run
    }
}

extension Command {
    /// What its page and a shell need of it.
    var shape: CommandShape {
        CommandShape(name: name, operands: operands, summary: summary, explanation: explanation, options: options)
    }
}

/// One call of the program: what was typed, and where its words go.
struct Invocation {
    /// Its name.
    var command = ""
    let arguments: Arguments
    /// The words as typed, without the program's own name, for `analyze`, which hands them on.
    let words: [String]
    let environment: @Sendable (String) -> String?
    let output: Output
    let terminal: Terminal

    var style: TextStyle { terminal.style }

    /// Text from elsewhere, safe for this terminal.
    func shown(_ text: String) -> String { style.shown(text) }

    var isJSON: Bool { arguments.has("json") }

    static let usualSocket = "/run/daybook/daybook.sock"

    /// `--socket`, then DAYBOOK_SOCKET, then the usual place.
    var socket: String {
        if let path = arguments.value("socket") { return path }
        if let path = environment("DAYBOOK_SOCKET"), !path.isEmpty { return path }
        return Self.usualSocket
    }

    /// Throws where there are fewer or more operands than the command takes.
    func requireOperands(_ range: ClosedRange<Int>, _ what: String) throws(CommandFailure) {
        let count = arguments.operands.count
        if count < range.lowerBound { throw .usage("\(what) is missing") }
        if count > range.upperBound {
            let hint = range.upperBound > 0 ? "; a name with spaces goes in quotes" : ""
            throw .usage("'\(arguments.operands[range.upperBound])' is too much here\(hint)")
        }
    }

    /// The operand at a place; nil where there are fewer.
    func operand(_ index: Int) -> String? { arguments.operands.indices.contains(index) ? arguments.operands[index] : nil }
}
