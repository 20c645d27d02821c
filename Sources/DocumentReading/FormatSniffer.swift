// SPDX-License-Identifier: Apache-2.0

/// Says in words what a document is that nobody measures, from its first bytes.
enum FormatSniffer {
    static func describe(_ document: Document) -> String {
        for (offset, magic, words) in magics where document.starts(with: magic, at: offset) { return words }
        if document.looksLikeZip { return describeContainer(document) }
        if let words = describeMarkup(document) { return words }
        let ending = document.nameExtension
        let plain =
            !ending.isEmpty && ending.utf8.count <= 8 && ending.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }
        return plain ? "the bytes of this .\(ending) file, which are of no format that is known here" : "this format"
    }

    /// What looks like text but is not: markup, whose tags are not the words of whoever wrote it, and containers that begin with letters.
    static func describeMarkup(_ document: Document) -> String? {
        var start = document.head.prefix(1024)
        if document.starts(with: [0xef, 0xbb, 0xbf]) { start = start.dropFirst(3) }
        let head = String(decoding: start.drop { $0 <= 0x20 }, as: UTF8.self).lowercased()
        if head.hasPrefix("{\\rtf") { return "RTF" }
        if head.hasPrefix("%pdf-") { return "PDF" }
        if head.hasPrefix("gif87a") || head.hasPrefix("gif89a") { return "images" }
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return "HTML" }
        if head.hasPrefix("<?xml") || head.hasPrefix("<!doctype") {
            if head.contains("opendocument") { return "this kind of OpenDocument" }
            return head.contains("<html") || head.contains("xhtml") ? "HTML" : "XML"
        }
        return nil
    }

    private static func describeContainer(_ document: Document) -> String {
        guard let archive = try? document.archive() else { return "zip containers" }  // damaged ones were refused before
        if let package = try? document.officePackage() {
            let type = package.mainContentType
            if type.contains("spreadsheetml") || type.contains("ms-excel") { return "binary Excel workbooks; save as .xlsx" }
            if type.contains("visio") { return "Visio drawings" }
            return "this kind of office document"
        }
        if let type = OpenDocumentPackage.mediaType(archive) {
            if type.contains("opendocument") { return "this kind of OpenDocument" }
        }
        return "zip containers"
    }

    private static let magics: [(Int, [UInt8], String)] = [
        (0, Array("%PDF-".utf8), "PDF"),
        (
            0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
            "this kind of legacy file"
        ),
        (0, [0x89, 0x50, 0x4e, 0x47], "images"), (0, [0xff, 0xd8, 0xff], "images"), (0, Array("GIF8".utf8), "images"),
        (0, [0x49, 0x49, 0x2a, 0], "images"), (0, [0x4d, 0x4d, 0, 0x2a], "images"), (8, Array("WEBP".utf8), "images"),
        (0, Array("OggS".utf8), "this kind of Ogg"), (8, Array("AVI ".utf8), "this kind of video"),
        (0, [0x1a, 0x45, 0xdf, 0xa3], "this kind of video"),
        (0, [0x1f, 0x8b], "compressed files"), (0, [0xfd, 0x37, 0x7a, 0x58, 0x5a], "compressed files"),
        (0, [0x28, 0xb5, 0x2f, 0xfd], "compressed files"), (0, Array("BZh".utf8), "compressed files"),
        (0, [0x37, 0x7a, 0xbc, 0xaf], "archives"), (0, Array("Rar!".utf8), "archives"),
        (0, [0x7f, 0x45, 0x4c, 0x46], "programs"), (0, Array("SQLite format 3".utf8), "databases"),
    ]
}
