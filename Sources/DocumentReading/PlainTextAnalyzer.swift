// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Text without markup, in UTF-8, UTF-16, UTF-32 or a legacy character set.
package struct PlainTextAnalyzer: OutlineAnalyzer {
    package let identifier = "txt"

    package init() {}

    /// Names of formats that are never text: an empty or readable file of such a name is broken, not a text.
    private static let containers: Set<String> = [
        "docx", "docm", "dotx", "pptx", "pptm", "ppsx", "potx", "xlsx", "odt", "ott", "odp", "otp", "ods", "doc", "ppt", "xls", "pdf",
        "pages", "key", "numbers", "epub", "zip", "png", "jpg", "jpeg", "gif", "mp3", "mp4", "m4a", "wav", "ogg", "flac",
    ]

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        if document.size == 0, Self.containers.contains(document.nameExtension) { throw .empty }
        if document.looksLikeZip || FormatSniffer.describeMarkup(document) != nil { return false }
        guard TextDecoder.looksLikeText(document) else { return false }
        guard !Self.containers.contains(document.nameExtension) else {
            throw .damaged(what: "it is named .\(document.nameExtension) but holds plain text")
        }
        return true
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        try TextDecoder.read(document, into: builder) { text throws(ReadingError) in
            guard builder.needsBlocks else {
                builder.begin(.paragraph)
                try text.pieces { piece throws(ReadingError) in try builder.more(piece) }
                return builder.end()
            }
            let isWrapped = try LineReader(text).isWrapped()
            var blocks = PlainTextBlocks(builder, isWrapped: isWrapped)
            try LineReader(text).lines { piece, isStart, isEnd throws(ReadingError) in
                try blocks.add(piece, isStart: isStart, isEnd: isEnd)
            }
            blocks.close()
        }
    }
}

/// Where a paragraph ends in plain text: at blank lines and list items; in a text that is not wrapped by hand, at each line.
struct PlainTextBlocks {
    private let builder: OutlineBuilder
    private let isWrapped: Bool
    private var isOpen = false

    init(_ builder: OutlineBuilder, isWrapped: Bool) {
        self.builder = builder
        self.isWrapped = isWrapped
    }

    /// A line, or a piece of a very long one.
    mutating func add(_ piece: UnsafeRawBufferPointer, isStart: Bool, isEnd: Bool) throws(ReadingError) {
        if isStart {
            if isEnd, Self.isBlank(piece) { return close() }
            let isItem = Self.isListItem(piece)
            if isItem || !isWrapped { close() }
            if isOpen { try builder.more([0x0a]) } else { builder.begin(isItem ? .listItem : .paragraph) }
            isOpen = true
        }
        try builder.more(piece)
    }

    mutating func close() {
        if isOpen { builder.end() }
        isOpen = false
    }

    private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let first = line.firstIndex(where: { $0 != 0x20 && !(0x09...0x0d).contains($0) }) else { return true }
        guard line[first] >= 0x80 else { return false }
        return String(decoding: UnsafeRawBufferPointer(rebasing: line[first...]), as: UTF8.self).unicodeScalars
            .allSatisfy(\.properties.isWhitespace)
    }

    /// "- milk", "* milk", "• milk", "1. milk", "2) milk".
    private static func isListItem(_ line: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        func byte(_ distance: Int = 0) -> UInt8 { index + distance < line.count ? line[index + distance] : 0 }
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        while isSpace(byte()) { index += 1 }
        switch byte() {
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"): return isSpace(byte(1))
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            var digits = 1
            while digits < 4, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte(digits)) { digits += 1 }
            return digits < 4 && (byte(digits) == UInt8(ascii: ".") || byte(digits) == UInt8(ascii: ")")) && isSpace(byte(digits + 1))
        case 0xe2:
            // • – ▪ ◦
            let marks: [(UInt8, UInt8)] = [(0x80, 0xa2), (0x80, 0x93), (0x96, 0xaa), (0x97, 0xa6)]
            return marks.contains { $0 == byte(1) && $1 == byte(2) } && isSpace(byte(3))
        default: return false
        }
    }
}
