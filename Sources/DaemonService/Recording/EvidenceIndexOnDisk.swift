// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import EventLoop
import Glibc
import JournalFormat
package import JournalStore
package import Ledger
import Synchronization

/// The content of an index file for the ledger, as it was when it was checked, whatever happens to the file.
///
/// Where the file does not give it any more (somebody made it shorter or wrote into it, the disk fails), the evidence is read from the journal there and
/// then, once: the one look takes as long as that, and its answer is what it would have been. Where the journal does not give it either, the
/// process ends and says why: a wrong answer would be worse, and the next start trusts neither.
package final class EvidenceIndexOnDisk: EvidenceIndexBytes {
    package let id: EvidenceIndexID
    private let stored: StoredEvidenceIndex
    private let assignment: AssignmentID
    private let state: String
    private let readAgain = Mutex<[UInt8]?>(nil)

    package init(_ stored: StoredEvidenceIndex, of assignment: AssignmentID, in state: String) {
        self.stored = stored
        self.assignment = assignment
        self.state = state
        id = EvidenceIndexID(name: stored.name, digest: stored.head.digest.hex)
    }

    /// Nil where there is no such file, or one that cannot have been there when the snapshot was made.
    init?(_ id: EvidenceIndexID, of assignment: AssignmentID, in state: String, notAfter seq: UInt64) {
        guard let stored = try? StoredEvidenceIndex(id.name, stateDirectory: state),  // whatever is wrong with it, the journal has it
            stored.head.digest.hex == id.digest, stored.head.contentVersion == Ledger.snapshotVersion, stored.head.position.seq <= seq
        else { return nil }
        self.stored = stored
        self.assignment = assignment
        self.state = state
        self.id = id
    }

    package var isSound: Bool { readAgain.withLock { $0 == nil } }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        if isSound, let result = stored.withContent(body) ?? nil { return result }
        let bytes = readAgain.withLock { known in
            let bytes = known ?? fromJournal()
            known = bytes
            return bytes
        }
        return bytes.withUnsafeBytes(body)
    }

    private func fromJournal() -> [UInt8] {
        say("does not give its bytes any more (it was changed, or the disk fails): they are read from the journal")
        var ledger = Ledger()
        var ids: Set<ActivityID> = []
        var count = 0
        var trouble = "the journal has other entries"
        do throws(JournalError) {
            try JournalReader(stateDirectory: state).replay(after: stored.first - 1, through: stored.head.position.seq) { entry, _ in
                count += 1
                // A long journal is no hang.
                if count % 200_000 == 0 { Notify.alive() }
                guard case .session(let event, let of) = entry.body else { return true }
                if case .started(let start) = event, of == assignment { ids.insert(start.id) }
                if ids.contains(event.id) { ledger.apply(entry) }
                return true
            }
        } catch {
            trouble = error.description
        }
        var found: [UInt8]?
        ledger.evidenceIndexContents(of: [assignment]) { _, content in
            if EvidenceIndexFile.digest(seqs: content.seqs, content: content.bytes) == stored.head.digest { found = content.bytes }
            return true
        }
        if let found { return found }
        say("cannot be made again (\(trouble)); the daemon ends, and reads all of the journal when it starts again")
        exit(EXIT_FAILURE)
    }

    /// To the systemd journal, by whatever thread looks.
    private func say(_ text: String) {
        let line = Array("daybookd: the index file journal/\(stored.name) \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
