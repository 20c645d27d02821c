// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import JournalFormat

/// What runs on the writer's thread. Everything that changes here belongs to that thread alone.
final class WriterThread: @unchecked Sendable {
    // Owner: the thread that calls `run`, once.
    let place: JournalPlaceOnDisk
    let options: JournalOptions
    let disk: Disk
    let inbox: JournalInbox
    private let reports: HandOver<JournalReport>
    private var encoder: GroupEncoder
    private let ahead: AheadEncoder
    /// What was encoded while the last group went to the disk: the next to be written.
    private var prepared: LineGroup?

    /// What recovery still has to do; nil once it is done.
    var plan: RecoveryPlan?
    var position: JournalPosition
    var nextSeq: UInt64
    /// The segment that is written, where one is open.
    var segment: OpenSegment?
    /// Why the next line must be a `repaired` entry.
    var repair: RepairFacts?
    /// Set while the disk refuses.
    private var stalledSince: WallTime?

    private let signer: CheckpointSigner?
    /// Since when there are entries that no checkpoint covers, in microseconds of `Condition.now`; nil where there are none.
    private var uncoveredSince: Int64?
    let packer: SegmentPacker?
    /// An erasure that is not done yet, and the thread for its long steps.
    var begun: BegunErasure?
    let erasing: ErasureThread

    final class OpenSegment {
        let name: String
        let file: OwnedDescriptor
        var size: Int
        /// The day (UTC) of its first entry; nil where it has none yet.
        var day: Int64?

        init(name: String, file: consuming OwnedDescriptor, size: Int, day: Int64?) {
            self.name = name
            self.file = file
            self.size = size
            self.day = day
        }
    }

    /// What is written in one go.
    private enum Batch {
        case entries([EntryDraft])
        /// Encoded already; encoded anew where the journal has come to stand elsewhere.
        case group(LineGroup)
        case checkpoint
    }

    init(
        place: JournalPlaceOnDisk, plan: RecoveryPlan, boot: BootID, options: JournalOptions, inbox: JournalInbox,
        reports: HandOver<JournalReport>, signer: CheckpointSigner?, disk: Disk
    ) {
        self.place = place
        self.plan = plan
        encoder = GroupEncoder(boot: boot)
        erasing = ErasureThread(inbox: inbox)
        ahead = AheadEncoder(boot: boot, inbox: inbox)
        self.options = options
        self.inbox = inbox
        self.reports = reports
        self.signer = signer
        self.disk = disk
        packer = options.packAfter.map { SegmentPacker(place: place, after: $0, disk: disk) }
        position = plan.position
        nextSeq = plan.nextSeq
        let noted = signer == nil ? nil : CheckpointFiles.note(in: place.path)?.position
        // The checkpoint itself is one entry behind what it covers.
        if position.seq > 0, noted.map({ $0.seq + 1 < position.seq }) ?? true { uncoveredSince = Condition.now() }
    }

    func run() {
        defer {
            erasing.wait()
            packer?.stop()
            ahead.stop()
            reports.close()
        }
        findBegunErasure()
        guard persist(.entries([])) else { return }
        continueErasure()
        pack()
        while let work = inbox.take(delay: options.commitDelay, until: nextDeadline, erasures: begun == nil) {
            if work.drafts.isEmpty, work.erasure == nil, let deadline = checkpointDeadline, deadline <= Condition.now() {
                guard persist(.checkpoint) else { return }
                pack()
            }
            if !work.drafts.isEmpty {
                guard persist(.entries(work.drafts)) else { return }
            }
            while let group = prepared {
                prepared = nil
                guard persist(.group(group)) else { return }
            }
            takeErasure()
            if let retryAt = begun?.retryAt, retryAt <= Condition.now() { continueErasure() }
            if let request = work.erasure { erase(request) }
        }
        finishErasure()
        // An orderly end leaves nothing uncovered.
        if uncoveredSince != nil { _ = persist(.checkpoint) }
    }

    /// Tries until the batch is durable. False where the journal is closed and the disk refused once more.
    private func persist(_ batch: Batch) -> Bool {
        while true {
            do throws(SystemCallError) {
                try recover()
                switch batch {
                case .entries(let drafts): try commit(drafts)
                case .group(let group): try commit(group)
                case .checkpoint: try checkpoint()
                }
                tellRefusals()
                return true
            } catch {
                let trouble = StorageTrouble(error)
                inbox.note(trouble)
                if stalledSince == nil {
                    stalledSince = WallTime(microseconds: Clocks.wallMicroseconds())
                    _ = reports.putWaiting(.stalled(trouble))
                }
                // A journal that is being closed has had its try; waiting longer would hold up the machine's shutdown.
                if inbox.waitForRetry(options.retryDelay) { return false }
            }
        }
    }

    private func tellRefusals() {
        let refusals = inbox.takeRefusals()
        guard let since = stalledSince ?? refusals.since else { return }
        stalledSince = nil
        inbox.note(nil)
        _ = reports.putWaiting(.resumed(since: since, refused: refusals.count))
    }

    /// Compresses what has rested long enough, on a short-lived thread of its own, so that no entry waits for it.
    func pack() {
        // Both write segments anew.
        guard begun == nil else { return }
        let reports = reports
        packer?.start { packed, trouble in
            if packed > 0 || trouble != nil { _ = reports.put(.packed(packed, trouble: trouble)) }
        }
    }

    func report(_ id: UInt64?, _ outcome: ErasureReport.Outcome, people: [PersonID] = [], through: UInt64 = 0) {
        _ = reports.putWaiting(.erased(ErasureReport(id: id, outcome: outcome, people: people, through: through)))
    }

    private var nextDeadline: Int64? { [checkpointDeadline, begun?.retryAt].compactMap(\.self).min() }

    // MARK: - Checkpoints

    private var checkpointDeadline: Int64? {
        guard signer != nil, let uncoveredSince else { return nil }
        return uncoveredSince + options.checkpointInterval.microseconds
    }

    /// Signs where the journal stands, writes that as an entry, and puts the note beside the journal. Only what is durable is signed, so that
    /// no two notes contradict each other whatever the disk does.
    private func checkpoint() throws(SystemCallError) {
        guard signer != nil, uncoveredSince != nil else { return }
        // After a failed write there is a `repaired` entry to come first.
        if repair != nil { try commit([]) }
        guard let signer, position.seq > 0, let note = signer.note(of: position) else { return }
        try write([draft(.checkpoint(note: note.whole))], taken: 0)
        uncoveredSince = nil
        do { try CheckpointFiles.replaceNote(note, in: place.state, disk: disk) } catch {
            // The note stands in the journal, and the next one will be put beside it; the older one stays true.
        }
    }

    // MARK: - Writing

    /// Writes a group and reports it. After a throw nothing of it counts, and the next call begins again.
    private func commit(_ drafts: [EntryDraft]) throws(SystemCallError) {
        guard !drafts.isEmpty || repair != nil else { return }
        let day = (drafts.first?.at ?? WallTime(microseconds: Clocks.wallMicroseconds())).day
        if let segment, isFull(segment, for: day) {
            // The last entry of a segment covers all before it.
            if repair == nil { try checkpoint() }
            self.segment = nil
        }
        try commit(encode(drafts), day: day)
    }

    private func commit(_ group: LineGroup) throws(SystemCallError) {
        let day = (group.drafts.first?.at ?? WallTime(microseconds: 0)).day
        guard repair == nil, group.after == position, group.first == nextSeq, let segment, !isFull(segment, for: day) else {
            return try commit(group.drafts)
        }
        try commit(group, day: day)
    }

    private func isFull(_ segment: OpenSegment, for day: Int64) -> Bool {
        segment.size >= options.segmentBytes || segment.day.map { $0 != day } ?? false
    }

    private func commit(_ group: LineGroup, day: Int64) throws(SystemCallError) {
        let isNew = segment == nil
        try write(group, taken: group.drafts.count, encodesAhead: true)
        if segment?.day == nil { segment?.day = day }
        if uncoveredSince == nil { uncoveredSince = Condition.now() }
        if isNew { pack() }
    }

    /// Writes entries of the writer's own.
    func write(_ drafts: [EntryDraft], taken: Int) throws(SystemCallError) {
        try write(encode(drafts), taken: taken, encodesAhead: false)
    }

    private func write(_ group: LineGroup, taken: Int, encodesAhead: Bool) throws(SystemCallError) {
        let segment = try openSegment()
        if encodesAhead, prepared == nil, segment.size + group.bytes.count < options.segmentBytes { ahead.begin(after: group) }
        // Whatever becomes of this group: what was taken meanwhile comes next.
        defer { if let next = ahead.finish() { prepared = next } }
        do throws(SystemCallError) {
            try disk.write(group.bytes, to: segment.file, at: segment.size)
        } catch {
            leave(segment, after: error, attempted: group.bytes.count, canGoOn: [ENOSPC, EDQUOT, EFBIG].contains(error.code))
            throw error
        }
        do throws(SystemCallError) {
            try disk.perform(.flush) { () throws(SystemCallError) in try segment.file.syncData() }
        } catch {
            // The kernel may have marked the lost pages clean, so that a second flush would succeed and mean nothing.
            leave(segment, after: error, attempted: group.bytes.count, canGoOn: false)
            throw error
        }
        segment.size += group.bytes.count
        position = group.position
        nextSeq = group.next
        repair = nil
        inbox.settle(taken, position: position)
        if !group.entries.isEmpty { _ = reports.putWaiting(.durable(group.entries)) }
    }

    /// Takes back what a failed group left in the segment. Where that cannot be done for certain, the next try opens a new segment, whose
    /// first entry says from where on it replaces this one.
    private func leave(_ segment: OpenSegment, after error: SystemCallError, attempted: Int, canGoOn: Bool) {
        var isClean = false
        do throws(SystemCallError) {
            try disk.perform(.truncate) { () throws(SystemCallError) in try segment.file.truncate(to: segment.size) }
            isClean = true
        } catch {
            // Nothing more to try: the bytes stay, and the next segment says that they do not count.
        }
        if isClean, canGoOn { return }
        self.segment = nil
        repair = RepairFacts(
            lastGoodSeq: position.seq, lastGoodChain: position.chain.hex, setAside: repair?.setAside, bytes: Int64(attempted),
            reason: "writing failed (\(error))")
    }

    private func encode(_ drafts: [EntryDraft]) -> LineGroup {
        encoder.group(drafts, repair: repair.map { draft(.repaired($0)) }, after: position, first: nextSeq)
    }

    /// An entry of the writer's own.
    func draft(_ body: EntryBody) -> EntryDraft {
        EntryDraft(
            at: WallTime(microseconds: Clocks.wallMicroseconds()), mono: BootTime(microseconds: Clocks.bootMicroseconds()), body: body)
    }
}
