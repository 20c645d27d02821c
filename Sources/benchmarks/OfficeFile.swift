// SPDX-License-Identifier: Apache-2.0
import CZip

/// Documents as office programs store them, with no more than every reader needs.
enum OfficeFile {
    private static let main = "application/vnd.openxmlformats-officedocument"
    private static let relationshipTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let head = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#

    /// `runWords`: so many words are one run, as where people format and correct; nil: a paragraph is one.
    static func document(_ paragraphs: [String], runWords: Int? = nil) throws -> [UInt8] {
        func runs(_ text: String) -> String {
            guard let runWords else { return "<w:r><w:t>\(text)</w:t></w:r>" }
            let words = text.split(separator: " ")
            return stride(from: 0, to: words.count, by: runWords).map { start in
                let part = words[start..<min(words.count, start + runWords)].joined(separator: " ")
                return #"<w:r><w:rPr><w:b w:val="0"/></w:rPr><w:t xml:space="preserve">\#(part) </w:t></w:r>"#
            }.joined()
        }
        let body = paragraphs.map { "<w:p>\(runs($0))</w:p>" }.joined()
        return try zipped([
            ("[Content_Types].xml", types([("word/document.xml", "\(main).wordprocessingml.document.main+xml")])),
            ("_rels/.rels", relationships([("r1", "officeDocument", "word/document.xml")])),
            (
                "word/document.xml",
                #"<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>\#(body)</w:body></w:document>"#
            ),
        ])
    }

    /// One slide for each paragraph.
    static func presentation(_ paragraphs: [String]) throws -> [UInt8] {
        let spaces =
            #"xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" "#
            + #"xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="\#(relationshipTypes)""#
        let list = paragraphs.indices.map { #"<p:sldId id="\#(256 + $0)" r:id="s\#($0)"/>"# }.joined()
        let slideType = "\(main).presentationml.slide+xml"
        var parts = [
            (
                "[Content_Types].xml",
                types(
                    [("ppt/presentation.xml", "\(main).presentationml.presentation.main+xml")]
                        + paragraphs.indices.map { ("ppt/slides/slide\($0).xml", slideType) })
            ),
            ("_rels/.rels", relationships([("r1", "officeDocument", "ppt/presentation.xml")])),
            ("ppt/presentation.xml", "<p:presentation \(spaces)><p:sldIdLst>\(list)</p:sldIdLst></p:presentation>"),
            (
                "ppt/_rels/presentation.xml.rels",
                relationships(paragraphs.indices.map { ("s\($0)", "slide", "slides/slide\($0).xml") })
            ),
        ]
        for (index, text) in paragraphs.enumerated() {
            let shape =
                #"<p:sp><p:nvSpPr><p:cNvPr id="2" name="Text"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>"#
                + "<p:txBody><a:bodyPr/><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:txBody></p:sp>"
            let group = #"<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>"#
            parts.append(
                ("ppt/slides/slide\(index).xml", "<p:sld \(spaces)><p:cSld><p:spTree>\(group)\(shape)</p:spTree></p:cSld></p:sld>"))
        }
        return try zipped(parts)
    }

    private static func types(_ parts: [(part: String, type: String)]) -> String {
        let defaults =
            #"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#
            + #"<Default Extension="xml" ContentType="application/xml"/>"#
        return #"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\#(defaults)"#
            + parts.map { #"<Override PartName="/\#($0.part)" ContentType="\#($0.type)"/>"# }.joined() + "</Types>"
    }

    private static func relationships(_ list: [(id: String, type: String, target: String)]) -> String {
        #"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#
            + list.map { #"<Relationship Id="\#($0.id)" Type="\#(relationshipTypes)/\#($0.type)" Target="\#($0.target)"/>"# }.joined()
            + "</Relationships>"
    }

    private static func zipped(_ parts: [(name: String, text: String)]) throws -> [UInt8] {
        // libzip reads the parts when it closes, so they must stay where they are until then.
        let kept = parts.map { part in
            let bytes = Array((head + part.text).utf8)
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
        defer { for copy in kept { copy.deallocate() } }
        guard let source = zip_source_buffer_create(nil, 0, 0, nil) else { throw BenchmarkFailure("libzip makes no buffer") }
        zip_source_keep(source)
        defer { zip_source_free(source) }
        guard let archive = zip_open_from_source(source, ZIP_TRUNCATE, nil) else { throw BenchmarkFailure("libzip makes no archive") }
        for (part, copy) in zip(parts, kept) {
            guard let content = zip_source_buffer(archive, copy.baseAddress, zip_uint64_t(copy.count), 0) else {
                throw BenchmarkFailure("libzip makes no source")
            }
            guard zip_file_add(archive, part.name, content, zip_flags_t(ZIP_FL_ENC_UTF_8)) >= 0 else {
                throw BenchmarkFailure("libzip does not take \(part.name)")
            }
        }
        guard zip_close(archive) == 0 else { throw BenchmarkFailure("libzip does not finish the archive") }
        var status = zip_stat_t()
        zip_stat_init(&status)
        guard zip_source_stat(source, &status) == 0, zip_source_open(source) == 0 else {
            throw BenchmarkFailure("libzip does not give the archive back")
        }
        defer { zip_source_close(source) }
        var bytes = [UInt8](repeating: 0, count: Int(status.size))
        let got = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { zip_source_read(source, $0, zip_uint64_t(buffer.count)) } ?? 0
        }
        guard got == bytes.count else { throw BenchmarkFailure("libzip gives only a part of the archive") }
        return bytes
    }
}
