// SPDX-License-Identifier: Apache-2.0

/// A text read as far as it goes.
struct RecoveredText {
    /// The tree without the statements that could not be read; nil where nothing could be saved.
    var root: TOMLValue?
    /// True where something was left out, so that a missing key may only be an unread one.
    var isPartial = false

    /// How many unreadable statements are looked for; a text with more is hardly a configuration, and each costs another reading.
    static let attempts = 20

    /// The parser stops at the first mistake. To name the others too, the statement with the mistake is blanked and the text read again.
    /// Where the next mistake follows at once, it is more likely the echo of the first (an open quote or bracket) than one of its own: then
    /// the rest of the text is given up.
    init(_ text: [UInt8], mistakes: Mistakes) {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        var blankedUpTo: Int?
        for _ in 0..<Self.attempts {
            switch TOMLValue.parse(Array(lines.joined(separator: [UInt8(ascii: "\n")]))) {
            case .root(let value):
                root = value
                return
            case .wrong(let message, let position):
                let line = min(position.line - 1, lines.count - 1)
                if let last = blankedUpTo, !lines[last..<max(last, line)].contains(where: Self.isStatement) {
                    // An echo: everything from here on is in doubt.
                    for index in last..<lines.count { lines[index] = [] }
                    if case .root(let value) = TOMLValue.parse(Array(lines.joined(separator: [UInt8(ascii: "\n")]))) { root = value }
                    return
                }
                mistakes.add(position, Self.inOurWords(message))
                isPartial = true
                let first = lines[...line].lastIndex(where: Self.isStatement) ?? line
                var end = line + 1
                if Self.isHeader(lines[first]) {
                    // Without its header, what follows would count for the section before.
                    while end < lines.count, !Self.isHeader(lines[end]) { end += 1 }
                }
                for index in first..<end { lines[index] = [] }
                blankedUpTo = end
            }
        }
    }

    private static func isStatement(_ line: [UInt8]) -> Bool {
        guard let first = line.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return false }
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return line.contains(UInt8(ascii: "="))
        case UInt8(ascii: "["): return isHeader(line)
        default: return false
        }
    }

    private static func isHeader(_ line: [UInt8]) -> Bool {
        let rest = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "[") }
        guard rest.startIndex > 0, line[rest.startIndex - 1] == UInt8(ascii: "["), let first = rest.first else { return false }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
    }

    private static func inOurWords(_ message: String) -> String {
        let start = "Error while parsing "
        return "not TOML: " + (message.hasPrefix(start) ? String(message.dropFirst(start.count)) : message)
    }
}
