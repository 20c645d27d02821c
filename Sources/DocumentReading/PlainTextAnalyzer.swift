// SPDX-License-Identifier: Apache-2.0
package import TextAnalysis

/// Text without markup, in UTF-8, UTF-16, UTF-32 or a legacy character set.
package struct PlainTextAnalyzer: OutlineAnalyzer {
    package let identifier = "txt"

    package init() {}

    /// Names of formats that are never text: an empty or readable file of such a name is broken, not a text.
    private static let containers: Set<String> = [
        "docx", "docm", "dotx", "pptx", "pptm", "ppsx", "potx", "xlsx", "odt", "ott", "odp", "otp", "ods", "doc", "ppt", "xls", "pdf",
        "pages", "key", "numbers", "epub", "zip", "png", "jpg", "jpeg", "gif", "mp3", "mp4",
    ]

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        if document.bytes.isEmpty, Self.containers.contains(document.nameExtension) { throw .empty }
        if document.looksLikeZip || FormatSniffer.describeMarkup(document) != nil { return false }
        guard TextDecoder.looksLikeText(document.bytes) else { return false }
        guard !Self.containers.contains(document.nameExtension) else {
            throw .damaged(what: "it is named .\(document.nameExtension) but holds plain text")
        }
        return true
    }

    package func outline(of document: Document) throws(ReadingError) -> Outline {
        let text = try TextDecoder.decode(document)
        var outline = Outline()
        for block in PlainTextBlocks.blocks(of: text) { outline.append(block.text, at: block.place) }
        return outline
    }
}

/// Where a paragraph ends in plain text.
enum PlainTextBlocks {
    /// A text with a longer line is not wrapped by hand, so each of its lines is a paragraph.
    static let wrappedLine = 120

    static func blocks(of text: String) -> [Block] {
        // By scalars: a CR and LF together are one Character, but every line end must be seen.
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r" || $0 == "\u{2028}" || $0 == "\u{2029}" || $0 == "\u{c}" || $0 == "\u{85}"
        }.map { String($0) }
        // CR LF gives an empty line that is none; a text that uses it uses it throughout.
        let isPaired = text.utf8.contains(0x0d) && text.unicodeScalars.contains("\n")
        let joined = isPaired ? pairs(text) : lines
        let isWrapped = !joined.contains { $0.utf8.count > wrappedLine }
        var blocks: [Block] = []
        var open: [String] = []
        var place = Place.paragraph
        func close() {
            if !open.isEmpty { blocks.append(Block(text: open.joined(separator: "\n"), place: place)) }
            open = []
            place = .paragraph
        }
        for line in joined {
            let isBlank = line.unicodeScalars.allSatisfy(\.properties.isWhitespace)
            let startsItem = isListItem(line)
            if isBlank || startsItem || !isWrapped { close() }
            if isBlank { continue }
            if startsItem { place = .listItem }
            open.append(line)
        }
        close()
        return blocks
    }

    private static func pairs(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\n" || $0 == "\r" || $0 == "\u{2029}" || $0 == "\u{c}" }
            .map(String.init)
    }

    /// "- milk", "* milk", "• milk", "1. milk", "2) milk".
    private static func isListItem(_ line: String) -> Bool {
        let trimmed = line.drop { $0 == " " || $0 == "\t" }
        guard let space = trimmed.firstIndex(where: { $0 == " " || $0 == "\t" }) else { return false }
        let mark = trimmed[..<space]
        if ["-", "*", "+", "•", "◦", "▪", "–"].contains(mark) { return true }
        guard let last = mark.last, last == "." || last == ")", mark.count <= 4 else { return false }
        return mark.count > 1 && mark.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
    }
}
