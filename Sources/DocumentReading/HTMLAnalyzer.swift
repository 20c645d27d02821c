// SPDX-License-Identifier: Apache-2.0
import CHTML
import TextAnalysis

/// Web pages (`.html`, `.xhtml`).
package struct HTMLAnalyzer: OutlineAnalyzer {
    package let identifier = "html"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        if FormatSniffer.describeMarkup(document) == "HTML" { return true }
        return ["html", "htm", "xhtml"].contains(document.nameExtension) && !document.looksLikeZip
            && FormatSniffer.describeMarkup(document) == nil && TextDecoder.looksLikeText(document)
            && document.head.contains(UInt8(ascii: "<"))
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        if let charset = Self.declaredCharset(document) {
            guard let text = decodedBytes(try document.bytes(), charset: charset) else {
                throw .damaged(what: "it says that its text is \(charset), which is no character set")
            }
            builder.facts.encoding = charset
            return try Self.read(TextSource(text), document, builder)
        }
        try TextDecoder.read(document, into: builder) { text throws(ReadingError) in try Self.read(text, document, builder) }
    }

    private static func read(_ text: TextSource, _ document: Document, _ builder: OutlineBuilder) throws(ReadingError) {
        let parser = try HTMLReader(builder, depthLimit: document.limits.xmlDepth)
        try text.pieces { piece throws(ReadingError) in try parser.feed(piece) }
        try parser.finish()
        if let language = parser.language { builder.facts.language = language }
    }

    /// What a page says in its first kilobyte, where that is not UTF-8.
    private static func declaredCharset(_ document: Document) -> String? {
        guard !document.starts(with: [0xef, 0xbb, 0xbf]), !document.starts(with: [0xff, 0xfe]), !document.starts(with: [0xfe, 0xff]) else {
            return nil
        }
        let head = String(decoding: document.head.prefix(1024), as: UTF8.self).lowercased()
        guard let found = head.firstRange(of: "charset=") else { return nil }
        let name = head[found.upperBound...].drop { $0 == "\"" || $0 == "'" }.prefix {
            $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
        }
        // Browsers read these two as Windows' set, and a page that could be read here cannot be UTF-16.
        switch name {
        case "", "utf-8", "utf8", "utf-16", "utf-16le", "utf-16be": return nil
        case "iso-8859-1", "latin1", "us-ascii", "ascii": return "windows-1252"
        default: return name.utf8.count <= 40 ? String(name) : nil
        }
    }
}
