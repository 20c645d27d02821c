// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import JournalFormat
import JournalStore
import Ledger
import Settings

/// Where snapshots of the ledger stand.
struct SnapshotState {
    /// The number of the last entry that the stored one holds; 0 where there is none.
    var seq: UInt64 = 0
    /// What the start used, for `status`.
    var used: UInt64?
    var refusal: String?
    /// False once the ledger has forgotten something by itself.
    var isLedgerAsRead = true
    /// An erasure that an earlier daemon began and that is not done.
    var isOldErasureOpen = false
    /// Entries that could not be read may be readable one day; a snapshot would hide them.
    var isPossible = true
    /// Evidence in memory, or in an index that has too much, should be in a new index.
    var wantsIndexes = false
    var thread: SnapshotThread?
}

extension Daemon {
    /// The ledger as it stood at the end of the last run.
    func readLedger(through position: JournalPosition, erasing: [ClosedRange<UInt64>]?) throws {
        let state = settings.server.state
        let loaded = try LedgerOnDisk(
            stateDirectory: state, through: position.seq, program: options.version, erasing: erasing,
            // A long journal is no hang.
            progress: { Notify.extendTimeout(by: .seconds(30)) })
        ledger = loaded.ledger
        ledgerPosition = position
        journalBytes = Int64(clamping: loaded.journalBytes)
        recorder.restore(ledger)
        if let bad = loaded.summary.firstUnreadable {
            log.error(
                "entries of the journal cannot be read",
                ["count": .count(loaded.summary.unreadable), "segment": .plain(bad.segment), "reason": .plain(bad.reason)],
                id: Messages.repaired)
        }
        snapshots.used = loaded.snapshotSeq
        snapshots.seq = loaded.snapshotSeq ?? 0
        snapshots.isPossible = loaded.isWhole
        snapshots.isOldErasureOpen = erasing != nil
        if let refusal = loaded.refusal, position.seq > 0 {
            snapshots.refusal = refusal.description
            log.notice(
                "the journal was read from its beginning; the snapshot of the ledger was not used",
                ["entries": .count(loaded.summary.entries), "reason": .plain(refusal.description)])
            // Whatever it is of, it is of no use to anybody, and may name people.
            if refusal != .absent, refusal != .erasing { SnapshotFile.discard(in: state) }
        }
    }

    /// Nobody's entries are about to be emptied, so what the ledger has may be written down.
    private var isQuiet: Bool { erasures.isEmpty && aged == nil && !snapshots.isOldErasureOpen && storageTrouble == nil }

    /// Begins one where enough entries have come since the last.
    func considerSnapshot() {
        guard snapshots.thread == nil, snapshots.isPossible, isQuiet, !isStopping,
            snapshots.wantsIndexes
                || ledgerPosition.seq - min(snapshots.seq, ledgerPosition.seq) >= UInt64(settings.journal.snapshotEntries)
        else { return }
        do { snapshots.thread = try SnapshotThread(stateDirectory: settings.server.state, answers: snapshotAnswers) } catch {
            log.error("no snapshot of the ledger was written", ["reason": .plain("\(error)")])
            // Not with every entry again.
            snapshots.seq = ledgerPosition.seq
            snapshots.wantsIndexes = false
        }
    }

    /// Assignments may be over for long enough, or somebody in an index was forgotten: now and then, not with each entry.
    func considerIndexes() {
        snapshots.wantsIndexes = !ledger.evidenceToIndex(now: HostClock.wall()).isEmpty
        considerSnapshot()
    }

    /// Answers come from index files from here on, and the memory of what went is given back.
    private func use(_ indexes: [AssignmentID: any EvidenceIndexBytes]) {
        guard !indexes.isEmpty else { return }
        ledger.use(indexes)
        ProcessMemory.giveBack()
        log.debug("the evidence of assignments that are over is in index files", ["assignments": .count(indexes.count)])
    }

    func handle(_ answer: SnapshotAnswer) {
        switch answer {
        case .ready:
            guard isQuiet else { break }
            let wanted = ledger.evidenceToIndex(now: HostClock.wall())
            snapshots.thread?.write(
                snapshots.isLedgerAsRead && ledger.lastSeq == ledgerPosition.seq
                    ? .memory(ledger, stamp, indexing: wanted)
                    : .disk(
                        through: ledgerPosition, program: options.version,
                        indexing: Array(Set(wanted).union(ledger.evidenceIndexes.keys))))
            return
        case .written(let seq, let indexes):
            snapshots.seq = seq
            snapshots.wantsIndexes = false
            use(indexes)
        case .takenAway: snapshots.seq = 0
        case .failed(let reason):
            log.error("no snapshot of the ledger was written", ["reason": .plain(reason)])
            snapshots.seq = ledgerPosition.seq
            snapshots.wantsIndexes = false
        }
        snapshots.thread?.stop()
        snapshots.thread = nil
    }

    /// The ledger has let entries go that are on the disk no more.
    func snapshotWent() {
        snapshots.isLedgerAsRead = false
        snapshots.seq = 0
    }

    private var stamp: SnapshotFile.Stamp {
        SnapshotFile.Stamp(
            position: ledgerPosition, journalBytes: UInt64(clamping: journalBytes), contentVersion: Ledger.snapshotVersion,
            program: options.version)
    }

    /// The last one, once the journal is complete. Where the ledger is not as it would be read, the next start reads more instead.
    func writeLastSnapshot() {
        for answer in snapshotAnswers.takeAll() {
            if case .written(let seq, let indexes) = answer {
                snapshots.seq = seq
                use(indexes)
            }
        }
        snapshots.thread?.stop()
        snapshots.thread = nil
        guard snapshots.isPossible, snapshots.isLedgerAsRead, isQuiet, ledgerPosition.seq > snapshots.seq,
            ledger.lastSeq == ledgerPosition.seq
        else { return }
        do {
            Notify.extendTimeout(by: .seconds(30))
            _ = try LedgerOnDisk.write(ledger, stamp, to: try SnapshotOutput(stateDirectory: settings.server.state))
        } catch {
            log.error("no snapshot of the ledger was written", ["reason": .plain("\(error)")])
        }
    }
}
