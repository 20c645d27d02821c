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
    let kernel: KernelSources
    let markers: Markers
    let mailbox: Mailbox

    var tree = FolderTree()
    var slots: [ShareSlot?] = []
    /// Watches on folders above the shares.
    var ancestors: Set<Int32> = []
    /// Watches of inotify's on the roots of shares that fanotify watches, by slot: its marks vanish without a word when a file system is
    /// unmounted.
    var guards: [Int32: Int] = [:]
    var rootsInDoubt = false
    /// The folders above the shares are to be watched anew.
    var ancestorsInDoubt = true
    var mounts: OpenFolder?

    var pairing: RenamePairing<Place>
    var activeReads: [ActiveRead] = []
    /// Slots of markers whose records may be lost; free once the queue has been read to its end.
    var lostMarkers: [Int] = []
    /// Slots of marks that inotify's queue has passed; fanotify's is to be read to its end before that is told.
    var passedMarks: [Int] = []
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
    var poll: NetworkPoll
    var lastProgress: BootTime

    var outgoing: [Change] = []
    /// What fanotify says besides, while one of its records is handled.
    var speaker: Speaker?
    var openFolders: [FolderTree.ID: OpenFolder] = [:]
    var buffer: [UInt8]
    var records: [InotifyRecord] = []
    var fanotifyRecords: [FanotifyRecord] = []
    var recordCount: UInt64 = 0
    var overflowCount: UInt64 = 0
    /// How long fanotify's records are left alone after those that have just been read.
    var pause = Duration.zero
    /// Before the kernel was last asked what there is.
    var askedAt: (boot: BootTime, wall: Int64)
    var counts = WatcherCounts()
    var hasFailed = false

    init(
        shares: [WatchedShare], options: WatcherOptions, output: HandOver<WatcherReport>, kernel: KernelSources, markers: Markers,
        mailbox: Mailbox
    ) {
        self.options = options
        self.output = output
        self.kernel = kernel
        self.markers = markers
        self.mailbox = mailbox
        pairing = RenamePairing(window: options.renameWindow, capacity: options.renameCapacity)
        rescanDelay = options.rescanDelay
        poll = NetworkPoll(limit: options.listedNamesRemembered)
        buffer = Array(repeating: 0, count: max(options.readSize, 4096))
        let now = Self.now()
        drained = now
        askedAt = now
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
            if woken.contains(.mounts) { rootsInDoubt = true }
            if !lostMarkers.isEmpty || !passedMarks.isEmpty {
                drain()
            } else if !woken.isDisjoint(with: .events) {
                drain(woken)
            }
            if woken.contains(.mailbox) { answerRequests() }
            if rootsInDoubt { verifyRoots() }
            runScans()
            giveBackWatches()
            runTimers()
            finishTurn()
        }
        arrivals.close()
        scans = []
    }

    var isBusy: Bool { !arrivals.isFinished || !scans.isEmpty || !forgotten.isEmpty }

    /// Nil while all is well: then the thread sleeps until the kernel wakes it.
    var nextDeadline: BootTime? {
        var first: BootTime?
        func offer(_ due: BootTime?) {
            if let due, first.map({ due < $0 }) ?? true { first = due }
        }
        offer(pairing.deadline)
        offer(rescanDue)
        offer(retryDue)
        offer(stateDue)
        offer(poll.due)
        return first
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
        if let due = poll.due, due <= now.boot, !scans.contains(where: { $0.purpose == .poll }) { startPoll(now) }
    }

    /// Gives watches back in small parts, since each makes a record in the queue.
    private func giveBackWatches() {
        for _ in 0..<Self.forgottenPerTurn {
            guard let watch = forgotten.popFirst() else { return }
            kernel.forget(watch)
        }
    }

    private func finishTurn() {
        flush()
        openFolders.removeAll(keepingCapacity: true)
        kernel.endTurn()
        showCounts()
    }

    /// Watches of inotify's; a folder above one share may be the root of another.
    var watchesInUse: Int { tree.watched + ancestors.count + guards.keys.count { !ancestors.contains($0) } }

    func showCounts() {
        counts.watches = watchesInUse
        counts.marks = kernel.fanotify?.count ?? 0
        counts.records = recordCount
        counts.overflows = overflowCount
        let number = slots.count { $0 != nil }
        if counts.folders.count != number { counts.folders = Array(repeating: 0, count: number) }
        // In place, and only what is new: this is done with each record.
        for slot in slots.indices {
            guard let number = slots[slot]?.number, counts.folders.indices.contains(number) else { continue }
            let folders = tree.count(share: slot)
            if counts.folders[number] != folders { counts.folders[number] = folders }
        }
        mailbox.counts = counts
    }
}
