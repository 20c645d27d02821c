// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The evidence of all sessions: each session has a chain of blocks of eight records. Adding costs the same however many there are, and
/// what goes leaves its blocks to the next.
struct EvidencePool: Sendable {
    /// The records of one session.
    struct Chain: Equatable, Sendable {
        var first = EvidencePool.none
        var last = EvidencePool.none
        var count: UInt32 = 0

        var blocks: Int { (Int(count) + EvidencePool.block - 1) / EvidencePool.block }
    }

    static let none = UInt32.max
    /// Records of a block.
    static let block = 8

    private(set) var records = Chunked<EvidenceRecord>()
    /// The block after each block; of free ones the next free one.
    private(set) var next = Chunked<UInt32>()
    private(set) var free = Self.none
    private(set) var freeCount = 0
    /// What has no room in a record.
    private(set) var elsewhere: [UInt32: Evidence] = [:]
    private var lastElsewhere: UInt32 = 0

    init() {}

    init(records: Chunked<EvidenceRecord>, next: Chunked<UInt32>, free: UInt32, elsewhere: [UInt32: Evidence]) {
        self.records = records
        self.next = next
        self.free = free
        self.elsewhere = elsewhere
        lastElsewhere = elsewhere.keys.max() ?? 0
        var block = free
        while block < next.count, freeCount < next.count {
            freeCount += 1
            block = next[Int(block)]
        }
    }

    mutating func append(_ sign: Evidence, to chain: inout Chain) {
        let record: EvidenceRecord
        if let packed = EvidenceRecord(sign) {
            record = packed
        } else {
            lastElsewhere += 1
            elsewhere[lastElsewhere] = sign
            record = EvidenceRecord(elsewhere: lastElsewhere)
        }
        append(record, to: &chain)
    }

    private mutating func append(_ record: EvidenceRecord, to chain: inout Chain) {
        let place = Int(chain.count) % Self.block
        if place == 0 {
            let new = takeBlock()
            if chain.last == Self.none { chain.first = new } else { next[Int(chain.last)] = new }
            chain.last = new
        }
        records[Int(chain.last) * Self.block + place] = record
        chain.count += 1
    }

    /// In the order in which they came.
    func evidence(_ chain: Chain) -> [Evidence] {
        var signs: [Evidence] = []
        signs.reserveCapacity(Int(chain.count))
        var (block, left) = (Int(chain.first), Int(chain.count))
        while left > 0 {
            let start = block * Self.block
            for index in start..<(start + min(left, Self.block)) {
                let record = records[index]
                if let sign = record.evidence ?? record.number.flatMap({ elsewhere[$0] }) { signs.append(sign) }
            }
            left -= Self.block
            if left > 0 { block = Int(next[block]) }
        }
        return signs
    }

    /// The one that came last.
    func last(_ chain: Chain) -> Evidence? {
        guard chain.count > 0 else { return nil }
        let record = records[Int(chain.last) * Self.block + (Int(chain.count) - 1) % Self.block]
        return record.evidence ?? record.number.flatMap { elsewhere[$0] }
    }

    /// Whether all of it fits in records.
    func isPlain(_ chain: Chain) -> Bool {
        if elsewhere.isEmpty { return true }
        var (block, left) = (Int(chain.first), Int(chain.count))
        while left > 0 {
            let start = block * Self.block
            for index in start..<(start + min(left, Self.block)) where records[index].number != nil { return false }
            left -= Self.block
            if left > 0 { block = Int(next[block]) }
        }
        return true
    }

    /// A copy of a chain of another pool.
    mutating func take(_ chain: Chain, of other: EvidencePool) -> Chain {
        var copy = Chain()
        var (block, left) = (Int(chain.first), Int(chain.count))
        while left > 0 {
            let start = block * Self.block
            for index in start..<(start + min(left, Self.block)) {
                let record = other.records[index]
                if let sign = record.number.flatMap({ other.elsewhere[$0] }) {
                    append(sign, to: &copy)
                } else {
                    append(record, to: &copy)
                }
            }
            left -= Self.block
            if left > 0 { block = Int(other.next[block]) }
        }
        return copy
    }

    mutating func remove(_ chain: Chain) {
        var (block, left) = (chain.first, Int(chain.count))
        while left > 0 {
            let start = Int(block) * Self.block
            for index in start..<(start + min(left, Self.block)) {
                if let number = records[index].number { elsewhere[number] = nil }
                records[index] = .empty
            }
            let after = next[Int(block)]
            next[Int(block)] = free
            free = block
            freeCount += 1
            left -= Self.block
            block = after
        }
    }

    private mutating func takeBlock() -> UInt32 {
        if free != Self.none {
            let block = free
            free = next[Int(block)]
            freeCount -= 1
            next[Int(block)] = Self.none
            return block
        }
        let block = UInt32(next.count)
        next.append(Self.none)
        for _ in 0..<Self.block { records.append(.empty) }
        return block
    }
}
