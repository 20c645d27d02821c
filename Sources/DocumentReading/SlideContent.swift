// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// One slide, one slide's notes, or one slide's comments.
final class SlideContent: XMLHandler {
    enum Kind { case slide, notes, comments }

    private let kind: Kind
    private let builder: OutlineBuilder
    private(set) var isHidden = false

    private enum Shape { case text, title, notesBody, apart }

    private var shapes: [Shape] = []
    private var paragraph: [UInt8] = []
    private var language: String?
    private var cells = 0
    private var choices: [Bool] = []
    private var collecting = false

    init(kind: Kind, builder: OutlineBuilder) {
        self.kind = kind
        self.builder = builder
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        switch (name.space, name.local) {
        case (.compatibility, .alternateContent): choices.append(false)
        case (.compatibility, .choice), (.compatibility, .fallback):
            if let last = choices.indices.last {
                if choices[last] { return .over }
                choices[last] = true
            }
        case (.presentation, .sld):
            if let show = attributes[.none, .show] { isHidden = show == "0" || show == "false" }
        case (.presentation, .sp), (.presentation, .graphicFrame), (.presentation, .pic), (.presentation, .cxnSp):
            shapes.append(.text)
        case (.presentation, .ph):
            if let last = shapes.indices.last { shapes[last] = Self.shape(placeholder: attributes[.none, .type]) }
        case (.presentation, .extLst), (.drawing, .extLst), (.presentation, .timing), (.presentation, .transition): return .over
        case (.drawing, .p): paragraph = []
        case (.drawing, .t): collecting = true
        case (.presentation, .text): collecting = kind == .comments
        case (.drawing, .br): paragraph.append(0x0a)
        case (.drawing, .rPr): language = attributes[.none, .lang]
        case (.drawing, .tc): cells += 1
        default: break
        }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
        guard collecting else { return }
        paragraph.append(contentsOf: bytes)
        if kind == .slide { builder.count(language: language, bytes: bytes.count) }
    }

    func end(_ name: XMLName) throws(ReadingError) {
        switch (name.space, name.local) {
        case (.compatibility, .alternateContent): _ = choices.popLast()
        case (.presentation, .sp), (.presentation, .graphicFrame), (.presentation, .pic), (.presentation, .cxnSp):
            _ = shapes.popLast()
        case (.drawing, .p): try endParagraph()
        case (.drawing, .t): collecting = false
        case (.presentation, .text):
            if collecting { try endParagraph() }
            collecting = false
        case (.drawing, .tc): cells = max(0, cells - 1)
        default: break
        }
    }

    private static func shape(placeholder type: String?) -> Shape {
        switch type {
        case "sldNum", "dt", "ftr", "hdr": .apart
        case "title", "ctrTitle": .title
        case "body": .notesBody
        default: .text
        }
    }

    private func endParagraph() throws(ReadingError) {
        let text = paragraph
        paragraph = []
        let shape = shapes.last ?? .text
        switch kind {
        case .comments: try builder.append(text, at: .comment)
        case .notes: if shape == .notesBody { try builder.append(text, at: .speakerNotes) }
        case .slide:
            if shape == .apart { return try builder.append(text, at: .headerFooter) }
            // What is not a title is a bullet: the words count, and only longer ones are read as sentences.
            try builder.append(text, at: cells > 0 ? .tableCell : shape == .title ? .heading : .listItem)
        }
    }
}
