// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import EventLoop
import JournalFormat
import JournalStore
import Ledger
import Settings

/// What a retention pass asks the journal's writer for, and what the ledger lets go of once it is done.
struct AgedWork: Sendable {
    var evidence: Set<AssignmentID> = []
    var work: Set<AssignmentID> = []
    var ended: Set<AssignmentID> = []
    var viewsBefore: WallTime
    /// The last entry that was looked at.
    var through: UInt64
}

/// What the ledger says of entries that have aged out, for the store.
struct AgedSelection: EntrySelection {
    private var entries: AgedEntries

    init(_ aged: AgedWork) {
        entries = AgedEntries(
            evidence: aged.evidence, work: aged.work, ended: aged.ended, viewsBefore: aged.viewsBefore, through: aged.through)
    }

    mutating func learn(_ entry: Entry, digest: Digest) { entries.learn(entry) }
    func selects(_ entry: Entry, digest: Digest) -> Bool { entries.isAged(entry) }
    func replacements() -> [EntryBody] { [] }
    var words: [String] { [] }
}

extension Daemon {
    /// From one pass to the next; the first comes soon after the start.
    static let retentionInterval = Duration.seconds(86_400)
    static let firstRetention = Duration.seconds(10)
    /// Assignments whose totals are worked out in one go, so that nobody waits for long; the rest follows at once.
    static let retentionBatch = 20

    func armRetention(after wait: Duration) {
        retentionTimer?.arm(at: (HostClock.boot() + wait).microseconds, accuracy: .seconds(60))
    }

    /// Once a day: totals are journaled for what is older than it is kept, and then its entries are emptied.
    func retentionDue() {
        guard !isStopping, storageTrouble == nil, aged == nil, let writer else { return armRetention(after: Self.retentionInterval) }
        let now = moment
        forgetLeavers(now.wall)
        let kept = settings.retention
        var found = AgedWork(viewsBefore: now.wall - kept.viewed, through: ledger.lastSeq)
        var totals: [EntryBody] = []
        var isMore = false
        for record in ledger.allAssignments {
            guard let end = ledger.endOfWork(on: record) else { continue }
            if end + kept.totals <= now.wall, record.ended != nil || ledger.hasWork(record.id) {
                found.work.insert(record.id)
                if record.ended != nil { found.ended.insert(record.id) }
            } else if end + kept.evidence <= now.wall, ledger.hasEvidence(record.id) {
                guard found.evidence.count < Self.retentionBatch else {
                    isMore = true
                    continue
                }
                found.evidence.insert(record.id)
                totals += ledger.totals(of: record.id, now: now, clock: clock).map { .totals($0) }
            }
        }
        let hasOldViews = ledger.firstView.map { $0 < found.viewsBefore } ?? false
        guard !found.evidence.isEmpty || !found.work.isEmpty || hasOldViews else { return armRetention(after: Self.retentionInterval) }
        // Before the erasure, in the same queue.
        submit(totals)
        guard writer.erase(ErasureRequest(id: 0, kind: .retention, by: nil, selection: AgedSelection(found))) else {
            return armRetention(after: Self.retentionInterval)
        }
        aged = (found, isMore)
        if sinceErasure == nil { sinceErasure = EntriesSince() }
    }

    /// So many people in one pass; the rest on the next day.
    static let leaversAtMost = 8

    /// Who has been in no class for longer than they are kept is forgotten, as an administrator would.
    private func forgetLeavers(_ now: WallTime) {
        let present = recorder.policy.roster.classes.reduce(into: Set<PersonID>()) { $0.formUnion($1.students.union($1.teachers)) }
        let due = ledger.leftAt.filter { $0.value + settings.retention.leavers <= now && !present.contains($0.key) }.keys.sorted()
        for person in due.prefix(Self.leaversAtMost) where !erasures.values.contains(where: { $0.person == person }) {
            submit(recorder.forget(person, at: HostClock.boot()))
            let request = ErasureRequest(id: nextErasure, kind: .retention, by: nil, selection: ForgottenPerson(person))
            guard writer?.erase(request) ?? false else { return }
            erasures[nextErasure] = WaitingErasure(person: person)
            if sinceErasure == nil { sinceErasure = EntriesSince() }
            nextErasure += 1
            letGo(of: person, at: HostClock.boot())
        }
    }

    /// The writer has answered a pass.
    func retained(_ outcome: ErasureReport.Outcome, through seq: UInt64) {
        guard let (found, isMore) = aged else { return }
        switch outcome {
        case .unfinished: return
        case .refused: armRetention(after: Self.retentionInterval)
        case .done:
            for id in found.evidence { ledger.evidenceWent(of: id, through: found.through) }
            for id in found.work {
                ledger.workWent(of: id)
                recorder.workWent(of: id)
            }
            ledger.viewsWent(before: found.viewsBefore)
            retell(after: seq)
            armRetention(after: isMore ? .seconds(1) : Self.retentionInterval)
        }
        aged = nil
    }
}
