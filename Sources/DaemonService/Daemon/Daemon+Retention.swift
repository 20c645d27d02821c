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

/// What is older than everything that is kept, and says nothing that a later entry does not: so that the oldest segments can go.
struct OldestSelection: EntrySelection {
    private var entries: SupersededEntries

    init(before: WallTime) { entries = SupersededEntries(before: before) }

    mutating func learn(_ entry: Entry, digest: Digest) { entries.learn(entry) }
    func selects(_ entry: Entry, digest: Digest) -> Bool { entries.isSuperseded(entry) }
    func replacements() -> [EntryBody] { [] }
    var words: [String] { [] }
}

/// What a pass has emptied, as far as it is still in memory.
struct Departure {
    var evidence: ArraySlice<AssignmentID>
    var work: ArraySlice<AssignmentID>
    /// The last entry that was looked at on the disk.
    var through: UInt64
    var isMore: Bool
}

/// A pass that goes over the assignments in slices.
struct RetentionPass {
    var found: AgedWork
    var totals: [EntryBody] = []
    var isMore = false
    var rest: ArraySlice<AssignmentID>
}

extension Daemon {
    /// From one pass to the next; the first comes soon after the start.
    static let retentionInterval = Duration.seconds(86_400)
    static let firstRetention = Duration.seconds(10)
    /// Assignments whose totals are worked out in one go, so that nobody waits for long; the rest follows at once.
    static let retentionBatch = 20

    /// The loop is held for so long at most, but for one assignment at least; then it serves others for so long.
    static let retentionSlice = Duration.milliseconds(10)
    static let retentionPause = Duration.milliseconds(20)

    func armRetention(after wait: Duration) {
        let accuracy = wait < .seconds(1) ? Duration.milliseconds(5) : .seconds(60)
        retentionTimer?.arm(at: (HostClock.boot() + wait).microseconds, accuracy: accuracy)
    }

    private func look(at record: AssignmentRecord, _ now: Moment, _ pass: inout RetentionPass) {
        let kept = settings.retention
        guard let end = ledger.endOfWork(on: record) else { return }
        if end + kept.totals <= now.wall, record.ended != nil || ledger.hasWork(record.id) {
            pass.found.work.insert(record.id)
            if record.ended != nil { pass.found.ended.insert(record.id) }
        } else if end + kept.evidence <= now.wall, ledger.hasEvidence(record.id) {
            guard pass.found.evidence.count < Self.retentionBatch else {
                pass.isMore = true
                return
            }
            pass.found.evidence.insert(record.id)
            pass.totals += ledger.totals(of: record.id, now: now, clock: clock).map { .totals($0) }
        }
    }

    /// Once a day: totals are journaled for what is older than it is kept, and then its entries are emptied.
    func retentionDue() {
        if let departure { return depart(departure) }
        guard !isStopping, storageTrouble == nil, aged == nil, let writer else {
            retentionPass = nil
            return armRetention(after: Self.retentionInterval)
        }
        let now = moment
        if retentionPass == nil {
            forgetLeavers(now.wall)
            removeOldEnd(now.wall)
            retentionPass = RetentionPass(
                found: AgedWork(viewsBefore: now.wall - settings.retention.viewed, through: ledger.lastSeq),
                rest: ledger.allAssignments.map(\.id)[...])
        }
        guard var pass = retentionPass else { return }
        retentionPass = nil
        let end = HostClock.boot() + Self.retentionSlice
        while let id = pass.rest.popFirst() {
            if let record = ledger.assignment(id) { look(at: record, now, &pass) }
            if HostClock.boot() >= end {
                // The loop has others to serve.
                retentionPass = pass
                return armRetention(after: Self.retentionPause)
            }
        }
        let (found, totals, isMore) = (pass.found, pass.totals, pass.isMore)
        let hasOldViews = ledger.firstView.map { $0 < found.viewsBefore } ?? false
        guard !found.evidence.isEmpty || !found.work.isEmpty || hasOldViews else {
            considerIndexes()
            return armRetention(after: Self.retentionInterval)
        }
        // Before the erasure, in the same queue.
        submit(totals)
        guard writer.erase(ErasureRequest(id: 0, kind: .retention, by: nil, selection: AgedSelection(found))) else {
            return armRetention(after: Self.retentionInterval)
        }
        aged = (found, isMore)
        if sinceErasure == nil { sinceErasure = EntriesSince() }
    }

    /// The number of the request that no report is waited for.
    static let oldEndRequest = UInt64.max

    /// Segments in which nothing is left go. The time of which work is kept needs its gaps and switches.
    private func removeOldEnd(_ now: WallTime) {
        let work = ledger.allAssignments.filter { ledger.hasEvidence($0.id) }.map(\.createdAt).min() ?? now
        let before = min(now - settings.retention.totals, work)
        _ = writer?.erase(
            ErasureRequest(
                id: Self.oldEndRequest, kind: .retention, by: nil, selection: OldestSelection(before: before), before: before))
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
            departure = Departure(evidence: Array(found.evidence)[...], work: Array(found.work)[...], through: seq, isMore: isMore)
            return armRetention(after: Self.retentionPause)
        }
        aged = nil
    }

    /// What has gone from the disk goes from memory, in slices.
    private func depart(_ departing: Departure) {
        guard let (found, _) = aged else { return departure = nil }
        var departing = departing
        let end = HostClock.boot() + Self.retentionSlice
        while HostClock.boot() < end {
            if let id = departing.evidence.popFirst() {
                ledger.evidenceWent(of: id, through: found.through)
            } else if let id = departing.work.popFirst() {
                ledger.workWent(of: id)
                recorder.workWent(of: id)
            } else {
                ledger.viewsWent(before: found.viewsBefore)
                retell(after: departing.through)
                pagesForget(found.evidence.union(found.work))
                (departure, aged) = (nil, nil)
                if erasures.isEmpty { sinceErasure = nil }
                if !departing.isMore { considerIndexes() }
                return armRetention(after: departing.isMore ? .seconds(1) : Self.retentionInterval)
            }
        }
        departure = departing
        armRetention(after: Self.retentionPause)
    }
}
