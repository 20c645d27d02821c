// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The words of the command line byte by byte. `CommandLine.arguments` mends what is not UTF-8, and the mended name is no file.
enum TypedWords {
    /// Of the mended words only; nil where two different ones were mended to the same.
    private static let mended: [String: [UInt8]?] = {
        var known: [String: [UInt8]?] = [:]
        for index in 0..<Int(CommandLine.argc) {
            guard let pointer = CommandLine.unsafeArgv[index] else { continue }
            let bytes = Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
            guard String(validating: bytes, as: UTF8.self) == nil else { continue }
            // A value may stand behind its option: `--copy=FILE`.
            for word in [bytes[...], bytes.split(separator: UInt8(ascii: "="), maxSplits: 1).last ?? []] {
                let text = String(decoding: word, as: UTF8.self)
                if let other = known[text], other != Array(word) { known[text] = .some(nil) } else { known[text] = Array(word) }
            }
        }
        return known
    }()

    /// The bytes of a word or of an option's value.
    static func bytes(of text: String) -> [UInt8] { (mended[text] ?? nil) ?? Array(text.utf8) }

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
