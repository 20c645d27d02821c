// SPDX-License-Identifier: Apache-2.0

/// Gives the handles by which fanotify names folders small numbers, so that the rest can keep them as it keeps inotify's watches.
///
/// A folder costs eight bytes of index, eight of place, and its handle (24 to 36 bytes on the usual file systems). Numbers are used again.
package struct HandleTable: Sendable {
    private struct Entry: Sendable {
        var start: UInt32
        /// 0: free.
        var length: UInt16
        /// The next free one, where this is free.
        var next: Int32
    }

    private var entries: [Entry] = []
    private var firstFree: Int32 = -1
    /// All handles, one after the other; swept when half of it is garbage.
    private var bytes: [UInt8] = []
    private var garbage = 0
    private var index = ChildIndex()

    package private(set) var count = 0

    package init() {}

    /// The number of a handle; nil where it has none.
    package func number(of handle: ArraySlice<UInt8>) -> Int32? { find(handle, Self.hash(handle)) }

    /// The number that the handle has, or a new one. Nil for what is no handle.
    package mutating func add(_ handle: ArraySlice<UInt8>) -> Int32? {
        guard !handle.isEmpty, handle.count <= FanotifyRecord.handleHeaderSize + FanotifyRecord.handleLimit else { return nil }
        let hash = Self.hash(handle)
        if let known = find(handle, hash) { return known }
        guard bytes.count < Int(UInt32.max) - handle.count, count < Int(Int32.max) - 8 else { return nil }
        let entry = Entry(start: UInt32(bytes.count), length: UInt16(handle.count), next: -1)
        bytes.append(contentsOf: handle)
        let number: Int32
        if firstFree >= 0 {
            number = firstFree
            firstFree = entries[Int(number)].next
            entries[Int(number)] = entry
        } else {
            number = Int32(entries.count)
            entries.append(entry)
        }
        count += 1
        insertIntoIndex(number, hash)
        return number
    }

    /// The handle of a number; nil where the number is free.
    package func handle(of number: Int32) -> ArraySlice<UInt8>? {
        guard entries.indices.contains(Int(number)), entries[Int(number)].length > 0 else { return nil }
        return slice(number)
    }

    package mutating func remove(_ number: Int32) {
        guard let handle = handle(of: number) else { return }
        index.remove(number, Self.hash(handle))
        garbage += handle.count
        entries[Int(number)] = Entry(start: 0, length: 0, next: firstFree)
        firstFree = number
        count -= 1
        if garbage > 4096, garbage * 2 > bytes.count { sweep() }
    }

    // MARK: Inside

    private func slice(_ number: Int32) -> ArraySlice<UInt8> {
        let entry = entries[Int(number)]
        return bytes[Int(entry.start)..<Int(entry.start) + Int(entry.length)]
    }

    private static func hash(_ handle: ArraySlice<UInt8>) -> Int { ChildIndex.hash(parent: 0, name: handle) }

    private func find(_ handle: ArraySlice<UInt8>, _ hash: Int) -> Int32? { index.find(hash) { slice($0) == handle } }

    private mutating func insertIntoIndex(_ number: Int32, _ hash: Int) {
        guard index.isFull else { return index.insert(number, hash) }
        index.rebuild(for: count + count / 2)
        for number in entries.indices where entries[number].length > 0 {
            index.insert(Int32(number), Self.hash(slice(Int32(number))))
        }
    }

    private mutating func sweep() {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count - garbage)
        for number in entries.indices where entries[number].length > 0 {
            let start = UInt32(kept.count)
            kept.append(contentsOf: slice(Int32(number)))
            entries[number].start = start
        }
        bytes = kept
        garbage = 0
    }
}
