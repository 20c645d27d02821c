// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Takes the looks of runs (`<w:rPr>` with fonts, sizes, colours and nothing else) out of a part of a Word document before its XML is read:
/// they say nothing about text, and are half of what Word writes. What it takes out is made of empty elements alone, so no text ever goes, and
/// anything that it does not know to the last byte stays, with all that holds it.
final class RunPropertyFilter {
    /// Elements that change nothing about which words there are or where they count, of eight letters at most. Hidden text, styles, languages
    /// and changes do.
    private static let looks: [UInt64] = [
        "rFonts", "sz", "szCs", "b", "bCs", "color", "i", "iCs", "u", "noProof", "kern", "spacing", "shd", "caps", "strike", "dstrike",
        "outline", "shadow", "emboss", "imprint", "w", "position", "effect", "bdr", "fitText", "em",
    ].map(packed)
    private static let start = packed("<w:rPr>")
    private static let end = packed("</w:rPr>")

    private static func packed(_ name: String) -> UInt64 {
        name.utf8.enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
    }

    private static let pieceBytes = 64 << 10

    // Owner: this object.
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * pieceBytes)
    /// Bytes at the beginning of the buffer that wait for what follows them.
    private var kept = 0
    private var isFirst = true
    /// Something came in which such an element would be text, or could be cut in the middle: all passes as it is from then on.
    private var isOff = false

    deinit { buffer.deallocate() }

    /// Hands on what is left of the part's next piece. What stands behind its last `>` waits for the next one.
    func pass(_ piece: UnsafeRawBufferPointer, to body: (UnsafeRawBufferPointer) throws(ReadingError) -> Void) throws(ReadingError) {
        // Written in bytes of ASCII, as these elements are looked for.
        if isFirst { isOff = piece.count < 2 || piece[1] == 0 || (piece[0] != UInt8(ascii: "<") && piece[0] != 0xef) }
        isFirst = false
        guard !isOff, piece.count <= Self.pieceBytes, let base = piece.baseAddress else {
            try finish(to: body)
            isOff = true
            return try body(piece)
        }
        memcpy(buffer + kept, base, piece.count)
        let filled = kept + piece.count
        var whole = filled
        while whole > 0, buffer[whole - 1] != UInt8(ascii: ">") { whole -= 1 }
        guard whole > 0 else {
            kept = filled
            isOff = true
            return try finish(to: body)
        }
        let left = compact(whole)
        if left > 0 { try body(UnsafeRawBufferPointer(start: buffer, count: left)) }
        // Less than a piece: it has no `>`, and this piece has one.
        kept = filled - whole
        memmove(buffer, buffer + whole, kept)
    }

    /// Hands on what waits.
    func finish(to body: (UnsafeRawBufferPointer) throws(ReadingError) -> Void) throws(ReadingError) {
        let waiting = kept
        kept = 0
        if waiting > 0 { try body(UnsafeRawBufferPointer(start: buffer, count: waiting)) }
    }

    /// Takes the looks out of the first bytes of the buffer; how many are left.
    private func compact(_ count: Int) -> Int {
        let bytes = buffer
        let looks = Self.looks
        let (start, end) = (Self.start, Self.end)
        var (read, write, at) = (0, 0, 0)
        while at + 16 <= count, let found = memchr(bytes + at, Int32(UInt8(ascii: "<")), count - at - 15) {
            at = UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
            let word = UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self).littleEndian
            if word & 0x00ff_ffff == 0x5b_21_3c {  // "<!["
                isOff = true
                break
            }
            guard word & 0x00ff_ffff_ffff_ffff == start, let after = section(at + 7, count, looks, end) else {
                at += 1
                continue
            }
            if write != read { memmove(bytes + write, bytes + read, at - read) }
            write += at - read
            read = after
            at = after
        }
        // The last bytes were not looked at for what could switch it off.
        var rest = max(at, count - 16)
        while !isOff, rest + 3 <= count {
            if bytes[rest] == 0x3c, bytes[rest + 1] == 0x21, bytes[rest + 2] == 0x5b { isOff = true }
            rest += 1
        }
        if write != read { memmove(bytes + write, bytes + read, count - read) }
        return write + count - read
    }

    /// Where a run of looks ends with its `</w:rPr>`; nil where there is anything else in it.
    private func section(_ begin: Int, _ count: Int, _ looks: [UInt64], _ end: UInt64) -> Int? {
        let bytes = buffer
        var at = begin
        while at + 8 <= count {
            if UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self).littleEndian == end { return at + 8 }
            guard bytes[at] == UInt8(ascii: "<"), bytes[at + 1] == UInt8(ascii: "w"), bytes[at + 2] == UInt8(ascii: ":") else { return nil }
            at += 3
            var name: UInt64 = 0
            var length: UInt64 = 0
            while at < count, bytes[at] | 0x20 >= UInt8(ascii: "a"), bytes[at] | 0x20 <= UInt8(ascii: "z"), length < 8 {
                name |= UInt64(bytes[at]) << (8 * length)
                length += 1
                at += 1
            }
            guard looks.contains(name) else { return nil }
            while at < count, bytes[at] == UInt8(ascii: " ") {
                guard let next = attribute(at + 1, count) else { return nil }
                at = next
            }
            guard at + 2 <= count, bytes[at] == UInt8(ascii: "/"), bytes[at + 1] == UInt8(ascii: ">") else { return nil }
            at += 2
        }
        return nil
    }

    /// Behind ` w:val="…"` in plain letters.
    private func attribute(_ begin: Int, _ count: Int) -> Int? {
        let bytes = buffer
        var at = begin
        guard at + 6 <= count, bytes[at] == UInt8(ascii: "w"), bytes[at + 1] == UInt8(ascii: ":") else { return nil }
        at += 2
        let name = at
        while at < count, bytes[at] | 0x20 >= UInt8(ascii: "a"), bytes[at] | 0x20 <= UInt8(ascii: "z") { at += 1 }
        guard at > name, at + 2 <= count, bytes[at] == UInt8(ascii: "="), bytes[at + 1] == UInt8(ascii: "\"") else { return nil }
        at += 2
        while at < count, bytes[at] != UInt8(ascii: "\"") {
            guard (0x20...0x7e).contains(bytes[at]), bytes[at] != UInt8(ascii: "<"), bytes[at] != UInt8(ascii: "&") else { return nil }
            at += 1
        }
        return at < count ? at + 1 : nil
    }
}
