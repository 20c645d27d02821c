// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Presentations in Office Open XML (`.pptx`, `.pptm`, `.ppsx`, `.potx`).
package struct PresentationAnalyzer: OutlineAnalyzer {
    package let identifier = "pptx"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        guard document.looksLikeZip, try document.archive().contains("_rels/.rels") else { return false }
        let package = try document.officePackage()
        let type = package.mainContentType
        return type.contains("presentationml") || type.contains("ms-powerpoint") || (type.isEmpty && package.mainPart.hasPrefix("ppt/"))
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let package = try document.officePackage()
        let list = SlideList(limit: document.limits.slides)
        guard try XMLReader.read(package.mainPart, of: package.archive, into: list) != nil, list.sawPresentation else {
            throw .damaged(what: "its main part holds no presentation")
        }
        // The list decides which parts are slides and in which order: a deleted slide's part may still lie in the package.
        var parts: [String: String] = [:]
        for relationship in try package.relationships(of: package.mainPart) where relationship.type == "slide" {
            parts[relationship.id] = relationship.target
        }
        var slides: [Slide] = []
        for (index, id) in list.slideIDs.enumerated() {
            guard let part = parts[id] else { throw .damaged(what: "slide \(index + 1) is missing") }
            let content = SlideContent(kind: .slide, builder: builder)
            guard try XMLReader.read(part, of: package.archive, into: content) != nil else {
                throw .damaged(what: "slide \(index + 1) is missing")
            }
            slides.append(Slide(isHidden: content.isHidden))
            try readBesides(part, package, builder)
        }
        builder.facts.slides = slides
    }

    /// What hangs on a slide: the speaker's notes and comments.
    private func readBesides(_ slide: String, _ package: OfficePackage, _ builder: OutlineBuilder) throws(ReadingError) {
        for relationship in try package.relationships(of: slide) {
            let kind: SlideContent.Kind
            switch relationship.type {
            case "notesSlide": kind = .notes
            case "comments": kind = .comments
            default: continue
            }
            guard try XMLReader.read(relationship.target, of: package.archive, into: SlideContent(kind: kind, builder: builder)) != nil
            else {
                throw .damaged(what: "the \(kind == .notes ? "notes" : "comments") of a slide are missing")
            }
        }
    }
}

/// The ids of the slides in their order.
private final class SlideList: XMLHandler {
    private(set) var slideIDs: [String] = []
    private(set) var sawPresentation = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        guard name.space == .presentation else { return .over }
        switch name.local {
        case .presentation: sawPresentation = true
        case .sldIdLst: break
        case .sldId:
            guard slideIDs.count < limit else { throw .tooLarge(what: "more than \(limit) slides") }
            if let id = attributes[.relationshipID, .id] { slideIDs.append(id) }
        default: return .over
        }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}
    func end(_ name: XMLName) throws(ReadingError) {}
}
