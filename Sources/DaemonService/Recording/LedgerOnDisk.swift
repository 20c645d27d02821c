// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import JournalFormat
package import JournalStore
package import Ledger

/// The ledger of what stands on the disk: of the snapshot where it fits the journal, and of the entries after it; else of all entries.
package struct LedgerOnDisk: Sendable {
    package var ledger = Ledger()
    /// The number of the last entry that the snapshot held; nil where all entries were read.
    package var snapshotSeq: UInt64?
    /// Why not, then.
    package var refusal: SnapshotFile.Refusal?
    /// Of the stored lines.
    package var journalBytes: UInt64 = 0
    /// Of the entries that were read.
    package var summary = JournalReader.Summary()

    /// Whether a snapshot may be made of it: none that hides entries which may be readable again one day.
    package var isWhole: Bool { summary.unreadable == 0 }

    /// `through`: the last entry that the journal has for sure. `erasing`: entries that are being emptied, or may be already; then no snapshot
    /// is used. `progress` is called now and then. Not for the loop's thread, but at the start.
    package init(
        stateDirectory state: String, through last: UInt64, program: String, erasing: [ClosedRange<UInt64>]? = nil,
        progress: () -> Void = {}
    ) throws(JournalError) {
        self.init()
        if erasing == nil { readSnapshot(state, last, program) } else { refusal = .erasing }
        if try !readEntries(state, last, erasing ?? [], progress) {
            self = LedgerOnDisk()
            refusal = .emptied
            _ = try readEntries(state, last, [], progress)
        }
    }

    private init() {}

    /// False where an entry says that others were emptied which the snapshot still has: somebody put an old one back.
    private mutating func readEntries(
        _ state: String, _ last: UInt64, _ erasing: [ClosedRange<UInt64>], _ progress: () -> Void
    ) throws(JournalError) -> Bool {
        let begin = snapshotSeq ?? 0
        var gone = erasing[...]
        var isOutdated = false
        var ledger = ledger
        var bytes = journalBytes
        var sinceProgress = 0
        // One owner while it grows: a second one would copy what every entry touches.
        self.ledger = Ledger()
        summary = try JournalReader(stateDirectory: state).replay(after: begin, through: last) { entry, line in
            if case .erasure(let facts) = entry.body, facts.ranges.contains(where: { $0.lowerBound <= begin }) {
                isOutdated = true
                return false
            }
            bytes += UInt64(line.count) + 1
            while let range = gone.first, range.upperBound < entry.seq { gone.removeFirst() }
            if let range = gone.first, range.contains(entry.seq) {
                var emptied = entry
                emptied.body = .erased
                ledger.apply(emptied)
            } else {
                ledger.apply(entry)
            }
            sinceProgress += 1
            if sinceProgress == 200_000 {
                sinceProgress = 0
                progress()
            }
            return true
        }
        self.ledger = ledger
        journalBytes = bytes
        return !isOutdated
    }

    private mutating func readSnapshot(_ state: String, _ last: UInt64, _ program: String) {
        do throws(SnapshotFile.Refusal) {
            let stored = try StoredSnapshot(
                stateDirectory: state, contentVersion: Ledger.snapshotVersion, program: program, through: last)
            do {
                ledger = try stored.withContent { bytes in
                    try Ledger(
                        snapshot: bytes,
                        indexes: { EvidenceIndexOnDisk($1, of: $0, in: state, notAfter: stored.stamp.position.seq) },
                        consumed: { stored.release($0) })
                }
            } catch let error as SnapshotError where error == .withoutIndex {
                throw .withoutIndex
            } catch {
                // Its checksum is right, so a mistake of ours wrote it.
                throw .damaged
            }
            guard ledger.lastSeq == stored.stamp.position.seq else {
                ledger = Ledger()
                throw .damaged
            }
            snapshotSeq = stored.stamp.position.seq
            journalBytes = stored.stamp.journalBytes
        } catch {
            refusal = error
        }
    }

    /// The same, and before it index files with the evidence of some assignments, which the snapshot then relies on; gives those that were
    /// written. Nil where entries have begun to be emptied since the outputs were opened.
    package static func write(
        _ ledger: consuming Ledger, _ stamp: SnapshotFile.Stamp, to output: SnapshotOutput, indexing wanted: [AssignmentID],
        to indexes: EvidenceIndexOutput, in state: String
    ) throws(JournalError) -> [AssignmentID: any EvidenceIndexBytes]? {
        var made: [AssignmentID: any EvidenceIndexBytes] = [:]
        var isTakenAway = false
        try ledger.evidenceIndexContents(of: wanted) { (id, content) throws(JournalError) in
            let stored = try indexes.add(
                seqs: content.seqs, content: content.bytes, contentVersion: stamp.contentVersion, position: stamp.position)
            if let stored { made[id] = EvidenceIndexOnDisk(stored, of: id, in: state) } else { isTakenAway = true }
            return !isTakenAway
        }
        if isTakenAway { return nil }
        if !made.isEmpty {
            try indexes.sync()
            ledger.use(made)
        }
        guard try write(ledger, stamp, to: output) else { return nil }
        indexes.finish(keeping: Set(ledger.evidenceIndexes.values.map(\.name)))
        return made
    }

    /// Puts a snapshot in the old one's place. False where entries have begun to be emptied since `output` was opened.
    package static func write(
        _ ledger: Ledger, _ stamp: SnapshotFile.Stamp, to output: SnapshotOutput
    ) throws(JournalError) -> Bool {
        output.begin(stamp)
        ledger.snapshot { output.add($0) }
        return try output.finish()
    }
}
