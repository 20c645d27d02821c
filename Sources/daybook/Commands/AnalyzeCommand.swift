// SPDX-License-Identifier: Apache-2.0
import Glibc

/// `daybook analyze FILE…`: another program does it, since it alone contains what opens documents.
enum AnalyzeCommand {
    static let command = Command(
        "analyze", "FILE …", summary: "words, sentences, slides, reading level … of any document",
        explanation: """
            Measures documents. No server is needed, nothing is recorded. It is done by the program daybook-analyze, which shuts itself
            in before it opens a document. --json gives one line of JSON for each file; 'daybook-analyze --help' has its other options.
            """,
        handsOn: true, run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let program = Programs.findOwn("daybook-analyze", environment: invocation.environment) else {
            throw CommandFailure("the program daybook-analyze is not installed; it belongs beside daybook or into PATH")
        }
        // `--json` may stand before the command.
        var words = rawWords(invocation)
        if invocation.isJSON, !invocation.words.contains("--json") { words.insert(Array("--json".utf8), at: 0) }
        invocation.output.flush()
        throw CommandFailure("cannot start \(program): \(Programs.replace(with: program, words))")
    }

    /// The words as they were typed, byte by byte: `CommandLine.arguments` mends what is not UTF-8, and the mended name is no file.
    private static func rawWords(_ invocation: Invocation) -> [[UInt8]] {
        let count = Int(CommandLine.argc)
        return (max(0, count - invocation.words.count)..<count).compactMap { index in
            CommandLine.unsafeArgv[index].map { pointer in Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))) }
        }
    }
}
