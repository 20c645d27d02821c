// SPDX-License-Identifier: Apache-2.0

/// A mistake in a file, for whoever made it.
package struct ListMistake: Error, Equatable, CustomStringConvertible {
    package var file: String
    /// From 1; nil where it is about the whole file.
    package var line: Int?
    /// What is wrong, and how it is mended.
    package var message: String

    package init(file: String, line: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + message }
}

/// A table of comma-separated values (RFC 4180) with a header, read from bytes that anybody may have made.
///
/// Taken as they come: a byte-order mark, any line end, quoted fields with line breaks, columns in any order, columns that nobody asks for.
package struct CSVTable: Equatable, Sendable {
    package struct Row: Equatable, Sendable {
        /// Where it begins, from 1.
        package var line: Int
        package var fields: [String]
    }

    package static let longestFile = 64 << 20
    package static let longestField = 64 << 10
    package static let mostRows = 1_000_000
    /// Beyond this many mistakes the rest is counted.
    package static let mostMistakes = 100

    package private(set) var columns: [String] = []
    package private(set) var rows: [Row] = []
    private let file: String

    /// `mistakes` gets what is wrong; the rows that are good are kept, so that all can be said at once.
    package init(_ bytes: [UInt8], file: String, mistakes: inout [ListMistake]) {
        self.file = file
        func wrong(_ line: Int?, _ message: String) { mistakes.append(ListMistake(file: file, line: line, message: message)) }
        guard bytes.count <= Self.longestFile else {
            wrong(nil, "is larger than 64 MiB, so this is no class list")
            return
        }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            wrong(nil, "is UTF-16; save it as UTF-8 (in a spreadsheet: 'CSV UTF-8')")
            return
        }
        var scanner = CSVScanner(bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...])
        var width = 0
        while let record = scanner.next() {
            if let problem = record.problem {
                wrong(record.line, problem)
                if record.isLast { return }
                continue
            }
            if columns.isEmpty {
                guard let names = header(record, &mistakes) else { return }
                columns = names
                width = names.count
                continue
            }
            guard rows.count < Self.mostRows else {
                wrong(record.line, "more than \(Self.mostRows) rows")
                return
            }
            guard record.fields.count == width else {
                wrong(
                    record.line,
                    "has \(record.fields.count) fields, and the header has \(width); is a comma or a quote missing, or one too many?")
                continue
            }
            rows.append(Row(line: record.line, fields: record.fields))
        }
        if columns.isEmpty { wrong(nil, "is empty; its first line names the columns") }
    }

    private func header(_ record: CSVScanner.Record, _ mistakes: inout [ListMistake]) -> [String]? {
        let names = record.fields.map { trimmed($0) }
        func wrong(_ message: String) -> [String]? {
            mistakes.append(ListMistake(file: file, line: record.line, message: message))
            return nil
        }
        if names.count == 1, let other = [";", "\t"].first(where: { names[0].contains($0) }) {
            return wrong("the columns are separated by \(other == ";" ? "semicolons" : "tabs"); OneRoster wants commas, so export it so")
        }
        var seen: Set<String> = []
        for name in names where !seen.insert(name.lowercased()).inserted { return wrong("the column '\(name)' stands twice") }
        return names
    }

    /// The place of a column, whatever its capitals; nil where there is none.
    package func column(_ name: String) -> Int? { columns.firstIndex { $0.lowercased() == name.lowercased() } }

    /// The places of columns that must be there; nil, and named, where one is missing.
    package func require(_ names: [String], mistakes: inout [ListMistake]) -> [String: Int]? {
        guard !columns.isEmpty else { return nil }
        var places: [String: Int] = [:]
        var missing: [String] = []
        for name in names {
            if let place = column(name) { places[name] = place } else { missing.append(name) }
        }
        if missing.isEmpty { return places }
        let list = missing.map { "'\($0)'" }.joined(separator: ", ")
        mistakes.append(
            ListMistake(
                file: file, line: 1,
                message: "the column\(missing.count == 1 ? "" : "s") \(list) \(missing.count == 1 ? "is" : "are") missing; there are: "
                    + columns.prefix(20).joined(separator: ", ")))
        return nil
    }
}

func trimmed(_ text: String) -> String {
    var view = Substring(text)
    while view.first == " " || view.first == "\t" { view.removeFirst() }
    while view.last == " " || view.last == "\t" { view.removeLast() }
    return String(view)
}

/// Splits bytes into records.
package struct CSVScanner {
    package struct Record {
        /// Where it begins, from 1.
        package var line: Int
        package var fields: [String] = []
        /// What is wrong with it.
        package var problem: String?
        /// Nothing can be read after it.
        package var isLast = false
    }

    private var rest: ArraySlice<UInt8>
    private var line = 1
    private let comma: UInt8

    /// `separator` stands between fields.
    package init(_ bytes: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")) {
        rest = bytes
        comma = separator
    }

    /// The one of comma, semicolon and tab that the first line with text has most of, outside quotes.
    package static func separator(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        var hasText = false
        for byte in bytes.prefix(4096) {
            if byte == quote { isQuoted.toggle() }
            if !isQuoted, byte == lineFeed || byte == carriageReturn {
                if hasText { break }
                continue
            }
            hasText = true
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
        return candidates.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? candidates[0]
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The next record that is no empty line.
    package mutating func next() -> Record? {
        while let byte = rest.first, byte == Self.lineFeed || byte == Self.carriageReturn { endLine() }
        guard !rest.isEmpty else { return nil }
        var record = Record(line: line)
        while true {
            switch field(&record) {
            case .comma: continue
            case .end: return record
            case .broken:
                record.isLast = true
                return record
            }
        }
    }

    private enum FieldEnd { case comma, end, broken }

    private mutating func field(_ record: inout Record) -> FieldEnd {
        var bytes: [UInt8] = []
        if rest.first == Self.quote {
            let began = line
            rest.removeFirst()
            var isClosed = false
            while let byte = rest.popFirst() {
                if byte == Self.quote {
                    guard rest.first == Self.quote else {
                        isClosed = true
                        break
                    }
                    rest.removeFirst()
                } else if byte == Self.lineFeed || byte == Self.carriageReturn && rest.first != Self.lineFeed {
                    line += 1
                }
                bytes.append(byte)
                if bytes.count > CSVTable.longestField {
                    record.problem = "a quoted field that begins here is longer than 64 KiB; a closing quote is missing"
                    return .broken
                }
            }
            guard isClosed else {
                record.line = began
                record.problem = "a quoted field that begins here has no closing quote"
                return .broken
            }
            if let byte = rest.first, ![comma, Self.lineFeed, Self.carriageReturn].contains(byte) {
                record.problem =
                    record.problem ?? "text follows a closing quote; a quote inside a field is written twice, and the field in quotes"
            }
        }
        while let byte = rest.first, byte != comma, byte != Self.lineFeed, byte != Self.carriageReturn {
            bytes.append(byte)
            rest.removeFirst()
            if bytes.count > CSVTable.longestField {
                record.problem = "a field is longer than 64 KiB"
                return .broken
            }
        }
        if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) {
            record.fields.append(text)
        } else {
            record.fields.append("")
            record.problem = record.problem ?? "is not UTF-8; save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8')"
        }
        guard let byte = rest.first else { return .end }
        if byte == comma {
            rest.removeFirst()
            return .comma
        }
        endLine()
        return .end
    }

    /// One line end of any kind.
    private mutating func endLine() {
        let byte = rest.removeFirst()
        if byte == Self.carriageReturn, rest.first == Self.lineFeed { rest.removeFirst() }
        line += 1
    }
}
