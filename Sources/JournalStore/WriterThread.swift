// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import JournalFormat

/// What runs on the writer's thread. Everything that changes here belongs to that thread alone.
final class WriterThread: @unchecked Sendable {
    // Owner: the thread that calls `run`, once.
    private let place: JournalPlaceOnDisk
    private let boot: BootID
    private let options: JournalOptions
    private let inbox: JournalInbox
    private let reports: HandOver<JournalReport>
    private let disk: Disk
    private var random = SystemRandomNumberGenerator()
    private var encoder = EntryEncoder()

    /// What recovery still has to do; nil once it is done.
    private var plan: RecoveryPlan?
    private var position: JournalPosition
    private var nextSeq: UInt64
    /// The segment that is written, where one is open.
    private var segment: OpenSegment?
    /// Why the next line must be a `repaired` entry.
    private var repair: RepairFacts?
    /// Set while the disk refuses.
    private var stalledSince: WallTime?

    private final class OpenSegment {
        let name: String
        let file: OwnedDescriptor
        var size: Int

        init(name: String, file: consuming OwnedDescriptor, size: Int) {
            self.name = name
            self.file = file
            self.size = size
        }
    }

    /// Lines that are on their way to the disk.
    private struct Group {
        var bytes: [UInt8] = []
        var entries: [DurableEntry] = []
        var position: JournalPosition
        var next: UInt64
    }

    init(
        place: JournalPlaceOnDisk, plan: RecoveryPlan, boot: BootID, options: JournalOptions, inbox: JournalInbox,
        reports: HandOver<JournalReport>, disk: Disk
    ) {
        self.place = place
        self.plan = plan
        self.boot = boot
        self.options = options
        self.inbox = inbox
        self.reports = reports
        self.disk = disk
        position = plan.position
        nextSeq = plan.nextSeq
    }

    func run() {
        defer { reports.close() }
        guard persist([]) else { return }
        while let drafts = inbox.take(delay: options.commitDelay, enough: options.maximumGroup) {
            var rest = drafts[...]
            while !rest.isEmpty {
                let group = rest.prefix(options.maximumGroup)
                guard persist(Array(group)) else { return }
                rest = rest.dropFirst(group.count)
            }
        }
    }

    /// Tries until the group is durable. False where the journal is closed and the disk refused once more.
    private func persist(_ drafts: [EntryDraft]) -> Bool {
        while true {
            do throws(SystemCallError) {
                try recover()
                try commit(drafts)
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

    // MARK: - Recovery

    /// Carries the plan out; may be called again after it failed half way.
    private func recover() throws(SystemCallError) {
        guard var plan else { return }
        var setAside: String?
        for first in plan.sealed {
            let name = try name(of: first)
            setAside = name
            try disk.perform(.setMode) { () throws(SystemCallError) in
                try OwnedDescriptor.open(name, in: place.journal.descriptor, flags: O_RDONLY).setMode(0o440)
            }
        }
        if let first = plan.segment {
            let name = try name(of: first)
            let file = try disk.perform(.openSegment) { () throws(SystemCallError) in
                try OwnedDescriptor.open(name, in: place.journal.descriptor, flags: O_RDWR)
            }
            if let tail = plan.tail {
                setAside = try setTailAside(tail, of: file, named: name)
                // From here on a second call must not copy again: the tail is gone from the segment.
                plan.tail = nil
                self.plan = plan
            }
            try place.pointCurrent(at: name, disk: disk)
            segment = OpenSegment(name: name, file: file, size: plan.size)
        }
        if let reason = plan.reason {
            repair = RepairFacts(
                lastGoodSeq: position.seq, lastGoodChain: position.chain.hex, setAside: setAside ?? existingTail(),
                bytes: Int64(plan.bytes),
                reason: reason)
        }
        self.plan = nil
    }

    private func name(of first: UInt64) throws(SystemCallError) -> String {
        try place.journal.names().segments.first { $0.first == first }?.name ?? JournalSegment.name(first: first)
    }

    /// The bytes that were set aside for the entry that comes next, by an attempt that did not get further.
    private func existingTail() -> String? {
        (try? place.journal.names().setAside)?.last { TailName(name: $0)?.seq == nextSeq }
    }

    /// Copies the tail to a file of its own and makes that durable, before it is cut off the segment.
    private func setTailAside(
        _ tail: RecoveryPlan.Tail, of file: borrowing OwnedDescriptor, named segment: String
    ) throws(SystemCallError) -> String {
        // An unfinished copy of an earlier try is overwritten: what it copied is still in the segment.
        let temporary = ".torn.new"
        let copy = try disk.perform(.openTail) { () throws(SystemCallError) in
            try OwnedDescriptor.open(
                temporary, in: place.journal.descriptor, flags: O_RDWR | O_CREAT | O_TRUNC, mode: JournalPlaceOnDisk.fileMode)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while true {
            let count = try file.read(into: buffer, at: tail.offset + done)
            if count == 0 { break }
            try disk.write(Array(buffer[..<count]), to: copy, at: done)
            done += count
        }
        try disk.perform(.flush) { () throws(SystemCallError) in try copy.sync() }
        let name = try freeTailName(segment)
        try disk.perform(.rename) { () throws(SystemCallError) in try place.journal.descriptor.rename(temporary, to: name) }
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() }
        try disk.perform(.truncate) { () throws(SystemCallError) in try file.truncate(to: tail.offset) }
        try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
        return name
    }

    /// A name that no file has: recovery replaces nothing.
    private func freeTailName(_ segment: String) throws(SystemCallError) -> String {
        let taken = Set(try place.journal.names().setAside)
        var name = TailName(segment: segment, seq: nextSeq)
        while taken.contains(name.text) { name.attempt += 1 }
        return name.text
    }

    // MARK: - Writing

    /// Writes a group and reports it. After a throw nothing of it counts, and the next call begins again.
    private func commit(_ drafts: [EntryDraft]) throws(SystemCallError) {
        guard !drafts.isEmpty || repair != nil else { return }
        if let segment, segment.size >= options.segmentBytes { self.segment = nil }
        let segment = try openSegment()
        let group = encode(drafts)
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
        inbox.settle(drafts.count, position: position)
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

    private func openSegment() throws(SystemCallError) -> OpenSegment {
        if let segment { return segment }
        return try create()
    }

    private func create() throws(SystemCallError) -> OpenSegment {
        let name = JournalSegment.name(first: nextSeq)
        var file = try createFile(name)
        // An empty file is what a crash right after this call leaves; anything else under this name was never acknowledged.
        if try file.status().size > 0 {
            let text = try freeTailName(name)
            try disk.perform(.rename) { () throws(SystemCallError) in try place.journal.descriptor.rename(name, to: text) }
            repair?.setAside = text
            file = try createFile(name)
        }
        try disk.perform(.setMode) { () throws(SystemCallError) in try file.setMode(JournalPlaceOnDisk.fileMode) }
        // The name must be durable before the first entry in it is acknowledged.
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() }
        try place.pointCurrent(at: name, disk: disk)
        let created = OpenSegment(name: name, file: file, size: 0)
        segment = created
        inbox.noteNewSegment()
        return created
    }

    private func createFile(_ name: String) throws(SystemCallError) -> OwnedDescriptor {
        try disk.perform(.openSegment) { () throws(SystemCallError) in
            try OwnedDescriptor.open(
                name, in: place.journal.descriptor, flags: O_RDWR | O_CREAT, mode: JournalPlaceOnDisk.fileMode)
        }
    }

    private func encode(_ drafts: [EntryDraft]) -> Group {
        var group = Group(position: position, next: nextSeq)
        if let repair {
            let now = WallTime(microseconds: Clocks.wallMicroseconds())
            add(EntryDraft(at: now, mono: BootTime(microseconds: Clocks.bootMicroseconds()), body: .repaired(repair)), to: &group)
        }
        for draft in drafts { add(draft, to: &group) }
        return group
    }

    private func add(_ draft: EntryDraft, to group: inout Group) {
        // After damage the numbers go on above those in doubt, while the chain goes on from the last good entry.
        var entry = Entry(seq: group.next, at: draft.at, boot: boot, mono: draft.mono, body: draft.body)
        let salt = Salt(high: random.next(), low: random.next())
        var line = encoder.line(for: entry, salt: salt, after: group.position)
        if line == nil {
            // Longer than the format allows: it cannot be kept, and that is said in its place.
            entry.body = .gap(GapFacts(cause: .storage, from: draft.at, to: draft.at, lost: 1))
            line = encoder.line(for: entry, salt: salt, after: group.position)
        }
        guard let line else { return }
        group.bytes.append(contentsOf: line.bytes)
        group.bytes.append(0x0a)
        group.entries.append(DurableEntry(entry: entry, line: line.bytes, position: line.position))
        group.position = line.position
        group.next = entry.seq + 1
    }
}
