// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Glibc

/// The words of the command line byte by byte. `CommandLine.arguments` mends what is not UTF-8, and the mended name is no file: such words are
/// escaped here, as names in tables are (`\xHH`), and can be had as what they were.
enum TypedWords {
    /// All words but the program's own.
    static let texts: [String] = words.dropFirst().map(text)

    private static let words: [[UInt8]] = (0..<Int(CommandLine.argc)).compactMap { index in
        CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// What was escaped, by its text; a value may stand behind its option: `--copy=FILE`.
    private static let escaped: [String: [UInt8]] = {
        var known: [String: [UInt8]] = [:]
        for word in words where String(validating: word, as: UTF8.self) == nil {
            known[text(word)] = word
            if let value = word.split(separator: UInt8(ascii: "="), maxSplits: 1).last { known[escapedText(value)] = Array(value) }
        }
        return known
    }()

    private static func text(_ word: [UInt8]) -> String { String(validating: word, as: UTF8.self) ?? escapedText(word) }

    /// The bytes of a word or of an option's value.
    static func bytes(of text: String) -> [UInt8] { escaped[text] ?? Array(text.utf8) }

    /// The same as C takes a path, for one call.
    static func withPath<Result, E: Error>(
        _ text: String, _ body: (UnsafePointer<CChar>) throws(E) -> Result
    ) throws(E) -> Result {
        let name = bytes(of: text).map { CChar(bitPattern: $0) } + [0]
        return try name.withUnsafeBufferPointer { (buffer) throws(E) in
            guard let start = buffer.baseAddress else { preconditionFailure("a path ends with a zero byte") }
            return try body(start)
        }
    }
}
