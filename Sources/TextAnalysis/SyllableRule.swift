// SPDX-License-Identifier: Apache-2.0

/// Counts the syllables of one word.
protocol SyllableRule: Sendable {
    /// At least 1.
    func count(_ word: String) -> Int
}

/// Which rules there are.
package enum Syllables {
    /// By two-letter code; nil for languages without rules here.
    static func rules(for language: String?) -> (any SyllableRule)? {
        switch language {
        case "en": EnglishRule()
        case "de": VowelGroups.german
        case "fr": VowelGroups.french
        case "es": VowelGroups.spanish
        case "it": VowelGroups.italian
        case "nl": VowelGroups.dutch
        default: nil
        }
    }

    /// The syllables of a word; nil for languages without rules here.
    package static func count(_ word: String, language: String) -> Int? { rules(for: language)?.count(word) }
}

private struct EnglishRule: SyllableRule {
    func count(_ word: String) -> Int { EnglishSyllables.count(word) }
}

/// Syllables of languages that are written nearly as they are spoken: one for each run of vowels, but for vowels that part it.
struct VowelGroups: SyllableRule {
    /// Letters that are spoken as vowels.
    let vowels: Set<Character>
    /// Runs of vowels that are one syllable; in all others each vowel has its own.
    let together: Set<String>
    /// Letters before which, or between which, a vowel is only written: the u of "que", the i of "gia".
    let silentAfter: [String: Set<String>]
    /// Endings in which the last vowel is not spoken, where another is left.
    let silentEndings: [String]

    func count(_ word: String) -> Int {
        var total = 0
        for part in word.lowercased().split(whereSeparator: { !$0.isLetter && $0 != "\u{301}" }) { total += countPart(Array(part)) }
        return max(1, total)
    }

    private func countPart(_ letters: [Character]) -> Int {
        var total = 0
        var index = 0
        while index < letters.count {
            guard vowels.contains(letters[index]) else {
                index += 1
                continue
            }
            var run: [Character] = []
            let start = index
            while index < letters.count, vowels.contains(letters[index]) {
                run.append(letters[index])
                index += 1
            }
            if run.count > 1, start > 0, let silent = silentAfter[String(run[0])], silent.contains(String(letters[start - 1])) {
                run.removeFirst()
            }
            total += syllables(in: run)
        }
        if total > 1, silentEndings.contains(where: { letters.count > $0.count && letters.suffix($0.count).elementsEqual($0) }) {
            // Only a vowel of its own is lost: not the last of "idée".
            let ending = silentEndings.first { letters.suffix($0.count).elementsEqual($0) } ?? ""
            let before = letters.count - ending.count - 1
            let isWrittenOnly = before > 0 && silentAfter[String(letters[before])]?.contains(String(letters[before - 1])) == true
            if !vowels.contains(letters[before]) || isWrittenOnly { total -= 1 }
        }
        return max(total, 1)
    }

    /// The longest parts that are spoken together, from the left.
    private func syllables(in run: [Character]) -> Int {
        var total = 0
        var index = 0
        while index < run.count {
            var length = 1
            for wanted in [3, 2] where index + wanted <= run.count {
                if together.contains(String(run[index..<(index + wanted)])) {
                    length = wanted
                    break
                }
            }
            total += 1
            index += length
        }
        return total
    }
}
