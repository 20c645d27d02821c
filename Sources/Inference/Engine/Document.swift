// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// All that is known of one document that shows signs of life. Reasons about itself; the engine only finds it.
struct Document: Sendable {
    /// A write that has not come to rest.
    struct PendingWrite: Equatable, Sendable {
        var first: BootTime
        var last: BootTime
        /// The owner of what was renamed over the document, or of the document made anew.
        var uid: UInt32?
        var isCreation = false
        /// True where many documents were written within the same second.
        var isSweep = false
        /// True where `uid` is the writing process's own.
        var isUIDOfProcess = false
        /// Who wrote it, where the kernel names the process.
        var doer: Doer?
        /// True where only root, a service or a copying program wrote.
        var isNobody = false
        /// Set where a rescan found it: written at some time since then.
        var since: BootTime?
    }

    struct Maker: Equatable, Sendable {
        var uid: UInt32
        var at: BootTime
    }

    var share: Int
    var path: PathBytes
    var placement: Placement
    var handles = Handles()
    /// Handles opened before this are judged: known to be presence, or to be none.
    var judgedUntil: BootTime?
    /// True while an open handle was part of a sweep.
    var isSwept = false
    var companions: [Companion] = []
    /// Readings of nobody in particular.
    var reads = Reads()
    /// Readings of those whom the kernel names.
    var readsOf: [UInt32: Reads] = [:]
    /// Readings of file servers that were root at that moment; among `reads` too. The same connection's next user made them.
    var readsOfServers: [Int32: Reads] = [:]
    /// Readings of processes that had gone before anybody could ask who they were. Anybody's, or no person's at all.
    var vagueReads = Reads()
    var write: PendingWrite?
    /// When it was made, where nothing stood in its place before.
    var madeAt: BootTime?
    /// When it was deleted or renamed away: made again soon after, it was saved.
    var removedAt: BootTime?
    /// Where it was renamed to at `removedAt`.
    var movedTo: PathBytes?
    /// Its path before a rename of its folder that nobody has been told of, and when that is due: a folder that is renamed in a loop must
    /// not fill the journal.
    var unannounced: (path: PathBytes, due: BootTime)?
    /// Who made the document or its backup last.
    var maker: Maker?
    var sessions: [TrackedSession] = []
    /// When a lock was last put in the place of one of the same person.
    var replacedLockAt: BootTime?
    /// True once the engine knows the document's shortened `~$` name.
    var isIndexed = false
    /// When a session was given its last further window.
    var windowAt: BootTime?
    var touchedAt: BootTime
    /// When a close was last told, whosever it was.
    var lastCloseAt: BootTime?
    /// The processes whose end this document waits for, as the engine knows.
    var awaited: [Int32] = []

    init(share: Int, path: PathBytes, placement: Placement, at: BootTime) {
        self.share = share
        self.path = path
        self.placement = placement
        touchedAt = at
    }

    func ref(_ desk: Desk) -> DocumentRef { DocumentRef(share: desk.shares[share].path, path: path) }

    var isText: Bool { FileName.isPlainText(path.name) }

    /// Nothing to be kept at this instant.
    func isForgettable(at now: BootTime, rule: Rule) -> Bool {
        guard sessions.isEmpty, write == nil, handles.isEmpty, movedTo == nil else { return false }
        // A stale lock is remembered for an hour: who takes it back within that time is likely its maker.
        return now - touchedAt > rule.atMost
    }

    /// True where losing it would lose nothing but a time of reading.
    var isQuiet: Bool { sessions.isEmpty && write == nil && movedTo == nil }

    /// A write among many, which is no person's save.
    var isOnlySwept: Bool { sessions.isEmpty && movedTo == nil && write?.isSweep ?? false }

    // MARK: What is due

    enum Due: Equatable {
        case settle, hold, move, announce, companions
        case reading(Int), start(Int), takenUp(Int), close(Int), flush(Int), idle(Int)
    }

    /// The earliest moment at which something happens without an event.
    func next(_ desk: Desk) -> (at: BootTime, what: Due)? {
        var best: (at: BootTime, what: Due)?
        func offer(_ at: BootTime, _ what: Due) {
            if best.map({ at < $0.at }) ?? true { best = (at, what) }
        }
        // What is being renamed is saved under its new name: its old one cannot be measured any more.
        if let write, movedTo == nil {
            offer(min(write.last + desk.limits.settle, max(write.last, write.first + desk.limits.fold)), .settle)
        }
        if let handle = candidateHandle { offer(handle.openedAt + (isSwept ? desk.limits.sweptHold : desk.limits.hold), .hold) }
        for handle in handles.open where handle.awaitsJudgement { offer(handle.openedAt + needed(handle, desk), .hold) }
        if movedTo != nil, let removedAt { offer(removedAt + desk.limits.displaced, .move) }
        for companion in companions { if let due = companion.readDue { offer(due, .companions) } }
        if let unannounced { offer(unannounced.due, .announce) }
        for (index, session) in sessions.enumerated() {
            // Before an end: it may show that there is none.
            if let held = session.heldReading { offer(held.due, .reading(index)) }
            if let at = session.takenUpAt { offer(at + desk.limits.alive, .takenUp(index)) }
            if let closing = session.closing {
                offer(max(closing.due, session.heldReading?.due ?? closing.due), .close(index))
            } else if session.id == nil {
                if let due = session.startDue { offer(due, .start(index)) }
            } else if let at = idleDue(session, desk) {
                offer(max(at, session.heldReading?.due ?? at), .idle(index))
            }
            if session.id != nil, let fold = session.fold { offer(fold.first + desk.limits.fold, .flush(index)) }
        }
        return best
    }

    /// Does what is due up to an instant, each at its own time, in the order of the times.
    mutating func advance(to now: BootTime, _ desk: inout Desk) {
        // Every step takes its cause away; the bound only guards against a mistake here.
        for _ in 0..<10_000 {
            guard let (at, what) = next(desk), at <= now else { return }
            switch what {
            case .settle: settle(&desk)
            case .hold:
                judgeHandles(at: at, &desk)
                judgeHandle(at: at, &desk)
            case .move: break
            case .announce: announceMove(&desk)
            case .companions: readCompanions(at: at, &desk)
            case .reading(let index): believeReading(index, &desk)
            case .start(let index): startIfPresent(index, at: at, &desk)
            case .takenUp(let index): takeUp(index, &desk)
            case .close(let index): finishClosing(index, at: at, &desk)
            case .flush(let index): flush(index, &desk)
            case .idle(let index): goIdle(index, at: at, &desk)
            }
            if what == .move { return }
        }
    }

    // MARK: Another name

    /// Its folder got another name.
    mutating func noteMove(from old: PathBytes, at: BootTime) {
        guard unannounced == nil, sessions.contains(where: { $0.id != nil }) else { return }
        unannounced = (old, at + InferenceLimits.announcement)
    }

    mutating func announceMove(_ desk: inout Desk, anyway: Bool = false) {
        let old = unannounced?.path
        unannounced = nil
        guard anyway || old.map({ $0 != path }) ?? false else { return }
        let place = ref(desk)
        for session in sessions {
            if let id = session.id { desk.emit(.moved(id, place)) }
        }
    }

    /// The oldest handle whose meaning is open. A text that is held only for reading (`tail -f`, `less`) is none.
    private var candidateHandle: Handles.Handle? {
        let needsWrite = isText && !sessions.contains(where: \.holdsDocument)
        return handles.open.first { handle in
            handle.doer == nil && (judgedUntil.map { handle.openedAt > $0 } ?? true) && (!needsWrite || handle.hasWritten)
        }
    }

    private func idleDue(_ session: TrackedSession, _ desk: Desk) -> BootTime? {
        let limit = session.lastSign + session.idleLimit(desk.rule)
        guard showsPresence(session) else { return max(limit, session.lastLife) }
        if !session.isPaused { return limit }
        // A mere lock file proves less with every hour; a held handle and a running program do not wear out.
        return isHeld(session) || session.hasLiveProcess ? nil : max(limit, session.lastLife + desk.rule.atMost)
    }
}
