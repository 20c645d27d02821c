// SPDX-License-Identifier: Apache-2.0
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
            _ = try XMLReader.read(part.target, of: package.archive, into: styles)
        }
        let body = WordBody(place: nil, styles: styles, builder: builder)
        guard try XMLReader.read(package.mainPart, of: package.archive, into: body) != nil else {
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
}
