// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The measured saves of one document, by number, in some 60 bytes each.
struct PackedSaves: Sendable {
    /// A save without what was measured.
    struct Head: Equatable, Sendable {
        var seq: UInt64
        /// The name that the document had then.
        var document: UInt32
        var person: UInt32
        var assignment: UInt32
        var boot: UInt32
        var source: IdentitySource
        var savedAt: Int64
        var at: Int64
        var size: Int64
        var shape: UInt32
    }

    private(set) var bytes: [UInt8]
    /// Where each begins.
    private(set) var starts: [UInt32]

    init() {
        bytes = []
        starts = []
    }

    /// By what the two properties gave.
    init(bytes: [UInt8], starts: [UInt32]) {
        self.bytes = bytes
        self.starts = starts
    }

    var count: Int { starts.count }

    /// False where all of one document's would be larger than four gigabytes: it is not taken.
    mutating func append(_ head: Head, values: some Sequence<Item>) {
        guard let start = UInt32(exactly: bytes.count) else { return }
        // A quarter more each time: doubling would waste a third of all memory.
        if bytes.capacity - bytes.count < 256 { bytes.reserveCapacity(bytes.count + bytes.count / 4 + 320) }
        starts.append(start)
        bytes.append(packed: head.seq)
        // One more, so that none is 0.
        for number in [head.document, head.person, head.assignment, head.boot, head.shape] { bytes.append(packed: UInt64(number &+ 1)) }
        bytes.append(head.source.code)
        bytes.append(packed: head.savedAt)
        bytes.append(packed: head.at)
        bytes.append(packed: head.size)
        for item in values {
            switch item.value {
            case .binary(let value, _): bytes.append(value ? 1 : 0)
            case .quantity(let value): bytes.append(packed: value)
            case .score(let value, let most):
                bytes.append(packed: value)
                bytes.append(packed: most)
            }
        }
    }

    /// The bytes of one, as they are, for a list that leaves others out.
    mutating func append(_ index: Int, of other: PackedSaves) {
        guard let start = UInt32(exactly: bytes.count) else { return }
        starts.append(start)
        bytes.append(contentsOf: other.bytes[Int(other.starts[index])..<other.end(index)])
    }

    private func end(_ index: Int) -> Int { index + 1 < count ? Int(starts[index + 1]) : bytes.count }

    /// The bytes of one behind where a reader of it stands.
    func rest(_ index: Int, after reader: PackedReader) -> ArraySlice<UInt8> {
        bytes[min(reader.place, end(index))..<end(index)]
    }

    func seq(_ index: Int) -> UInt64 {
        var reader = PackedReader(bytes, at: Int(starts[index]))
        return reader.unsigned() ?? 0
    }

    /// The head, and a reader that stands before its values; nil for bytes that nobody appended.
    func head(_ index: Int) -> (head: Head, values: PackedReader)? {
        var reader = PackedReader(bytes, at: Int(starts[index]))
        guard let seq = reader.unsigned(), let document = Self.number(&reader), let person = Self.number(&reader),
            let assignment = Self.number(&reader), let boot = Self.number(&reader), let shape = Self.number(&reader),
            let code = reader.unsigned(), let source = IdentitySource(code: UInt8(truncatingIfNeeded: code)), let savedAt = reader.signed(),
            let at = reader.signed(), let size = reader.signed()
        else { return nil }
        let head = Head(
            seq: seq, document: document, person: person, assignment: assignment, boot: boot, source: source, savedAt: savedAt, at: at,
            size: size, shape: shape)
        return (head, reader)
    }

    private static func number(_ reader: inout PackedReader) -> UInt32? { reader.unsigned().map { UInt32(truncatingIfNeeded: $0) &- 1 } }

    /// The items by their shape; nil where the values are not theirs.
    static func items(_ shape: SaveShape, _ reader: inout PackedReader) -> [Item]? {
        var items: [Item] = []
        items.reserveCapacity(shape.fields.count)
        for field in shape.fields {
            let value: Item.Value
            switch field.kind {
            case .binary(let type):
                guard let bit = reader.unsigned() else { return nil }
                value = .binary(bit != 0, type: type)
            case .quantity:
                guard let number = reader.double() else { return nil }
                value = .quantity(number)
            case .score:
                guard let number = reader.double(), let most = reader.double() else { return nil }
                value = .score(number, max: most)
            }
            items.append(Item(identifier: field.identifier, title: field.title, value: value, method: field.method))
        }
        return items
    }
}
