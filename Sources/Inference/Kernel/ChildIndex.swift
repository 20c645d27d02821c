// SPDX-License-Identifier: Apache-2.0

/// Finds a node by parent and name: an open hash table of node numbers, four bytes a slot. Hashes are seeded, since names are hostile.
struct ChildIndex: Sendable {
    private static let empty: Int32 = -1
    private static let removed: Int32 = -2

    private var slots: [Int32]
    /// Slots that are not empty, removed ones included.
    private var used = 0

    init() { slots = Array(repeating: Self.empty, count: 16) }

    static func hash(parent: Int32, name: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(parent)
        name.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    func find(_ hash: Int, where matches: (Int32) -> Bool) -> Int32? {
        let mask = slots.count - 1
        var place = hash & mask
        while slots[place] != Self.empty {
            if slots[place] != Self.removed, matches(slots[place]) { return slots[place] }
            place = (place + 1) & mask
        }
        return nil
    }

    /// Whether the next `insert` needs a `rebuild` before. At most two thirds are used, so a search always meets an empty slot.
    var isFull: Bool { (used + 1) * 3 > slots.count * 2 }

    /// Empties the table and makes room for so many.
    mutating func rebuild(for count: Int) {
        var size = 16
        while size < count * 2 { size *= 2 }
        slots = Array(repeating: Self.empty, count: size)
        used = 0
    }

    mutating func insert(_ node: Int32, _ hash: Int) {
        let mask = slots.count - 1
        var place = hash & mask
        // Not into a removed slot: then `used` would have to know which it was.
        while slots[place] != Self.empty { place = (place + 1) & mask }
        slots[place] = node
        used += 1
    }

    mutating func remove(_ node: Int32, _ hash: Int) {
        let mask = slots.count - 1
        var place = hash & mask
        while slots[place] != Self.empty {
            if slots[place] == node {
                slots[place] = Self.removed
                return
            }
            place = (place + 1) & mask
        }
    }
}
