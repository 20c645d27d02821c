// SPDX-License-Identifier: Apache-2.0
package import TextAnalysis

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
        guard document.looksLikeZip else { return false }
        let archive = try document.archive()
        guard archive.contains("content.xml") || archive.contains("META-INF/manifest.xml"), let type = mediaType(archive) else {
            return false
        }
        // Also templates and, for text, master documents.
        return type.hasPrefix("application/vnd.oasis.opendocument.\(kind)")
    }

    /// Reads styles and content into an outline.
    static func outline(of document: Document, isPresentation: Bool) throws(ReadingError) -> Outline {
        let archive = try document.archive()
        if let manifest = try manifest(archive), manifest.isEncrypted { throw .encrypted }
        let builder = OutlineBuilder(document)
        let styles = OpenDocumentStyles()
        // Styles first: both parts define some, and the content's own win.
        _ = try XMLReader.read("styles.xml", of: archive, into: styles)
        guard try XMLReader.read("content.xml", of: archive, into: styles) != nil else {
            throw .damaged(what: "its part content.xml is missing")
        }
        let body = OpenDocumentBody(part: .content, styles: styles, builder: builder, slideLimit: document.limits.slides)
        _ = try XMLReader.read("content.xml", of: archive, into: body)
        guard body.sawBody else { throw .damaged(what: "its content is no \(isPresentation ? "presentation" : "text")") }
        // Master pages of a presentation are its design, not its text.
        if !isPresentation {
            let margins = OpenDocumentBody(part: .masterPages, styles: styles, builder: builder, slideLimit: 0)
            _ = try XMLReader.read("styles.xml", of: archive, into: margins)
        }
        return builder.finish(language: styles.language, slides: isPresentation ? body.slides : nil)
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
            case "file-entry":
                if attributes[.manifest, "full-path"] == "/" { rootType = attributes[.manifest, "media-type"]?.lowercased() }
            case "encryption-data": isEncrypted = true
            default: break
            }
            return .into
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}
        func end(_ name: XMLName) throws(ReadingError) {}
    }
}

/// Text documents in OpenDocument (`.odt`, `.ott`).
package struct OpenTextAnalyzer: OutlineAnalyzer {
    package let identifier = "odt"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        try OpenDocumentPackage.accepts(document, kind: "text")
    }

    package func outline(of document: Document) throws(ReadingError) -> Outline {
        try OpenDocumentPackage.outline(of: document, isPresentation: false)
    }
}

/// Presentations in OpenDocument (`.odp`, `.otp`).
package struct OpenPresentationAnalyzer: OutlineAnalyzer {
    package let identifier = "odp"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        try OpenDocumentPackage.accepts(document, kind: "presentation")
    }

    package func outline(of document: Document) throws(ReadingError) -> Outline {
        try OpenDocumentPackage.outline(of: document, isPresentation: true)
    }
}
