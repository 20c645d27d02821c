// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Pages, Keynote and Numbers since 2013. Apple promises nothing about their form, so only what is plain in it is given: the slides of a
/// presentation, the words of a text's body.
package struct IWorkAnalyzer: OutlineAnalyzer {
    package let identifier = "iwork"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        guard document.looksLikeZip else { return false }
        let archive = try document.archive()
        return archive.contains("Index/Document.iwa") || archive.contains("index.apxl")
            || ((archive.contains("Index.zip") || archive.contains("index.xml")) && Self.kinds.contains(document.nameExtension))
    }

    package func format(of document: Document) -> String {
        if Self.kinds.contains(document.nameExtension) { return document.nameExtension }
        return identifier
    }

    private static let kinds: Set<String> = ["pages", "key", "numbers"]

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let archive = try document.archive()
        let names = archive.names
        guard names.contains("Index/Document.iwa") else {
            builder.facts.noWordsBecause =
                "iWork documents of before 2013, and those saved as a package, are read by another program, which is not there"
            return
        }
        if names.contains(".iwpv2") || names.contains(".iwph") { throw .encrypted }
        let slides = names.count { $0.hasPrefix("Index/Slide") && $0.hasSuffix(".iwa") && !$0.hasPrefix("Index/Slides") }
        if slides > 0 || names.contains(where: { $0.hasPrefix("Index/MasterSlide") }) {
            builder.facts.slides = (0..<slides).map { _ in Slide(isHidden: false) }
            builder.facts.areHiddenSlidesKnown = false
            builder.facts.noWordsBecause =
                "words of a Keynote presentation are read by another program, which is not there; export it as .pptx"
            return
        }
        guard names.contains(where: { $0.hasPrefix("Index/Tables/") }) == false || document.nameExtension == "pages" else {
            builder.facts.noWordsBecause = "cells of Numbers are read by another program, which is not there; export them as .xlsx"
            return
        }
        builder.facts.areWordsEstimated = true
        let texts = IWorkTexts(document)
        guard let packed = try archive.contents("Index/Document.iwa", limit: document.limits.styleBytes) else {
            throw .damaged(what: "its text is missing")
        }
        for body in try texts.bodies(in: packed) {
            for paragraph in body.split(separator: 0x0a) { try builder.append(Array(paragraph), at: .paragraph) }
        }
    }
}
