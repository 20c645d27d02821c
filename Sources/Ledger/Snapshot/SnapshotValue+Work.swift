// SPDX-License-Identifier: Apache-2.0
import ActivityModel

// The packed parts: evidence as it lies in memory, the rest field by field.

extension Interned: SnapshotValue where Value: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.value(values) }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        guard let table = Interned(values: try reader.value([Value?].self)) else { throw SnapshotReader.senseless }
        self = table
    }
}

/// Elements that are as many bytes as they say, without holes between them.
extension Chunked {
    func writeRaw(to writer: inout SnapshotWriter) {
        writer.count(count)
        for piece in pieces { piece.withUnsafeBytes { writer.raw($0) } }
    }

    init(raw reader: inout SnapshotReader, repeating empty: Element) throws(SnapshotError) {
        let size = MemoryLayout<Element>.stride
        var left = try reader.count(size: size)
        var pieces: [ContiguousArray<Element>] = []
        pieces.reserveCapacity(left / Self.size + 1)
        while left > 0 {
            let count = min(left, Self.size)
            let bytes = try reader.raw(count * size)
            var piece = ContiguousArray<Element>()
            piece.reserveCapacity(Self.size)
            piece.append(contentsOf: repeatElement(empty, count: count))
            piece.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
            pieces.append(piece)
            left -= count
        }
        self.init(pieces: pieces)
    }
}

extension EvidencePool: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        records.writeRaw(to: &writer)
        next.writeRaw(to: &writer)
        writer.value(free)
        writer.value(elsewhere)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let records = try Chunked<EvidenceRecord>(raw: &reader, repeating: .empty)
        let next = try Chunked<UInt32>(raw: &reader, repeating: 0)
        guard records.count == next.count * Self.block else { throw SnapshotReader.senseless }
        self.init(records: records, next: next, free: try reader.value(), elsewhere: try reader.value())
    }

    /// Whether every block belongs to one of these chains or is free, once, so that no walk ends where it should not.
    func isSound(_ chains: [Chain]) -> Bool {
        var isSeen = [Bool](repeating: false, count: next.count)
        func walk(from first: UInt32, blocks: Int?) -> UInt32? {
            var (block, last, left) = (first, Self.none, blocks ?? next.count)
            while blocks == nil ? block != Self.none : left > 0 {
                guard block < next.count, !isSeen[Int(block)] else { return nil }
                isSeen[Int(block)] = true
                last = block
                block = next[Int(block)]
                left -= 1
            }
            return last
        }
        for chain in chains where walk(from: chain.first, blocks: (Int(chain.count) + Self.block - 1) / Self.block) != chain.last {
            return false
        }
        return walk(from: free, blocks: nil) != nil && !isSeen.contains(false)
    }
}

extension PackedSession: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.number(id)
        writer.number(seq)
        for instant in [openedAt, notBefore, processStart, stateAt, notAfter, lastSign] { writer.number(instant) }
        for number in [evidence.first, evidence.last, evidence.count, document, person, assignment, boot] { writer.number(number) }
        writer.number(pid)
        let marks: UInt8 = (hasProcess ? 1 : 0) | (isUnsorted ? 2 : 0) | (isIndexed ? 4 : 0)
        for code in [marks, source.code, presence.code, state.rawValue, ending.code, confidence.code] { writer.number(code) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let (id, seq): (UInt64, UInt64) = (try reader.number(), try reader.number())
        let (opened, earliest): (Int64, Int64) = (try reader.number(), try reader.number())
        let (processStart, stateAt): (Int64, Int64) = (try reader.number(), try reader.number())
        let (notAfter, lastSign): (Int64, Int64) = (try reader.number(), try reader.number())
        let chain = EvidencePool.Chain(first: try reader.number(), last: try reader.number(), count: try reader.number())
        let (document, person): (UInt32, UInt32) = (try reader.number(), try reader.number())
        let (assignment, boot): (UInt32, UInt32) = (try reader.number(), try reader.number())
        let (pid, marks): (Int32, UInt8) = (try reader.number(), try reader.number())
        guard let source = IdentitySource(code: try reader.number()), let presence = Presence(code: try reader.number()),
            let state = State(rawValue: try reader.number()), let ending = SessionEnding(code: try reader.number()),
            let confidence = Confidence(code: try reader.number())
        else { throw SnapshotReader.senseless }
        self.init(
            id: id, seq: seq, openedAt: opened, notBefore: earliest, processStart: processStart, stateAt: stateAt, notAfter: notAfter,
            lastSign: lastSign, evidence: chain, document: document, person: person, assignment: assignment, boot: boot, pid: pid,
            hasProcess: marks & 1 != 0, isIndexed: marks & 4 != 0, isUnsorted: marks & 2 != 0, source: source, presence: presence,
            state: state, ending: ending, confidence: confidence)
    }
}

extension EvidenceIndexID: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(name)
        writer.value(digest)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(name: try reader.value(), digest: try reader.value()) }
}

extension Delivery: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        for bytes in [position, size] { writer.number(bytes) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        guard let delivery = Delivery(position: try reader.number(), size: try reader.number()) else { throw SnapshotReader.senseless }
        self = delivery
    }
}

extension LockWords: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(program)
        for text in [login, name, host] { writer.value(text) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        guard
            let words = LockWords(
                program: try reader.value(), login: try reader.value(), name: try reader.value(), host: try reader.value())
        else { throw SnapshotReader.senseless }
        self = words
    }
}

extension SaveShape: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(format)
        writer.value(language)
        writer.value(error)
        writer.value(fields)
        writer.value(notes)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            format: try reader.value(), language: try reader.value(), error: try reader.value(), fields: try reader.value(),
            notes: try reader.value())
    }
}

extension SaveShape.Note: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(identifier)
        writer.value(reason)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(identifier: try reader.value(), reason: try reader.value())
    }
}

extension SaveShape.Field: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(identifier)
        writer.value(title)
        switch kind {
        case .quantity: writer.value(UInt8(0))
        case .score: writer.value(UInt8(1))
        case .binary(let type): writer.value(2 + type.code)
        }
        writer.value(method)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let (identifier, title): (String, String) = (try reader.value(), try reader.value())
        let kind: Kind
        switch try reader.value(UInt8.self) {
        case 0: kind = .quantity
        case 1: kind = .score
        case let code:
            guard let type = Item.BinaryType(code: code - 2) else { throw SnapshotReader.senseless }
            kind = .binary(type)
        }
        self.init(identifier: identifier, title: title, kind: kind, method: try reader.value())
    }
}

extension PackedSaves: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.count(bytes.count)
        bytes.withUnsafeBytes { writer.raw($0) }
        writer.count(starts.count)
        starts.withUnsafeBytes { writer.raw($0) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let bytes = Array(try reader.raw(try reader.count()))
        let starts = try reader.raw(try reader.count(size: 4) * 4).numbers
        guard starts.first ?? 0 == 0, zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }), starts.last.map({ $0 < bytes.count }) ?? true
        else { throw SnapshotReader.senseless }
        self.init(bytes: bytes, starts: starts)
    }
}

extension PackedWork: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(people)
        writer.value(documents)
        writer.value(assignments)
        writer.value(boots)
        writer.value(shapes)
        writer.count(slots.count)
        for piece in slots.pieces {
            for slot in piece { writer.value(slot) }
        }
        writer.value(pool)
        writer.value(indexes.mapValues(\.id))
        writer.value(lockWords)
        writer.value(deliveries)
        writer.value(saves)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        people = try reader.value()
        documents = try reader.value()
        assignments = try reader.value()
        boots = try reader.value()
        shapes = try reader.value()
        let count = try reader.count(size: 64)
        slotByID.reserveCapacity(count)
        var chains: [EvidencePool.Chain] = []
        chains.reserveCapacity(count)
        for index in 0..<count {
            let slot = try reader.value(PackedSession.self)
            slots.append(slot)
            if !slot.isIndexed { chains.append(slot.evidence) }
            if slot.document == Self.none {
                guard !slot.isIndexed else { throw SnapshotReader.senseless }
                freeSlots.append(UInt32(index))
            } else {
                guard slotByID.updateValue(UInt32(index), forKey: slot.id) == nil, documents[slot.document] != nil, boots[slot.boot] != nil
                else { throw SnapshotReader.senseless }
            }
        }
        pool = try reader.value()
        guard pool.isSound(chains) else { throw SnapshotReader.senseless }
        for (number, id) in try reader.value([UInt32: EvidenceIndexID].self) {
            guard let assignment = assignments[number] else { throw SnapshotReader.senseless }
            guard let index = reader.indexes(assignment, id).flatMap({ EvidenceIndex($0) }) else { throw .withoutIndex }
            indexes[number] = index
        }
        for piece in slots.pieces {
            for slot in piece where slot.isIndexed {
                guard !slot.isOpen, indexes[slot.assignment]?.has(slot.evidence.first, slot.evidence.count) ?? false else {
                    throw SnapshotReader.senseless
                }
            }
        }
        lockWords = try reader.value()
        deliveries = try reader.value()
        guard lockWords.keys.allSatisfy(contains), deliveries.keys.allSatisfy(contains) else { throw SnapshotReader.senseless }
        saves = try reader.value()
    }
}

extension UnsafeRawBufferPointer {
    /// Its numbers of 32 bits, wherever it begins.
    fileprivate var numbers: [UInt32] {
        [UInt32](unsafeUninitializedCapacity: count / 4) { buffer, made in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: UnsafeRawBufferPointer(rebasing: self[..<(count / 4 * 4)]))
            made = count / 4
        }
    }
}
