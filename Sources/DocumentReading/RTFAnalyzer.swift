// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Rich Text Format (`.rtf`).
package struct RTFAnalyzer: OutlineAnalyzer {
    package let identifier = "rtf"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool { FormatSniffer.describeMarkup(document) == "RTF" }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        var reader = RTFReader(builder, depthLimit: document.limits.xmlDepth)
        try reader.read(document.bytes())
        builder.facts.pages = .flowing(breaks: reader.pageBreaks, declared: nil)
    }
}
