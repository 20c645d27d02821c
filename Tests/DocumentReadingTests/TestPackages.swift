// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CZip
import DocumentReading

/// A zip container of these parts, made in memory.
func zipped(_ parts: [(name: String, bytes: [UInt8])], stored: Bool = false) -> [UInt8] {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let source = zip_source_buffer_create(nil, 0, 0, &error) else { return [] }
    zip_source_keep(source)
    defer { zip_source_free(source) }
    guard let archive = zip_open_from_source(source, ZIP_TRUNCATE, &error) else { return [] }
    // libzip reads the parts when it closes, so they must stay where they are until then.
    let kept = parts.map { part in
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: part.bytes.count)
        _ = copy.initialize(from: part.bytes)
        return copy
    }
    defer { for copy in kept { copy.deallocate() } }
    for (part, copy) in zip(parts, kept) {
        let content = zip_source_buffer(archive, copy.baseAddress, zip_uint64_t(copy.count), 0)
        let index = zip_file_add(archive, part.name, content, zip_flags_t(ZIP_FL_ENC_UTF_8))
        if stored, index >= 0 { zip_set_file_compression(archive, zip_uint64_t(index), ZIP_CM_STORE, 0) }
    }
    guard zip_close(archive) == 0 else { return [] }
    var status = zip_stat_t()
    zip_stat_init(&status)
    guard zip_source_stat(source, &status) == 0, zip_source_open(source) == 0 else { return [] }
    defer { zip_source_close(source) }
    var bytes = [UInt8](repeating: 0, count: Int(status.size))
    let got = bytes.withUnsafeMutableBytes { zip_source_read(source, $0.baseAddress, zip_uint64_t($0.count)) }
    return got == bytes.count ? bytes : []
}

func zipped(_ parts: KeyValuePairs<String, String>, stored: Bool = false) -> [UInt8] {
    zipped(parts.map { ($0.key, Array($0.value.utf8)) }, stored: stored)
}

/// So many words.
func words(_ count: Int) -> String { Array(repeating: "word", count: count).joined(separator: " ") }

private let relationshipsHead = #"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#
private let officeType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

func relationships(_ list: [(id: String, type: String, target: String)]) -> String {
    relationshipsHead + list.map { #"<Relationship Id="\#($0.id)" Type="\#(officeType)/\#($0.type)" Target="\#($0.target)"/>"# }.joined()
        + "</Relationships>"
}

func contentTypes(_ part: String, _ type: String) -> String {
    #"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/\#(part)" ContentType="\#(type)"/></Types>"#
}

let wordSpaces =
    #"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml""#

/// A Word document with this body and these other parts, each with its type of relationship.
func docx(_ body: String, more: [(type: String, xml: String)] = [], stored: Bool = false) -> [UInt8] {
    var parts: [(name: String, bytes: [UInt8])] = [
        (
            "[Content_Types].xml",
            Array(
                contentTypes("word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml").utf8)
        ),
        ("_rels/.rels", Array(relationships([("r1", "officeDocument", "word/document.xml")]).utf8)),
        ("word/document.xml", Array("<w:document \(wordSpaces)><w:body>\(body)</w:body></w:document>".utf8)),
    ]
    let list = more.enumerated().map { (id: "r\($0)", type: $1.type, target: "part\($0).xml") }
    parts.append(("word/_rels/document.xml.rels", Array(relationships(list).utf8)))
    for (index, part) in more.enumerated() { parts.append(("word/part\(index).xml", Array(part.xml.utf8))) }
    return zipped(parts, stored: stored)
}

func paragraph(_ text: String) -> String { "<w:p><w:r><w:t>\(text)</w:t></w:r></w:p>" }

let slideSpaces =
    #"xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="\#(officeType)" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006""#

/// A presentation of these slides; `listed` are the numbers in its list, in that order.
func pptx(_ slides: [(xml: String, notes: String?)], listed: [Int]? = nil) -> [UInt8] {
    let numbers = listed ?? Array(slides.indices)
    let list = numbers.map { #"<p:sldId id="\#(256 + $0)" r:id="s\#($0)"/>"# }.joined()
    var parts: [(name: String, bytes: [UInt8])] = [
        (
            "[Content_Types].xml",
            Array(contentTypes("deck/main.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml").utf8)
        ),
        // The names are not those that Office uses, on purpose.
        ("_rels/.rels", Array(relationships([("r1", "officeDocument", "/deck/main.xml")]).utf8)),
        ("deck/main.xml", Array("<p:presentation \(slideSpaces)><p:sldIdLst>\(list)</p:sldIdLst></p:presentation>".utf8)),
        (
            "deck/_rels/main.xml.rels",
            Array(relationships(slides.indices.map { ("s\($0)", "slide", "pages/page%20\($0).xml") }).utf8)
        ),
    ]
    for (index, slide) in slides.enumerated() {
        parts.append(("deck/pages/page \(index).xml", Array(slide.xml.utf8)))
        guard let notes = slide.notes else { continue }
        parts.append(
            ("deck/pages/_rels/page \(index).xml.rels", Array(relationships([("n", "notesSlide", "../notes/n\(index).xml")]).utf8)))
        parts.append(("deck/notes/n\(index).xml", Array(notes.utf8)))
    }
    return zipped(parts)
}

func slide(_ shapes: String, attributes: String = "") -> String {
    "<p:sld \(slideSpaces) \(attributes)><p:cSld><p:spTree>\(shapes)</p:spTree></p:cSld></p:sld>"
}

func shape(_ text: String, placeholder: String? = nil) -> String {
    let holder = placeholder.map { #"<p:ph type="\#($0)"/>"# } ?? ""
    return "<p:sp><p:nvSpPr><p:nvPr>\(holder)</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:txBody></p:sp>"
}

let openSpaces =
    [
        "office", "text", "table", "style", "presentation", "manifest",
    ].map { #"xmlns:\#($0)="urn:oasis:names:tc:opendocument:xmlns:\#($0):1.0""# }.joined(separator: " ")
    + #" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0""#
    + #" xmlns:dc="http://purl.org/dc/elements/1.1/""#

func openDocument(_ kind: String, body: String, automatic: String = "", styles: String = "", masters: String = "") -> [UInt8] {
    zipped([
        "mimetype": "application/vnd.oasis.opendocument.\(kind)",
        "content.xml":
            "<office:document-content \(openSpaces)><office:automatic-styles>\(automatic)</office:automatic-styles><office:body>\(body)</office:body></office:document-content>",
        "styles.xml":
            "<office:document-styles \(openSpaces)><office:styles>\(styles)</office:styles><office:master-styles>\(masters)</office:master-styles></office:document-styles>",
    ])
}

func odt(_ text: String, automatic: String = "", styles: String = "", masters: String = "") -> [UInt8] {
    openDocument("text", body: "<office:text>\(text)</office:text>", automatic: automatic, styles: styles, masters: masters)
}

func measure(_ bytes: [UInt8], _ name: String, limits: ReadingLimits = .standard) -> Measurement {
    AnalyzerRegistry.builtIn.measure(Document(bytes, name: name, limits: limits))
}

extension Measurement {
    /// A figure as a whole number; nil where it is missing.
    func figure(_ identifier: String) -> Int? {
        guard case .quantity(let value)? = items.first(where: { $0.identifier == identifier })?.value else { return nil }
        return Int(exactly: value)
    }

    var words: Int? { figure("total_word_count") }
}
