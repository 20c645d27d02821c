// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Text and places of RTF, by version 1.9.1 of its specification.
struct RTFReader {
    private let builder: OutlineBuilder
    private let depthLimit: Int
    private(set) var pageBreaks = 0

    /// What a group inherits and its end takes back.
    private struct Group {
        /// Text goes nowhere.
        var isSkipped = false
        /// Where the text of a whole destination stands; nil in the body.
        var place: Place?
        var isHidden = false
        var isDeleted = false
        /// Bytes that follow each `\u` for older readers.
        var fallback = 1
    }

    private var groups = [Group()]
    private var group: Group { groups[groups.count - 1] }
    private var charset = "windows-1252"
    /// Bytes in the document's character set, not decoded yet.
    private var pending: [UInt8] = []
    /// The half of a UTF-16 pair that came first.
    private var high: UInt16?
    private var skipCharacters = 0
    private var isDestination = false
    private var isIgnorable = false
    // Of the paragraph.
    private var isInTable = false
    private var isList = false
    private var isHeading = false
    private var texts: [Place: [UInt8]] = [:]

    init(_ builder: OutlineBuilder, depthLimit: Int) {
        self.builder = builder
        self.depthLimit = depthLimit
    }

    mutating func read(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "{"):
                flush()
                guard groups.count < depthLimit else { throw .tooLarge(what: "groups nested deeper than \(depthLimit)") }
                groups.append(group)
                isDestination = true
                isIgnorable = false
                skipCharacters = 0
            case UInt8(ascii: "}"):
                flush()
                let done = groups.removeLast()
                // A note stands in the middle of its paragraph, and ends with its group.
                if let place = done.place, groups.last?.place != place { try endBlock(place) }
                if groups.isEmpty {
                    // What comes after the document is none of it.
                    groups.append(Group())
                    index = bytes.count
                }
                isDestination = false
            case UInt8(ascii: "\\"): try readControl(bytes, &index)
            case 0x0a, 0x0d: break
            default:
                isDestination = false
                add(byte)
            }
        }
        flush()
        guard groups.count == 1 else { throw .damaged(what: "it ends in the middle: a group is open") }
        try endParagraph()
        for place in texts.keys.sorted(by: { "\($0)" < "\($1)" }) { try endBlock(place) }
    }

    private mutating func readControl(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) throws(ReadingError) {
        guard index < bytes.count else { return }
        let first = bytes[index]
        guard Self.isLetter(first) else {
            index += 1
            return try readSymbol(first, bytes, &index)
        }
        var name: [UInt8] = []
        while index < bytes.count, Self.isLetter(bytes[index]), name.count < 32 {
            name.append(bytes[index])
            index += 1
        }
        var digits: [UInt8] = []
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") || Self.isDigit(bytes[index]) {
            repeat {
                digits.append(bytes[index])
                index += 1
            } while index < bytes.count && Self.isDigit(bytes[index]) && digits.count < 11
        }
        if index < bytes.count, bytes[index] == 0x20 { index += 1 }
        let number = Int(String(decoding: digits, as: UTF8.self))
        let word = String(decoding: name, as: UTF8.self)
        if word == "bin" {
            index = min(bytes.count, index + max(0, number ?? 0))
            return
        }
        try control(word, number)
    }

    private mutating func readSymbol(_ symbol: UInt8, _ bytes: UnsafeRawBufferPointer, _ index: inout Int) throws(ReadingError) {
        switch symbol {
        case UInt8(ascii: "'"):
            guard index + 1 < bytes.count, let value = UInt8(String(decoding: bytes[index..<(index + 2)], as: UTF8.self), radix: 16) else {
                return
            }
            index += 2
            isDestination = false
            add(value)
        case UInt8(ascii: "*"): isIgnorable = true
        case UInt8(ascii: "~"): add("\u{a0}")
        case UInt8(ascii: "-"): add("\u{ad}")
        case UInt8(ascii: "_"): add("\u{2011}")
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): add(symbol)
        case 0x0a, 0x0d: try endParagraph()
        default: break
        }
    }

    private mutating func control(_ word: String, _ number: Int?) throws(ReadingError) {
        if isDestination {
            isDestination = false
            if try startDestination(word) { return }
            // Nobody but its writer knows what this is.
            if isIgnorable { groups[groups.count - 1].isSkipped = true }
        }
        isIgnorable = false
        let isOn = number != 0
        switch word {
        case "par", "sect": try endParagraph()
        case "cell", "nestcell", "row", "nestrow": try endParagraph()
        case "page", "pagebb":
            pageBreaks += group.place == nil && !group.isSkipped ? 1 : 0
            if word == "page" { add("\n") }
        case "line", "lbr": add("\n")
        case "tab": add("\t")
        case "emdash": add("\u{2014}")
        case "endash": add("\u{2013}")
        case "emspace", "enspace", "qmspace": add(" ")
        case "bullet": add("\u{2022}")
        case "lquote": add("\u{2018}")
        case "rquote": add("\u{2019}")
        case "ldblquote": add("\u{201c}")
        case "rdblquote": add("\u{201d}")
        case "u": if let number { addUnit(UInt16(truncatingIfNeeded: number)) }
        case "uc": groups[groups.count - 1].fallback = min(max(0, number ?? 1), 16)
        case "v": groups[groups.count - 1].isHidden = isOn
        case "deleted": groups[groups.count - 1].isDeleted = isOn
        case "plain":
            groups[groups.count - 1].isHidden = false
            groups[groups.count - 1].isDeleted = false
        case "pard":
            isInTable = false
            isList = false
            isHeading = false
        case "intbl": isInTable = isOn
        case "ls": isList = number.map { $0 > 0 } ?? true
        case "outlinelevel": isHeading = number.map { $0 < 9 } ?? false
        case "ansicpg": charset = number == 65001 ? "UTF-8" : "windows-\(number ?? 1252)"
        case "mac": charset = "macintosh"
        case "pc": charset = "ibm-437"
        case "pca": charset = "ibm-850"
        default: break
        }
    }

    /// The first word of a group may say that it is something other than text. True where that was all there is to do.
    private mutating func startDestination(_ word: String) throws(ReadingError) -> Bool {
        let last = groups.count - 1
        switch word {
        case "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf": groups[last].place = .headerFooter
        case "footnote": groups[last].place = .note
        case "annotation": groups[last].place = .comment
        case "shptxt", "fldrslt", "upr", "ud", "do", "dptxbxtext", "shp", "shpinst": break
        case "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "fldinst", "listtable", "listoverridetable", "rsidtbl",
            "generator", "themedata", "colorschememapping", "datastore", "latentstyles", "xmlnstbl", "listtext", "pntext", "pn", "sp",
            "nonshppict", "shprslt", "bkmkstart", "bkmkend", "atnid", "atnauthor", "atntime", "atnref", "atndate", "annotref", "xe", "tc",
            "tcn", "revtbl", "filetbl", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "fontemb", "mmathPr", "userprops",
            "docvar", "wgrffmtfilter", "pgptbl", "passwordhash", "template", "background":
            groups[last].isSkipped = true
        default: return false
        }
        isIgnorable = false
        return true
    }

    private mutating func add(_ byte: UInt8) {
        if skipCharacters > 0 {
            skipCharacters -= 1
            return
        }
        guard !group.isSkipped else { return }
        pending.append(byte)
    }

    private mutating func add(_ text: String) {
        isDestination = false
        if skipCharacters > 0 {
            skipCharacters -= 1
            return
        }
        flush()
        guard !group.isSkipped else { return }
        texts[target, default: []].append(contentsOf: text.utf8)
    }

    /// One unit of UTF-16.
    private mutating func addUnit(_ unit: UInt16) {
        flush()
        isDestination = false
        skipCharacters = group.fallback
        guard !group.isSkipped else { return }
        var units = [unit]
        if unit & 0xfc00 == 0xd800 {
            high = unit
            return
        }
        if let first = high { units.insert(first, at: 0) }
        high = nil
        texts[target, default: []].append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    }

    private var target: Place {
        if group.isDeleted { return .deleted }
        if group.isHidden { return .hidden }
        return group.place ?? .paragraph
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        let isPlain = pending.allSatisfy { $0 < 0x80 }
        let text =
            isPlain
            ? pending : pending.withUnsafeBytes { decodedBytes($0, charset: charset) ?? decodedBytes($0, charset: "windows-1252") ?? [] }
        texts[target, default: []].append(contentsOf: text)
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func endParagraph() throws(ReadingError) {
        flush()
        if let place = group.place { return try endBlock(place) }
        guard !group.isSkipped else { return }
        let place: Place = isInTable ? .tableCell : isHeading ? .heading : isList ? .listItem : .paragraph
        if let text = texts.removeValue(forKey: .paragraph) { try builder.append(text, at: place) }
        try endBlock(.hidden)
        try endBlock(.deleted)
    }

    private mutating func endBlock(_ place: Place) throws(ReadingError) {
        if let text = texts.removeValue(forKey: place) { try builder.append(text, at: place) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
