// SPDX-License-Identifier: Apache-2.0
import CDaybookICU

/// What one character is, as far as counting cares; see the C header for each.
///
/// No enum: one is asked several times for each byte of a text, and making an enum's case of a byte takes longer than all that is done with it.
package struct CharacterClass: Equatable, Sendable {
    let code: UInt8

    package static var other: Self { Self(code: 0) }
    package static var space: Self { Self(code: 1) }
    package static var dash: Self { Self(code: 2) }
    package static var upper: Self { Self(code: 3) }
    package static var lower: Self { Self(code: 4) }
    package static var letter: Self { Self(code: 5) }
    package static var number: Self { Self(code: 6) }
    package static var ideograph: Self { Self(code: 7) }
    package static var kana: Self { Self(code: 8) }
    package static var unspaced: Self { Self(code: 9) }
    package static var mark: Self { Self(code: 10) }
    package static var hangul: Self { Self(code: 11) }
    package static var quote: Self { Self(code: 12) }
    package static var continuation: Self { Self(code: 255) }

    // Upper, lower, letter, ideograph, kana, unspaced, hangul: a bit for each code. A shift by more than there are bits gives 0.
    private static let letters: UInt32 = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 11

    package var isLetter: Bool { Self.letters >> UInt32(code) & 1 == 1 }

    package var isLetterOrNumber: Bool { (Self.letters | 1 << 6) >> UInt32(code) & 1 == 1 }
}

/// UTF-8 bytes with the class of each character beside them: a character's first byte has its class, its other bytes `continuation`.
package struct ClassifiedText: Sendable {
    package let bytes: [UInt8]
    private let classes: [UInt8]

    package init(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// Any bytes will do: what is not UTF-8 is `other`.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        classes = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            bytes.withUnsafeBufferPointer { daybook_icu_classify($0.baseAddress, $0.count, buffer.baseAddress) }
            count = bytes.count
        }
    }

    package var count: Int { bytes.count }

    package func classOf(_ index: Int) -> CharacterClass { CharacterClass(code: classes[index]) }

    /// The index of the next character; `count` at the end.
    package func index(after index: Int) -> Int {
        var next = index + 1
        while next < classes.count, classes[next] == CharacterClass.continuation.code { next += 1 }
        return next
    }

    /// The index of the character before; `index` must not be 0.
    package func index(before index: Int) -> Int {
        var previous = index - 1
        while previous > 0, classes[previous] == CharacterClass.continuation.code { previous -= 1 }
        return previous
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
