// SPDX-License-Identifier: Apache-2.0
import CDaybookICU

/// What the characters of some text add up to.
package struct TextTally: Equatable, Sendable {
    /// By the rule of `WordScanner`; those in scripts without spaces between words by ICU's dictionaries.
    package var words = 0
    /// What a reader sees as one character (extended grapheme clusters), without line ends.
    package var characters = 0
    /// Characters that are no white space.
    package var visible = 0
    package var letters = 0
    package var numbers = 0
    /// Letters of scripts without spaces (Thai, Lao, Khmer, Burmese…), and those of them that no dictionary parts into words.
    package var unspaced = 0
    package var undivided = 0
    /// Sequences of bytes that are no UTF-8.
    package var malformed = 0
    /// Control characters that no text has.
    package var controls = 0

    package init() {}

    /// Of a whole text.
    package init(_ text: String) {
        let scanner = TextScanner()
        var text = text
        text.withUTF8 { _ = scanner.add(UnsafeRawBufferPointer($0), to: &self) }
        scanner.end(&self)
    }

    package static func += (left: inout TextTally, right: TextTally) {
        left.words += right.words
        left.characters += right.characters
        left.visible += right.visible
        left.letters += right.letters
        left.numbers += right.numbers
        left.unspaced += right.unspaced
        left.undivided += right.undivided
        left.malformed += right.malformed
        left.controls += right.controls
    }

    fileprivate init(_ raw: daybook_tally) {
        words = Int(raw.words)
        characters = Int(raw.characters)
        visible = Int(raw.visible)
        letters = Int(raw.letters)
        numbers = Int(raw.numbers)
        unspaced = Int(raw.unspaced)
        undivided = Int(raw.undivided)
        malformed = Int(raw.malformed)
        controls = Int(raw.controls)
    }
}

/// Goes once through UTF-8 text that may come in pieces of any size. One caller at a time.
package final class TextScanner {
    // Owner: this object; opened in init, closed in deinit.
    private let scanner = daybook_scanner_open()

    package init() {}

    deinit { daybook_scanner_close(scanner) }

    /// Adds a piece and returns how many bytes it took: fewer than there are only where the last character is not whole yet.
    package func add(_ bytes: UnsafeRawBufferPointer, to tally: inout TextTally) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var raw = daybook_tally()
        let taken = daybook_scanner_add(scanner, base.assumingMemoryBound(to: UInt8.self), bytes.count, &raw)
        tally += TextTally(raw)
        return taken
    }

    /// The text ends here; the next piece begins another.
    package func end(_ tally: inout TextTally) {
        var raw = daybook_tally()
        daybook_scanner_end(scanner, &raw)
        tally += TextTally(raw)
    }
}

/// Words by Unicode Standard Annex 29, which parts at hyphens and slashes: another rule than ours, for comparison with other programs.
package func standardWords(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    return daybook_uax29_words(base.assumingMemoryBound(to: UInt8.self), bytes.count)
}
