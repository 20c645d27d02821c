// SPDX-License-Identifier: Apache-2.0
import CDaybookICU
import CZlib

/// The objects of a PDF by number. They are found by looking through the file, not by its table of places, which is wrong in many files
/// that people have; where a number comes twice, the later object is the newer one.
final class PDFObjects {
    private enum Place { case file(Int), stream(Int, Int) }

    private static let objectLimit = 2_000_000

    private let document: Document
    private let bytes: UnsafeRawBufferPointer
    private var places: [Int: Place] = [:]
    /// Unpacked streams that hold objects.
    private var streams: [[UInt8]] = []
    private var root: Int?
    private var isEncrypted = false

    init(_ document: Document) throws(ReadingError) {
        self.document = document
        bytes = try document.bytes()
        try findObjects()
        findTrailers()
    }

    /// Leaves of the page tree.
    func pageCount() throws(ReadingError) -> Int {
        guard let root, let catalog = value(of: root), case .reference(let top)? = catalog["Pages"] else {
            if isEncrypted { throw .encrypted }
            throw .damaged(what: "its page tree is not there")
        }
        var pages = 0
        var seen: Set<Int> = []
        var waiting = [top]
        while let number = waiting.popLast() {
            // A tree that meets itself is none.
            guard seen.insert(number).inserted else { throw .damaged(what: "its page tree goes in a circle") }
            guard let node = value(of: number) else {
                if isEncrypted { throw .encrypted }
                throw .damaged(what: "a page is missing")
            }
            guard let kids = resolved(node["Kids"]) else {
                pages += 1
                continue
            }
            guard case .array(let list) = kids else { throw .damaged(what: "its page tree is no tree") }
            for case .reference(let kid) in list { waiting.append(kid) }
        }
        return pages
    }

    private func resolved(_ value: PDFValue?) -> PDFValue? {
        guard case .reference(let number)? = value else { return value }
        return self.value(of: number)
    }

    private func value(of number: Int) -> PDFValue? {
        switch places[number] {
        case nil: return nil
        case .file(let offset):
            var scanner = PDFScanner(bytes, at: offset)
            return scanner.value()
        case .stream(let index, let offset):
            return streams[index].withUnsafeBytes { buffer in
                var scanner = PDFScanner(buffer, at: offset)
                return scanner.value()
            }
        }
    }

    /// "12 0 obj", wherever it stands.
    private func findObjects() throws(ReadingError) {
        var at = 0
        while let place = find("obj", from: at) {
            at = place + 3
            guard let number = numberBefore(place) else { continue }
            guard places.count < Self.objectLimit else { throw .tooLarge(what: "more than \(Self.objectLimit) objects") }
            places[number] = .file(at)
            var scanner = PDFScanner(bytes, at: at)
            guard let value = scanner.value(), case .name(let type)? = value["Type"] else { continue }
            if type == "ObjStm" { try openStream(value, at: scanner.index) }
            if type == "XRef" { takeTrailer(value) }
        }
    }

    private func find(_ needle: StaticString, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count else { return nil }
        let found = daybook_find(
            base.assumingMemoryBound(to: UInt8.self) + start, bytes.count - start, needle.utf8Start, needle.utf8CodeUnitCount)
        return found < bytes.count - start ? start + found : nil
    }

    /// The object's number, where `place` is the "obj" after it.
    private func numberBefore(_ place: Int) -> Int? {
        var index = place - 1
        func skipSpace() -> Bool {
            let start = index
            while index >= 0, bytes[index] <= 0x20 { index -= 1 }
            return index < start
        }
        func skipDigits() -> Range<Int>? {
            let end = index + 1
            while index >= 0, (0x30...0x39).contains(bytes[index]), end - index < 11 { index -= 1 }
            return index + 1 < end ? (index + 1)..<end : nil
        }
        guard skipSpace(), skipDigits() != nil, skipSpace(), let digits = skipDigits() else { return nil }
        return Int(String(decoding: bytes[digits], as: UTF8.self))
    }

    private func openStream(_ header: PDFValue, at index: Int) throws(ReadingError) {
        guard case .number(let count)? = resolved(header["N"]), case .number(let first)? = resolved(header["First"]), count < 1_000_000,
            let packed = streamBytes(header, at: index)
        else { return }
        // An encrypted one does not unpack; whether the tree needs it is seen later.
        guard let unpacked = try inflated(packed) else { return }
        let stream = streams.count
        streams.append(unpacked)
        unpacked.withUnsafeBytes { buffer in
            var scanner = PDFScanner(buffer)
            for _ in 0..<count {
                scanner.skipSpace()
                guard let number = scanner.integer() else { return }
                scanner.skipSpace()
                guard let offset = scanner.integer(), first + offset < buffer.count else { return }
                places[number] = .stream(stream, first + offset)
            }
        }
    }

    private func streamBytes(_ header: PDFValue, at index: Int) -> UnsafeRawBufferPointer? {
        guard let found = find("stream", from: index), found < index + 64 else { return nil }
        var start = found + 6
        if start < bytes.count, bytes[start] == 0x0d { start += 1 }
        if start < bytes.count, bytes[start] == 0x0a { start += 1 }
        guard start < bytes.count else { return nil }
        if case .number(let length)? = header["Length"], length <= bytes.count - start {
            return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
        }
        // The packed stream knows its own end.
        return UnsafeRawBufferPointer(rebasing: bytes[start...])
    }

    /// Unpacked by Deflate; nil where it is something else.
    private func inflated(_ packed: UnsafeRawBufferPointer) throws(ReadingError) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        stream.next_in = UnsafeMutablePointer(mutating: packed.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(clamping: packed.count)
        var out: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var got = 0
            let status = piece.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let status = inflate(&stream, Z_NO_FLUSH)
                got = buffer.count - Int(stream.avail_out)
                return status
            }
            try document.spendUnpacked(got)
            out.append(contentsOf: piece[..<got])
            if status == Z_STREAM_END { return out }
            guard status == Z_OK, got > 0 else { return nil }
        }
    }

    private func findTrailers() {
        var at = 0
        while let place = find("trailer", from: at) {
            at = place + 7
            var scanner = PDFScanner(bytes, at: at)
            if let value = scanner.value() { takeTrailer(value) }
        }
    }

    /// The last one that names a root wins.
    private func takeTrailer(_ value: PDFValue) {
        if case .reference(let number)? = value["Root"] { root = number }
        if value["Encrypt"] != nil { isEncrypted = true }
    }
}
