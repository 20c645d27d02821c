// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Tables as text (`.csv`, `.tsv`): filled cells and their words. The separator is the one of comma, semicolon and tab that the first line
/// has most of; quotes are as in RFC 4180.
package struct CSVAnalyzer: OutlineAnalyzer {
    package let identifier = "csv"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        ["csv", "tsv"].contains(document.nameExtension) && !document.looksLikeZip && FormatSniffer.describeMarkup(document) == nil
            && TextDecoder.looksLikeText(document)
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        try TextDecoder.read(document, into: builder) { text throws(ReadingError) in
            var table = CSVTable(separator: Self.separator(text, document), builder)
            try text.pieces { piece throws(ReadingError) in for byte in piece { try table.add(byte) } }
            try table.endCell()
            builder.facts.cells = table.cells
            builder.facts.sheets = 1
        }
    }

    private static func separator(_ text: TextSource, _ document: Document) -> UInt8 {
        if document.nameExtension == "tsv" { return 0x09 }
        var line = [UInt8](repeating: 0, count: 4096)
        let got = line.withUnsafeMutableBytes { text.read(at: 0, into: $0) }
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in line[..<got] {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == 0x0a, !isQuoted { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
        return candidates.max { counts[$0] ?? 0 < counts[$1] ?? 0 } ?? UInt8(ascii: ",")
    }
}

/// Cells, byte by byte.
struct CSVTable {
    private let separator: UInt8
    private let builder: OutlineBuilder
    private(set) var cells = 0
    private var cell: [UInt8] = []
    private var isQuoted = false
    private var wasQuote = false

    init(separator: UInt8, _ builder: OutlineBuilder) {
        self.separator = separator
        self.builder = builder
    }

    mutating func add(_ byte: UInt8) throws(ReadingError) {
        if isQuoted {
            if byte == UInt8(ascii: "\"") {
                isQuoted = false
                wasQuote = true
            } else {
                cell.append(byte)
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""):
            // Two quotes in a quoted cell are one.
            if wasQuote { cell.append(byte) }
            if cell.isEmpty || wasQuote { isQuoted = true } else { cell.append(byte) }
            wasQuote = false
        case separator, 0x0a, 0x0d: try endCell()
        default:
            wasQuote = false
            cell.append(byte)
        }
    }

    mutating func endCell() throws(ReadingError) {
        if cell.contains(where: { $0 > 0x20 }) {
            cells += 1
            try builder.append(cell, at: .tableCell)
        }
        cell.removeAll(keepingCapacity: true)
        isQuoted = false
        wasQuote = false
    }
}
