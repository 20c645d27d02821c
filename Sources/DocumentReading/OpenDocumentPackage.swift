// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// What all OpenDocument packages have in common.
enum OpenDocumentPackage {
    /// What the package says it is; nil where it says nothing.
    static func mediaType(_ archive: ZipArchive) -> String? {
        if let bytes = try? archive.contents("mimetype", limit: 256) {  // an unreadable one says nothing
            return String(decoding: bytes, as: UTF8.self).lowercased()
        }
        guard let manifest = try? manifest(archive) else { return nil }  // likewise
        return manifest.rootType
    }

    static func accepts(_ document: Document, kind: String) throws(ReadingError) -> Bool {
        let wanted = "application/vnd.oasis.opendocument.\(kind)"
        if let type = flatType(document) { return type.hasPrefix(wanted) }
        guard document.looksLikeZip else { return false }
        let archive = try document.archive()
        guard archive.contains("content.xml") || archive.contains("META-INF/manifest.xml"), let type = mediaType(archive) else {
            return false
        }
        // Also templates and, for text, master documents.
        return type.hasPrefix(wanted)
    }

    /// What a flat document says it is: one XML file instead of a package (`.fodt`, `.fodp`, `.fods`).
    static func flatType(_ document: Document) -> String? {
        guard document.starts(with: [UInt8(ascii: "<")]) || document.starts(with: [0xef, 0xbb, 0xbf]) else { return nil }
        let head = String(decoding: document.head.prefix(8192), as: UTF8.self)
        guard head.contains("urn:oasis:names:tc:opendocument:xmlns:office:1.0"), let found = head.firstRange(of: "office:mimetype=") else {
            return nil
        }
        return head[found.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }.lowercased()
    }

    enum Kind { case text, presentation, spreadsheet }

    /// Reads styles and content.
    static func read(_ document: Document, _ kind: Kind, into builder: OutlineBuilder) throws(ReadingError) {
        let styles = OpenDocumentStyles()
        let body = OpenDocumentBody(part: .content, styles: styles, builder: builder, slideLimit: document.limits.slides)
        let margins = OpenDocumentBody(part: .masterPages, styles: styles, builder: builder, slideLimit: 0)
        let meta = OpenDocumentMeta()
        // Only a text's master pages have text of its own: those of a presentation are its design, those of sheets say "Page 1".
        let hasMargins = kind == .text
        if flatType(document) != nil {
            try XMLReader.read(document, into: styles)
            try XMLReader.read(document, into: body)
            if hasMargins { try XMLReader.read(document, into: margins) }
            try XMLReader.read(document, into: meta)
        } else {
            let archive = try document.archive()
            if let manifest = try manifest(archive), manifest.isEncrypted { throw .encrypted }
            // Styles first: both parts define some, and the content's own win.
            _ = try XMLReader.read("styles.xml", of: archive, into: styles)
            guard try XMLReader.read("content.xml", of: archive, into: styles) != nil else {
                throw .damaged(what: "its part content.xml is missing")
            }
            _ = try XMLReader.read("content.xml", of: archive, into: body)
            if hasMargins { _ = try XMLReader.read("styles.xml", of: archive, into: margins) }
            _ = try XMLReader.read("meta.xml", of: archive, into: meta)
        }
        guard body.sawBody else { throw .damaged(what: "its content is no \(kind)") }
        builder.facts.language = styles.language
        switch kind {
        case .text: builder.facts.pages = .flowing(breaks: body.pageBreaks, declared: meta.declaredPages)
        case .presentation: builder.facts.slides = body.slides
        case .spreadsheet:
            builder.facts.sheets = body.sheets
            builder.facts.cells = body.filledCells
        }
    }

    private static func manifest(_ archive: ZipArchive) throws(ReadingError) -> Manifest? {
        let manifest = Manifest()
        return try XMLReader.read("META-INF/manifest.xml", of: archive, into: manifest) == nil ? nil : manifest
    }

    private final class Manifest: XMLHandler {
        private(set) var rootType: String?
        private(set) var isEncrypted = false

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
            switch name.local {
            case .fileEntry:
                if attributes[.manifest, .fullPath] == "/" { rootType = attributes[.manifest, .mediaType]?.lowercased() }
            case .encryptionData: isEncrypted = true
            default: break
            }
            return .into
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}
        func end(_ name: XMLName) throws(ReadingError) {}
    }
}

/// What the program that saved the document wrote down about it.
private final class OpenDocumentMeta: XMLHandler {
    private var pages: Int?
    private var generator = ""
    private var isGenerator = false

    /// Where the program is one that lays documents out.
    var declaredPages: Int? { generator.contains("LibreOffice") || generator.contains("MicrosoftOffice") ? pages : nil }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        if name.space == .office, name.local == .body || name.local == .automaticStyles || name.local == .styles { return .over }
        guard name.space == .meta else { return .into }
        isGenerator = name.local == .generator
        if name.local == .documentStatistic { pages = attributes[.meta, .pageCount].flatMap(Int.init) }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
        if isGenerator { generator += String(decoding: bytes.prefix(80), as: UTF8.self) }
    }

    func end(_ name: XMLName) throws(ReadingError) { isGenerator = false }
}

/// Text documents in OpenDocument (`.odt`, `.ott`, `.fodt`).
package struct OpenTextAnalyzer: OutlineAnalyzer {
    package let identifier = "odt"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        try OpenDocumentPackage.accepts(document, kind: "text")
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        try OpenDocumentPackage.read(document, .text, into: builder)
    }
}

/// Presentations in OpenDocument (`.odp`, `.otp`, `.fodp`).
package struct OpenPresentationAnalyzer: OutlineAnalyzer {
    package let identifier = "odp"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        try OpenDocumentPackage.accepts(document, kind: "presentation")
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        try OpenDocumentPackage.read(document, .presentation, into: builder)
    }
}

/// Spreadsheets in OpenDocument (`.ods`, `.ots`, `.fods`): sheets, filled cells, and the words in them.
package struct OpenSpreadsheetAnalyzer: OutlineAnalyzer {
    package let identifier = "ods"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        try OpenDocumentPackage.accepts(document, kind: "spreadsheet")
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        try OpenDocumentPackage.read(document, .spreadsheet, into: builder)
    }
}
