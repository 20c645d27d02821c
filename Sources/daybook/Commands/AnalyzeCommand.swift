// SPDX-License-Identifier: Apache-2.0

/// `daybook analyze FILE…`: another program does it, since it alone contains what opens documents.
enum AnalyzeCommand {
    static let command = Command(
        "analyze", "FILE …", summary: "words, sentences, slides, reading level … of any document",
        explanation: """
            Measures documents. No server is needed, nothing is recorded. It is done by the program daybook-analyze, which shuts itself
            in before it opens a document.
            """,
        handsOn: true, run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let program = Programs.findOwn("daybook-analyze", environment: invocation.environment) else {
            throw CommandFailure("the program daybook-analyze is not installed; it belongs beside daybook or into PATH")
        }
        // `--json` may stand before the command.
        let words = invocation.isJSON && !invocation.words.contains("--json") ? ["--json"] + invocation.words : invocation.words
        invocation.output.flush()
        throw CommandFailure("cannot start \(program): \(Programs.replace(with: program, words))")
    }
}
