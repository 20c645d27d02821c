// SPDX-License-Identifier: Apache-2.0

/// Footnotes, which CommonMark does not have and most programs do: `[^name]` in the text, and a paragraph that begins with `[^name]:`.
enum MarkdownFootnotes {
    /// The text without its notes, and the notes.
    static func split(_ text: String) -> (main: String, notes: [String]) {
        guard text.contains("[^") else { return (text, []) }
        var main: [Substring] = []
        var notes: [String] = []
        var note: [Substring]?
        var fence: Substring?
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let trimmed = line.drop { $0 == " " }
            if let open = fence {
                if trimmed.hasPrefix(open), line.count - trimmed.count < 4 { fence = nil }
            } else if note == nil, trimmed.hasPrefix("```") || trimmed.hasPrefix("~~~") {
                fence = trimmed.prefix { $0 == trimmed.first }
            } else if let content = definition(trimmed), line.count - trimmed.count < 4 {
                if let note { notes.append(note.joined(separator: "\n")) }
                note = [content]
                continue
            } else if note != nil {
                // A note goes on in what follows at once, and in what is indented.
                let isBlank = trimmed.isEmpty
                let isIndented = line.hasPrefix("    ") || line.hasPrefix("\t")
                if isIndented || (!isBlank && note?.last?.isEmpty == false) {
                    note?.append(isIndented ? trimmed : line)
                    continue
                }
                if isBlank {
                    note?.append("")
                    main.append("")
                    continue
                }
            }
            if let done = note {
                notes.append(done.joined(separator: "\n"))
                note = nil
            }
            main.append(line)
        }
        if let note { notes.append(note.joined(separator: "\n")) }
        return (main.joined(separator: "\n"), notes)
    }

    private static func definition(_ line: Substring) -> Substring? {
        guard line.hasPrefix("[^"), let end = line.firstIndex(of: "]"), line[line.index(after: end)...].hasPrefix(":"),
            line.distance(from: line.startIndex, to: end) > 2
        else { return nil }
        return line[line.index(end, offsetBy: 2)...].drop { $0 == " " || $0 == "\t" }
    }

    /// A mark of a note is no word.
    static func withoutReferences(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "^")) else { return text }
        var out: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "["), index + 2 < text.count, text[index + 1] == UInt8(ascii: "^"),
                let end = text[(index + 2)...].prefix(80).firstIndex(where: { $0 == UInt8(ascii: "]") || $0 <= 0x20 }),
                text[end] == UInt8(ascii: "]"), end > index + 2
            {
                index = end + 1
            } else {
                out.append(text[index])
                index += 1
            }
        }
        return out
    }
}
