// SPDX-License-Identifier: Apache-2.0
import CUchardet
import TextAnalysis

/// Finds the character set of a text file.
enum TextDecoder {
    /// A text has no more control characters than one in this many bytes.
    static let bytesPerControl = 256

    /// What the first bytes say: the character set, and how many bytes of mark come before the text.
    private struct Mark {
        var charset: String
        var size: Int
    }

    /// False for bytes that are no text in any character set that we read: those hold zeros or many control characters. Looks at the head
    /// only; what comes later is looked at while it is read.
    static func looksLikeText(_ document: Document) -> Bool {
        let bytes = document.head
        if bytes.isEmpty || mark(document) != nil || unmarkedUTF16(document) != nil { return true }
        var controls = 0
        for byte in bytes {
            switch byte {
            case 0: return false
            case 0x09...0x0d, 0x1a, 0x1b: break
            case 0x01..<0x20, 0x7f: controls += 1
            default: break
            }
        }
        return controls <= bytes.count / bytesPerControl && (headIsUTF8(document) || looksLikeLegacyText(bytes))
    }

    /// Hands the text over as UTF-8. `body` may be called twice: where a text turns out not to be UTF-8 after all, what it built is thrown away.
    static func read(
        _ document: Document, into builder: OutlineBuilder, _ body: (TextSource) throws(ReadingError) -> Void
    ) throws(ReadingError) {
        let mark = mark(document)
        if let mark, mark.charset != "UTF-8" { return try decoded(document, mark.charset, from: mark.size, builder, body) }
        if mark == nil, let charset = unmarkedUTF16(document) { return try decoded(document, charset, from: 0, builder, body) }
        if mark != nil || headIsUTF8(document) {
            try body(TextSource(document, from: mark?.size ?? 0))
            if let tally = builder.tally {
                if tally.controls > document.size / bytesPerControl {
                    throw .noAnalyzer(kind: "this format: it begins like text and is none")
                }
                if mark != nil || tally.malformed == 0 { return }
            } else {
                let bytes = try document.bytes()
                if mark != nil || isUTF8(bytes) { return }
            }
            builder.startAgain()
        }
        let bytes = try document.bytes()
        guard !bytes.contains(0) else { throw .noAnalyzer(kind: "this format: it begins like text and is none") }
        builder.facts.isEncodingGuessed = true
        let charset = detect(UnsafeRawBufferPointer(rebasing: bytes.prefix(256 << 10)))
        if !charset.isEmpty, charset != "UTF-8", charset != "ASCII", let text = decodedBytes(bytes, charset: charset) {
            builder.facts.encoding = charset
            return try body(TextSource(text))
        }
        // The commonest legacy set here; it gives every byte a meaning, so words are the same in all sets of its kind.
        try decoded(document, "WINDOWS-1252", from: 0, builder, body)
    }

    /// The whole text as UTF-8, for readers that need it in one piece.
    static func text(_ document: Document, _ builder: OutlineBuilder) throws(ReadingError) -> [UInt8] {
        var all: [UInt8] = []
        let scratch = OutlineBuilder(document)
        try read(document, into: scratch) { text throws(ReadingError) in all = text.all() }
        builder.facts.encoding = scratch.facts.encoding
        builder.facts.isEncodingGuessed = scratch.facts.isEncodingGuessed
        return all
    }

    private static func decoded(
        _ document: Document, _ charset: String, from start: Int, _ builder: OutlineBuilder,
        _ body: (TextSource) throws(ReadingError) -> Void
    ) throws(ReadingError) {
        let bytes = UnsafeRawBufferPointer(rebasing: try document.bytes().dropFirst(start))
        guard let text = decodedBytes(bytes, charset: charset) else { throw .damaged(what: "its text is not \(charset)") }
        builder.facts.encoding = charset
        try body(TextSource(text))
    }

    private static func mark(_ document: Document) -> Mark? {
        if document.starts(with: [0xef, 0xbb, 0xbf]) { return Mark(charset: "UTF-8", size: 3) }
        if document.starts(with: [0xff, 0xfe, 0, 0]), document.size % 4 == 0 { return Mark(charset: "UTF-32LE", size: 4) }
        if document.starts(with: [0, 0, 0xfe, 0xff]), document.size % 4 == 0 { return Mark(charset: "UTF-32BE", size: 4) }
        if document.starts(with: [0xff, 0xfe]) { return Mark(charset: "UTF-16LE", size: 2) }
        if document.starts(with: [0xfe, 0xff]) { return Mark(charset: "UTF-16BE", size: 2) }
        return nil
    }

    /// UTF-16 without a mark, told by the zeros that every second byte of Western text is.
    private static func unmarkedUTF16(_ document: Document) -> String? {
        guard document.size >= 4, document.size % 2 == 0 else { return nil }
        let sample = document.head.prefix(4096)
        var zeros = [0, 0]
        for (index, byte) in sample.enumerated() where byte == 0 { zeros[index % 2] += 1 }
        let half = sample.count / 2
        if zeros[1] * 10 > half * 9, zeros[0] == 0 { return "UTF-16LE" }
        if zeros[0] * 10 > half * 9, zeros[1] == 0 { return "UTF-16BE" }
        return nil
    }

    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The head may end inside a character.
    private static func headIsUTF8(_ document: Document) -> Bool {
        let head = document.head
        let most = head.count < document.size ? min(3, head.count) : 0
        return (0...most).contains { cut in head.withUnsafeBytes { isUTF8(UnsafeRawBufferPointer(rebasing: $0.dropLast(cut))) } }
    }

    /// Random bytes have as many above 0x7f as below, and hardly a space; a legacy text has mostly letters or pairs.
    private static func looksLikeLegacyText(_ bytes: [UInt8]) -> Bool {
        var high = 0
        for byte in bytes where byte >= 0x80 { high += 1 }
        if high * 10 <= bytes.count * 3 { return true }
        let charset = bytes.withUnsafeBytes { detect($0) }
        return !charset.isEmpty && charset != "ASCII"
    }

    private static func detect(_ sample: UnsafeRawBufferPointer) -> String {
        guard let detector = uchardet_new() else { return "" }
        defer { uchardet_delete(detector) }
        guard uchardet_handle_data(detector, sample.baseAddress, sample.count) == 0 else { return "" }
        uchardet_data_end(detector)
        return uchardet_get_charset(detector).map { String(cString: $0) } ?? ""
    }
}
