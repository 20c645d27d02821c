// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Names as they stand in a part (`w:p`) to ours. A document has few different ones and uses them again and again, so each is looked up
/// once; a hostile one may have as many as elements, so the table has an end. What a prefix means depends on where it stands, so that is
/// kept apart: expat's own way, which writes the vocabulary's address before every name, takes half as long again.
struct XMLNameTable: ~Copyable {
    private static let size = 512
    private static let prefixLimit = 64

    private struct Entry {
        var bytes: UnsafeMutablePointer<CChar>?
        var length = 0
        var prefix = 0
        var local = XMLLocal.other
    }

    private let entries: UnsafeMutablePointer<Entry>
    private var count = 0
    /// Prefixes by their number; 0 is none at all.
    private var prefixes: [String] = [""]
    private var spaces: [XMLSpace] = [.none]
    /// What a declaration changed, at which depth, so that the end of its element takes it back.
    private var undo: [(depth: Int, prefix: Int, space: XMLSpace)] = []

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(), count: Self.size)
    }

    deinit {
        for index in 0..<Self.size { free(entries[index].bytes) }
        entries.deallocate()
    }

    /// The name of an element.
    mutating func element(_ pointer: UnsafePointer<CChar>) -> XMLName {
        let (prefix, local) = parts(pointer)
        return XMLName(space: spaces[prefix], local: local)
    }

    /// The name of an attribute: without a prefix it belongs to its element.
    mutating func attribute(_ pointer: UnsafePointer<CChar>) -> XMLName {
        let (prefix, local) = parts(pointer)
        return XMLName(space: prefix == 0 ? .none : spaces[prefix], local: local)
    }

    /// Takes the declarations among the attributes of an element at this depth.
    mutating func declare(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>, depth: Int) {
        var index = 0
        while let name = attributes[index], let value = attributes[index + 1] {
            index += 2
            guard name[0] == 0x78, strncmp(name, "xmlns", 5) == 0, name[5] == 0 || name[5] == 0x3a else { continue }
            let prefix = number(of: name[5] == 0 ? "" : String(cString: name + 6))
            let uri = String(cString: value)
            undo.append((depth, prefix, spaces[prefix]))
            spaces[prefix] = uri.isEmpty ? .none : XMLSpace(uri: uri)
        }
    }

    mutating func leave(depth: Int) {
        while let last = undo.last, last.depth == depth {
            spaces[last.prefix] = last.space
            undo.removeLast()
        }
    }

    /// Prefixes beyond the limit share one number, of which nothing is known.
    private mutating func number(of prefix: String) -> Int {
        if let known = prefixes.firstIndex(of: prefix) { return known }
        if prefixes.count >= Self.prefixLimit { return Self.prefixLimit - 1 }
        prefixes.append(prefixes.count == Self.prefixLimit - 1 ? "\n" : prefix)
        spaces.append(.other)
        return prefixes.count - 1
    }

    private mutating func parts(_ pointer: UnsafePointer<CChar>) -> (prefix: Int, local: XMLLocal) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var length = 0
        while pointer[length] != 0 {
            hash = (hash ^ UInt64(UInt8(bitPattern: pointer[length]))) &* 0x0100_0000_01b3
            length += 1
        }
        var slot = Int((hash &* 0x9e37_79b9_7f4a_7c15) >> 55)
        while let known = entries[slot].bytes {
            if entries[slot].length == length, memcmp(known, pointer, length) == 0 { return (entries[slot].prefix, entries[slot].local) }
            slot = (slot + 1) % Self.size
        }
        let name = String(cString: pointer)
        let colon = name.firstIndex(of: ":")
        let prefix = number(of: colon.map { String(name[..<$0]) } ?? "")
        let local = XMLLocal(name: colon.map { String(name[name.index(after: $0)...]) } ?? name)
        // Half full at most, so that a free place is always near.
        if count < Self.size / 2, let copy = strdup(pointer) {
            entries[slot] = Entry(bytes: copy, length: length, prefix: prefix, local: local)
            count += 1
        }
        return (prefix, local)
    }
}
