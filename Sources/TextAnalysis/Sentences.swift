// SPDX-License-Identifier: Apache-2.0
import CDaybookICU

/// Finds the sentences of one block: ICU's boundaries, then a pass of our own that joins what ICU parts at abbreviations, initials and
/// numbers, and parts a stop that is glued to the next sentence ("one.This").
package final class SentenceFinder {
    // Owner: this object; opened in init, closed in deinit, used by one caller at a time.
    private let breaker: OpaquePointer?

    /// `language` is a BCP 47 or ICU name; the rules differ for very few.
    package init(language: String? = nil) { breaker = daybook_icu_open_sentences(language ?? "en") }

    deinit { daybook_icu_close(breaker) }

    /// The sentences of a block as byte ranges. Each holds a letter or digit; a block with any has at least one sentence.
    package func sentences(in block: String) -> [Range<Int>] { sentences(in: ClassifiedText(bytes: Self.unwrapped(block.utf8))) }

    /// A line break inside a block does not end a sentence, but ICU's rules say it does.
    static func unwrapped(_ text: some Collection<UInt8>) -> [UInt8] {
        text.map { $0 == 0x0a || $0 == 0x0d || $0 == 0x0b || $0 == 0x0c ? 0x20 : $0 }
    }

    func sentences(in text: ClassifiedText) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        for end in boundaries(of: text) where end > start {
            if end < text.count {
                if !holdsWord(text, start..<end) || !SentenceEnd(text: text, sentence: start..<end).endsSentence { continue }
            }
            for part in Self.partGlued(text, start..<end) { found.append(part) }
            start = end
        }
        guard let last = found.indices.last else { return [] }
        // What is left without a word belongs to the sentence before it.
        if !holdsWord(text, found[last]) {
            let tail = found.removeLast()
            if let before = found.indices.last { found[before] = found[before].lowerBound..<tail.upperBound }
        }
        return found
    }

    private func boundaries(of text: ClassifiedText) -> [Int] {
        guard let breaker, text.count > 0 else { return text.count > 0 ? [text.count] : [] }
        // No text has more sentences than bytes; most have one in eighty, so the first try is nearly always enough.
        for capacity in [text.count / 16 + 16, text.count] {
            var count = 0
            let ends = [Int](unsafeUninitializedCapacity: capacity) { buffer, initialized in
                buffer.initialize(repeating: 0)
                count = text.bytes.withUnsafeBufferPointer { bytes in
                    buffer.withMemoryRebound(to: UInt.self) {
                        daybook_icu_boundaries(breaker, bytes.baseAddress, bytes.count, $0.baseAddress, capacity)
                    }
                }
                initialized = max(0, min(count, capacity))
            }
            if count >= 0, count <= capacity { return ends }
            if count < 0 { break }
        }
        return [text.count]
    }

    private func holdsWord(_ text: ClassifiedText, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if text.classOf(index).isLetterOrNumber { return true }
            index = text.index(after: index)
        }
        return false
    }

    /// Parts "the first one.This is" after the stop: two small letters before it, a capital and a small letter after it, and nothing in
    /// that piece that makes it an address or a path.
    private static func partGlued(_ text: ClassifiedText, _ sentence: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = sentence.lowerBound
        var pieceStart = start
        var index = start
        while index < sentence.upperBound {
            let next = text.index(after: index)
            if text.classOf(index) == .space { pieceStart = next }
            if text.bytes[index] == UInt8(ascii: "."), next < sentence.upperBound, endsInSmallLetters(text, pieceStart..<index),
                text.classOf(next) == .upper, text.index(after: next) < sentence.upperBound,
                text.classOf(text.index(after: next)) == .lower, !isAddress(text, from: pieceStart, to: sentence.upperBound)
            {
                parts.append(start..<next)
                start = next
                pieceStart = next
            }
            index = next
        }
        parts.append(start..<sentence.upperBound)
        return parts
    }

    /// Two small letters; one of two bytes is one.
    private static func endsInSmallLetters(_ text: ClassifiedText, _ piece: Range<Int>) -> Bool {
        guard piece.count >= 2 else { return false }
        let last = text.index(before: piece.upperBound)
        guard last > piece.lowerBound, text.classOf(last) == .lower else { return false }
        return text.classOf(text.index(before: last)) == .lower
    }

    private static func isAddress(_ text: ClassifiedText, from start: Int, to limit: Int) -> Bool {
        var end = start
        while end < limit, text.classOf(end) != .space {
            let byte = text.bytes[end]
            if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "_") {
                return true
            }
            end = text.index(after: end)
        }
        return text.text(start..<min(end, start + 4)).lowercased() == "www."
    }
}

/// The end of a sentence as ICU sees it, with what stands around it.
private struct SentenceEnd {
    let text: ClassifiedText
    let sentence: Range<Int>

    /// False where the stop belongs to an abbreviation, an initial or a number, or where the sentence goes on in small letters.
    var endsSentence: Bool {
        guard let stop = stopIndex else { return true }
        switch text.bytes[stop] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            // "Stop!" he said.
            return nextWord.kind != .lower
        case UInt8(ascii: "."):
            return !stopBelongsToWord(before: stop)
        default:
            return true
        }
    }

    /// The sentence mark at the end, before closing quotes and spaces.
    private var stopIndex: Int? {
        var index = sentence.upperBound
        while index > sentence.lowerBound {
            index = text.index(before: index)
            switch text.classOf(index) {
            case .space, .quote: continue
            default: return index
            }
        }
        return nil
    }

    /// What begins after it, and where that stands.
    private var nextWord: (kind: CharacterClass, start: Int) {
        var index = sentence.upperBound
        while index < text.count, !text.classOf(index).isLetterOrNumber { index = text.index(after: index) }
        return index < text.count ? (text.classOf(index), index) : (.other, index)
    }

    private var startsWithStarter: Bool {
        let index = nextWord.start
        var end = index
        while end < text.count, text.classOf(end).isLetterOrNumber, end - index < 24 { end = text.index(after: end) }
        return Abbreviations.sentenceStarters.contains(text.text(index..<end).lowercased())
    }

    private func stopBelongsToWord(before stop: Int) -> Bool {
        var start = stop
        while start > sentence.lowerBound {
            let previous = text.index(before: start)
            let kind = text.classOf(previous)
            guard kind.isLetterOrNumber || text.bytes[previous] == UInt8(ascii: ".") || kind == .mark else { break }
            start = previous
        }
        if isPlainWord(start..<stop) { return false }
        let token = text.text(start..<stop)
        guard let first = token.first else { return false }
        let small = token.lowercased()
        if Abbreviations.beforeNames.contains(small) { return true }
        if Abbreviations.beforeNumbers.contains(small) { return nextWord.kind == .number }
        if token.count == 1, first.isLetter {
            // An initial; but "…as I." and "…as I. Besides" end with the pronoun.
            return first.isUppercase && token != "I" && !startsWithStarter
        }
        if token.contains("."), token.split(separator: ".").allSatisfy({ $0.count == 1 }) {
            // "U.S. Senate" goes on, "a.m. Breakfast" does not.
            return first.isUppercase && !startsWithStarter
        }
        // The number of a list item or of a chapter is no sentence of its own.
        return token.allSatisfy(\.isNumber) && isAtStart(start)
    }

    /// True for most words that end a sentence, at the price of a glance: two letters of ASCII or more, and none of the short forms is as long
    /// as it and begins with its letter.
    private func isPlainWord(_ word: Range<Int>) -> Bool {
        guard word.count > 1 else { return false }
        for index in word {
            let byte = text.bytes[index]
            guard byte | 0x20 >= UInt8(ascii: "a"), byte | 0x20 <= UInt8(ascii: "z") else { return false }
        }
        return !Abbreviations.mayBe(first: text.bytes[word.lowerBound] | 0x20, length: word.count)
    }

    private func isAtStart(_ index: Int) -> Bool {
        var earlier = sentence.lowerBound
        while earlier < index {
            if text.classOf(earlier).isLetterOrNumber { return false }
            earlier = text.index(after: earlier)
        }
        return true
    }
}
