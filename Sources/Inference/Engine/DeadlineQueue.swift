// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Which document wants to be woken when: a binary heap that may hold outdated entries, which cost a look when they come up.
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
    private var heap: [(at: BootTime, key: Key)] = []
    /// The earliest entry of each key.
    private var earliest: [Key: BootTime] = [:]

    var first: (at: BootTime, key: Key)? { heap.first }

    /// Adds a wish unless an earlier one of the same key stands already.
    mutating func want(_ key: Key, at: BootTime) {
        if let known = earliest[key], known <= at { return }
        earliest[key] = at
        heap.append((at, key))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].at <= heap[child].at { break }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    mutating func removeFirst() -> (at: BootTime, key: Key)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                var child = 2 * parent + 1
                if child >= heap.count { break }
                if child + 1 < heap.count, heap[child + 1].at < heap[child].at { child += 1 }
                if heap[parent].at <= heap[child].at { break }
                heap.swapAt(parent, child)
                parent = child
            }
        }
        if earliest[first.key] == first.at { earliest[first.key] = nil }
        return first
    }
}
