// SPDX-License-Identifier: Apache-2.0

/// Text storages in an archive of iWork: chunks of a zero byte, a length of three bytes and Snappy's form, which unpacked are messages in
/// Protocol Buffers' form, each behind a header that says its type.
struct IWorkTexts {
    /// The type of a storage of text; its first field is 0 for the body of a document.
    private static let storage = 2001

    private let document: Document

    init(_ document: Document) { self.document = document }

    func bodies(in packed: [UInt8]) throws(ReadingError) -> [[UInt8]] {
        let bytes = try unpacked(packed)
        var bodies: [[UInt8]] = []
        var index = 0
        while index < bytes.count {
            guard let length = Self.varint(bytes, &index), length <= bytes.count - index else { throw .damaged(what: "its text is cut") }
            let header = bytes[index..<(index + length)]
            index += length
            // Field 2 of the header comes once for each message: its type and length.
            for case (2, .bytes(let info)) in try Self.fields(header) {
                var type = 0
                var size = 0
                for field in try Self.fields(info) {
                    if case (1, .number(let value)) = field { type = value }
                    if case (3, .number(let value)) = field { size = value }
                }
                guard size >= 0, size <= bytes.count - index else { throw .damaged(what: "its text is cut") }
                if type == Self.storage, let body = try Self.body(bytes[index..<(index + size)]) { bodies.append(body) }
                index += size
            }
        }
        return bodies
    }

    private static func body(_ message: ArraySlice<UInt8>) throws(ReadingError) -> [UInt8]? {
        var kind = 0
        var text: [UInt8] = []
        for field in try fields(message) {
            if case (1, .number(let value)) = field { kind = value }
            if case (3, .bytes(let value)) = field { text.append(contentsOf: value) }
        }
        return kind == 0 ? text : nil
    }

    private enum Value {
        case number(Int)
        case bytes(ArraySlice<UInt8>)
    }

    private static func fields(_ message: ArraySlice<UInt8>) throws(ReadingError) -> [(Int, Value)] {
        var fields: [(Int, Value)] = []
        let bytes = Array(message)
        var index = 0
        while index < bytes.count {
            guard let key = varint(bytes, &index) else { throw .damaged(what: "its text is cut") }
            switch key & 7 {
            case 0:
                guard let value = varint(bytes, &index) else { throw .damaged(what: "its text is cut") }
                fields.append((key >> 3, .number(value)))
            case 1: index += 8
            case 2:
                guard let length = varint(bytes, &index), length >= 0, length <= bytes.count - index else {
                    throw .damaged(what: "its text is cut")
                }
                fields.append((key >> 3, .bytes(bytes[index..<(index + length)])))
                index += length
            case 5: index += 4
            default: throw .damaged(what: "its text has an unknown form")
            }
        }
        return fields
    }

    /// Nil where it does not end, or is beyond 2^62.
    private static func varint(_ bytes: [UInt8], _ index: inout Int) -> Int? {
        var value = 0
        var shift = 0
        while index < bytes.count, shift < 63 {
            let byte = bytes[index]
            index += 1
            value |= Int(byte & 0x7f) << shift
            if byte < 0x80 { return value < 0 ? nil : value }
            shift += 7
        }
        return nil
    }

    private func unpacked(_ packed: [UInt8]) throws(ReadingError) -> [UInt8] {
        var out: [UInt8] = []
        var index = 0
        while index < packed.count {
            guard packed.count - index >= 4, packed[index] == 0 else { throw .damaged(what: "its text is cut") }
            let length = Int(packed[index + 1]) | Int(packed[index + 2]) << 8 | Int(packed[index + 3]) << 16
            index += 4
            guard length <= packed.count - index else { throw .damaged(what: "its text is cut") }
            let before = out.count
            try unpackChunk(packed[index..<(index + length)], into: &out)
            try document.spendUnpacked(out.count - before)
            index += length
        }
        return out
    }

    /// One chunk in Snappy's form: its length, then literals and copies of what came before.
    private func unpackChunk(_ chunk: ArraySlice<UInt8>, into out: inout [UInt8]) throws(ReadingError) {
        let bytes = Array(chunk)
        let start = out.count
        var index = 0
        guard let length = Self.varint(bytes, &index), length <= 1 << 20 else { throw .damaged(what: "its text has an unknown form") }
        func number(_ count: Int) throws(ReadingError) -> Int {
            guard count <= bytes.count - index else { throw .damaged(what: "its text is cut") }
            var value = 0
            for place in 0..<count { value |= Int(bytes[index + place]) << (8 * place) }
            index += count
            return value
        }
        while index < bytes.count {
            let tag = Int(bytes[index])
            index += 1
            var size = (tag >> 2) + 1
            var offset = 0
            switch tag & 3 {
            case 0:
                if size > 60 { size = try number(size - 60) + 1 }
                guard size <= bytes.count - index, out.count - start + size <= length else { throw .damaged(what: "its text is cut") }
                out.append(contentsOf: bytes[index..<(index + size)])
                index += size
                continue
            case 1:
                size = ((tag >> 2) & 7) + 4
                offset = (tag >> 5) << 8 | (try number(1))
            case 2: offset = try number(2)
            default: offset = try number(4)
            }
            guard offset > 0, offset <= out.count - start, out.count - start + size <= length else {
                throw .damaged(what: "its text refers to what is not there")
            }
            // What is copied may be what the copy itself writes.
            for _ in 0..<size { out.append(out[out.count - offset]) }
        }
        guard out.count - start == length else { throw .damaged(what: "its text is cut") }
    }
}
