// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import JournalFormat
import JournalStore

/// The newest signed note of where the journal stands, for `status`.
struct NewestCheckpoint: Equatable {
    /// The last entry that it covers.
    var seq: UInt64
    /// When it was journaled.
    var at: WallTime?
    var key: String

    /// Nil where this is no note of a journal.
    init?(_ note: SignedNote, at: WallTime?) {
        guard let position = note.position, let signature = note.signatures.first else { return nil }
        seq = position.seq
        self.at = at
        key = signature.key
    }

    /// The one that an entry tells of; nil for all other entries.
    init?(_ entry: Entry) {
        guard case .checkpoint(let text) = entry.body, let note = SignedNote(Array(text.utf8)) else { return nil }
        self.init(note, at: entry.at)
    }

    /// The one beside the journal; its time is that of its entry, right after what it covers.
    init?(in state: String) {
        guard let note = CheckpointFiles.note(in: state) else { return nil }
        self.init(note, at: nil)
        let reader = JournalReader(stateDirectory: state)
        // What cannot be read any more leaves the time out.
        _ = try? reader.replay(after: seq, through: seq + 1) { entry, _ in
            if case .checkpoint = entry.body { at = entry.at }
            return false
        }
    }
}
