// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookLinux
import Glibc
package import JournalFormat

/// How the writer does, for `status`.
package struct JournalStatus: Equatable, Sendable {
    package var lastDurable: JournalPosition
    /// Entries that are not durable yet.
    package var waiting: Int
    /// Segments begun by this writer.
    package var newSegments = 0
    /// Set while the disk refuses.
    package var trouble: StorageTrouble?

    package init(lastDurable: JournalPosition, waiting: Int, newSegments: Int = 0, trouble: StorageTrouble?) {
        self.lastDurable = lastDurable
        self.waiting = waiting
        self.newSegments = newSegments
        self.trouble = trouble
    }
}

/// The only writer of a state directory's journal. It has a thread of its own; no call waits for the disk but `init` and `finish`.
///
/// Opening takes the lock, finds the end of the journal and what must be mended; the thread then mends it (a `repaired` entry is the first
/// it reports), and writes what is submitted in groups: one write and one flush each. Only what is durable is reported.
package final class JournalWriter: Sendable {
    /// Where the journal stood when it was opened: replay up to here, then take the reports.
    package let opened: JournalPosition
    /// The last entry that a signed checkpoint covers, where the journal was found to end before it.
    package let cutOff: UInt64?
    /// What the thread has to say, in order; `wake` is signalled when there is something. Take it even while closing.
    package let reports: HandOver<JournalReport>

    /// The key that signs checkpoints; nil where none does.
    package let key: CheckpointKey?
    /// Why none does although one should.
    package let signingTrouble: SigningTrouble?

    private let inbox: JournalInbox
    private let thread: WorkerThread

    /// Opens the journal below `stateDirectory`, making the folders where they are absent, and starts the thread. Throws `inUse` where
    /// another process has it.
    package init(
        stateDirectory: String, boot: BootID, options: JournalOptions = JournalOptions(), wake: Wakeup?, disk: Disk = Disk()
    ) throws(JournalError) {
        let place = try JournalPlaceOnDisk.open(stateDirectory, disk: disk)
        var plan = try Self.plan(place.journal)
        var signer: CheckpointSigner?
        var trouble: SigningTrouble?
        if let signing = options.signing {
            // Without a key recording goes on, and whoever runs the machine is told.
            do throws(SigningTrouble) {
                let found = try CheckpointFiles.signer(in: place.state, signing, disk: disk)
                try CheckpointFiles.setUnknownNoteAside(in: place, disk: disk)
                signer = found
            } catch {
                trouble = error
            }
        }
        if let covered = CheckpointFiles.signedPosition(in: stateDirectory) { plan.goOn(behind: covered.seq) }
        cutOff = plan.cutOff
        // Where the disk refuses that, the thread says so, and it is tried again before the next one is stored.
        do throws(JournalError) { try Eraser.setDamagedPlanAside(place, disk) } catch {}
        key = signer?.key
        signingTrouble = trouble
        let inbox = JournalInbox(
            capacity: options.maximumWaiting, groupSize: options.maximumGroup, position: plan.position)
        let reports = HandOver<JournalReport>(capacity: options.maximumReports, wake: wake)
        let worker = WriterThread(
            place: place, plan: plan, boot: boot, options: options, inbox: inbox, reports: reports, signer: signer, disk: disk)
        self.inbox = inbox
        self.reports = reports
        opened = plan.position
        do throws(SystemCallError) { thread = try WorkerThread(name: "journal") { worker.run() } } catch {
            throw .storage(StorageTrouble(error))
        }
    }

    /// Hands an entry over; never waits. False where too many wait already (or after `close`): the entry is lost, and once the disk is
    /// well again a `resumed` report says how many were.
    package func submit(_ draft: EntryDraft) -> Bool { inbox.put(draft) }

    /// Asks for entries to be emptied, once everything that was submitted before is durable; an `erased` report has the outcome. False where
    /// too much waits already.
    package func erase(_ request: ErasureRequest) -> Bool { inbox.put(request) }

    /// Writes what waits without the commit delay, e.g. before an answer that must not come before its entry.
    package func hurry() { inbox.hurry() }

    package var status: JournalStatus { inbox.status }

    /// No more entries; what waits is written, then `reports` is closed. Does not wait: go on taking reports until they end.
    package func close() { inbox.close() }

    /// `close`, then the last reports; returns when the thread has ended. What a refusing disk did not take by then is lost, and
    /// `status.waiting` says how many.
    package func finish() -> [JournalReport] {
        close()
        var last: [JournalReport] = []
        while let more = reports.takeWaiting() { last.append(contentsOf: more) }
        thread.join()
        return last
    }

    private static func plan(_ folder: borrowing JournalFolder) throws(JournalError) -> RecoveryPlan {
        let segments = try folder.segments()
        guard let newest = segments.last else { return .fresh }
        // A cut before its `repaired` entry was written leaves the set-aside bytes without one: their name says which number it takes.
        var plan = try RecoveryPlan.decide(newest: newest.first, try scan(newest, in: folder, before: nil)) {
            (before) throws(JournalError) in
            guard let older = segments.last(where: { $0.first < before }) else { return nil }
            return (older.first, try scan(older, in: folder, before: before))
        }
        if newest.isPacked {
            // A compressed segment is never written again: the journal goes on in a new one.
            plan.segment = nil
            plan.tail = nil
        }
        if plan.reason == nil {
            let setAside: [String]
            do { setAside = try folder.names().setAside } catch { throw .folderUnreadable(reason: errnoText(error.code)) }
            if let left = setAside.last(where: { $0.contains(".torn-\(plan.nextSeq)") && TailName(name: $0)?.seq == plan.nextSeq }) {
                plan.reason = "the last entry was not finished"
                plan.bytes = (try? OwnedDescriptor.open(left, in: folder.descriptor, flags: O_RDONLY | O_NONBLOCK).status().size) ?? 0
            }
        }
        return plan
    }

    private static func scan(
        _ segment: JournalSegment, in folder: borrowing JournalFolder, before: UInt64?
    ) throws(JournalError) -> SegmentScan {
        let bytes = try folder.bytes(of: segment)
        var scanner = SegmentScanner(first: segment.first, before: before)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try bytes.read(into: buffer)
            if count == 0 { break }
            scanner.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        let scan = scanner.finish()
        // Setting aside what a later version wrote, and writing on beside it, would help nobody.
        if case .newer(let version) = scan.problem { throw .newer(segment: segment.name, version: version) }
        return scan
    }
}

/// The name under which unfinished bytes are set aside: the segment's, and the number of the `repaired` entry that tells of it.
struct TailName {
    var segment: String
    var seq: UInt64
    /// From 2 on where the name was taken.
    var attempt = 1

    init(segment: String, seq: UInt64) {
        self.segment = segment
        self.seq = seq
    }

    init?(name: String) {
        let parts = name.split(separator: ".torn-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let numbers = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard let first = numbers.first, let seq = UInt64(first), numbers.count <= 2 else { return nil }
        segment = String(parts[0])
        self.seq = seq
        if numbers.count == 2 {
            guard let attempt = Int(numbers[1]) else { return nil }
            self.attempt = attempt
        }
    }

    var text: String { "\(segment).torn-\(seq)\(attempt > 1 ? "-\(attempt)" : "")" }
}
