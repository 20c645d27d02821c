// SPDX-License-Identifier: Apache-2.0

/// What readability formulas are computed from: the running prose of a document.
package struct ProseCounts: Equatable, Sendable {
    package var words = 0
    package var sentences = 0
    package var syllables = 0
    package var letters = 0
    package var digits = 0
    /// Words of three syllables and more, and those of them that Gunning calls hard: no names, no compounds of easy words, not three
    /// only by -es, -ed or -ing.
    package var polysyllables = 0
    package var hardWords = 0
    /// Words of more than six letters.
    package var longWords = 0
    package var monosyllables = 0

    package init(words: Int = 0, sentences: Int = 0, syllables: Int = 0) {
        self.words = words
        self.sentences = sentences
        self.syllables = syllables
    }
}

extension Prose {
    /// Sentences and words of what is kept. Syllables where there are rules for the language.
    func counts(language: String?) -> ProseCounts {
        let finder = SentenceFinder(language: language)
        var counts = ProseCounts()
        let cache = WordCache(syllables: Syllables.rules(for: language))
        for block in blocks {
            let text = ClassifiedText(bytes: SentenceFinder.unwrapped(bytes[block]))
            for sentence in finder.sentences(in: text) {
                counts.sentences += 1
                var scanner = WordScanner(text, in: sentence)
                var isFirst = true
                while let range = scanner.next() {
                    let word = cache.facts(of: range, in: text)
                    counts.words += 1
                    counts.letters += word.letters
                    counts.digits += word.digits
                    counts.syllables += word.syllables
                    if word.letters > 6 { counts.longWords += 1 }
                    if word.syllables == 1 { counts.monosyllables += 1 }
                    if word.syllables >= 3 { counts.polysyllables += 1 }
                    // A capital inside a sentence is a name.
                    if word.isHard, isFirst || !word.isCapitalized { counts.hardWords += 1 }
                    isFirst = false
                }
            }
        }
        return counts
    }
}

/// What one word adds to the counts.
struct WordFacts {
    var letters = 0
    var digits = 0
    var syllables = 0
    var isHard = false
    var isCapitalized = false
}

/// Most words of a text come again and again, so the last ones met are kept: a table of fixed size in which a word has one place.
final class WordCache {
    private static let size = 8192
    private struct Entry {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var facts = WordFacts()
    }

    private var entries = [Entry](repeating: Entry(), count: size)
    private let syllables: (any SyllableRule)?

    init(syllables: (any SyllableRule)?) { self.syllables = syllables }

    func facts(of range: Range<Int>, in text: ClassifiedText) -> WordFacts {
        // Longer words are rare and looked at each time. An empty place is no word: none is made of zeros alone.
        guard range.count <= 16 else { return look(range, text) }
        var first: UInt64 = 0
        var second: UInt64 = 0
        text.bytes.withUnsafeBufferPointer { bytes in
            for (place, index) in range.enumerated() {
                if place < 8 { first = first << 8 | UInt64(bytes[index]) } else { second = second << 8 | UInt64(bytes[index]) }
            }
        }
        let hash = (first ^ second &* 0x9e37_79b9_7f4a_7c15) &* 0xff51_afd7_ed55_8ccd
        let slot = Int(hash >> 51)
        let entry = entries[slot]
        if entry.first == first, entry.second == second { return entry.facts }
        let facts = look(range, text)
        entries[slot] = Entry(first: first, second: second, facts: facts)
        return facts
    }

    private func look(_ range: Range<Int>, _ text: ClassifiedText) -> WordFacts {
        var facts = WordFacts()
        var seen = false
        var index = range.lowerBound
        while index < range.upperBound {
            let kind = text.classOf(index)
            if kind.isLetter {
                if !seen, kind == .upper { facts.isCapitalized = true }
                seen = true
                facts.letters += 1
            } else if kind == .number {
                seen = true
                facts.digits += 1
            }
            index = text.index(after: index)
        }
        guard let syllables else { return facts }
        let word = text.text(range)
        facts.syllables = syllables.count(word)
        facts.isHard = facts.syllables >= 3 && HardWords.isHard(word, syllables)
        return facts
    }
}

/// Gunning's hard words, but for names, which are told by where they stand.
enum HardWords {
    static func isHard(_ word: String, _ rule: any SyllableRule) -> Bool {
        let parts = word.split(whereSeparator: { $0 == "-" || $0 == "/" || $0 == "\u{2010}" || $0 == "\u{2011}" })
        // A compound is as hard as its hardest part.
        if parts.count > 1 { return parts.contains { rule.count(String($0)) >= 3 && isHard(String($0), rule) } }
        let small = word.lowercased().filter(\.isLetter)
        for ending in ["es", "ed", "ing"] where small.hasSuffix(ending) && small.count > ending.count + 2 {
            let stem = String(small.dropLast(ending.count))
            // "deciding" is hard only if "decide" is; the stem may have lost its e.
            return min(rule.count(stem), rule.count(stem + "e")) >= 3
        }
        return true
    }
}
