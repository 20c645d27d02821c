// SPDX-License-Identifier: Apache-2.0

/// Where a text will be shown.
package struct TextStyle: Equatable, Sendable {
    /// Columns of the terminal.
    package var width: Int
    /// Outside UTF-8 only ASCII is written.
    package var isUTF8: Bool

    /// What a page or a pipe gets.
    package static let plain = TextStyle(width: 80, isUTF8: true)

    package init(width: Int, isUTF8: Bool) {
        self.width = max(Self.narrowest, width)
        self.isUTF8 = isUTF8
    }

    /// Narrower terminals are taken to be this wide; their lines wrap.
    package static let narrowest = 20

    /// Running text is not set wider than this, however wide the terminal is.
    var textWidth: Int { min(width, 80) - 1 }

    var line: String { isUTF8 ? "─" : "-" }
    var dot: String { isUTF8 ? "·" : "-" }
    var dash: String { isUTF8 ? "–" : "-" }
    var ellipsis: String { isUTF8 ? "…" : "..." }

    /// The text as this terminal can show it. Control characters and those that turn the writing direction around never get through:
    /// names come from other people, and terminals obey.
    package func shown(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .surrogate, .lineSeparator, .paragraphSeparator: result.unicodeScalars.append("?")
            case .format where scalar != "\u{200D}" && scalar != "\u{200C}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return isUTF8 ? result : asciiText(result)
    }
}

/// Cuts text to a number of columns; what is cut ends in the ellipsis.
package func fitted(_ text: String, to width: Int, ellipsis: String = "…") -> String {
    guard displayWidth(text) > width else { return text }
    let room = width - displayWidth(ellipsis)
    guard room > 0 else { return String(repeating: ".", count: max(0, width)) }
    var result = ""
    var used = 0
    for character in text {
        let columns = displayWidth(character)
        if used + columns > room { break }
        result.append(character)
        used += columns
    }
    return result + ellipsis
}

/// Cuts a path from its beginning: its end says which file it is.
package func fittedPath(_ path: String, to width: Int, ellipsis: String = "…") -> String {
    guard displayWidth(path) > width else { return path }
    var result = ""
    var used = displayWidth(ellipsis)
    for character in path.reversed() {
        used += displayWidth(character)
        if used > width { break }
        result.insert(character, at: result.startIndex)
    }
    return ellipsis + result
}

/// Fills text with spaces to a number of columns.
package func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - displayWidth(text)))
    return right ? space + text : text + space
}

/// Sets running text in lines of at most `width` columns, broken at spaces. Spaces that stand together inside a line stay.
package func wrapped(_ text: String, to width: Int, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    var pending = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
        // An empty piece is one more space between two words.
        if word.isEmpty {
            pending += " "
            continue
        }
        let start = lines.isEmpty ? pending : indent
        if line.isEmpty {
            line = start + word
        } else if displayWidth(line) + displayWidth(pending) + 1 + displayWidth(String(word)) <= width {
            line += pending + " " + word
        } else {
            lines.append(line)
            line = indent + word
        }
        pending = ""
    }
    if !line.isEmpty { lines.append(line) }
    return lines
}

/// A table whose columns keep their places; a cell may flow over empty ones on its right.
struct TextTable {
    struct Column {
        var head: String
        /// Spaces before it.
        var gap: Int
        var width: Int
        var right: Bool
    }

    var columns: [Column]

    var width: Int { columns.reduce(0) { $0 + $1.gap + $1.width } }

    func line(_ cells: [String]) -> String {
        var result = ""
        var used = 0
        var place = 0
        for (column, cell) in zip(columns, cells) {
            let start = place + column.gap
            place = start + column.width
            if cell.isEmpty { continue }
            let wanted = column.right ? place - displayWidth(cell) : start
            let from = used == 0 ? max(0, wanted) : max(used + 1, wanted)
            result += String(repeating: " ", count: from - used) + cell
            used = from + displayWidth(cell)
        }
        while result.last == " " { result.removeLast() }
        return result
    }

    var head: String { line(columns.map(\.head)) }
}
