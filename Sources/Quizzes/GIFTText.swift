// SPDX-License-Identifier: Apache-2.0

/// Text of a GIFT file in which a backslash takes a sign its meaning.
struct GIFTText: Equatable {
    struct Sign: Equatable {
        var character: Character
        /// A backslash stood before it, so it is nothing but itself.
        var isPlain: Bool
    }

    private(set) var signs: ArraySlice<Sign>

    /// The signs that have a meaning, and a line break, can be written with a backslash; two backslashes are one.
    init(_ text: some StringProtocol) {
        var signs: [Sign] = []
        var isEscaped = false
        for character in text {
            guard isEscaped else {
                if character == "\\" { isEscaped = true } else { signs.append(Sign(character: character, isPlain: false)) }
                continue
            }
            isEscaped = false
            switch character {
            case "~", "=", "#", "{", "}", ":", "\\": signs.append(Sign(character: character, isPlain: true))
            case "n": signs.append(Sign(character: "\n", isPlain: true))
            default:
                signs.append(Sign(character: "\\", isPlain: true))
                signs.append(Sign(character: character, isPlain: false))
            }
        }
        if isEscaped { signs.append(Sign(character: "\\", isPlain: true)) }
        self.signs = signs[...]
    }

    private init(signs: ArraySlice<Sign>) { self.signs = signs }

    var isEmpty: Bool { signs.isEmpty }

    /// The text as it reads.
    var text: String { Lines.trimmed(String(signs.map(\.character))) }

    subscript(range: Range<Int>) -> GIFTText { GIFTText(signs: signs[range]) }

    var indices: Range<Int> { signs.indices }

    /// The first place where these stand with their meaning.
    func first(_ wanted: String, from start: Int? = nil) -> Int? {
        let wanted = Array(wanted)
        let from = start ?? signs.startIndex
        guard signs.endIndex - from >= wanted.count else { return nil }
        return (from...(signs.endIndex - wanted.count)).first { begins($0, wanted) }
    }

    func last(_ wanted: String) -> Int? {
        let wanted = Array(wanted)
        guard signs.count >= wanted.count else { return nil }
        return (signs.startIndex...(signs.endIndex - wanted.count)).last { begins($0, wanted) }
    }

    private func begins(_ place: Int, _ wanted: [Character]) -> Bool {
        wanted.indices.allSatisfy { !signs[place + $0].isPlain && signs[place + $0].character == wanted[$0] }
    }

    /// The parts between these signs.
    func split(at separators: Set<Character>) -> [(mark: Character?, text: GIFTText)] {
        var parts: [(mark: Character?, text: GIFTText)] = []
        var start = signs.startIndex
        var mark: Character?
        for index in signs.indices where !signs[index].isPlain && separators.contains(signs[index].character) {
            parts.append((mark, self[start..<index].trimmed))
            mark = signs[index].character
            start = index + 1
        }
        parts.append((mark, self[start..<signs.endIndex].trimmed))
        // What stands before the first sign is no part, where it is nothing.
        if let first = parts.first, first.mark == nil, first.text.isEmpty { parts.removeFirst() }
        return parts
    }

    var trimmed: GIFTText {
        var rest = signs
        while let first = rest.first, first.character.isWhitespace, !first.isPlain { rest.removeFirst() }
        while let last = rest.last, last.character.isWhitespace, !last.isPlain { rest.removeLast() }
        return GIFTText(signs: rest)
    }

    /// Without the feedback after `#`.
    var withoutFeedback: GIFTText { first("#").map { self[signs.startIndex..<$0].trimmed } ?? self }

    /// Without `[html]` and its like at the beginning.
    var withoutFormat: GIFTText {
        for name in ["[html]", "[moodle]", "[plain]", "[markdown]"] where first(name) == signs.startIndex {
            return self[(signs.startIndex + name.count)..<signs.endIndex].trimmed
        }
        return self
    }

    /// A share in percent at the beginning, and what follows; nil where none stands there.
    var weight: (percent: Double, rest: GIFTText)? {
        guard first("%") == signs.startIndex, let end = first("%", from: signs.startIndex + 1),
            let percent = Double(String(signs[(signs.startIndex + 1)..<end].map(\.character))), percent.isFinite, abs(percent) <= 100
        else { return nil }
        return (percent, self[(end + 1)..<signs.endIndex].trimmed)
    }

    /// It begins as a share would, and is none.
    var hasBrokenWeight: Bool {
        guard weight == nil, first("%") == signs.startIndex, let next = signs.dropFirst().first?.character else { return false }
        return next.isWholeNumber || next == "-" || next == "."
    }
}
