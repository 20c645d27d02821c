// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Which index file: by its name, and by what its content must hash to.
package struct EvidenceIndexID: Hashable, Sendable {
    package var name: String
    package var digest: String

    package init(name: String, digest: String) {
        self.name = name
        self.digest = digest
    }
}

/// The content of an index file, wherever its bytes are.
package protocol EvidenceIndexBytes: AnyObject, Sendable {
    var id: EvidenceIndexID { get }
    /// False once the file did not give them any more, so that another one should be written.
    var isSound: Bool { get }
    /// Lends the bytes for the call. Where `body` gives nil, they are not what they should be, whatever happened to the file: it is called again
    /// with the same bytes from elsewhere, and what it gives then counts.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result?
}

/// What is to be written for one assignment.
package struct EvidenceIndexContent: Equatable, Sendable {
    /// The entries that began its sessions, in order. Whoever empties one of them must do away with the file.
    package var seqs: [UInt64]
    package var bytes: [UInt8]
}

/// The evidence of an assignment's ended sessions, outside of the process' own memory: nobody adds to it any more.
///
/// Little-endian: how many sessions (8 bytes) and records (8); each session's number (8), entry that began it (8), first record (4), how
/// many (4), their sum (4), zeros (4); the records as in memory (16 each). It names nobody.
struct EvidenceIndex: Sendable {
    struct Session: Equatable, Sendable {
        var id: UInt64
        var seq: UInt64
        var first: UInt32
        var count: UInt32
        /// Of its records: found wrong at each look where somebody or something changed the file since it was checked.
        var sum: UInt32
    }

    let bytes: any EvidenceIndexBytes
    let sessionCount: Int
    let recordCount: Int

    private static let headSize = 16
    private static let sessionSize = 32
    private static let recordSize = 16

    var id: EvidenceIndexID { bytes.id }

    /// Nil for bytes that are no such thing.
    init?(_ bytes: any EvidenceIndexBytes) {
        let counts: (Int, Int)? = bytes.withBytes { bytes in
            guard bytes.count >= Self.headSize else { return nil }
            let (sessions, records) = (Self.number(bytes, 0, UInt64.self), Self.number(bytes, 8, UInt64.self))
            guard sessions <= UInt64(bytes.count / Self.sessionSize), records <= UInt64(bytes.count / Self.recordSize),
                Self.headSize + Int(sessions) * Self.sessionSize + Int(records) * Self.recordSize == bytes.count
            else { return nil }
            return (Int(sessions), Int(records))
        }
        guard let (sessions, records) = counts else { return nil }
        self.bytes = bytes
        sessionCount = sessions
        recordCount = records
    }

    /// Those whose records are all there.
    var sessions: [Session] {
        let found: [Session]? = bytes.withBytes { bytes in
            (0..<sessionCount).compactMap { index in
                let place = Self.headSize + index * Self.sessionSize
                let session = Session(
                    id: Self.number(bytes, place, UInt64.self), seq: Self.number(bytes, place + 8, UInt64.self),
                    first: Self.number(bytes, place + 16, UInt32.self), count: Self.number(bytes, place + 20, UInt32.self),
                    sum: Self.number(bytes, place + 24, UInt32.self))
                return has(session.first, session.count) ? session : nil
            }
        }
        return found ?? []
    }

    func has(_ first: UInt32, _ count: UInt32) -> Bool { Int(first) + Int(count) <= recordCount }

    /// In the order in which they came. Of other records than those with this sum nothing.
    func evidence(_ first: UInt32, _ count: UInt32, sum: UInt32) -> [Evidence] {
        guard has(first, count) else { return [] }
        let start = Self.headSize + sessionCount * Self.sessionSize + Int(first) * Self.recordSize
        let found: [Evidence]? = bytes.withBytes { bytes in
            var signs: [Evidence] = []
            signs.reserveCapacity(Int(count))
            var found = Sum()
            for place in stride(from: start, to: start + Int(count) * Self.recordSize, by: Self.recordSize) {
                let record = EvidenceRecord(
                    time: Self.number(bytes, place, UInt64.self), rest: Self.number(bytes, place + 8, UInt64.self))
                found.add(record)
                if let sign = record.evidence { signs.append(sign) }
            }
            return found.value == sum ? signs : nil
        }
        return found ?? []
    }

    /// Against mishaps, not against malice: zeros in place of a page, a bit that turned.
    struct Sum {
        private var state: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ record: EvidenceRecord) {
            for word in [record.time, record.rest] {
                state = (state ^ word) &* 0x9e37_79b9_7f4a_7c15
                state ^= state >> 29
            }
        }

        var value: UInt32 { UInt32(truncatingIfNeeded: state >> 32 ^ state) }
    }

    /// `sessions` by their numbers, and the records of all of them in the same order.
    static func content(_ sessions: [Session], records: [EvidenceRecord]) -> EvidenceIndexContent {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headSize + sessions.count * sessionSize + records.count * recordSize)
        func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        add(UInt64(sessions.count))
        add(UInt64(records.count))
        for session in sessions {
            add(session.id)
            add(session.seq)
            add(session.first)
            add(session.count)
            add(session.sum)
            add(UInt32(0))
        }
        for record in records {
            add(record.time)
            add(record.rest)
        }
        return EvidenceIndexContent(seqs: sessions.map(\.seq).sorted(), bytes: bytes)
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ place: Int, _: Number.Type) -> Number {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
}
