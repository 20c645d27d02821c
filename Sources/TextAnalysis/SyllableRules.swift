// SPDX-License-Identifier: Apache-2.0

/// The rules of `EnglishSyllables` for one word of small letters.
struct SyllableRules {
    private let text: String
    private let letters: [UInt8]
    /// A letter is spoken as a vowel: not the y of "yes" and "layer", not the u of "quick".
    private let vowels: [Bool]

    init(_ letters: [UInt8]) {
        self.letters = letters
        text = String(decoding: letters, as: UTF8.self)
        var vowels = letters.map(EnglishSyllables.isVowel)
        for (index, letter) in letters.enumerated() {
            if letter == UInt8(ascii: "y") {
                let startsSyllable = index + 1 < letters.count && EnglishSyllables.isVowel(letters[index + 1])
                let followsVowel = index > 0 && vowels[index - 1]
                vowels[index] = !(startsSyllable && (index == 0 || followsVowel))
            } else if letter == UInt8(ascii: "u"), index > 0, letters[index - 1] == UInt8(ascii: "q"), index + 1 < letters.count,
                EnglishSyllables.isVowel(letters[index + 1]) || letters[index + 1] == UInt8(ascii: "y")
            {
                vowels[index] = false
            }
        }
        self.vowels = vowels
    }

    var count: Int {
        var total = 0
        var index = 0
        while index < letters.count {
            guard vowels[index] else {
                index += 1
                continue
            }
            let start = index
            while index < letters.count, vowels[index] { index += 1 }
            total += 1 + spokenApart(start..<index)
        }
        if total == 0 { return 1 }
        return total - silent(total) + unwritten
    }

    /// How many more syllables a run of vowels has than one.
    private func spokenApart(_ run: Range<Int>) -> Int {
        guard run.count > 1 else { return 0 }
        let vowels = String(decoding: letters[run], as: UTF8.self)
        let before = run.lowerBound > 0 ? letters[run.lowerBound - 1] : 0
        let before2 = run.lowerBound > 1 ? letters[run.lowerBound - 2] : 0
        let after = String(decoding: letters[run.upperBound...], as: UTF8.self)
        let softens = [UInt8(ascii: "c"), UInt8(ascii: "t"), UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "x")].contains(before)
        let isFirst = !self.vowels[..<run.lowerBound].contains(true)
        switch vowels {
        case "ia":
            if softens {
                return before == UInt8(ascii: "t") && (before2 == UInt8(ascii: "s") && isFirst)
                    || after.hasPrefix("te") && before != UInt8(ascii: "t") || after.hasPrefix("ti") || after.hasPrefix("sm") ? 1 : 0
            }
            return after.hasPrefix("ge") || after.hasPrefix("men") ? 0 : 1
        case "io":
            if softens { return isFirst || after.hasPrefix("lo") || after.isEmpty && before == UInt8(ascii: "s") ? 1 : 0 }
            return after.hasPrefix("n") && !isFirst && (before == UInt8(ascii: "l") || before == UInt8(ascii: "n")) ? 0 : 1
        case "iu": return softens && before != UInt8(ascii: "s") ? 0 : 1
        case "ie":
            if isFirst, ["t", "ty", "ts"].contains(after), before != 0 { return 1 }
            if after == "r" || after == "st" { return isFirst ? 0 : 1 }
            if after.hasPrefix("nce"), before == UInt8(ascii: "c") && isFirst { return 1 }
            if after.hasPrefix("nt") || after.hasPrefix("nc") {
                return softens && before != UInt8(ascii: "s") || isFirst && before != UInt8(ascii: "l") ? 0 : 1
            }
            if after.hasPrefix("ty") || after.hasPrefix("ti") { return 1 }
            return 0
        case "iou": return softens ? 0 : 1
        case "eou": return before == UInt8(ascii: "g") || before == UInt8(ascii: "c") ? 0 : 1
        case "eo":
            if after.hasPrefix("n") && (before == UInt8(ascii: "g") || before == UInt8(ascii: "c")) { return 0 }
            return after.hasPrefix("p") && before == UInt8(ascii: "p") ? 0 : 1
        case "ea":
            if text.hasPrefix("crea"), !text.hasPrefix("creak"), !text.hasPrefix("cream"), !text.hasPrefix("creas") { return 1 }
            if text.hasPrefix("rea"), after.hasPrefix("ct") || after.hasPrefix("li") || after.hasPrefix("ffi") || after.hasPrefix("ppear") {
                return 1
            }
            if after.isEmpty { return !isFirst ? 1 : 0 }
            if after == "n" || after == "ns" { return isFirst || before == UInt8(ascii: "c") ? 0 : 1 }
            return after == "l" && !isFirst && before != UInt8(ascii: "v") && before != UInt8(ascii: "p") ? 1 : 0
        case "ua":
            return before == UInt8(ascii: "g") ? 0 : after.hasPrefix("de") || after.hasPrefix("sion") || after.hasPrefix("si") ? 0 : 1
        case "ue":
            return after.isEmpty || before == UInt8(ascii: "g") || after == "s" || after == "d" || before == UInt8(ascii: "b")
                ? 0 : after.hasPrefix("n") || after.hasPrefix("l") || after.hasPrefix("t") ? 1 : 0
        case "ui":
            if after.hasPrefix("ng") || after.hasPrefix("ty") || after.hasPrefix("n") && isFirst || after.hasPrefix("ti") {
                return before == UInt8(ascii: "g") ? 0 : 1
            }
            return after == "d" || after.hasPrefix("ds") ? 1 : 0
        case "uou": return 1
        case "uo": return before == UInt8(ascii: "b") ? 0 : 1
        case "uie": return 1
        case "iao", "eau": return 0
        case "ao": return 1
        case "oe": return after.hasPrefix("t") || after.hasPrefix("m") && isFirst || after == "ia" ? 1 : 0
        case "oi": return after.hasPrefix("ng") && after.count <= 3 ? 1 : 0
        case "oa", "ou", "ai", "au", "ei", "ee", "oo", "eu":
            return vowels == "oo" && text.hasPrefix("coo") && ["p", "r"].contains(after.prefix(1)) && text.count > 6
                ? 1
                : vowels == "ei" && (after.hasPrefix("ng") || text.hasPrefix("rei"))
                    ? (text.hasPrefix("reign") || text.hasPrefix("rein") && text.count <= 5 ? 0 : 1) : 0
        case "ii": return 1
        default:
            // Before -ing the vowel of the word is spoken for itself.
            if vowels.hasSuffix("i"), after.hasPrefix("ng"), vowels != "ai" { return 1 }
            if vowels.hasSuffix("y"), vowels.count == 2 { return 0 }
            if vowels.hasSuffix("io") || vowels.hasSuffix("ia") { return vowels.count > 2 ? 1 : 0 }
            return vowels.count > 2 && vowels != "ieu" && vowels != "aye" && vowels != "eye" ? 1 : 0
        }
    }

    /// The silent e, where another syllable is left.
    private func silent(_ total: Int) -> Int {
        guard total > 1 else { return 0 }
        // The a of -ically is not spoken.
        let ically = total > 3 && text.hasSuffix("ically") ? 1 : 0
        return (hasSilentEnding ? 1 : 0) + (total > 2 || !hasSilentEnding ? silentInside : 0) + ically
    }

    private func letter(fromEnd distance: Int) -> UInt8 { letters.count > distance ? letters[letters.count - 1 - distance] : 0 }

    private func isConsonant(fromEnd distance: Int) -> Bool { letters.count > distance && !vowels[letters.count - 1 - distance] }

    private var hasSilentEnding: Bool {
        let e = UInt8(ascii: "e")
        if letters.last == e {
            guard isConsonant(fromEnd: 1) else {
                // league, unique, tongue; not argue.
                return text.hasSuffix("que") || (text.hasSuffix("gue") && !text.hasSuffix("rgue"))
            }
            // table, little; centre, acre.
            if letter(fromEnd: 1) == UInt8(ascii: "l"), isConsonant(fromEnd: 2), letter(fromEnd: 2) != UInt8(ascii: "l"),
                letter(fromEnd: 2) != UInt8(ascii: "r")
            {
                return false
            }
            if letter(fromEnd: 1) == UInt8(ascii: "r"),
                [UInt8(ascii: "t"), UInt8(ascii: "c"), UInt8(ascii: "g"), UInt8(ascii: "b")].contains(letter(fromEnd: 2))
            {
                return false
            }
            return true
        }
        guard letters.count > 2, letter(fromEnd: 1) == e, isConsonant(fromEnd: 2) else {
            return text.hasSuffix("ques") || (text.hasSuffix("gues") && !text.hasSuffix("rgues"))
                || text.hasSuffix("gued") && !text.hasSuffix("rgued")
        }
        let before = letter(fromEnd: 2)
        let isSyllabicL =
            before == UInt8(ascii: "l") && isConsonant(fromEnd: 3)
            && ![UInt8(ascii: "l"), UInt8(ascii: "r"), UInt8(ascii: "w")].contains(letter(fromEnd: 3))
        switch letters.last {
        case UInt8(ascii: "d"):
            return before != UInt8(ascii: "t") && before != UInt8(ascii: "d") && !isSyllabicL
                && !(before == UInt8(ascii: "r") && letter(fromEnd: 3) == UInt8(ascii: "d"))
        case UInt8(ascii: "s"):
            switch before {
            case UInt8(ascii: "s"), UInt8(ascii: "c"), UInt8(ascii: "z"), UInt8(ascii: "g"), UInt8(ascii: "x"): return false
            case UInt8(ascii: "h"): return letter(fromEnd: 3) != UInt8(ascii: "c") && letter(fromEnd: 3) != UInt8(ascii: "s")
            default: return !isSyllabicL
            }
        default: return false
        }
    }

    /// A silent e before an ending or inside a compound: safely, homeless, statement, something.
    private var silentInside: Int {
        for ending in ["ly", "less", "ness", "ful", "fully", "ment", "ments", "lessness", "fulness", "some", "mental"]
        where text.hasSuffix(ending) {
            let stem = letters.dropLast(ending.utf8.count)
            guard stem.count > 2, stem.last == UInt8(ascii: "e"), !vowels[stem.count - 2] else { continue }
            // "element", "settlement" keep it; "ably" never had it.
            let before = stem[stem.count - 2]
            if before == UInt8(ascii: "l"), stem.count > 3, !vowels[stem.count - 3] { return 0 }
            return vowels[..<(stem.count - 2)].contains(true) && text != "element" && text != "elements" ? 1 : 0
        }
        for start in Self.compounds where text.hasPrefix(start) {
            let rest = letters.count - start.utf8.count
            if rest >= 3, !vowels[start.utf8.count] || start == "some" && text.hasPrefix("someone") { return 1 }
        }
        return 0
    }

    private static let compounds = [
        "some", "there", "where", "here", "home", "time", "life", "fire", "safe", "side", "like", "make", "take", "more", "fore", "grave",
        "stone", "white", "whole", "name", "base", "house", "horse", "space", "state", "rate", "fare", "smoke", "cheese", "lime", "pine",
        "wine", "game", "lake", "rose", "face", "care", "wire", "note", "bone", "store", "trade", "hope", "love", "shore",
        "score", "force", "five", "nine", "else", "edge", "bridge", "price", "place", "frame", "gate", "hedge", "eye",
    ]

    /// Syllables that are heard but have no vowel: prism, rhythm.
    private var unwritten: Int {
        if text.hasSuffix("sm") || text.hasSuffix("sms") || text.hasSuffix("thm") || text.hasSuffix("thms") { return 1 }
        // The y of "Mc" names and the like: McDonald.
        return text.hasPrefix("mc") && text.count > 3 ? 1 : 0
    }
}
