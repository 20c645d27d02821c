// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// The text of an OpenDocument: the body in `content.xml`, or headers and footers on the master pages in `styles.xml`.
final class OpenDocumentBody: XMLHandler {
    enum Part { case content, masterPages }

    private let styles: OpenDocumentStyles
    private let builder: OutlineBuilder
    private let slideLimit: Int
    private(set) var slides: [Slide] = []
    private(set) var sawBody = false
    private(set) var pageBreaks = 0
    /// Sheets of a spreadsheet, and its cells that hold something.
    private(set) var sheets = 0
    private(set) var filledCells = 0

    private struct Paragraph {
        var visible: [UInt8] = []
        var hidden: [UInt8] = []
        var isHeading = false
        var isHidden = false
        var style: String?
        var place: Place
        var isInList: Bool
        var isInCell: Bool
    }

    /// `apart` holds a page number, date, header or footer.
    private enum Shape { case text, title, apart }

    // Elements that change what the text in them is; the innermost that says something decides.
    private var paragraphs: [Paragraph] = []
    private var places: [Place]
    /// For each open span: whether its text is hidden, and its language.
    private var spans: [(isHidden: Bool, language: String?)] = []
    private var hiddenSections: [Bool] = []
    private var shapes: [Shape] = []
    private var lists = 0
    private var tables = 0
    private var cells = 0
    private var isSpreadsheet = false
    private var rowRepeats = 1
    private var cellRepeats = 1
    private var isCellEmpty = true

    init(part: Part, styles: OpenDocumentStyles, builder: OutlineBuilder, slideLimit: Int) {
        self.styles = styles
        self.builder = builder
        self.slideLimit = slideLimit
        // Nothing counts before the body or a header begins.
        places = []
        isMasterPages = part == .masterPages
    }

    private let isMasterPages: Bool

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        switch name.space {
        case .office: return startOffice(name.local)
        case .text: return try startText(name.local, attributes)
        case .table:
            startTable(name.local, attributes)
        case .style:
            guard isMasterPages else { break }
            if name.local.isMargin {
                // Margins that are switched off keep their text.
                if attributes[.style, .display] == "false" { return .over }
                places.append(.headerFooter)
            }
        case .slideshow where name.local == .notes: places.append(.speakerNotes)
        case .draw: return try startDrawing(name.local, attributes)
        case .dublinCore, .svg:
            // Who commented when; titles and descriptions of pictures.
            return .over
        default: break
        }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) { append(bytes, collapsing: true) }

    func end(_ name: XMLName) throws(ReadingError) {
        switch (name.space, name.local) {
        case (.office, .text), (.office, .presentation), (.office, .spreadsheet), (.office, .annotation), (.text, .noteBody),
            (.text, .deletion),
            (.slideshow, .notes):
            _ = places.popLast()
        case (.style, let local) where isMasterPages && local.isMargin: _ = places.popLast()
        case (.text, .p), (.text, .h): try endParagraph()
        case (.text, .span): _ = spans.popLast()
        case (.text, .section): _ = hiddenSections.popLast()
        case (.text, .list): lists -= 1
        case (.table, .tableCell), (.table, .coveredTableCell): cells -= 1
        case (.table, .table): tables -= 1
        case (.draw, .frame), (.draw, .customShape), (.draw, .rect), (.draw, .ellipse), (.draw, .line), (.draw, .textShape):
            _ = shapes.popLast()
        default: break
        }
    }

    private func startOffice(_ local: XMLLocal) -> XMLStep {
        switch local {
        case .text, .presentation, .spreadsheet:
            if isMasterPages { return .over }
            isSpreadsheet = local == .spreadsheet
            sawBody = true
            places.append(.paragraph)
        case .annotation: places.append(.comment)
        case .forms, .changeInfo, .scripts, .fontFaceDecls, .automaticStyles, .styles, .meta, .settings: return .over
        case .masterStyles: return isMasterPages ? .into : .over
        default: break
        }
        return .into
    }

    private func startTable(_ local: XMLLocal, _ attributes: XMLAttributes) {
        func number(_ name: XMLLocal) -> Int { min(max(1, attributes[.table, name].flatMap(Int.init) ?? 1), 1 << 20) }
        switch local {
        case .table:
            tables += 1
            if isSpreadsheet, tables == 1 { sheets += 1 }
        case .tableRow: if isSpreadsheet { rowRepeats = number(.numberRowsRepeated) }
        case .tableCell, .coveredTableCell:
            cells += 1
            // Equal neighbours are written once.
            if isSpreadsheet { cellRepeats = number(.numberColumnsRepeated) * rowRepeats }
            isCellEmpty = true
        default: break
        }
    }

    private func startText(_ local: XMLLocal, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        switch local {
        case .p, .h:
            var paragraph = Paragraph(place: places.last ?? .paragraph, isInList: lists > 0, isInCell: cells > 0)
            paragraph.isHeading = local == .h
            paragraph.style = attributes[.text, .styleName]
            if paragraphs.isEmpty, paragraph.place == .paragraph, styles.breaksPage(paragraph.style) { pageBreaks += 1 }
            paragraph.isHidden = hiddenSections.contains(true) || styles.isHidden("paragraph", paragraph.style)
            paragraphs.append(paragraph)
        case .span:
            let style = attributes[.text, .styleName]
            let outer = spans.last
            spans.append(
                ((outer?.isHidden ?? false) || styles.isHidden("text", style), styles.language("text", style) ?? outer?.language))
        case .section:
            hiddenSections.append(attributes[.text, .display] == "none")
        case .list: lists += 1
        case .noteBody: places.append(.note)
        case .deletion: places.append(.deleted)
        case .s:
            let count = min(max(0, attributes[.text, .c].flatMap(Int.init) ?? 1), 1024)
            appendBytes([UInt8](repeating: 0x20, count: count))
        case .tab: appendBytes([0x09])
        case .lineBreak: appendBytes([0x0a])
        case .hiddenText:
            if !paragraphs.isEmpty, let text = attributes[.text, .stringValue] {
                // Its content is empty while it is hidden.
                paragraphs[paragraphs.count - 1].hidden.append(contentsOf: " \(text) ".utf8)
            }
            return .over
        case .hiddenParagraph:
            if !paragraphs.isEmpty, attributes[.text, .isHidden] == "true" { paragraphs[paragraphs.count - 1].isHidden = true }
            return .over
        case .noteCitation, .rubyText, .changeInfo, .insertion, .formatChange: return .over
        default: break
        }
        return .into
    }

    private func startDrawing(_ local: XMLLocal, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        switch local {
        case .page:
            guard slides.count < slideLimit else { throw .tooLarge(what: "more than \(slideLimit) slides") }
            slides.append(Slide(isHidden: styles.isPageHidden(attributes[.draw, .styleName])))
        case .frame, .customShape, .rect, .ellipse, .line, .textShape:
            switch attributes[.slideshow, .`class`] {
            case "header", "footer", "date-time", "page-number": shapes.append(.apart)
            case "title": shapes.append(.title)
            default: shapes.append(.text)
            }
        default: break
        }
        return .into
    }

    private func appendBytes(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0, collapsing: false) } }

    /// Adds text to the paragraph; white space in the XML is one space however much there is.
    private func append(_ bytes: UnsafeRawBufferPointer, collapsing: Bool) {
        guard let last = paragraphs.indices.last else { return }
        let span = spans.last
        let isHidden = paragraphs[last].isHidden || span?.isHidden ?? false
        let target: WritableKeyPath<Paragraph, [UInt8]> = isHidden ? \.hidden : \.visible
        for byte in bytes {
            guard collapsing, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d else {
                paragraphs[last][keyPath: target].append(byte)
                continue
            }
            if let before = paragraphs[last][keyPath: target].last, before != 0x20 { paragraphs[last][keyPath: target].append(0x20) }
        }
        if !isHidden, paragraphs[last].place.isBody {
            let language = span?.language ?? styles.language("paragraph", paragraphs[last].style) ?? styles.language
            builder.count(language: language, bytes: bytes.count)
        }
    }

    private func endParagraph() throws(ReadingError) {
        guard let paragraph = paragraphs.popLast(), !places.isEmpty else { return }
        // Hidden text of a note or comment is hidden, deleted text stays deleted.
        try builder.append(paragraph.hidden, at: paragraph.place == .deleted ? .deleted : .hidden)
        try builder.append(paragraph.visible, at: place(paragraph))
        guard isSpreadsheet, paragraph.isInCell, paragraph.place == .paragraph, !paragraph.visible.isEmpty else { return }
        if isCellEmpty { filledCells += cellRepeats }
        isCellEmpty = false
        // Whoever repeats a text a million times pays for it out of the limit of text.
        for _ in 1..<max(1, cellRepeats) { try builder.append(paragraph.visible, at: .tableCell) }
    }

    private func place(_ paragraph: Paragraph) -> Place {
        guard paragraph.place == .paragraph else { return paragraph.place }
        if shapes.contains(.apart) { return .headerFooter }
        if paragraph.isInCell { return .tableCell }
        if paragraph.isHeading || shapes.last == .title || styles.descends(paragraph.style, from: ["Title", "Subtitle", "Heading"]) {
            return .heading
        }
        if styles.descends(paragraph.style, from: ["Caption"]) { return .caption }
        if styles.descends(paragraph.style, from: ["Preformatted_20_Text"]) { return .code }
        return paragraph.isInList || !slides.isEmpty ? .listItem : .paragraph
    }
}
