// SPDX-License-Identifier: Apache-2.0

/// One option of a command, as a row of its table.
package struct OptionSpec: Equatable, Sendable {
    /// Without dashes.
    package let long: String
    package let short: Character?
    /// What stands for the value in the help, e.g. `PATH`; nil where there is none.
    package let value: String?
    package let help: String
    /// May stand more than once; otherwise the last one counts.
    package let repeats: Bool
    /// The values there are, for a shell to offer; empty where they cannot be counted.
    package let words: [String]

    package init(
        _ long: String, short: Character? = nil, value: String? = nil, repeats: Bool = false, words: [String] = [], _ help: String
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.help = help
        self.repeats = repeats
        self.words = words
    }

    /// What a shell may offer behind it; nil where it takes no value.
    var values: Candidates? {
        guard let value else { return nil }
        return Candidates(words: words, isFile: Candidates.files.contains(value))
    }
}

/// What can stand at one place of a command line.
package struct Candidates: Equatable, Sendable {
    package var words: [String] = []
    /// Also any file or folder.
    package var isFile = false

    /// The placeholders that stand for files and folders.
    static let files: Set<String> = ["FILE", "DIR", "PATH", "ZIP", "TRACE", "STATE-DIR"]

    mutating func formUnion(_ other: Candidates) {
        words += other.words.filter { !words.contains($0) }
        isFile = isFile || other.isFile
    }
}

/// One command as far as its help, its page and a shell need it.
package struct CommandShape: Sendable {
    package var name: String
    /// As the help writes them: `add FILE | list`, `[ASSIGNMENT]`, `on|off [PERSON]`.
    package var operands: String
    package var summary: String
    package var explanation: String
    package var options: [OptionSpec]

    package init(name: String, operands: String, summary: String, explanation: String, options: [OptionSpec]) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.explanation = explanation
        self.options = options
    }

    /// What can stand at each place behind the name; the last one again and again where the operands end in `…`.
    package var places: (candidates: [Candidates], lastRepeats: Bool) {
        var result: [Candidates] = []
        var repeats = false
        for form in operands.pieces(between: " | ") {
            var place = 0
            var isValue = false
            for token in form.split(separator: " ") {
                let word = token.filter { $0 != "[" && $0 != "]" }
                if word == "…" {
                    repeats = true
                } else if word.hasPrefix("--") {
                    isValue = true
                } else if isValue {
                    isValue = false
                } else {
                    if place == result.count { result.append(Candidates()) }
                    result[place].formUnion(Self.candidates(word))
                    place += 1
                }
            }
        }
        return (result, repeats)
    }

    /// `on|off` are words, `FILE` is a placeholder.
    private static func candidates(_ token: String) -> Candidates {
        token.split(separator: "|").reduce(into: Candidates()) { result, part in
            if part.first?.isLowercase == true { result.words.append(String(part)) }
            if Candidates.files.contains(String(part)) { result.isFile = true }
        }
    }
}

extension String {
    /// The pieces between the occurrences of a text.
    fileprivate func pieces(between separator: String) -> [String] {
        var pieces: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            pieces.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [String(rest)]
    }
}
