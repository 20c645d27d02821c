// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension EvidencePool.Chain {
    /// In an index: the first record, how many, and their sum where in memory the last block is.
    fileprivate init(_ session: EvidenceIndex.Session) { self.init(first: session.first, last: session.sum, count: session.count) }
}

extension PackedWork {
    /// How the sessions of an assignment lie.
    struct Layout: Equatable, Sendable {
        /// Records in memory of sessions that have ended.
        var inMemory = 0
        /// Records and sessions in the index.
        var indexed = 0
        var sessions = 0
    }

    /// By the number of the assignment. Costs a walk over all sessions.
    var layouts: [UInt32: Layout] {
        var found: [UInt32: Layout] = [:]
        for piece in slots.pieces {
            for slot in piece where slot.document != Self.none && slot.assignment != Self.none && !slot.isOpen {
                if slot.isIndexed {
                    found[slot.assignment, default: Layout()].indexed += Int(slot.evidence.count)
                    found[slot.assignment, default: Layout()].sessions += 1
                } else if slot.evidence.count > 0 {
                    found[slot.assignment, default: Layout()].inMemory += Int(slot.evidence.count)
                }
            }
        }
        return found
    }

    /// The ended sessions of some assignments with evidence that an index can hold, or holds, by their slots.
    func slotsToIndex(of wanted: some Sequence<AssignmentID>) -> [AssignmentID: [Int]] {
        let numbers = Dictionary(wanted.compactMap { id in assignments.number(of: id).map { ($0, id) } }) { first, _ in first }
        var found: [AssignmentID: [Int]] = [:]
        for slot in 0..<slots.count {
            guard let id = numbers[slots[slot].assignment], slots[slot].document != Self.none, !slots[slot].isOpen,
                slots[slot].evidence.count > 0, slots[slot].isIndexed || pool.isPlain(slots[slot].evidence)
            else { continue }
            found[id, default: []].append(slot)
        }
        return found
    }

    /// The same sessions always give the same bytes.
    func indexContent(of slots: [Int]) -> EvidenceIndexContent {
        let wanted = slots.map { self.slots[$0] }.sorted { $0.id < $1.id }
        var records: [EvidenceRecord] = []
        var sessions: [EvidenceIndex.Session] = []
        for slot in wanted {
            let signs = evidence(of: slot).compactMap { EvidenceRecord($0) }
            // All of one fit; another four thousand million do not.
            guard signs.count == Int(slot.evidence.count), records.count + signs.count < Int(UInt32.max) else { continue }
            var sum = EvidenceIndex.Sum()
            for sign in signs { sum.add(sign) }
            sessions.append(
                EvidenceIndex.Session(
                    id: slot.id, seq: slot.seq, first: UInt32(records.count), count: slot.evidence.count, sum: sum.value))
            records += signs
        }
        return EvidenceIndex.content(sessions, records: records)
    }

    /// As they came, from where they are.
    func evidence(of slot: PackedSession) -> [Evidence] {
        guard slot.isIndexed else { return pool.evidence(slot.evidence) }
        return indexes[slot.assignment]?.evidence(slot.evidence.first, slot.evidence.count, sum: slot.evidence.last) ?? []
    }

    /// Takes indexes for what is in memory, or in older ones. One that lacks a session which the older one has is left alone. Costs what is
    /// indexed, and now and then a copy of what is left in memory, so that its room can be given back: never more than was indexed since.
    mutating func use(_ found: [AssignmentID: EvidenceIndex]) {
        let layouts = layouts
        var moved: [(slot: Int, session: EvidenceIndex.Session)] = []
        var blocks = 0
        for (assignment, index) in found {
            guard let number = assignments.number(of: assignment),
                indexes[number]?.id != index.id || indexes[number]?.bytes.isSound == false
            else { continue }
            var fits: [(slot: Int, session: EvidenceIndex.Session)] = []
            var again = 0
            for session in index.sessions {
                guard let slot = slotByID[session.id].map(Int.init), slots[slot].assignment == number, slots[slot].seq == session.seq,
                    slots[slot].evidence.count == session.count, !slots[slot].isOpen
                else { continue }
                fits.append((slot, session))
                if slots[slot].isIndexed { again += 1 }
            }
            guard again == layouts[number]?.sessions ?? 0, !fits.isEmpty else { continue }
            indexes[number] = index
            for (slot, session) in fits {
                if slots[slot].isIndexed {
                    slots[slot].evidence = EvidencePool.Chain(session)
                } else {
                    moved.append((slot, session))
                    blocks += slots[slot].evidence.blocks
                }
            }
        }
        let isWorthCopying = (pool.freeCount + blocks) * 2 >= pool.next.count
        for (slot, session) in moved {
            if !isWorthCopying { pool.remove(slots[slot].evidence) }
            slots[slot].evidence = EvidencePool.Chain(session)
            slots[slot].isIndexed = true
        }
        if isWorthCopying, !moved.isEmpty { copyPool() }
    }

    /// Without its free blocks.
    private mutating func copyPool() {
        let old = pool
        pool = EvidencePool()
        for slot in 0..<slots.count where slots[slot].document != Self.none && !slots[slot].isIndexed && slots[slot].evidence.count > 0 {
            slots[slot].evidence = pool.take(slots[slot].evidence, of: old)
        }
    }
}
