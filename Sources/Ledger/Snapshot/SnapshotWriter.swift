// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Puts values together as bytes, in pieces, so that a large ledger is never there twice. All numbers have their size and lie little-endian.
struct SnapshotWriter {
    private var waiting: [UInt8] = []
    private let emit: (UnsafeRawBufferPointer) -> Void

    private static let piece = 1 << 20

    init(_ emit: @escaping (UnsafeRawBufferPointer) -> Void) {
        self.emit = emit
        waiting.reserveCapacity(Self.piece + 4096)
    }

    mutating func number(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { waiting.append(contentsOf: $0) }
        if waiting.count >= Self.piece { flush() }
    }

    mutating func count(_ value: Int) { number(UInt64(value)) }

    mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count < 4096 { return waiting.append(contentsOf: bytes) }
        flush()
        emit(bytes)
    }

    mutating func value(_ value: some SnapshotValue) { value.write(to: &self) }

    mutating func flush() {
        guard !waiting.isEmpty else { return }
        waiting.withUnsafeBytes { emit($0) }
        waiting.removeAll(keepingCapacity: true)
    }
}

/// Bytes that are no snapshot of this version.
package struct SnapshotError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }

    /// An index file that it relies on is not there, or another one is.
    package static let withoutIndex = SnapshotError("evidence that it does not hold is not there")
}

/// Reads what `SnapshotWriter` wrote. Whatever the bytes are, it neither reads beyond them nor takes room for more than they can hold.
struct SnapshotReader {
    private let bytes: UnsafeRawBufferPointer
    private let consumed: (Int) -> Void
    /// Gives the index files that the snapshot relies on.
    let indexes: (AssignmentID, EvidenceIndexID) -> (any EvidenceIndexBytes)?
    private var place = 0
    private var told = 0

    private static let piece = 4 << 20

    /// `consumed` is told now and then before which place nothing is read any more.
    init(
        _ bytes: UnsafeRawBufferPointer, indexes: @escaping (AssignmentID, EvidenceIndexID) -> (any EvidenceIndexBytes)?,
        consumed: @escaping (Int) -> Void
    ) {
        self.bytes = bytes
        self.indexes = indexes
        self.consumed = consumed
    }

    var left: Int { bytes.count - place }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(SnapshotError) -> Number {
        let size = MemoryLayout<Number>.size
        guard left >= size else { throw Self.short }
        defer { place += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }

    /// How many elements follow, of at least `size` bytes each.
    mutating func count(size: Int = 1) throws(SnapshotError) -> Int {
        let count = try number(UInt64.self)
        guard count <= UInt64(left / max(1, size)) else { throw Self.short }
        return Int(count)
    }

    /// To be copied before anything else is read.
    mutating func raw(_ count: Int) throws(SnapshotError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= left else { throw Self.short }
        if place - told >= Self.piece {
            told = place
            consumed(place)
        }
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<(place + count)])
    }

    mutating func value<Value: SnapshotValue>(_ type: Value.Type = Value.self) throws(SnapshotError) -> Value { try Value(from: &self) }

    static var short: SnapshotError { SnapshotError("it is shorter than it says") }
    static var senseless: SnapshotError { SnapshotError("it has values that mean nothing") }
}

/// What can stand in a snapshot.
protocol SnapshotValue {
    func write(to writer: inout SnapshotWriter)
    init(from reader: inout SnapshotReader) throws(SnapshotError)
}
