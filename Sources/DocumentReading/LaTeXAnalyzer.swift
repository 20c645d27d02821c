// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// LaTeX: the words of its prose. Formulas are no words, and what macros of the author's own write is not known, so words are estimated.
package struct LaTeXAnalyzer: OutlineAnalyzer {
    package let identifier = "tex"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        ["tex", "latex", "ltx"].contains(document.nameExtension) && !document.looksLikeZip && TextDecoder.looksLikeText(document)
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let bytes = try TextDecoder.text(document, builder)
        builder.facts.areWordsEstimated = true
        var reader = LaTeXReader(bytes, builder, depthLimit: document.limits.xmlDepth)
        try reader.read()
    }
}
