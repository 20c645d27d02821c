// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What a lock, owner or swap file says inside. Free text that anybody can forge: shown, and used to see whether its program still runs,
/// never to decide who somebody is.
package struct LockContents: Equatable, Sendable {
    /// The raw values stand in the journal.
    package enum Format: String, Sendable {
        case vim, nano, emacs, word, kate
        case libreOffice = "libreoffice"
        case excelOrPowerPoint = "excel-or-powerpoint"
    }

    package var format: Format
    /// The account name on the client.
    package var login: String?
    /// The name for people, as set in the program.
    package var displayName: String?
    package var host: String?
    package var pid: Int32?
    /// True where the program has marked unsaved changes.
    package var hasUnsavedChanges: Bool?

    package init(
        format: Format, login: String? = nil, displayName: String? = nil, host: String? = nil, pid: Int32? = nil,
        hasUnsavedChanges: Bool? = nil
    ) {
        self.format = format
        self.login = login
        self.displayName = displayName
        self.host = host
        self.pid = pid
        self.hasUnsavedChanges = hasUnsavedChanges
    }

    /// What of it is for people to read; nil where it names nobody.
    package var words: LockWords? { LockWords(program: format.rawValue, login: login, name: displayName, host: host) }

    /// Reads the first bytes of a companion; nil where they are not what its kind promises. Any bytes may be given.
    package init?(_ bytes: [UInt8], of kind: CompanionKind) {
        let read: LockContents? =
            switch kind {
            case .swap: Self.swap(bytes)
            case .libreOfficeLock: Self.libreOffice(bytes)
            case .officeOwner: Self.office(bytes)
            case .emacsLock: Self.emacs(bytes)
            case .kateSwap: Self.kate(bytes)
            case .autosave, .backup: nil
            }
        guard let read else { return nil }
        self = read
    }

    /// vim's block 0, and nano's of the same layout in exactly 1024 bytes.
    private static func swap(_ bytes: [UInt8]) -> LockContents? {
        guard bytes.count >= 1024, bytes[0] == UInt8(ascii: "b"),
            [UInt8(ascii: "0"), UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "d")].contains(bytes[1])
        else { return nil }
        let isNano = bytes[2..<12].starts(with: Array("nano".utf8))
        let pid = little32(bytes, 24)
        return LockContents(
            format: isNano ? .nano : .vim, login: text(bytes[28..<68]), host: text(bytes[68..<108]),
            pid: pid > 0 && pid <= UInt32(Int32.max) ? Int32(pid) : nil, hasUnsavedChanges: bytes[1007] == 0x55)
    }

    /// `user@host.pid:boot`; the boot time may be missing.
    private static func emacs(_ bytes: [UInt8]) -> LockContents? {
        guard bytes.count <= 8192, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        var rest = bytes[(at + 1)...]
        if let colon = rest.lastIndex(of: UInt8(ascii: ":")) { rest = rest[..<colon] }
        guard let dot = rest.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        guard let pid = number(rest[(dot + 1)...]) else { return nil }
        return LockContents(format: .emacs, login: text(bytes[..<at]), host: text(rest[..<dot]), pid: pid, hasUnsavedChanges: true)
    }

    /// Five fields with `,` between and `;` at the end; a backslash escapes `,`, `;` and itself.
    private static func libreOffice(_ bytes: [UInt8]) -> LockContents? {
        var fields: [[UInt8]] = [[]]
        var escaped = false
        scan: for byte in bytes {
            if escaped {
                guard [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\")].contains(byte) else { return nil }
                fields[fields.count - 1].append(byte)
                escaped = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\\"): escaped = true
            case UInt8(ascii: ","): fields.append([])
            case UInt8(ascii: ";"): break scan
            default: fields[fields.count - 1].append(byte)
            }
            if fields.count > 8 { return nil }
        }
        guard !escaped, fields.count >= 3 else { return nil }
        return LockContents(
            format: .libreOffice, login: text(fields[1][...]), displayName: text(fields[0][...]), host: text(fields[2][...]))
    }

    /// The layouts of Word (162 bytes) and of Excel and PowerPoint (165), told apart by the filler.
    private static func office(_ bytes: [UInt8]) -> LockContents? {
        guard bytes.count >= 162 else { return nil }
        let isWide = bytes[54] == 0x20 && (bytes[52] != 0 || bytes[53] != 0)
        let start = isWide ? 55 : 54
        let length = Int(bytes[start]) | Int(bytes[start + 1]) << 8
        guard (1...52).contains(length), start + 2 + 2 * length <= bytes.count else { return nil }
        var units: [UInt16] = []
        for index in 0..<length {
            let place = start + 2 + 2 * index
            units.append(UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
        }
        let name = Array(String(decoding: units, as: UTF16.self).utf8)
        return LockContents(format: isWide ? .excelOrPowerPoint : .word, displayName: text(name[...]))
    }

    /// Only the mark at the start is looked at: the rest is what somebody typed.
    private static func kate(_ bytes: [UInt8]) -> LockContents? {
        let mark = Array("Kate Swap File".utf8)
        guard bytes.count >= 4 + mark.count, bytes[4...].starts(with: mark) else { return nil }
        return LockContents(format: .kate, hasUnsavedChanges: true)
    }

    /// Up to the first zero byte, harmless; nil where nothing is left.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        return LockWords.harmless(String(decoding: bytes[bytes.startIndex..<end].prefix(4 * LockWords.longestText), as: UTF8.self))
    }

    private static func little32(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int32? {
        guard !digits.isEmpty, digits.count <= 10, digits.allSatisfy(\.isDigit) else { return nil }
        return Int32(String(decoding: digits, as: UTF8.self))
    }
}
