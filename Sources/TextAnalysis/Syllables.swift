// SPDX-License-Identifier: Apache-2.0
import CDaybookSyllables

/// Syllables of English words: the pronouncing dictionary's where the rules would say something else, else by rule: runs of vowels, less
/// the silent ones, plus those where two vowels are spoken apart.
package enum EnglishSyllables {
    /// At least one for anything that is a word; a number has one, as GNU style has it.
    package static func count(_ word: String) -> Int { count(word, countPart) }

    /// What the rules say alone, as for words that are in no dictionary.
    package static func countByRule(_ word: String) -> Int { count(word, countPartByRule) }

    private static func count(_ word: String, _ countPart: ([UInt8]) -> Int) -> Int {
        var total = 0
        var letters: [UInt8] = []
        func endPart() {
            if !letters.isEmpty { total += countPart(letters) }
            letters = []
        }
        for scalar in word.unicodeScalars {
            if let letter = baseLetter(scalar) {
                letters.append(letter)
            } else if scalar == "'" || scalar == "\u{2019}" {
                letters.append(apostrophe)
            } else {
                // Hyphens and slashes join words that are spoken one after the other.
                endPart()
            }
        }
        endPart()
        return max(1, total)
    }

    private static let apostrophe = UInt8(ascii: "'")

    /// The letter without its accent, small.
    private static func baseLetter(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0x61...0x7a: return UInt8(scalar.value)
        case 0x41...0x5a: return UInt8(scalar.value + 32)
        case 0xc0...0xc5, 0xe0...0xe5: return UInt8(ascii: "a")
        case 0xc8...0xcb, 0xe8...0xeb: return UInt8(ascii: "e")
        case 0xcc...0xcf, 0xec...0xef: return UInt8(ascii: "i")
        case 0xd2...0xd6, 0xd8, 0xf2...0xf6, 0xf8: return UInt8(ascii: "o")
        case 0xd9...0xdc, 0xf9...0xfc: return UInt8(ascii: "u")
        case 0xc7, 0xe7: return UInt8(ascii: "c")
        case 0xd1, 0xf1: return UInt8(ascii: "n")
        default: return nil
        }
    }

    private static func countPart(_ part: [UInt8]) -> Int {
        // Marks of a quotation are no part of the word.
        let quoted = part.drop { $0 == apostrophe }
        let bare = quoted.prefix((quoted.lastIndex { $0 != apostrophe }).map { $0 + 1 - quoted.startIndex } ?? 0)
        if let known = known(bare) { return known }
        return countPartByRule(part)
    }

    private static func known(_ word: ArraySlice<UInt8>) -> Int? {
        let count = word.withUnsafeBufferPointer { daybook_syllables($0.baseAddress, $0.count) }
        return count > 0 ? Int(count) : nil
    }

    private static func countPartByRule(_ part: [UInt8]) -> Int {
        var letters = part
        var extra = 0
        while letters.first == apostrophe { letters.removeFirst() }
        while letters.last == apostrophe { letters.removeLast() }
        if let mark = letters.lastIndex(of: apostrophe) {
            let ending = String(decoding: letters[(mark + 1)...], as: UTF8.self)
            letters = Array(letters[..<mark])
            switch ending {
            case "s": if let last = letters.last, endsInSibilant(letters, last) { extra = 1 }
            case "ll", "ve", "d", "re": if let last = letters.last, !isVowel(last), last != UInt8(ascii: "y") { extra = 1 }
            case "t":
                // didn't, couldn't, hasn't have one more; don't, can't, won't, aren't have none.
                let stem = String(decoding: letters, as: UTF8.self)
                if ["didn", "couldn", "wouldn", "shouldn", "hadn", "hasn", "isn", "wasn", "doesn", "mustn", "needn", "haven", "mightn"]
                    .contains(stem)
                {
                    return countLetters(Array(letters.dropLast())) + 1
                }
            default: letters += ending.utf8.filter { $0 != apostrophe }
            }
        }
        guard !letters.isEmpty else { return extra }
        return countLetters(letters) + extra
    }

    private static func endsInSibilant(_ letters: [UInt8], _ last: UInt8) -> Bool {
        let text = String(decoding: letters.suffix(2), as: UTF8.self)
        return last == UInt8(ascii: "s") || last == UInt8(ascii: "x") || last == UInt8(ascii: "z")
            || ["ch", "sh", "ce", "se", "ge", "ze"].contains(text)
    }

    static func isVowel(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"): true
        default: false
        }
    }

    private static func countLetters(_ letters: [UInt8]) -> Int {
        let text = String(decoding: letters, as: UTF8.self)
        if let known = SyllableExceptions.counts[text] { return known }
        // The plural or other form of a listed word.
        for (ending, more) in [("s", 0), ("'s", 0), ("ing", 1), ("ed", 0), ("er", 1), ("ly", 1)] where text.hasSuffix(ending) {
            if let known = SyllableExceptions.counts[String(text.dropLast(ending.count))] { return known + more }
        }
        return max(1, SyllableRules(letters).count)
    }
}
