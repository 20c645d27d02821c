// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

/// Replaces names by others from which the same is inferred: the same name always by the same one, with its known ending, with what makes
/// it a lock, swap, backup or temporary file, and in its place of a layout.
///
/// Kept are: names that stand in the layouts themselves, names of excluded folders, endings that many files have, and what programs make up by
/// themselves (`4913`, `.goutputstream-A1B2C3`). No other byte of a name gets through.
struct NameMask {
    private let layouts: LayoutSet
    /// Logins of people, so that a folder that is called like one still is.
    private let logins: Set<String>
    /// The documents that `~$` files belong to, by the path of such a file.
    private var officeDocuments: [PathBytes: [UInt8]] = [:]
    private var numbers: [String: [[UInt8]: Int]] = [:]
    private var uids: [UInt32: UInt32] = [:]

    /// `documents`: every path of the trace, since a `~$` file may be seen before its document is.
    init(layouts: LayoutSet, logins: Set<String>, paths: some Sequence<PathBytes>) {
        self.layouts = layouts
        self.logins = logins
        for path in paths where FileName(path.name) == .document {
            let owner = path.folder.appending(FileName.officeOwnerName(of: path.name))
            // Of several that it may belong to, the first by name: as good as any.
            if officeDocuments[owner].map({ Array(path.name).lexicographicallyPrecedes($0) }) ?? true {
                officeDocuments[owner] = Array(path.name)
            }
        }
    }

    // MARK: People

    mutating func login(_ login: String) -> String { "person-\(number("person", Array(login.utf8)))" }

    /// A number of another person. Root, accounts of services and nobody keep theirs: they are the same everywhere.
    mutating func uid(_ uid: UInt32) -> UInt32 {
        guard Self.isPersonal(uid) else { return uid }
        if let known = uids[uid] { return known }
        let new = 2001 + UInt32(uids.count)
        uids[uid] = new
        return new
    }

    static func isPersonal(_ uid: UInt32) -> Bool { uid >= 1000 && uid != 65534 && uid != UInt32.max }

    // MARK: Paths

    /// `isFolder` decides how the last name is taken.
    mutating func path(_ path: PathBytes, isFolder: Bool) -> PathBytes {
        var result = PathBytes.root
        var original = PathBytes.root
        let names = path.components
        for (index, name) in names.enumerated() {
            let isLast = index == names.count - 1
            let masked = isLast && !isFolder ? file(Array(name), in: original) : folder(name, at: index, of: names)
            result = result.appending(masked)
            original = original.appending(name)
        }
        return result
    }

    private mutating func folder(_ name: ArraySlice<UInt8>, at index: Int, of names: [ArraySlice<UInt8>]) -> [UInt8] {
        if layouts.isExcluded(name) { return Array(name) }
        var role: LayoutPattern.Part?
        for layout in layouts.layouts where layout.parts.count - 1 > index && leads(layout, names[..<index]) {
            if case .name(let wanted) = layout.parts[index] {
                if name.elementsEqual(wanted) { return Array(name) }
            } else if role == nil {
                role = layout.parts[index]
            }
        }
        if role == .person, logins.contains(escapedText(name)) { return Array(login(escapedText(name)).utf8) }
        let kind =
            switch role {
            case .className: "class"
            case .assignment: "assignment"
            case .person, .document, .name, nil: "folder"
            }
        let hidden = FileName.isHiddenFolder(name) ? "." : ""
        return Array("\(hidden)\(kind)-\(number(kind, Array(name)))".utf8)
    }

    private func leads(_ layout: LayoutPattern, _ names: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        zip(layout.parts, names).allSatisfy { part, name in
            if case .name(let wanted) = part { name.elementsEqual(wanted) } else { !layouts.isExcluded(name) }
        }
    }

    // MARK: Files

    private mutating func file(_ name: [UInt8], in folder: PathBytes) -> [UInt8] {
        let masked = fileByKind(name, in: folder)
        if Self.isSameKind(name, masked) { return masked }
        // A rule of names that is not known here: better a name that only keeps its kind.
        let count = number("other", name)
        switch FileName(name) {
        case .document: return Array("other-\(count)".utf8)
        case .companion: return Array("other-\(count)~".utf8)
        case .temporary: return Array("other-\(count).tmp".utf8)
        case .litter: return Array("._other-\(count)".utf8)
        }
    }

    private mutating func fileByKind(_ name: [UInt8], in folder: PathBytes) -> [UInt8] {
        switch FileName(name) {
        case .document: return document(name)
        case .companion(.officeOwner, let document):
            if let whole = officeDocuments[folder.appending(name)] { return FileName.officeOwnerName(of: self.document(whole)) }
            return Array("~$".utf8) + file(document, in: folder)
        case .companion(let kind, let document):
            let start = kind.prefixLength
            guard name.count >= start + document.count, name[start..<(start + document.count)] == document[...] else { return name }
            return name[..<start] + file(document, in: folder) + name[(start + document.count)...]
        case .temporary: return temporary(name, in: folder)
        case .litter:
            if name.starts(with: Array("._".utf8)) { return Array("._".utf8) + document(Array(name.dropFirst(2))) }
            for known in Self.litter where name.count >= known.utf8.count && name.map(\.small).starts(with: known.utf8) {
                let rest = name.count - known.utf8.count
                return name.prefix(known.utf8.count) + (rest == 0 ? [] : Array("-\(number("other", name))".utf8))
            }
            return name
        }
    }

    private static let litter = [
        "thumbs.db", "desktop.ini", "deadjoe", ".ds_store", ".nfs", ".fuse_hidden", ".smbdelete", ".directory", ".~sharing.",
    ]

    /// What programs make up; a document's name may stand within.
    private mutating func temporary(_ name: [UInt8], in folder: PathBytes) -> [UInt8] {
        // vim's 4913 and so on tell nothing; eight digits may be a person's number.
        if name.count < 8, name.allSatisfy(\.isFigure) { return name }
        if name.count == 8, name.allSatisfy({ $0.isFigure || (0x41...0x46).contains($0) }) {
            let hex = String(number("other", name), radix: 16, uppercase: true)
            return Array(("A" + String(repeating: "0", count: max(0, 7 - hex.count)) + hex).utf8)
        }
        for (start, end) in Self.madeUp where name.count > start.utf8.count + end.utf8.count {
            let middle = name[start.utf8.count..<(name.count - end.utf8.count)]
            if name.starts(with: start.utf8), name.suffix(end.utf8.count).elementsEqual(end.utf8), middle.count <= 12,
                middle.allSatisfy(\.isLetterOrFigure), start.hasPrefix(".") || middle.first?.isFigure ?? false
            {
                return name
            }
        }
        // `X.sb-1a2b3c4d-AbCdEf`
        if name.count > 19, name[name.count - 19] == UInt8(ascii: ".") {
            let tail = name[(name.count - 19)...]
            if tail.starts(with: ".sb-".utf8), tail.dropFirst(4).allSatisfy({ $0.isLetterOrFigure || $0 == UInt8(ascii: "-") }) {
                return file(Array(name.dropLast(19)), in: folder) + tail
            }
        }
        if name.first == UInt8(ascii: "."), name.count > 1 { return [UInt8(ascii: ".")] + document(Array(name.dropFirst())) }
        for ending in Self.temporaryEndings
        where name.count > ending.utf8.count && name.map(\.small).suffix(ending.utf8.count).elementsEqual(ending.utf8) {
            return document(Array(name.dropLast(ending.utf8.count))) + name.suffix(ending.utf8.count)
        }
        return name.allSatisfy(\.isFigure) ? name : document(name)
    }

    /// Beginning and end; between them letters and figures by chance, that where the beginning is a word begin with a figure.
    private static let madeUp = [
        (".goutputstream-", ""), (".gsf-save-", ""), (".#-emacs", ""), ("lu", ".tmp"), ("~WRD", ".tmp"), ("~WRL", ".tmp"), ("~WRA", ".tmp"),
        ("~DF", ".tmp"),
    ]
    private static let temporaryEndings = [".tmp", ".temp", ".filepart", ".part", ".partial", ".crdownload", ".wbk", ".asd"]

    /// Word shortens the names of its `~$` files by the length of the base, so that is kept as far as it matters.
    private mutating func document(_ name: [UInt8]) -> [UInt8] {
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil }
        let base = Array(name[..<(dot ?? name.count)])
        let count = number("document", base)
        let length = base.count { $0 & 0xc0 != 0x80 }
        let masked: String =
            switch length {
            case ..<6: Self.shortened("d", count, to: nil)
            case 6: Self.shortened("d", count, to: 6)
            case 7: Self.shortened("d", count, to: 7)
            default: "document-\(count)"
            }
        guard let dot else { return Array(masked.utf8) }
        let ending = Array(name[(dot + 1)...])
        let small = String(decoding: ending.map(\.small), as: UTF8.self)
        let shown =
            FileName.isPlainText("x.".utf8 + ending) || Self.endings.contains(small) ? ending : Array("x\(number("ending", ending))".utf8)
        return Array(masked.utf8) + [UInt8(ascii: ".")] + shown
    }

    private static func shortened(_ letter: String, _ count: Int, to length: Int?) -> String {
        let text = String(count, radix: 36)
        guard let length else { return letter + text }
        return letter + String(repeating: "0", count: max(0, length - 1 - text.count)) + text
    }

    private static let endings: Set<String> = [
        "odt", "odp", "ods", "odg", "doc", "docx", "docm", "dot", "dotx", "ppt", "pptx", "xls", "xlsx", "rtf", "pdf", "pages", "key",
        "numbers",
        "png", "jpg", "jpeg", "gif", "svg", "mp3", "mp4", "wav", "ogg", "m4a", "mov", "avi", "mkv", "zip", "epub", "ipynb", "mscz", "sb3",
        "aup3",
        "ggb", "drawio", "kra", "xcf", "psd", "tmp",
    ]

    // MARK: Numbers

    private mutating func number(_ kind: String, _ name: [UInt8]) -> Int {
        if let known = numbers[kind]?[name] { return known }
        let new = (numbers[kind]?.count ?? 0) + 1
        numbers[kind, default: [:]][name] = new
        return new
    }

    private static func isSameKind(_ name: [UInt8], _ masked: [UInt8]) -> Bool {
        switch (FileName(name), FileName(masked)) {
        case (.document, .document), (.temporary, .temporary), (.litter, .litter): true
        case (.companion(let kind, _), .companion(let other, _)): kind == other
        default: false
        }
    }
}

extension CompanionKind {
    /// How many bytes stand before the document's name.
    fileprivate var prefixLength: Int {
        switch self {
        case .libreOfficeLock: ".~lock.".utf8.count
        case .officeOwner, .emacsLock: 2
        case .swap, .kateSwap, .autosave: 1
        case .backup: 0
        }
    }
}

extension UInt8 {
    fileprivate var isFigure: Bool { (0x30...0x39).contains(self) }
    fileprivate var small: UInt8 { (0x41...0x5a).contains(self) ? self + 32 : self }
    fileprivate var isLetterOrFigure: Bool { isFigure || (0x61...0x7a).contains(small) }
}
