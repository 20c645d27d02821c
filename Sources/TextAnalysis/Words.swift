// SPDX-License-Identifier: Apache-2.0

/// Words by one rule, in one sentence: text is split at white space, dashes (en, em, longer, two hyphens), ellipses and the zero-width
/// space; hyphens, apostrophes, slashes, addresses and decimals hold together; a piece is a word if it holds a letter or a digit; every
/// Han or kana character is a word of its own; Hangul goes by spaces.
package struct WordScanner: Sendable {
    private let text: ClassifiedText
    private var position: Int
    private let limit: Int

    package init(_ text: ClassifiedText) { self.init(text, in: 0..<text.count) }

    /// Of a part of the text that begins and ends with whole characters.
    package init(_ text: ClassifiedText, in range: Range<Int>) {
        self.text = text
        position = range.lowerBound
        limit = range.upperBound
    }

    /// The bytes of the next word; nil at the end.
    package mutating func next() -> Range<Int>? {
        var start: Int?
        var holdsWord = false
        while position < limit {
            let here = position
            let kind = text.classOf(here)
            switch kind {
            case .ideograph, .kana:
                if let start, holdsWord { return start..<here }
                position = text.index(after: here)
                return here..<position
            case .space, .dash:
                position = text.index(after: here)
                if let start, holdsWord { return start..<here }
                start = nil
                holdsWord = false
            default:
                let separator = separatorLength(at: here)
                if separator > 0 {
                    position = here + separator
                    if let start, holdsWord { return start..<here }
                    start = nil
                    holdsWord = false
                } else {
                    if start == nil { start = here }
                    if kind.isLetterOrNumber { holdsWord = true }
                    position = text.index(after: here)
                }
            }
        }
        guard let start, holdsWord else { return nil }
        return start..<limit
    }

    /// Two or more hyphens are a typed dash, three or more dots a typed ellipsis.
    private func separatorLength(at index: Int) -> Int {
        let byte = text.bytes[index]
        guard byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") else { return 0 }
        var end = index + 1
        while end < limit, text.bytes[end] == byte { end += 1 }
        let length = end - index
        return length >= (byte == UInt8(ascii: "-") ? 2 : 3) ? length : 0
    }
}
