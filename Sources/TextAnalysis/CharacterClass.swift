// SPDX-License-Identifier: Apache-2.0
import CDaybookICU

/// What one character is, as far as counting cares; see the C header for each.
package enum CharacterClass: UInt8, Sendable {
    case other, space, dash, upper, lower, letter, number, ideograph, kana, unspaced, mark, hangul, quote
    case continuation = 255

    package var isLetter: Bool {
        switch self {
        case .upper, .lower, .letter, .ideograph, .kana, .unspaced, .hangul: true
        case .other, .space, .dash, .number, .mark, .quote, .continuation: false
        }
    }

    package var isLetterOrNumber: Bool { isLetter || self == .number }
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

    package func classOf(_ index: Int) -> CharacterClass { CharacterClass(rawValue: classes[index]) ?? .other }

    /// The index of the next character; `count` at the end.
    package func index(after index: Int) -> Int {
        var next = index + 1
        while next < classes.count, classes[next] == CharacterClass.continuation.rawValue { next += 1 }
        return next
    }

    /// The index of the character before; `index` must not be 0.
    package func index(before index: Int) -> Int {
        var previous = index - 1
        while previous > 0, classes[previous] == CharacterClass.continuation.rawValue { previous -= 1 }
        return previous
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
