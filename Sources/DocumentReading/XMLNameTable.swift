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
        /// The first eight bytes, which are all that most names have.
        var first: UInt64 = 0
        var length = 0
        var prefix = 0
        var local = XMLLocal.other
    }

    private struct State {
        var count = 0
        /// Where the last declaration stands; 0 where there is none.
        var declaredAt = 0
        /// Prefixes by their number; 0 is none at all.
        var prefixes: [String] = [""]
        var spaces: [XMLSpace] = [.none]
        /// What a declaration changed, at which depth, so that the end of its element takes it back.
        var undo: [(depth: Int, prefix: Int, space: XMLSpace)] = []
    }

    // Owner: this value, and so its reader, on whose thread alone it is used. Behind pointers, since names are looked up for every element, and the
    // check that nobody else looks at a property meanwhile would take as long as the looking up.
    private let entries: UnsafeMutablePointer<Entry>
    private let state: UnsafeMutablePointer<State>

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(), count: Self.size)
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        for index in 0..<Self.size { free(entries[index].bytes) }
        entries.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The name of an element.
    func element(_ pointer: UnsafePointer<CChar>) -> XMLName {
        let (prefix, local) = parts(pointer)
        return XMLName(space: state.pointee.spaces[prefix], local: local)
    }

    /// The name of an attribute: without a prefix it belongs to its element.
    func attribute(_ pointer: UnsafePointer<CChar>) -> XMLName {
        let (prefix, local) = parts(pointer)
        return XMLName(space: prefix == 0 ? .none : state.pointee.spaces[prefix], local: local)
    }

    /// Takes the declarations among the attributes of an element at this depth.
    func declare(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>, depth: Int) {
        var index = 0
        while let name = attributes[index], let value = attributes[index + 1] {
            index += 2
            guard name[0] == 0x78, strncmp(name, "xmlns", 5) == 0, name[5] == 0 || name[5] == 0x3a else { continue }
            let prefix = number(of: name[5] == 0 ? "" : String(cString: name + 6))
            let uri = String(cString: value)
            state.pointee.undo.append((depth, prefix, state.pointee.spaces[prefix]))
            state.pointee.declaredAt = depth
            state.pointee.spaces[prefix] = uri.isEmpty ? .none : XMLSpace(uri: uri)
        }
    }

    func leave(depth: Int) {
        // Hardly ever does an element declare anything.
        guard state.pointee.declaredAt == depth else { return }
        while let last = state.pointee.undo.last, last.depth == depth {
            state.pointee.spaces[last.prefix] = last.space
            state.pointee.undo.removeLast()
        }
        state.pointee.declaredAt = state.pointee.undo.last?.depth ?? 0
    }

    /// Prefixes beyond the limit share one number, of which nothing is known.
    private func number(of prefix: String) -> Int {
        if let known = state.pointee.prefixes.firstIndex(of: prefix) { return known }
        if state.pointee.prefixes.count >= Self.prefixLimit { return Self.prefixLimit - 1 }
        state.pointee.prefixes.append(state.pointee.prefixes.count == Self.prefixLimit - 1 ? "\n" : prefix)
        state.pointee.spaces.append(.other)
        return state.pointee.prefixes.count - 1
    }

    private func parts(_ pointer: UnsafePointer<CChar>) -> (prefix: Int, local: XMLLocal) {
        var first: UInt64 = 0
        var length = 0
        while length < 8, pointer[length] != 0 {
            first |= UInt64(UInt8(bitPattern: pointer[length])) << UInt64(8 * length)
            length += 1
        }
        var hash = first
        if length == 8 {
            while pointer[length] != 0 {
                hash = (hash ^ UInt64(UInt8(bitPattern: pointer[length]))) &* 0x0100_0000_01b3
                length += 1
            }
        }
        var slot = Int((hash &* 0x9e37_79b9_7f4a_7c15) >> 55)
        while let known = entries[slot].bytes {
            if entries[slot].first == first, entries[slot].length == length, length <= 8 || memcmp(known, pointer, length) == 0 {
                return (entries[slot].prefix, entries[slot].local)
            }
            slot = (slot + 1) % Self.size
        }
        let name = String(cString: pointer)
        let colon = name.firstIndex(of: ":")
        let prefix = number(of: colon.map { String(name[..<$0]) } ?? "")
        let local = XMLLocal(name: colon.map { String(name[name.index(after: $0)...]) } ?? name)
        // Half full at most, so that a free place is always near.
        if state.pointee.count < Self.size / 2, let copy = strdup(pointer) {
            entries[slot] = Entry(bytes: copy, first: first, length: length, prefix: prefix, local: local)
            state.pointee.count += 1
        }
        return (prefix, local)
    }
}
