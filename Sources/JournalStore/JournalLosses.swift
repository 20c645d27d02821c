// SPDX-License-Identifier: Apache-2.0
import JournalFormat

/// What went wrong with a journal at some time and stays wrong until somebody looks at it, for `status` and `doctor`.
package enum JournalLosses {
    /// In words for an administrator; `cutOff` is what the writer found at its start.
    package static func found(in state: String, cutOff: UInt64?) -> [String] {
        let lost = CheckpointFiles.lostNotes(in: state)
        var texts = lost.map { missing($0.position.seq) + ", kept as \($0.file)" }
        // The writer's thread may not have kept it yet.
        if let cutOff, !lost.contains(where: { $0.position.seq == cutOff }) { texts.append(missing(cutOff)) }
        texts += CheckpointFiles.unknownNotes(in: state).map {
            "a checkpoint beside the journal was signed by none of its keys, and is kept as \($0): another journal was here, the file of its keys was "
                + "replaced, or somebody put it there; compare it with the notes you keep elsewhere, and move it away once you know"
        }
        return texts
            + ErasurePlan.damaged(in: state).map {
                "the plan of an erasure was damaged (\($0)), so that somebody may not be forgotten wholly"
            }
    }

    private static func missing(_ seq: UInt64) -> String {
        "the end of the journal was cut off: entries are missing up to \(seq), which a signed checkpoint covers"
    }
}
