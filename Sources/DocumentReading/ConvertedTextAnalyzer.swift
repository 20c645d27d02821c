// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

extension AnalyzerRegistry {
    /// For text that another program made of a document, and for nothing else.
    package static let convertedText = AnalyzerRegistry(analyzers: [ConvertedTextAnalyzer()])
}

/// Text that another program made of a document's layout: its lines end where the page did, so a word that was parted at a line's end is
/// one word. Whatever is counted of it is estimated.
struct ConvertedTextAnalyzer: OutlineAnalyzer {
    let identifier = "text"

    func accepts(_ document: Document) throws(ReadingError) -> Bool { true }

    func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        builder.facts.areWordsEstimated = true
        var joiner = LineJoiner()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var offset = 0
        builder.begin(.paragraph)
        while true {
            let got = buffer.withUnsafeMutableBytes { document.read(at: offset, into: $0) }
            if got == 0 { break }
            offset += got
            let text = joiner.joined(buffer[..<got])
            if !text.isEmpty { try builder.more(text) }
        }
        builder.end()
    }
}

/// Takes line ends out of words that were parted at one: after a letter and a hyphen or a soft hyphen, before a letter.
struct LineJoiner {
    private var last: UInt8 = 0
    private var beforeLast: UInt8 = 0
    private var thirdLast: UInt8 = 0
    /// A line's end, and the spaces after it, that may be taken out.
    private var held: [UInt8] = []

    /// Bytes of UTF-8, piece by piece. What a piece's last line end means is known with the next piece only; at the end of all it is nothing.
    mutating func joined(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(piece.count + held.count)
        for byte in piece {
            if held.isEmpty {
                guard byte == 0x0a, endsInHyphen else {
                    out.append(byte)
                    (thirdLast, beforeLast, last) = (beforeLast, last, byte)
                    continue
                }
                held = [byte]
            } else if byte == 0x20, held.count < 64 {
                held.append(byte)
            } else {
                if !Self.isLetter(byte) { out += held }
                out.append(byte)
                (thirdLast, beforeLast, last) = (beforeLast, last, byte)
                held = []
            }
        }
        return out
    }

    private var endsInHyphen: Bool {
        if last == UInt8(ascii: "-") { return Self.isLetter(beforeLast) }
        // U+00AD and U+2010.
        return (beforeLast == 0xc2 && last == 0xad) || (thirdLast == 0xe2 && beforeLast == 0x80 && last == 0x90)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x80 || (0x61...0x7a).contains(byte | 0x20) }
}
