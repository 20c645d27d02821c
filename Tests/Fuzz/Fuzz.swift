// SPDX-License-Identifier: Apache-2.0
import AnalyzerClient
import CZlib
import DocumentReading
import Glibc

/// libFuzzer's entry: the bytes go to one reader, chosen by DAYBOOK_FUZZ. Parts of a container come into one of ours, since a changed byte
/// in a container is only ever a wrong checksum.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // What an external analyzer says, and what a tool makes of a document.
    if kind == "answer" {
        _ = try? ExternalProtocol.answer(input)
        return 0
    }
    let (name, document) = wrapped(input, kind)
    let registry = kind == "text" ? AnalyzerRegistry.convertedText : .builtIn
    let measured = registry.measure(Document(document, name: name, limits: limits))
    for item in measured.items {
        guard case .quantity(let value) = item.value else { continue }
        let mayBeNegative = item.method == .estimated
        precondition(value.isFinite && (value >= 0 || mayBeNegative), "\(item.identifier) is \(value)")
    }
    precondition(measured.error == nil || measured.items.isEmpty, "an error has no figures")
    return 0
}

private let kind = getenv("DAYBOOK_FUZZ").map { String(cString: $0) } ?? "txt"

private let limits: ReadingLimits = {
    var limits = ReadingLimits.standard
    limits.unpackedBytes = 4 << 20
    limits.textBytes = 4 << 20
    return limits
}()

private let office = "http://schemas.openxmlformats.org"

private func relationships(_ list: [(type: String, target: String)]) -> [UInt8] {
    let all = list.enumerated().map {
        "<Relationship Id=\"r\($0)\" Type=\"\(office)/officeDocument/2006/relationships/\($1.type)\" Target=\"\($1.target)\"/>"
    }
    return Array("<Relationships xmlns=\"\(office)/package/2006/relationships\">\(all.joined())</Relationships>".utf8)
}

private func wrapped(_ input: [UInt8], _ kind: String) -> (name: String, bytes: [UInt8]) {
    let word =
        "<w:document xmlns:w=\"\(office)/wordprocessingml/2006/main\"><w:body><w:p><w:pPr><w:pStyle w:val=\"a\"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p></w:body></w:document>"
    let book =
        "<workbook xmlns=\"\(office)/spreadsheetml/2006/main\" xmlns:r=\"\(office)/officeDocument/2006/relationships\"><sheets><sheet r:id=\"r0\"/></sheets></workbook>"
    let deck =
        "<p:presentation xmlns:p=\"\(office)/presentationml/2006/main\" xmlns:r=\"\(office)/officeDocument/2006/relationships\"><p:sldIdLst><p:sldId r:id=\"r0\"/></p:sldIdLst></p:presentation>"
    let types =
        "<Types xmlns=\"\(office)/package/2006/content-types\"><Override PartName=\"/m/m.xml\" ContentType=\"spreadsheetml\"/></Types>"
    let top = (
        "_rels/.rels",
        relationships([("officeDocument", kind.hasPrefix("pptx") ? "ppt/m.xml" : kind.hasPrefix("docx") ? "word/m.xml" : "m/m.xml")])
    )
    switch kind {
    case "docx": return ("a.docx", zip([top, ("word/m.xml", input)]))
    case "docx-styles":
        return (
            "a.docx",
            zip([
                top, ("word/m.xml", Array(word.utf8)), ("word/_rels/m.xml.rels", relationships([("styles", "s.xml")])),
                ("word/s.xml", input),
            ])
        )
    case "docx-rels": return ("a.docx", zip([("_rels/.rels", input), ("word/m.xml", Array(word.utf8))]))
    case "pptx":
        return (
            "a.pptx",
            zip([top, ("ppt/m.xml", Array(deck.utf8)), ("ppt/_rels/m.xml.rels", relationships([("slide", "s.xml")])), ("ppt/s.xml", input)])
        )
    case "xlsx":
        return (
            "a.xlsx",
            zip([
                top, ("[Content_Types].xml", Array(types.utf8)), ("m/m.xml", Array(book.utf8)),
                ("m/_rels/m.xml.rels", relationships([("worksheet", "s.xml"), ("sharedStrings", "t.xml")])), ("m/s.xml", input),
                ("m/t.xml", Array("<sst xmlns=\"\(office)/spreadsheetml/2006/main\"><si><t>a b</t></si></sst>".utf8)),
            ])
        )
    case "epub":
        let container = "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfile full-path=\"b.opf\"/></container>"
        let chapter = Array("<html><body><p>x</p></body></html>".utf8)
        return (
            "a.epub",
            zip([
                ("mimetype", Array("application/epub+zip".utf8)), ("META-INF/container.xml", Array(container.utf8)), ("b.opf", input),
                ("c.xhtml", chapter),
            ])
        )
    case "pages": return ("a.pages", zip([("Index/Document.iwa", input)]))
    default: return ("a.\(kind)", input)
    }
}

/// A container whose members are stored as they are.
private func zip(_ parts: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var out: [UInt8] = []
    var directory: [UInt8] = []
    func little(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    for (name, bytes) in parts {
        let checksum = Int(bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) })
        let facts =
            little(20, 2) + little(0, 8) + little(checksum, 4) + little(bytes.count, 4) + little(bytes.count, 4)
            + little(name.utf8.count, 2) + little(0, 2)
        directory += [0x50, 0x4b, 1, 2] + little(20, 2) + facts + little(0, 10) + little(out.count, 4) + Array(name.utf8)
        out += [0x50, 0x4b, 3, 4] + facts + Array(name.utf8) + bytes
    }
    return out + directory + [0x50, 0x4b, 5, 6] + little(0, 4) + little(parts.count, 2) + little(parts.count, 2)
        + little(directory.count, 4)
        + little(out.count, 4) + little(0, 2)
}
