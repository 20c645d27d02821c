// SPDX-License-Identifier: Apache-2.0
import CTOML

/// A place in the text, from 1; columns count characters.
struct Position: Hashable, Comparable {
    var line: Int
    var column: Int

    static func < (left: Position, right: Position) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

/// A TOML value with its place.
struct TOMLValue {
    struct Member {
        var key: String
        var keyPosition: Position
        var value: TOMLValue
    }

    enum Content {
        case table([Member])
        case array([TOMLValue])
        case string(String)
        case integer(Int64)
        case real(Double)
        case boolean(Bool)
        case dateOrTime
    }

    var content: Content
    var position: Position

    /// For messages.
    var kindName: String {
        switch content {
        case .table: "a table"
        case .array: "a list"
        case .string: "a text"
        case .integer: "a number"
        case .real: "a decimal number"
        case .boolean: "true or false"
        case .dateOrTime: "a date or time"
        }
    }

    enum Outcome {
        case root(TOMLValue)
        case wrong(String, Position)
    }

    /// Each dot in a key is a table in a table, and taking a tree down needs stack for its depth. More are in no sensible line.
    static let dotsInLineLimit = 500

    /// Reads a whole text; the parser stops at its first mistake.
    static func parse(_ text: [UInt8]) -> Outcome {
        for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where line.count(where: { $0 == UInt8(ascii: ".") }) > dotsInLineLimit {
            let message = "more than \(dotsInLineLimit) dots in one line; break a long list into several lines"
            return .wrong(message, Position(line: index + 1, column: 1))
        }
        let document = text.withUnsafeBytes { bytes in
            daybook_toml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard let document else { return .wrong("not enough memory to read it", Position(line: 1, column: 1)) }
        defer { daybook_toml_free(document) }
        var line: UInt32 = 0
        var column: UInt32 = 0
        if let message = daybook_toml_error(document, &line, &column) {
            return .wrong(String(cString: message), Position(line: max(1, Int(line)), column: max(1, Int(column))))
        }
        var count = 0
        let nodes = UnsafeBufferPointer(start: daybook_toml_nodes(document, &count), count: count)
        return .root(TOMLValue(nodes, at: 0))
    }

    private init(_ nodes: UnsafeBufferPointer<daybook_toml_node>, at index: Int) {
        let node = nodes[index]
        position = Position(line: Int(node.line), column: Int(node.column))
        switch node.kind {
        case DAYBOOK_TOML_STRING: content = .string(text(node.string, node.string_length))
        case DAYBOOK_TOML_INTEGER: content = .integer(node.integer)
        case DAYBOOK_TOML_REAL: content = .real(node.real)
        case DAYBOOK_TOML_BOOLEAN: content = .boolean(node.boolean)
        case DAYBOOK_TOML_TABLE, DAYBOOK_TOML_ARRAY:
            var members: [Member] = []
            var child = index + 1
            while child < node.end {
                let place = Position(line: Int(nodes[child].key_line), column: Int(nodes[child].key_column))
                let key = text(nodes[child].key, nodes[child].key_length)
                members.append(Member(key: key, keyPosition: place, value: TOMLValue(nodes, at: child)))
                child = nodes[child].end
            }
            content = node.kind == DAYBOOK_TOML_TABLE ? .table(members) : .array(members.map(\.value))
        default: content = .dateOrTime
        }
    }
}

private func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}
