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

/// Makes lines.
package struct EntryEncoder: ~Copyable {
    package init() {}

    /// The line of an entry after the one at `previous`; nil where it would be longer than the format allows.
    package mutating func line(for entry: Entry, salt: Salt, after previous: JournalPosition) -> SealedLine? {
        var fields = FieldWriter(room: 512)
        fields.add("v", JournalFormat.version)
        fields.add("seq", entry.seq)
        fields.add("at", entry.at)
        fields.add("boot", entry.boot.text)
        fields.add("mono", entry.mono)
        fields.add("kind", entry.body.kind)
        fields.add(entry.body)
        fields.add(salt: salt)
        guard fields.bytes.count + LineParts.sealLength <= JournalFormat.longestLine else { return nil }
        return seal(&fields.bytes, seq: entry.seq, after: previous)
    }

    /// Puts digest and chain behind the opened object that `body` is.
    private mutating func seal(_ body: inout [UInt8], seq: UInt64, after previous: JournalPosition) -> SealedLine {
        let digest = body.withUnsafeBytes { Digest.of($0) }
        let chain = Digest.chain(after: previous.chain, digest)
        LineParts.join(digest: digest, chain: chain, to: &body)
        return SealedLine(bytes: body, digest: digest, position: JournalPosition(seq: seq, chain: chain))
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
        case .session(.evidence, _): "evidence"
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
