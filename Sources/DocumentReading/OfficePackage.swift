// SPDX-License-Identifier: Apache-2.0

/// An Office Open XML package: its main part and what each part points to. Names of parts differ between producers, so everything is
/// found by relationship.
final class OfficePackage {
    let archive: ZipArchive
    let mainPart: String
    /// The kind of the main part; empty where the package does not say.
    let mainContentType: String

    private let propertiesPart: String?

    /// One arrow from a part to another inside the package.
    struct Relationship {
        var id: String
        /// The last word of the type, e.g. `slide`: it is the same in both forms of the standard.
        var type: String
        var target: String
    }

    init(_ archive: ZipArchive) throws(ReadingError) {
        self.archive = archive
        let top = try Self.relationships(of: "", in: archive)
        let main = top.first { $0.type == "officeDocument" }
        guard let main else { throw .noAnalyzer(kind: "this kind of zip container") }
        mainPart = main.target
        propertiesPart = top.first { $0.type == "extended-properties" || $0.type == "extendedProperties" }?.target
        let types = ContentTypes()
        _ = try XMLReader.read("[Content_Types].xml", of: archive, into: types)
        mainContentType = types.type(of: main.target)
        guard archive.contains(mainPart) else { throw .damaged(what: "its main part is missing") }
    }

    /// The pages that the program which saved the document wrote down, where it is one that lays documents out.
    func declaredPages() throws(ReadingError) -> Int? {
        guard let propertiesPart else { return nil }
        let properties = Properties()
        _ = try XMLReader.read(propertiesPart, of: archive, into: properties)
        guard properties.application.contains("Microsoft") || properties.application.contains("LibreOffice") else { return nil }
        return Int(properties.pages)
    }

    func relationships(of part: String) throws(ReadingError) -> [Relationship] { try Self.relationships(of: part, in: archive) }

    private static func relationships(of part: String, in archive: ZipArchive) throws(ReadingError) -> [Relationship] {
        let (folder, name) = split(part)
        let handler = Relationships(folder: folder)
        _ = try XMLReader.read("\(folder)_rels/\(name).rels", of: archive, into: handler)
        return handler.found
    }

    /// `word/document.xml` is `word/` and `document.xml`.
    private static func split(_ part: String) -> (folder: String, name: String) {
        guard let slash = part.lastIndex(of: "/") else { return ("", part) }
        return (String(part[...slash]), String(part[part.index(after: slash)...]))
    }

    static func resolve(_ target: String, from folder: String) -> String {
        // Some programs write Windows' separator.
        var path =
            target.utf8.contains(0x5c) ? target.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "/") : target
        if let fragment = path.firstIndex(of: "#") { path = String(path[..<fragment]) }
        var components: [Substring] = path.hasPrefix("/") ? [] : folder.split(separator: "/")
        for component in path.split(separator: "/") {
            switch component {
            case ".": continue
            case "..": _ = components.popLast()
            default: components.append(component)
            }
        }
        return unescape(components.joined(separator: "/"))
    }

    /// Targets are URIs, names of members are not.
    private static func unescape(_ text: String) -> String {
        guard text.contains("%") else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private final class Relationships: XMLHandler {
        let folder: String
        var found: [Relationship] = []

        init(folder: String) { self.folder = folder }

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
            guard name == XMLName(space: .relationships, local: .relationship), attributes[.none, .targetMode] != "External",
                let id = attributes[.none, .identifier], let type = attributes[.none, .typeName], let target = attributes[.none, .target]
            else { return .into }
            let word = type.split(separator: "/").last.map(String.init) ?? ""
            found.append(Relationship(id: id, type: word, target: OfficePackage.resolve(target, from: folder)))
            return .into
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}
        func end(_ name: XMLName) throws(ReadingError) {}
    }

    private final class Properties: XMLHandler {
        private(set) var pages = ""
        private(set) var application = ""
        private var local = XMLLocal.other

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
            local = name.space == .extendedProperties ? name.local : .other
            return .into
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
            let text = String(decoding: bytes.prefix(80), as: UTF8.self)
            if local == .pages { pages += text }
            if local == .application { application += text }
        }

        func end(_ name: XMLName) throws(ReadingError) { local = .other }
    }

    private final class ContentTypes: XMLHandler {
        private var byPart: [String: String] = [:]
        private var byExtension: [String: String] = [:]

        func type(of part: String) -> String {
            let small = part.lowercased()
            if let type = byPart[small] { return type }
            return small.split(separator: ".").last.flatMap { byExtension[String($0)] } ?? ""
        }

        func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
            guard name.space == .contentTypes, let type = attributes[.none, .contentType] else { return .into }
            if name.local == .override, let part = attributes[.none, .partName] {
                byPart[String(part.lowercased().drop { $0 == "/" })] = type
            } else if name.local == .defaultType, let ending = attributes[.none, .extensionName] {
                byExtension[ending.lowercased()] = type
            }
            return .into
        }

        func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}
        func end(_ name: XMLName) throws(ReadingError) {}
    }
}
