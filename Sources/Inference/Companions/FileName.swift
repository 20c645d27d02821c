// SPDX-License-Identifier: Apache-2.0

/// The kinds of files that belong to a document and are none.
package enum CompanionKind: String, Sendable, CaseIterable {
    /// `.X.swp`, `.swo` … of vim and nano: there from opening to closing; vim holds it open, nano does not.
    case swap
    /// `.~lock.X#` of LibreOffice: there from opening to closing, deleted and made again at each save.
    case libreOfficeLock
    /// `~$X` of Microsoft Office: there, and held, from opening to closing.
    case officeOwner
    /// `.#X` of Emacs and joe, a dangling link: there only while changes are unsaved.
    case emacsLock
    /// `.X.kate-swp`: there only while changes are unsaved; written at each keystroke.
    case kateSwap
    /// `#X#` of Emacs: written by the program after 30 idle seconds.
    case autosave
    /// `X~`, `X.bak`, nano's `X.save`.
    case backup

    /// True where it is there as long as the document is open, so that its end is the document's close.
    package var marksPresence: Bool { self == .swap || self == .libreOfficeLock || self == .officeOwner }

    /// True where it is there only while changes are unsaved: its beginning is a keystroke, its end a save.
    package var marksUnsavedChanges: Bool { self == .emacsLock || self == .kateSwap }
}

/// What a file is by its name alone. Names are bytes; nothing here looks at a disk.
package enum FileName: Equatable, Sendable {
    case document
    /// `documents` are the names it may belong to, likeliest first; Word's `~$` leaves out up to two characters, which `officeOwnerName`
    /// helps to find again.
    case companion(CompanionKind, document: [UInt8])
    /// A file that a program writes and then renames over a document, or a probe. Never a document by itself.
    case temporary
    /// What file managers and synchronisers leave about.
    case litter

    package init(_ name: some Collection<UInt8>) {
        let name = Array(name)
        self = Self.lock(name) ?? Self.leftover(name) ?? .document
    }

    /// Names of folders in which no document is looked for: `.git`, `.TemporaryItems`, `.sb-…`.
    package static func isHiddenFolder(_ name: some Collection<UInt8>) -> Bool { name.first == UInt8(ascii: ".") }

    private static func lock(_ name: [UInt8]) -> FileName? {
        // Most names are documents': they are told by their first byte.
        guard let first = name.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "~") || first == UInt8(ascii: "#") else {
            return nil
        }
        if let document = name.between(".~lock.", "#") { return .companion(.libreOfficeLock, document: document) }
        if name.between(".~sharing.", "#") != nil { return .litter }
        if let document = name.between("~$", ""), !document.isEmpty { return .companion(.officeOwner, document: document) }
        if let document = name.between(".#", ""), !document.starts(with: Array("-emacs".utf8)) {
            return .companion(.emacsLock, document: document)
        }
        if let document = name.between(".", ".kate-swp") { return .companion(.kateSwap, document: document) }
        if let document = name.between("#", "#") { return .companion(.autosave, document: document) }
        // vim takes .swp, then .swo, .swn … down to .swa; .swx is only its probe.
        if name.count > 5, name[0] == UInt8(ascii: "."), name[(name.count - 4)...].starts(with: Array(".sw".utf8)) {
            let last = name[name.count - 1]
            if last >= UInt8(ascii: "a"), last <= UInt8(ascii: "p") {
                return .companion(.swap, document: Array(name[1..<(name.count - 4)]))
            }
            return .temporary
        }
        return nil
    }

    private static let litterNames: [StaticString] = ["thumbs.db", "desktop.ini", "deadjoe"]
    private static let litterBeginnings: [StaticString] = [".ds_store", "._", ".nfs", ".fuse_hidden", ".smbdelete", ".directory"]
    private static let temporaryEndings: [StaticString] = [
        ".tmp", ".temp", ".filepart", ".part", ".partial", ".crdownload", ".wbk", ".asd",
    ]
    private static let backupEndings: [StaticString] = [".bak", ".save"]

    private static func leftover(_ name: [UInt8]) -> FileName? {
        if litterNames.contains(where: { name.count == $0.utf8CodeUnitCount && name.endsLike($0) }) { return .litter }
        if name.first == UInt8(ascii: "."), litterBeginnings.contains(where: name.startsLike) { return .litter }
        if temporaryEndings.contains(where: { name.endsLike($0) }) { return .temporary }
        if isVimProbe(name) || isExcelTemporary(name) || isAppleTemporary(name) { return .temporary }
        if let document = backedUp(name) { return .companion(.backup, document: document) }
        // What is hidden otherwise is no assignment: .goutputstream-*, .gsf-save-*, rsync's .X.AbCdEf, .X.un~ and the like.
        if name.first == UInt8(ascii: ".") { return .temporary }
        return nil
    }

    private static func backedUp(_ name: [UInt8]) -> [UInt8]? {
        if name.count > 1, name.last == UInt8(ascii: "~") {
            var document = Array(name.dropLast())
            // Numbered backups: X.~12~
            if let tilde = document.lastIndex(of: UInt8(ascii: "~")), tilde > 1, document[tilde - 1] == UInt8(ascii: "."),
                document[(tilde + 1)...].allSatisfy(\.isDigit)
            {
                document.removeSubrange((tilde - 1)...)
            }
            return document
        }
        for ending in backupEndings where name.endsLike(ending) && name.count > ending.utf8CodeUnitCount {
            return Array(name.dropLast(ending.utf8CodeUnitCount))
        }
        return nil
    }

    /// vim's test whether the folder can be written: 4913, and 123 more each time while that name is taken.
    private static func isVimProbe(_ name: [UInt8]) -> Bool {
        guard (4...6).contains(name.count), name.allSatisfy(\.isDigit) else { return false }
        let value = name.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value >= 4913 && (value - 4913) % 123 == 0
    }

    /// Excel writes eight hexadecimal digits in capitals without an ending.
    private static func isExcelTemporary(_ name: [UInt8]) -> Bool {
        name.count == 8 && name.allSatisfy { $0.isDigit || ($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "F")) }
    }

    /// `X.sb-` with eight hexadecimal digits, a hyphen and six characters.
    private static func isAppleTemporary(_ name: [UInt8]) -> Bool {
        guard name.count > 19 else { return false }
        let tail = name[(name.count - 19)...].map(\.lowercased)
        return tail.starts(with: Array(".sb-".utf8)) && tail[12] == UInt8(ascii: "-")
            && tail[4..<12].allSatisfy { $0.isDigit || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f")) }
    }

    /// The `~$` name that Office gives a document: Word leaves out two characters of a base name of eight or more, one of seven.
    package static func officeOwnerName(of document: some Collection<UInt8>) -> [UInt8] {
        let name = Array(document)
        var drop = 0
        if let dot = name.lastIndex(of: UInt8(ascii: ".")),
            ["doc", "docx", "docm", "dot", "dotx", "rtf", "odt"].contains(where: {
                $0.utf8.elementsEqual(name[(dot + 1)...].map(\.lowercased))
            })
        {
            let length = characters(name[..<dot])
            drop = length >= 8 ? 2 : length == 7 ? 1 : 0
        }
        var rest = name[...]
        for _ in 0..<drop { rest = dropCharacter(rest) }
        return Array("~$".utf8) + rest
    }

    /// True for names of texts, which programs like `tail -f` and `less` hold open while nobody works on them.
    package static func isPlainText(_ name: some Collection<UInt8>) -> Bool {
        let name = Array(name)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return true }
        return textEndings.contains(String(decoding: name[(dot + 1)...].map(\.lowercased), as: UTF8.self))
    }

    private static let textEndings: Set<String> = [
        "txt", "text", "md", "markdown", "rst", "adoc", "org", "tex", "bib", "csv", "tsv", "log", "json", "xml", "yaml", "yml", "toml",
        "ini",
        "conf", "cfg", "html", "htm", "css", "svg", "js", "ts", "py", "c", "h", "cc", "cpp", "hpp", "java", "kt", "swift", "go", "rs", "rb",
        "pl",
        "php", "sh", "bash", "sql", "r", "lua", "hs", "ml", "pas", "asm", "s", "diff", "patch", "srt", "vtt",
    ]

    private static func characters(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xc0 != 0x80 } }

    private static func dropCharacter(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.dropFirst().drop { $0 & 0xc0 == 0x80 }
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    var lowercased: UInt8 { self >= 0x41 && self <= 0x5a ? self + 32 : self }
}

extension Array<UInt8> {
    /// Compares with a text in small letters, whatever the case here; allocates nothing.
    func endsLike(_ text: StaticString) -> Bool {
        let size = text.utf8CodeUnitCount
        guard count >= size else { return false }
        for index in 0..<size where self[count - size + index].lowercased != text.utf8Start[index] { return false }
        return true
    }

    func startsLike(_ text: StaticString) -> Bool {
        let size = text.utf8CodeUnitCount
        guard count >= size else { return false }
        for index in 0..<size where self[index].lowercased != text.utf8Start[index] { return false }
        return true
    }

    /// What stands between a beginning and an end; nil where they do not fit or nothing stands between.
    func between(_ start: String, _ end: String) -> [UInt8]? {
        guard count > start.utf8.count + end.utf8.count, starts(with: Array(start.utf8)), hasSuffix(end) else { return nil }
        return Array(self[start.utf8.count..<(count - end.utf8.count)])
    }

    func hasSuffix(_ end: String) -> Bool {
        count >= end.utf8.count && self[(count - end.utf8.count)...].elementsEqual(end.utf8)
    }
}

extension CompanionKind {
    /// Whether a name is a lock, owner or swap file, which says by being there that somebody has a document open.
    package static func isPresenceMark(_ name: ArraySlice<UInt8>) -> Bool {
        guard case .companion(let kind, _) = FileName(name) else { return false }
        return kind.marksPresence || kind.marksUnsavedChanges
    }
}
