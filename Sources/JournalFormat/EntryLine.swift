// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// The numbers of the format.
package enum JournalFormat {
    /// `v` of the lines that this version writes, and the highest that it reads.
    package static let version: Int64 = 1
    /// A line has at most this many bytes without its end; longer ones are neither written nor read.
    package static let longestLine = 4 << 20
}

/// A line as it goes to the disk, with its seal.
package struct SealedLine: Equatable, Sendable {
    /// Without the line end.
    package var bytes: [UInt8]
    package var digest: Digest
    package var position: JournalPosition

    package init(bytes: [UInt8], digest: Digest, position: JournalPosition) {
        self.bytes = bytes
        self.digest = digest
        self.position = position
    }
}

/// Makes lines, one after another in the same memory.
package struct EntryEncoder: ~Copyable {
    private var fields = FieldWriter()
    /// Memory that is kept for the next lines; some very long ones must not hold theirs for ever.
    private static let keptRoom = 1 << 20

    package init() {}

    /// The line of an entry after the one at `previous`; nil where it would be longer than the format allows.
    package mutating func line(for entry: Entry, salt: Salt, after previous: JournalPosition) -> SealedLine? {
        let start = fields.bytes.count
        defer { fields.bytes.shorten(to: start) }
        guard let (digest, position) = write(entry, salt: salt, after: previous) else { return nil }
        return SealedLine(bytes: fields.bytes.withBytes(from: start) { Array($0) }, digest: digest, position: position)
    }

    /// Adds the line with its end to those that `takeLines` gives: where it stands among their bytes, without its end, and the place in the
    /// journal after it. Nil, and nothing added, where it would be longer than the format allows.
    package mutating func add(
        _ entry: Entry, salt: Salt, after previous: JournalPosition
    ) -> (place: Range<Int>, position: JournalPosition)? {
        let start = fields.bytes.count
        guard let (_, position) = write(entry, salt: salt, after: previous) else {
            fields.bytes.shorten(to: start)
            return nil
        }
        let end = fields.bytes.count
        fields.bytes.append(0x0a)
        return (start..<end, position)
    }

    /// All lines since the last call, one after another.
    package mutating func takeLines() -> [UInt8] {
        let lines = fields.bytes.withBytes { Array($0) }
        fields.bytes.empty(keeping: Self.keptRoom)
        return lines
    }

    private mutating func write(_ entry: Entry, salt: Salt, after previous: JournalPosition) -> (Digest, JournalPosition)? {
        let start = fields.bytes.count
        fields.open()
        fields.add("v", JournalFormat.version)
        fields.add("seq", entry.seq)
        fields.add("at", entry.at)
        fields.add("boot", entry.boot.text)
        fields.add("mono", entry.mono)
        fields.add("kind", entry.body.kind)
        fields.add(entry.body)
        fields.add(salt: salt)
        guard fields.bytes.count - start + LineParts.sealLength <= JournalFormat.longestLine else { return nil }
        let (digest, chain) = fields.bytes.seal(from: start, after: previous.chain)
        return (digest, JournalPosition(seq: entry.seq, chain: chain))
    }
}

extension EntryBody {
    /// What stands in `kind`.
    package var kind: String {
        switch self {
        case .started: "started"
        case .stopped: "stopped"
        case .settings: "settings"
        case .recording: "recording"
        case .watching: "watching"
        case .gap: "gap"
        case .clock: "clock"
        case .person: "person"
        case .session(.started, _): "activity.started"
        case .session(.evidence, _), .session(.lockSays, _), .session(.delivered, _): "evidence"
        case .session(.attributed, _): "activity.attributed"
        case .session(.moved, _): "activity.moved"
        case .session(.paused, _): "activity.paused"
        case .session(.resumed, _): "activity.resumed"
        case .session(.stopped, _): "activity.stopped"
        case .metrics: "metrics"
        case .assignmentCreated: "assignment.created"
        case .assignmentChanged: "assignment.changed"
        case .assignmentEnded: "assignment.ended"
        case .done: "done"
        case .note: "note"
        case .bookmarkCreated: "bookmark.created"
        case .bookmarkRemoved: "bookmark.removed"
        case .imported: "imported"
        case .contextSaved: "context.saved"
        case .contextRemoved: "context.removed"
        case .reported: "activity.saved"
        case .viewed: "viewed"
        case .totals: "totals"
        case .repaired: "repaired"
        case .checkpoint: "checkpoint"
        case .erasure(let facts): facts.kind.rawValue
        case .erased: "erased"
        case .base: "base"
        case .unknown(let kind): kind
        }
    }
}
