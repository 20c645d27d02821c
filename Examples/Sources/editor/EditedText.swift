// SPDX-License-Identifier: Apache-2.0

/// Lines and a place in them.
struct EditedText {
    private(set) var lines: [[Character]]
    private(set) var row = 0
    private(set) var column = 0

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        // Work goes on at the end.
        row = lines.count - 1
        column = lines[row].count
    }

    var whole: String { lines.map { String($0) }.joined(separator: "\n") }

    mutating func insert(_ character: Character) {
        if character == "\n" {
            let rest = Array(lines[row][column...])
            lines[row].removeSubrange(column...)
            lines.insert(rest, at: row + 1)
            (row, column) = (row + 1, 0)
        } else {
            lines[row].insert(character, at: column)
            column += 1
        }
    }

    /// Takes away what stands before the place.
    mutating func erase() {
        if column > 0 {
            column -= 1
            lines[row].remove(at: column)
        } else if row > 0 {
            let rest = lines.remove(at: row)
            row -= 1
            column = lines[row].count
            lines[row] += rest
        }
    }

    mutating func moveLeft() {
        if column > 0 { column -= 1 } else if row > 0 { (row, column) = (row - 1, lines[row - 1].count) }
    }

    mutating func moveRight() {
        if column < lines[row].count { column += 1 } else if row + 1 < lines.count { (row, column) = (row + 1, 0) }
    }

    mutating func moveUp() {
        if row > 0 { (row, column) = (row - 1, min(column, lines[row - 1].count)) }
    }

    mutating func moveDown() {
        if row + 1 < lines.count { (row, column) = (row + 1, min(column, lines[row + 1].count)) }
    }
}
