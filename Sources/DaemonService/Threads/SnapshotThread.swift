// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import JournalFormat
import JournalStore
import Ledger

/// What a snapshot is made of.
enum SnapshotSource: Sendable {
    /// The ledger in memory, as of the stamp, with the assignments whose evidence moves to index files.
    case memory(Ledger, SnapshotFile.Stamp, indexing: [AssignmentID])
    /// What stands on the disk, up to an entry: after an erasure the ledger in memory, which forgot by itself, may differ from that in
    /// small ways (numbers of entries, steps of the clock), and a snapshot never does.
    case disk(through: JournalPosition, program: String, indexing: [AssignmentID])
}

enum SnapshotAnswer: Sendable {
    /// It has its name, which an erasure takes away from here on: now it may be told what to write.
    case ready
    /// It ends up to this entry, and index files were written before it.
    case written(UInt64, [AssignmentID: any EvidenceIndexBytes])
    /// Entries were emptied meanwhile; there is none.
    case takenAway
    case failed(String)
}

/// Writes one snapshot, and before it the index files that it is to rely on, and ends. The loop hands over a copy of the ledger; while that is kept, what an entry touches is copied once.
final class SnapshotThread: Sendable {
    private let source: HandOver<SnapshotSource>
    private let thread = OneTime<WorkerThread>()

    init(stateDirectory: String, answers: HandOver<SnapshotAnswer>) throws(SystemCallError) {
        let source = HandOver<SnapshotSource>(capacity: 1, wake: nil)
        self.source = source
        thread.set(
            try WorkerThread(name: "snapshot") {
                do throws(JournalError) {
                    let indexes = try EvidenceIndexOutput(stateDirectory: stateDirectory)
                    let output = try SnapshotOutput(stateDirectory: stateDirectory)
                    guard answers.putWaiting(.ready), let wanted = source.takeWaiting()?.first else { return }
                    _ = answers.putWaiting(try Self.write(wanted, stateDirectory, indexes, output))
                } catch {
                    _ = answers.putWaiting(.failed(error.description))
                }
            })
    }

    func write(_ wanted: SnapshotSource) { _ = source.put(wanted) }

    /// Ends it where it waits for a source, and waits for it where it writes.
    func stop() {
        source.close()
        thread.take()?.join()
    }

    private static func write(
        _ wanted: consuming SnapshotSource, _ state: String, _ indexes: EvidenceIndexOutput, _ output: SnapshotOutput
    ) throws(JournalError) -> SnapshotAnswer {
        switch consume wanted {
        case .memory(let ledger, let stamp, let wanted):
            let written = try LedgerOnDisk.write(ledger, stamp, to: output, indexing: wanted, to: indexes, in: state)
            return written.map { .written(stamp.position.seq, $0) } ?? .takenAway
        case .disk(let position, let program, let wanted):
            let loaded = try LedgerOnDisk(stateDirectory: state, through: position.seq, program: program)
            guard loaded.isWhole, loaded.ledger.lastSeq == position.seq else { return .failed("entries of the journal cannot be read") }
            let stamp = SnapshotFile.Stamp(
                position: position, journalBytes: loaded.journalBytes, contentVersion: Ledger.snapshotVersion, program: program)
            let written = try LedgerOnDisk.write(loaded.ledger, stamp, to: output, indexing: wanted, to: indexes, in: state)
            return written.map { .written(position.seq, $0) } ?? .takenAway
        }
    }
}
