// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// The watcher's thread: one owner of the tree, one wake-up at a time.
///
/// Made and used on that thread only. The order within a wake-up: read and report all records, answer requests, list a slice of folders,
/// look at the timers.
final class WatchLoop {
    /// The first half of a rename, or a name that is being looked at.
    struct Place: Equatable {
        var parent: FolderTree.ID
        var name: [UInt8]
        /// The node, where a folder was renamed.
        var folder: FolderTree.ID?
    }

    struct NameKey: Hashable {
        var folder: FolderTree.ID
        var name: [UInt8]
    }

    /// A read of the daemon's own whose first marker has been passed.
    struct ActiveRead {
        var slot: Int
        var folder: FolderTree.ID
        var name: [UInt8]
        var hasOpened = false
        var hasClosed = false
    }

    /// How many records of one wake-up's reads are taken before listing and timers get their turn.
    static let readsPerTurn = 16
    /// How far ahead the second half of a rename is looked for. The kernel writes both one after the other.
    static let renameLookAhead = 256
    /// How many watches are given back in one turn: each makes a record.
    static let forgottenPerTurn = 512
    /// How far the times of files may be behind the clock, in microseconds: they are taken from the kernel's last tick.
    static let fileClockLag: Int64 = 100_000
    /// How many folders stay open while one batch is handled.
    static let openPerBatch = 64

    let options: WatcherOptions
    let output: HandOver<WatcherReport>
    let inotify: Inotify
    let markers: Markers
    let mailbox: Mailbox

    var tree = FolderTree()
    var slots: [ShareSlot?] = []
    /// Watches on folders above the shares.
    var ancestors: Set<Int32> = []
    var rootsInDoubt = false
    var mounts: OpenFolder?

    var pairing: RenamePairing<Place>
    var activeReads: [ActiveRead] = []
    /// Slots of markers whose records may be lost; free once the queue has been read to its end.
    var lostMarkers: [Int] = []
    /// Names that a listing has told of and whose CREATE may still be in the queue.
    var listedNames: Set<NameKey> = []
    /// Watches of folders that left the tree, still to be given back.
    var forgotten: Set<Int32> = []

    var arrivals = Scan(.arrivals, slot: nil)
    var scans: [Scan] = []
    var listing = FolderListing()

    /// The last instant at which the kernel's queue was known to be empty, on both clocks.
    var drained: (boot: BootTime, wall: Int64)
    var rescanSince: (boot: BootTime, wall: Int64)?
    var rescanDue: BootTime?
    var rescanDelay: Duration
    var lastOverflow: BootTime?
    var retryDue: BootTime?
    var lastRetry: (boot: BootTime, wall: Int64)?
    var stateDue: BootTime?
    var lastProgress: BootTime

    var outgoing: [Change] = []
    var openFolders: [FolderTree.ID: OpenFolder] = [:]
    var buffer: [UInt8]
    var records: [InotifyRecord] = []
    var recordCount: UInt64 = 0
    var overflowCount: UInt64 = 0
    var hasFailed = false

    init(
        shares: [WatchedShare], options: WatcherOptions, output: HandOver<WatcherReport>, inotify: Inotify, markers: Markers,
        mailbox: Mailbox
    ) {
        self.options = options
        self.output = output
        self.inotify = inotify
        self.markers = markers
        self.mailbox = mailbox
        pairing = RenamePairing(window: options.renameWindow, capacity: options.renameCapacity)
        rescanDelay = options.rescanDelay
        buffer = Array(repeating: 0, count: max(options.readSize, 4096))
        let now = Self.now()
        drained = now
        lastProgress = now.boot
        slots = shares.enumerated().map { ShareSlot(share: $1, number: $0) }
        // Without it only timers tell of mounts.
        if let descriptor = try? Folder.mountChanges() { mounts = OpenFolder(descriptor) }
    }

    static func now() -> (boot: BootTime, wall: Int64) {
        (BootTime(microseconds: Clocks.bootMicroseconds()), Clocks.wallMicroseconds())
    }

    var isStopping: Bool { hasFailed || mailbox.isStopped }

    func run() {
        verifyRoots()
        finishTurn()
        while !isStopping {
            let woken = wait()
            if woken.mounts { rootsInDoubt = true }
            if woken.inotify || !lostMarkers.isEmpty { drain() }
            if woken.mailbox { answerRequests() }
            if rootsInDoubt { verifyRoots() }
            runScans()
            giveBackWatches()
            runTimers()
            finishTurn()
        }
        arrivals.close()
        scans = []
    }

    // MARK: Waiting

    private func wait() -> (inotify: Bool, mailbox: Bool, mounts: Bool) {
        let isBusy = !arrivals.isFinished || !scans.isEmpty || !forgotten.isEmpty
        let timeout: Int32 = isBusy || rootsInDoubt ? 0 : milliseconds(until: nextDeadline)
        let woken = poll(inotify: true, timeout)
        if woken.inotify, !isBusy, !woken.mailbox {
            // More is likely to follow: one read of all costs a third of reading each at once.
            let later = poll(inotify: false, Int32(clamping: options.batchDelay.microseconds / 1000))
            return (true, later.mailbox, woken.mounts || later.mounts)
        }
        return woken
    }

    private func poll(inotify isWanted: Bool, _ timeout: Int32) -> (inotify: Bool, mailbox: Bool, mounts: Bool) {
        // A negative number is skipped by the kernel.
        let numbers = (
            isWanted ? inotify.descriptor.withRaw { $0 } : -1, mailbox.wake.descriptor.withRaw { $0 },
            mounts?.descriptor.withRaw { $0 } ?? -1
        )
        var waiting = [
            pollfd(fd: numbers.0, events: Int16(POLLIN), revents: 0), pollfd(fd: numbers.1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: numbers.2, events: Int16(POLLPRI), revents: 0),
        ]
        // All signals are blocked on this thread; should it be interrupted all the same, the next turn waits again.
        guard Glibc.poll(&waiting, nfds_t(waiting.count), timeout) > 0 else { return (false, false, false) }
        return (waiting[0].revents != 0, waiting[1].revents != 0, waiting[2].revents != 0)
    }

    /// Nil while all is well: then the thread sleeps until the kernel wakes it.
    private var nextDeadline: BootTime? { [pairing.deadline, rescanDue, retryDue, stateDue].compactMap { $0 }.min() }

    private func milliseconds(until deadline: BootTime?) -> Int32 {
        guard let deadline else { return -1 }
        // Rounded up, so that the deadline has passed when the thread wakes.
        return Int32(clamping: max(0, (deadline - Self.now().boot).microseconds / 1000 + 1))
    }

    // MARK: Reading

    private func drain() {
        for _ in 0..<Self.readsPerTurn where !isStopping {
            let before = Self.now()
            let count: Int
            do throws(SystemCallError) {
                count = try inotify.read(into: &buffer)
            } catch {
                report(.failed(reason: "cannot read inotify any more: \(error); nothing is watched until the daemon is started again"))
                hasFailed = true
                return
            }
            if count > 0 { handleBatch(count, at: Self.now().boot) }
            // A name takes at most 256 bytes, so a read that leaves more room than that took all there was.
            if buffer.count - count > 1024 {
                drained = before
                hasReadAll()
                return
            }
        }
    }

    private func handleBatch(_ count: Int, at: BootTime) {
        var parsed: [InotifyRecord] = []
        swap(&parsed, &records)
        do throws(InotifyParseError) {
            try buffer.withUnsafeBytes { bytes -> Result<Void, InotifyParseError> in
                let batch = RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                do throws(InotifyParseError) {
                    return .success(try InotifyRecord.parse(batch, into: &parsed))
                } catch {
                    return .failure(error)
                }
            }.get()
        } catch {
            // Not what the kernel writes: nothing after it can be trusted.
            lostTrack(at: at)
        }
        recordCount &+= UInt64(parsed.count)
        // Lent out for the batch, so that names can be slices of it while other state changes.
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        for index in parsed.indices where !isStopping { handle(&parsed, index, bytes, at: at) }
        swap(&bytes, &buffer)
        openFolders.removeAll(keepingCapacity: true)
        swap(&parsed, &records)
    }

    private func hasReadAll() {
        listedNames.removeAll()
        for slot in lostMarkers { releaseMarker(slot) }
        lostMarkers = []
        for half in pairing.expired(at: drained.boot) { movedOut(half.place, at: half.at) }
    }

    // MARK: Timers

    private func runTimers() {
        let now = Self.now()
        // Only when the queue has been read since: the second half may be in it.
        if let deadline = pairing.deadline, deadline <= drained.boot {
            for half in pairing.expired(at: drained.boot) { movedOut(half.place, at: half.at) }
        } else if let deadline = pairing.deadline, deadline <= now.boot {
            drain()
        }
        if let due = rescanDue, due <= now.boot, !scans.contains(where: { $0.purpose == .rescan }) { startRescan() }
        if let due = retryDue, due <= now.boot, !scans.contains(where: { $0.purpose == .retry }) { startRetry(now) }
        if let due = stateDue, due <= now.boot { reportStates() }
    }

    /// Gives watches back in small parts, since each makes a record in the queue.
    private func giveBackWatches() {
        for _ in 0..<Self.forgottenPerTurn {
            guard let watch = forgotten.popFirst() else { return }
            inotify.forget(watch)
        }
    }

    private func finishTurn() {
        flush()
        openFolders.removeAll(keepingCapacity: true)
        showCounts()
    }

    func showCounts() {
        var counts = WatcherCounts()
        counts.watches = tree.watched + ancestors.count
        counts.records = recordCount
        counts.overflows = overflowCount
        counts.folders = Array(repeating: 0, count: slots.count { $0 != nil })
        for (slot, share) in slots.enumerated() {
            if let share, counts.folders.indices.contains(share.number) { counts.folders[share.number] = tree.count(share: slot) }
        }
        mailbox.counts = counts
    }
}
