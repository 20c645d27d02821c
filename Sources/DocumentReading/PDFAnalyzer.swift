// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// PDF: pages, counted as leaves of the page tree. Its words need a layout engine, which is another program's (`Documentation/Metrics.md`).
package struct PDFAnalyzer: OutlineAnalyzer {
    package let identifier = "pdf"

    /// Why there is no count of words.
    package static let wordsNeed = "words of a PDF need its pages laid out by another program, which is not there"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        // Some programs write a few bytes before it, and every reader forgives that.
        document.head.prefix(1024).firstRange(of: Array("%PDF-".utf8)) != nil && !document.looksLikeZip
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let objects = try PDFObjects(document)
        builder.facts.pages = .counted(try objects.pageCount())
        builder.facts.noWordsBecause = Self.wordsNeed
    }
}
