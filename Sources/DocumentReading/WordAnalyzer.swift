// SPDX-License-Identifier: Apache-2.0
import CDaybookICU
import TextAnalysis

/// Word-processor documents in Office Open XML (`.docx`, `.docm`, `.dotx`).
package struct WordAnalyzer: OutlineAnalyzer {
    package let identifier = "docx"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        guard document.looksLikeZip, try document.archive().contains("_rels/.rels") else { return false }
        let package = try document.officePackage()
        let type = package.mainContentType
        return type.contains("wordprocessingml") || type.contains("ms-word") || (type.isEmpty && package.mainPart.hasPrefix("word/"))
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let package = try document.officePackage()
        let related = try package.relationships(of: package.mainPart)
        let styles = WordStyles()
        if let part = related.first(where: { $0.type == "styles" }) {
            try Self.readStyles(part.target, package, into: styles)
        }
        let body = WordBody(place: nil, styles: styles, builder: builder)
        guard try XMLReader.read(package.mainPart, of: package.archive, through: RunPropertyFilter(), into: body) != nil else {
            throw .damaged(what: "its main part is missing")
        }
        guard body.sawBody else { throw .damaged(what: "its main part holds no document body") }
        let places: [String: Place] = [
            "footnotes": .note, "endnotes": .note, "header": .headerFooter, "footer": .headerFooter, "comments": .comment,
        ]
        var seen: Set<String> = []
        for part in related {
            guard let place = places[part.type], seen.insert(part.target).inserted else { continue }
            guard
                try XMLReader.read(part.target, of: package.archive, into: WordBody(place: place, styles: styles, builder: builder)) != nil
            else { throw .damaged(what: "its part for \(part.type) is missing") }
        }
        builder.facts.language = styles.language
        builder.facts.pages = .flowing(breaks: body.pageBreaks, declared: try package.declaredPages())
    }

    /// Most of a style sheet is looks of tables, and names of styles that the document does not have. They say nothing about text, so they
    /// are cut out before the rest is read: neither element can stand inside another of its name.
    private static func readStyles(_ part: String, _ package: OfficePackage, into styles: WordStyles) throws(ReadingError) {
        let limit = package.archive.document.limits.styleBytes
        guard let whole = try package.archive.contents(part, limit: limit) else { return }
        try XMLReader.read(
            withoutElements([("<w:style w:type=\"table\"", "</w:style>"), ("<w:latentStyles", "</w:latentStyles>")], of: whole),
            what: "the part \(part)", of: package.archive.document, into: styles)
    }

    private static func withoutElements(_ elements: [(start: String, end: String)], of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for (start, end) in elements {
            var kept: [UInt8] = []
            var index = 0
            while let begin = find(start, in: bytes, from: index), let stop = find(end, in: bytes, from: begin) {
                kept.append(contentsOf: bytes[index..<begin])
                index = stop + end.utf8.count
            }
            if index > 0 { bytes = kept + bytes[index...] }
        }
        return bytes
    }

    private static func find(_ needle: String, in bytes: [UInt8], from start: Int) -> Int? {
        var needle = needle
        let rest = bytes.count - start
        let found = bytes.withUnsafeBufferPointer { buffer in
            needle.withUTF8 { wanted in
                buffer.baseAddress.map { daybook_find($0 + start, rest, wanted.baseAddress, wanted.count) } ?? rest
            }
        }
        return found < rest ? start + found : nil
    }
}
