// SPDX-License-Identifier: Apache-2.0
import CUchardet
import TextAnalysis

/// Finds the character set of a text file.
enum TextDecoder {
    /// A text has no more control characters than one in this many bytes.
    static let bytesPerControl = 256

    private enum Mark { case utf8, utf16Little, utf16Big, utf32Little, utf32Big }

    /// False for bytes that are no text in any character set that we read: those hold zeros or many control characters.
    static func looksLikeText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.isEmpty || mark(bytes) != nil || unmarkedUTF16(bytes) != nil { return true }
        var controls = 0
        for byte in bytes {
            switch byte {
            case 0: return false
            case 0x09...0x0d, 0x1a, 0x1b: break
            case 0x01..<0x20, 0x7f: controls += 1
            default: break
            }
        }
        return controls <= bytes.count / bytesPerControl && (isUTF8(bytes) || looksLikeLegacyText(bytes))
    }

    static func decode(_ document: Document) throws(ReadingError) -> String {
        let bytes = document.bytes
        try document.spendText(bytes.count)
        if bytes.isEmpty { return "" }
        switch mark(bytes) {
        case .utf8: return String(decoding: bytes.dropFirst(3), as: UTF8.self)
        case .utf16Little: return try convert(bytes.dropFirst(2), "UTF-16LE")
        case .utf16Big: return try convert(bytes.dropFirst(2), "UTF-16BE")
        case .utf32Little: return try convert(bytes.dropFirst(4), "UTF-32LE")
        case .utf32Big: return try convert(bytes.dropFirst(4), "UTF-32BE")
        case nil: break
        }
        if let charset = unmarkedUTF16(bytes) { return try convert(bytes[...], charset) }
        if isUTF8(bytes) { return String(decoding: bytes, as: UTF8.self) }
        let charset = detect(bytes)
        if !charset.isEmpty, let text = decodedText(Array(bytes), charset: charset) { return text }
        // The commonest legacy set here; it gives every byte a meaning, so words are the same in all sets of its kind.
        return try convert(bytes[...], "WINDOWS-1252")
    }

    private static func convert(_ bytes: Slice<UnsafeRawBufferPointer>, _ charset: String) throws(ReadingError) -> String {
        guard let text = decodedText(Array(bytes), charset: charset) else { throw .damaged(what: "its text is not \(charset)") }
        return text
    }

    private static func mark(_ bytes: UnsafeRawBufferPointer) -> Mark? {
        func starts(_ prefix: [UInt8]) -> Bool { bytes.count >= prefix.count && bytes.prefix(prefix.count).elementsEqual(prefix) }
        if starts([0xef, 0xbb, 0xbf]) { return .utf8 }
        if starts([0xff, 0xfe, 0, 0]), bytes.count % 4 == 0 { return .utf32Little }
        if starts([0, 0, 0xfe, 0xff]), bytes.count % 4 == 0 { return .utf32Big }
        if starts([0xff, 0xfe]) { return .utf16Little }
        if starts([0xfe, 0xff]) { return .utf16Big }
        return nil
    }

    /// UTF-16 without a mark, told by the zeros that every second byte of Western text is.
    private static func unmarkedUTF16(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 4, bytes.count % 2 == 0 else { return nil }
        let sample = bytes.prefix(4096)
        var zeros = [0, 0]
        for (index, byte) in sample.enumerated() where byte == 0 { zeros[index % 2] += 1 }
        let half = sample.count / 2
        if zeros[1] * 10 > half * 9, zeros[0] == 0 { return "UTF-16LE" }
        if zeros[0] * 10 > half * 9, zeros[1] == 0 { return "UTF-16BE" }
        return nil
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// Random bytes have as many above 0x7f as below, and hardly a space; a legacy text has mostly letters or pairs.
    private static func looksLikeLegacyText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var high = 0
        for byte in bytes where byte >= 0x80 { high += 1 }
        if high * 10 <= bytes.count * 3 { return true }
        return !detect(bytes).isEmpty && detect(bytes) != "ASCII"
    }

    private static func detect(_ bytes: UnsafeRawBufferPointer) -> String {
        guard let detector = uchardet_new() else { return "" }
        defer { uchardet_delete(detector) }
        let sample = bytes.prefix(256 << 10)
        guard uchardet_handle_data(detector, sample.base.baseAddress, sample.count) == 0 else { return "" }
        uchardet_data_end(detector)
        return uchardet_get_charset(detector).map { String(cString: $0) } ?? ""
    }
}
