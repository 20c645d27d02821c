// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import EventLoop

extension Daemon {
    /// Says in the systemd journal which entries whoever runs the machine should know of, once they are safe on the disk, with their number
    /// (`DAYBOOK_SEQ`), without names. Who switched recording, and for whom, stands in the entry alone.
    func tellOperator(of entry: Entry) {
        switch entry.body {
        case .recording(let change):
            let scope = change.person == nil ? "everybody" : "one person"
            log.notice(
                "recording was switched",
                ["state": .plain(change.state.rawValue), "for": .plain(scope), "seq": .number(entry.seq)], id: Messages.recording)
        case .gap(let gap):
            log.notice("a gap was journaled", ["cause": .plain(gap.cause.rawValue), "seq": .number(entry.seq)], id: Messages.gap)
        case .repaired(let repair):
            log.error(
                "the journal was repaired",
                ["reason": .plain(repair.reason), "bytes": .number(UInt64(clamping: repair.bytes)), "seq": .number(entry.seq)],
                id: Messages.repaired)
        case .erasure(let facts):
            log.notice(
                facts.kind == .forgotten ? "a person was forgotten" : "entries were emptied by retention",
                ["entries": .count(facts.count), "seq": .number(entry.seq)],
                id: facts.kind == .forgotten ? Messages.forgotten : Messages.retention)
        case .started, .stopped, .settings, .watching, .clock, .person, .session, .metrics, .assignmentCreated, .assignmentChanged,
            .assignmentEnded, .done, .note, .bookmarkCreated, .bookmarkRemoved, .imported, .contextSaved, .contextRemoved, .reported,
            .viewed, .totals, .checkpoint, .erased, .base,
            .unknown:
            break
        }
    }
}
