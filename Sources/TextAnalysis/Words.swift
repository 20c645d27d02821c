// SPDX-License-Identifier: Apache-2.0

/// Words by one rule, in one sentence: text is split at white space, dashes (en, em, longer, two hyphens), ellipses and the zero-width
/// space; hyphens, apostrophes, slashes, addresses and decimals hold together; a piece is a word if it holds a letter or a digit; every
/// Han or kana character is a word of its own; Hangul goes by spaces.
package struct WordScanner: Sendable {
    private let text: ClassifiedText
    private var position = 0

    package init(_ text: ClassifiedText) { self.text = text }

    /// The bytes of the next word; nil at the end.
    package mutating func next() -> Range<Int>? {
        var start: Int?
        var holdsWord = false
        while position < text.count {
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
        return start..<text.count
    }

    /// Two or more hyphens are a typed dash, three or more dots a typed ellipsis.
    private func separatorLength(at index: Int) -> Int {
        let byte = text.bytes[index]
        guard byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") else { return 0 }
        var end = index + 1
        while end < text.count, text.bytes[end] == byte { end += 1 }
        let length = end - index
        return length >= (byte == UInt8(ascii: "-") ? 2 : 3) ? length : 0
    }
}

/// What the words of a text add up to.
package struct WordTally: Equatable, Sendable {
    package var words = 0
    /// All letters, and those in scripts whose words cannot be told apart by rule (Thai, Lao, Khmer…).
    package var letters = 0
    package var unspacedLetters = 0

    package init() {}

    package init(_ text: String) {
        add(ClassifiedText(text))
    }

    package mutating func add(_ text: ClassifiedText) {
        var scanner = WordScanner(text)
        while scanner.next() != nil { words += 1 }
        var index = 0
        while index < text.count {
            let kind = text.classOf(index)
            if kind.isLetter {
                letters += 1
                if kind == .unspaced { unspacedLetters += 1 }
            }
            index = text.index(after: index)
        }
    }
}
