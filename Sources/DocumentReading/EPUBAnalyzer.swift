// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Books (`.epub`): words and chapters. A chapter is a document in the reading order that holds text.
package struct EPUBAnalyzer: OutlineAnalyzer {
    package let identifier = "epub"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        guard document.looksLikeZip else { return false }
        let archive = try document.archive()
        return OpenDocumentPackage.mediaType(archive) == "application/epub+zip" || archive.contains("META-INF/container.xml")
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let archive = try document.archive()
        let container = Container()
        guard try XMLReader.read("META-INF/container.xml", of: archive, into: container) != nil, let path = container.rootFile else {
            throw .damaged(what: "its container names no book")
        }
        let book = Book()
        guard try XMLReader.read(path, of: archive, into: book) != nil else { throw .damaged(what: "its table of parts is missing") }
        builder.facts.language = book.language
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let protected = try Self.protectedParts(archive)
        var chapters = 0
        for id in book.spine {
            // The reading order may name what is no text, e.g. a picture.
            guard let item = book.items[id], item.type.contains("html") else { continue }
            let part = OfficePackage.resolve(item.href, from: folder)
            if protected.contains(part) { throw .encrypted }
            let before = builder.tally?.visible ?? 0
            let reader = try HTMLReader(builder, depthLimit: document.limits.xmlDepth)
            guard try archive.read(part, { piece throws(ReadingError) in try reader.feed(piece) }) != nil else {
                throw .damaged(what: "a chapter is missing")
            }
            try reader.finish()
            if builder.tally.map({ $0.visible > before }) ?? true { chapters += 1 }
        }
        guard !book.spine.isEmpty else { throw .damaged(what: "its reading order is empty") }
        builder.facts.chapters = chapters
    }

    /// Parts that are encrypted; fonts often are, in books that can be read.
    private static func protectedParts(_ archive: ZipArchive) throws(ReadingError) -> Set<String> {
        guard let bytes = try archive.contents("META-INF/encryption.xml", limit: 4 << 20) else { return [] }
        var parts: Set<String> = []
        for piece in String(decoding: bytes, as: UTF8.self).split(separator: "URI=\"").dropFirst() {
            if let end = piece.firstIndex(of: "\"") { parts.insert(OfficePackage.resolve(String(piece[..<end]), from: "")) }
        }
        return parts
    }

    private final class Container: XMLHandler {
        private(set) var rootFile: String?

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
            if name == XMLName(space: .container, local: .rootfile), rootFile == nil { rootFile = attributes[.none, .fullPath] }
            return .into
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}
        func end(_ name: XMLName) throws(ReadingError) {}
    }

    private final class Book: XMLHandler {
        private(set) var items: [String: (href: String, type: String)] = [:]
        private(set) var spine: [String] = []
        private(set) var language: String?
        private var isLanguage = false

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
            switch (name.space, name.local) {
            case (.package, .item):
                if let id = attributes[.none, .id], let href = attributes[.none, .href], items.count < 20_000 {
                    items[id] = (href, attributes[.none, .mediaType] ?? "")
                }
            case (.package, .itemref):
                // What is not in line is beside the text: a cover, answers.
                if attributes[.none, .linear] != "no", let id = attributes[.none, .idref], spine.count < 20_000 { spine.append(id) }
            case (.dublinCore, .language): isLanguage = language == nil
            default: break
            }
            return .into
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
            if isLanguage { language = (language ?? "") + String(decoding: bytes.prefix(40), as: UTF8.self) }
        }

        func end(_ name: XMLName) throws(ReadingError) { isLanguage = false }
    }
}
