// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import Glibc
import Settings

/// `daybook analyze FILE…`: another program does it, since it alone contains what opens documents.
enum AnalyzeCommand {
    static let command = Command(
        "analyze", "FILE …", summary: "words, sentences, slides, reading level … of any document",
        explanation: """
            Measures documents. No server is needed, nothing is recorded. It is done by the program daybook-analyze, which shuts itself
            in before it opens a document. --json gives one line of JSON for each file; 'daybook-analyze --help' has its other options.
            --analyzer X takes one analyzer alone: a built-in one by its format, an external one by its name in the configuration
            (\(Settings.defaultPath), or --config FILE), or any program by its path, e.g. ./questions.py.
            """,
        handsOn: true, run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let program = Programs.findOwn("daybook-analyze", environment: invocation.environment) else {
            throw CommandFailure("the program daybook-analyze is not installed; it belongs beside daybook or into PATH")
        }
        // `--json` may stand before the command.
        var words = try withAnalyzers(rawWords(invocation))
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

    /// Puts the description of each external analyzer beside its name, and takes out --config, which is ours.
    static func withAnalyzers(_ words: [[UInt8]]) throws(CommandFailure) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var asked: [String] = []
        var configuration: String?
        var rest = words[...]
        while let word = rest.popFirst() {
            let text = String(decoding: word, as: UTF8.self)
            if text == "--" {
                result.append(word)
                result += rest
                break
            }
            guard let (name, value) = try option(text, &rest) else {
                result.append(word)
                continue
            }
            if name == "--config" { configuration = value } else { asked.append(value) }
        }
        var options: [String] = []
        var configured: [Settings.Analyzer.External]?
        for name in asked {
            let analyzer: ExternalAnalyzer?
            if name.contains("/") {
                analyzer = try program(at: name)
            } else {
                if configured == nil { configured = try self.configured(configuration) }
                analyzer = configured?.first { $0.analyzer.name == name }?.analyzer
            }
            options += ["--analyzer", analyzer?.name ?? name]
            if let analyzer { options += ["--external", JSONValue.object(analyzer.json).text] }
        }
        return options.map { Array($0.utf8) } + result
    }

    private static func option(_ text: String, _ rest: inout ArraySlice<[UInt8]>) throws(CommandFailure) -> (name: String, value: String)? {
        for name in ["--analyzer", "--config"] {
            if text.hasPrefix(name + "=") { return (name, String(text.dropFirst(name.count + 1))) }
            guard text == name else { continue }
            guard let value = rest.popFirst() else { throw .usage("\(name) needs a name after it") }
            return (name, String(decoding: value, as: UTF8.self))
        }
        return nil
    }

    /// Where there is no configuration, there is no external analyzer either; one with mistakes is said to have them.
    private static func configured(_ path: String?) throws(CommandFailure) -> [Settings.Analyzer.External] {
        if path == nil, access(Settings.defaultPath, F_OK) != 0 { return [] }
        do { return try Settings.load(path ?? Settings.defaultPath).analyzer.external } catch {
            throw CommandFailure("the analyzers are in a configuration with mistakes: \(error.lines.first ?? error.description)")
        }
    }

    /// A program that is tried without being configured, with the limits of the standard.
    private static func program(at path: String) throws(CommandFailure) -> ExternalAnalyzer {
        guard let whole = realpath(path, nil) else { throw CommandFailure("there is no program \(path)") }
        defer { free(whole) }
        let absolute = String(cString: whole)
        guard access(absolute, X_OK) == 0 else { throw CommandFailure("\(path) is not executable; chmod +x makes it so") }
        let letters = (path.split(separator: "/").last ?? "").lowercased().utf8.map { byte in
            (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) ? byte : UInt8(ascii: "-")
        }
        let name = String(decoding: letters.prefix(32), as: UTF8.self)
        return ExternalAnalyzer(name: ExternalAnalyzer.isName(name) ? name : "x", command: [absolute])
    }
}
