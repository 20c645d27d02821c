// SPDX-License-Identifier: Apache-2.0

/// How texts are compared: whatever the capitals, spaces, kind of quotes, width of letters and a last full stop.
struct ReplyText {
    /// Compatibility forms and capitals made one (NFKC and case folding); the caller has the tables.
    let fold: (String) -> String

    func folded(_ text: String) -> String {
        var result = collapsed(fold(text))
        if result.count > 1, result.last == ".", !result.hasSuffix("..") { result.removeLast() }
        return Lines.trimmed(result)
    }

    /// A piece of a pattern: spaces at its ends count.
    private func piece(_ text: String) -> String { collapsed(fold(text)) }

    private func collapsed(_ text: String) -> String {
        var result = ""
        var isSpace = false
        for character in text {
            if character.isWhitespace {
                if !isSpace { result.append(" ") }
                isSpace = true
                continue
            }
            isSpace = false
            switch character {
            case "\u{2018}", "\u{2019}", "\u{201a}", "\u{201b}", "\u{2032}", "\u{b4}", "`": result.append("'")
            case "\u{201c}", "\u{201d}", "\u{201e}", "\u{201f}", "\u{2033}", "\u{ab}", "\u{bb}": result.append("\"")
            case "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}": result.append("-")
            default: result.append(character)
            }
        }
        return result
    }

    /// Whether a text is one that is accepted; between pieces anything may stand.
    func matches(_ text: String, _ pieces: [String]) -> Bool {
        if pieces.count == 1 { return folded(text) == folded(pieces[0]) }
        var parts = pieces.map { piece($0) }
        parts[0] = String(parts[0].drop { $0 == " " })
        let last = parts.count - 1
        while parts[last].last == " " { parts[last].removeLast() }
        if parts[last].count > 1, parts[last].last == "." { parts[last].removeLast() }
        var rest = Substring(folded(text))
        guard rest.hasPrefix(parts[0]) else { return false }
        rest = rest.dropFirst(parts[0].count)
        for middle in parts[1..<last] where !middle.isEmpty {
            guard let found = rest.firstRange(of: middle) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(parts[last])
    }

    /// The numbers that a text may mean, in any way of writing: `3.5`, `3,5`, `1 000`, `1,000.5`, `1.000,5`, `-2e3`. `1,000` may be one or a
    /// thousand.
    static func numbers(_ text: String) -> [Double] {
        var bare = ""
        for character in text {
            switch character {
            case "\u{2212}", "\u{2013}": bare.append("-")
            case "'", "\u{2019}", "_": continue
            case _ where character.isWhitespace: continue
            case _ where character.isWholeNumber && !character.isASCII: bare += character.wholeNumberValue.map(String.init) ?? "?"
            default: bare.append(character)
            }
        }
        if bare.last == ".", bare.dropLast().last?.isNumber == true { bare.removeLast() }
        guard bare.count <= 40, bare.contains(where: \.isNumber), bare.allSatisfy({ "0123456789.,+-eE".contains($0) }) else { return [] }
        var readings = [bare.replacing(",", with: "."), bare]
        for (thousands, decimal) in [(",", "."), (".", ",")] where isGrouped(bare, thousands, decimal) {
            readings.append(bare.replacing(thousands, with: "").replacing(decimal, with: "."))
        }
        var numbers: [Double] = []
        for reading in readings {
            if let number = Double(reading), number.isFinite, !numbers.contains(number) { numbers.append(number) }
        }
        return numbers
    }

    /// `1,234,567.8`: groups of three, and at most one decimal mark after them.
    private static func isGrouped(_ text: String, _ thousands: String, _ decimal: String) -> Bool {
        let halves = text.split(separator: decimal, omittingEmptySubsequences: false)
        guard halves.count <= 2, !halves[halves.count - 1].contains(thousands) || halves.count == 1 else { return false }
        let groups = halves[0].drop { $0 == "-" || $0 == "+" }.split(separator: thousands, omittingEmptySubsequences: false)
        return groups.count >= 2 && (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 }
    }

    /// `B`, `b)`, `(B)`, `B.` as a place from 0.
    static func letter(_ text: String) -> Int? {
        let bare = text.filter { !"().[] :".contains($0) && !$0.isWhitespace }
        guard bare.utf8.count == 1, let byte = bare.utf8.first else { return nil }
        switch byte {
        case 65...90: return Int(byte) - 65
        case 97...122: return Int(byte) - 97
        default: return nil
        }
    }
}
