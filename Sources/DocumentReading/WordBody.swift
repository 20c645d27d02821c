// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// One part of a Word document that holds paragraphs: the body, notes, a header or footer, comments.
final class WordBody: XMLHandler {
    // A value in one piece: each element touches many of its fields, and looks at the object but once.
    private var state: WordText

    init(place: Place?, styles: WordStyles, builder: OutlineBuilder) {
        state = WordText(place: place, styles: styles, builder: builder)
    }

    /// The document element was there: what comes without it is no Word document.
    var sawBody: Bool { state.sawBody }
    /// Breaks that somebody set; where pages end by themselves is not known.
    var pageBreaks: Int { state.pageBreaks }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep { try state.start(name, attributes) }
    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) { try state.text(bytes) }
    func end(_ name: XMLName) throws(ReadingError) { try state.end(name) }
}

/// What is known of a part so far.
private struct WordText {
    /// Where all its text stands; nil for the body, whose paragraphs differ.
    private let place: Place?
    private let styles: WordStyles
    private let builder: OutlineBuilder
    private(set) var sawBody = false
    private(set) var pageBreaks = 0

    private struct Paragraph {
        var visible: [UInt8] = []
        var hidden: [UInt8] = []
        var deleted: [UInt8] = []
        var style: String?
        var isList: Bool?
        var isHeading = false
        var isMarkDeleted = false
        var isInCell = false
    }

    private struct Run {
        var isHidden: Bool?
        var style: String?
        var language: String?
    }

    private enum Field { case instruction, result }

    // A text box inside a run holds paragraphs of its own, so all of these nest.
    private var paragraphs: [Paragraph] = []
    private var runs: [Run] = []
    private var fields: [Field] = []
    private var choices: [Bool] = []
    private var cells = 0
    private var deletions = 0
    private var inParagraphProperties = false
    private var inMarkProperties = false
    private var inRunProperties = false
    private var collecting = Collecting.nothing
    /// Text of paragraphs whose mark was deleted with tracking: it belongs to the next one.
    private var carried: [[UInt8]] = []

    private var lastStyle: (id: String?, isHidden: Bool) = (nil, false)

    private enum Collecting { case nothing, text, deleted }

    init(place: Place?, styles: WordStyles, builder: OutlineBuilder) {
        self.place = place
        self.styles = styles
        self.builder = builder
    }

    mutating func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        if name.space == .compatibility { return startAlternative(name.local) }
        guard name.space == .word else { return .into }
        switch name.local {
        case .body: sawBody = true
        case .p: paragraphs.append(Paragraph(isInCell: cells > 0))
        case .pPr: inParagraphProperties = true
        case .pStyle: if inParagraphProperties { update { $0.style = attributes[.word, .val] } }
        case .numPr: if inParagraphProperties { update { $0.isList = true } }
        case .numId: if inParagraphProperties { update { $0.isList = attributes[.word, .val] != "0" } }
        case .outlineLvl:
            let level = attributes[.word, .val].flatMap(Int.init) ?? 9
            if inParagraphProperties { update { $0.isHeading = (0..<9).contains(level) } }
        case .r: runs.append(Run())
        case .rPr:
            if inParagraphProperties { inMarkProperties = true } else if !runs.isEmpty { inRunProperties = true }
        case .vanish: if inRunProperties { updateRun { $0.isHidden = isOn(attributes) } }
        case .rStyle: if inRunProperties { updateRun { $0.style = attributes[.word, .val] } }
        case .lang: if inRunProperties { updateRun { $0.language = attributes[.word, .val] } }
        case .del, .moveFrom:
            deletions += 1
            if inMarkProperties { update { $0.isMarkDeleted = true } }
        case .t: collecting = .text
        case .delText: collecting = .deleted
        case .tab, .ptab: if isInRun { try appendToRun([0x09]) }
        case .br, .cr:
            if isInRun { try appendToRun([0x0a]) }
            if attributes[.word, .type] == "page" { pageBreaks += 1 }
        case .pageBreakBefore: if inParagraphProperties, isOn(attributes) { pageBreaks += 1 }
        case .noBreakHyphen: if isInRun { try appendToRun(Array("\u{2011}".utf8)) }
        case .softHyphen: if isInRun { try appendToRun(Array("\u{ad}".utf8)) }
        case .fldChar: changeField(attributes[.word, .fldCharType])
        case .tc: cells += 1
        case .footnote, .endnote:
            // Separators are lines, not notes.
            if let type = attributes[.word, .type], type != "normal" { return .over }
        case .rt, .instrText, .delInstrText, .sdtPr, .sdtEndPr, .sectPr, .tblPr, .tblGrid, .tcPr, .rPrChange, .pPrChange,
            .rubyPr, .tblPrEx:
            return .over
        default: break
        }
        return .into
    }

    mutating func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
        guard collecting != .nothing else { return }
        try appendToRun(bytes)
    }

    mutating func end(_ name: XMLName) throws(ReadingError) {
        if name.space == .compatibility {
            if name.local == .alternateContent { _ = choices.popLast() }
            return
        }
        guard name.space == .word else { return }
        switch name.local {
        case .p: try endParagraph()
        case .pPr: inParagraphProperties = false
        case .r: _ = runs.popLast()
        case .rPr:
            inRunProperties = false
            inMarkProperties = false
        case .del, .moveFrom: deletions = max(0, deletions - 1)
        case .t, .delText: collecting = .nothing
        case .tc:
            try endContainer()
            cells = max(0, cells - 1)
        case .body, .hdr, .ftr, .footnote, .endnote, .comment, .txbxContent: try endContainer()
        default: break
        }
    }

    /// Of alternate content only the first choice counts: the others show the same for older programs.
    private mutating func startAlternative(_ local: XMLLocal) -> XMLStep {
        switch local {
        case .alternateContent: choices.append(false)
        case .choice, .fallback:
            guard let last = choices.indices.last else { return .into }
            if choices[last] { return .over }
            choices[last] = true
        default: break
        }
        return .into
    }

    private mutating func changeField(_ type: String?) {
        switch type {
        case "begin": fields.append(.instruction)
        case "separate": if let last = fields.indices.last { fields[last] = .result }
        case "end": _ = fields.popLast()
        default: break
        }
    }

    private var isInRun: Bool { !runs.isEmpty && !inRunProperties && !inParagraphProperties }

    private mutating func update(_ change: (inout Paragraph) -> Void) {
        if let last = paragraphs.indices.last { change(&paragraphs[last]) }
    }

    private mutating func updateRun(_ change: (inout Run) -> Void) {
        if let last = runs.indices.last { change(&runs[last]) }
    }

    private mutating func appendToRun(_ bytes: [UInt8]) throws(ReadingError) {
        var failure: ReadingError?
        bytes.withUnsafeBytes { buffer in do throws(ReadingError) { try appendToRun(buffer) } catch { failure = error } }
        if let failure { throw failure }
    }

    private mutating func appendToRun(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
        guard let last = paragraphs.indices.last, !fields.contains(.instruction) else { return }
        if collecting == .deleted || deletions > 0 {
            paragraphs[last].deleted.append(contentsOf: bytes)
        } else if runs.last?.isHidden ?? isHidden(runs.last?.style ?? paragraphs[last].style) {
            paragraphs[last].hidden.append(contentsOf: bytes)
        } else {
            paragraphs[last].visible.append(contentsOf: bytes)
            if place == nil { builder.count(language: runs.last?.language ?? styles.language, bytes: bytes.count) }
        }
    }

    /// Most text has the style of the text before it, so that one is not looked up again.
    private mutating func isHidden(_ style: String?) -> Bool {
        guard let style else { return false }
        if style == lastStyle.id { return lastStyle.isHidden }
        lastStyle = (style, styles.isHidden(style))
        return lastStyle.isHidden
    }

    private mutating func endParagraph() throws(ReadingError) {
        guard let paragraph = paragraphs.popLast() else { return }
        // A field code that never ends would swallow the rest of the document; its code is in `instrText`, which never counts anyway.
        for index in fields.indices where paragraphs.isEmpty { fields[index] = .result }
        let level = paragraphs.count
        while carried.count <= level { carried.append([]) }
        // Hardly ever is there anything to carry.
        let visible = carried[level].isEmpty ? paragraph.visible : carried[level] + paragraph.visible
        if !carried[level].isEmpty { carried[level] = [] }
        try builder.append(paragraph.deleted, at: .deleted)
        try builder.append(paragraph.hidden, at: .hidden)
        if paragraph.isMarkDeleted {
            carried[level] = visible
        } else {
            try builder.append(visible, at: place ?? bodyPlace(paragraph))
        }
    }

    /// What a deleted mark carried on may have no paragraph to go to.
    private mutating func endContainer() throws(ReadingError) {
        let level = paragraphs.count
        guard level < carried.count, !carried[level].isEmpty else { return }
        try builder.append(carried[level], at: place ?? (cells > 0 ? .tableCell : .paragraph))
        carried[level] = []
    }

    private func bodyPlace(_ paragraph: Paragraph) -> Place {
        if paragraph.isInCell { return .tableCell }
        if paragraph.isHeading { return .heading }
        if let place = styles.place(paragraph.style) { return place }
        return paragraph.isList ?? styles.isList(paragraph.style) ? .listItem : .paragraph
    }
}
