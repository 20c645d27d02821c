// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Names as expat gives them (URI, newline, local name) to ours. A document has few different ones and uses them again and again, so each
/// is looked up once; a hostile one may have as many as elements, so the table has an end.
final class XMLNameTable {
    private static let size = 512

    private struct Entry {
        var bytes: UnsafeMutableRawPointer?
        var length = 0
        var name = XMLName(space: .none, local: .other)
    }

    private var entries = [Entry](repeating: Entry(), count: size)
    private var count = 0

    deinit { for entry in entries { free(entry.bytes) } }

    func name(_ pointer: UnsafePointer<CChar>) -> XMLName {
        let length = strlen(pointer)
        // The end differs where the beginning, the URI, does not.
        var tail: UInt64 = 0
        if length >= 8 {
            memcpy(&tail, pointer + length - 8, 8)
        } else {
            memcpy(&tail, pointer, length)
        }
        let hash = (tail ^ UInt64(truncatingIfNeeded: length) << 56) &* 0x9e37_79b9_7f4a_7c15
        var slot = Int(hash >> 55)
        while let known = entries[slot].bytes {
            if entries[slot].length == length, memcmp(known, pointer, length) == 0 { return entries[slot].name }
            slot = (slot + 1) % Self.size
        }
        let name = Self.parse(pointer)
        // Half full at most, so that a free place is always near.
        if count < Self.size / 2, let copy = malloc(length + 1) {
            memcpy(copy, pointer, length)
            entries[slot] = Entry(bytes: copy, length: length, name: name)
            count += 1
        }
        return name
    }

    private static func parse(_ pointer: UnsafePointer<CChar>) -> XMLName {
        guard let separator = strrchr(pointer, 0x0a) else { return XMLName(space: .none, local: XMLLocal(name: String(cString: pointer))) }
        let length = UnsafePointer(separator) - pointer
        let uri = String(decoding: UnsafeRawBufferPointer(start: pointer, count: length), as: UTF8.self)
        return XMLName(space: XMLSpace(uri: uri), local: XMLLocal(name: String(cString: separator + 1)))
    }
}
