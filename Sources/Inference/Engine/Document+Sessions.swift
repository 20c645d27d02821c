// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Starting, feeding and ending the sessions of one document.
extension Document {
    // MARK: Presence

    func companion(_ name: [UInt8]) -> Companion? { companions.first { $0.name == name } }

    func showsPresence(_ session: TrackedSession) -> Bool {
        if session.hasLiveProcess || session.holdsDocument && !ownHandles(session).isEmpty { return true }
        return (session.locks + session.marks).contains { companion($0)?.showsPresence ?? false }
    }

    func isHeld(_ session: TrackedSession) -> Bool {
        if session.holdsDocument, !ownHandles(session).isEmpty { return true }
        return session.locks.contains { name in
            guard let lock = companion(name), lock.showsPresence else { return false }
            return !lock.handles.isEmpty
        }
    }

    // MARK: Signs

    mutating func sign(_ index: Int, _ evidence: Evidence, _ desk: inout Desk) {
        var session = sessions[index]
        session.lastSign = max(session.lastSign, evidence.last)
        session.lastLife = max(session.lastLife, evidence.last)
        session.connectionEndedAt = nil
        // Whoever shows a sign after the supposed close was still there.
        if let at = session.closing?.at { session.closing?.at = max(at, evidence.last) }
        if evidence.isSave { session.saves &+= evidence.count }
        if evidence.isContinuous { session.isContinuous = true }
        if session.isPaused, let id = session.id {
            session.isPaused = false
            desk.emit(.resumed(id, at: max(evidence.first, session.openedAt)))
        }
        sessions[index] = session
        if evidence.isContinuous {
            addToFold(index, evidence, &desk)
        } else {
            say(index, evidence, &desk)
        }
    }

    private mutating func addToFold(_ index: Int, _ evidence: Evidence, _ desk: inout Desk) {
        if var fold = sessions[index].fold, fold.kind == evidence.kind, evidence.last - fold.first <= desk.limits.fold {
            fold.last = max(fold.last, evidence.last)
            fold.count &+= evidence.count
            sessions[index].fold = fold
        } else {
            flush(index, &desk)
            sessions[index].fold = evidence
        }
    }

    mutating func flush(_ index: Int, _ desk: inout Desk) {
        guard let fold = sessions[index].fold else { return }
        sessions[index].fold = nil
        say(index, fold, &desk)
    }

    mutating func say(_ index: Int, _ evidence: Evidence, _ desk: inout Desk) {
        if let id = sessions[index].id {
            desk.emit(.evidence(id, evidence))
        } else if sessions[index].waiting.count < 64 {
            sessions[index].waiting.append(evidence)
        }
    }

    // MARK: Who

    /// Learns whose session it is, and says so where it is journaled already.
    mutating func learn(_ index: Int, uid: UInt32?, source: IdentitySource, _ desk: inout Desk) {
        guard let uid, Desk.isPerson(uid) else { return }
        guard sessions[index].uid != uid || rank(source) < rank(sessions[index].source) else { return }
        sessions[index].uid = uid
        sessions[index].source = source
        reattribute(index, &desk)
    }

    mutating func reattribute(_ index: Int, _ desk: inout Desk) {
        let known = desk.attribution(uid: sessions[index].uid, source: sessions[index].source, placement: placement)
        guard known != sessions[index].attribution else { return }
        sessions[index].attribution = known
        if let id = sessions[index].id { desk.emit(.attributed(id, known)) }
    }

    private func rank(_ source: IdentitySource) -> Int { IdentitySource.allCases.firstIndex(of: source) ?? Int.max }

    /// The session that evidence of this person belongs to: the person's own, else one that nobody is known for.
    func session(of uid: UInt32?) -> Int? {
        guard let uid else {
            return sessions.indices.max { livelier(sessions[$1], than: sessions[$0]) }
        }
        return sessions.firstIndex { $0.uid == uid } ?? sessions.firstIndex { $0.uid == nil }
    }

    /// Presence before mere points, then the later sign.
    private func livelier(_ left: TrackedSession, than right: TrackedSession) -> Bool {
        let leftShows = showsPresence(left)
        let rightShows = showsPresence(right)
        return leftShows == rightShows ? left.lastSign > right.lastSign : leftShows
    }

    // MARK: Beginning

    /// Adds a session that is not journaled yet.
    mutating func open(at: BootTime, notBefore: BootTime, uid: UInt32?, source: IdentitySource) -> Int {
        var session = TrackedSession(openedAt: at, notBefore: min(notBefore, at))
        if let uid, Desk.isPerson(uid) {
            session.uid = uid
            session.source = source
        }
        sessions.append(session)
        return sessions.count - 1
    }

    mutating func startIfPresent(_ index: Int, at: BootTime, _ desk: inout Desk) {
        sessions[index].startDue = nil
        let isConnected = sessions[index].wasReadAfar && !sessions[index].openers.isEmpty
        if showsPresence(sessions[index]) || sessions[index].hasMark || isConnected {
            start(index, &desk)
        } else {
            let session = sessions[index]
            end(index, .closed, closedAt: session.lastLife, notAfter: session.lastLife, &desk)
        }
    }

    mutating func start(_ index: Int, _ desk: inout Desk) {
        guard sessions[index].id == nil else { return }
        var session = sessions[index]
        session.startDue = nil
        let id = desk.newID()
        session.id = id
        session.presence =
            session.holdsDocument ? .held : !session.locks.isEmpty ? .companion : session.wasInProgram ? .process : .points
        session.isLateComer = session.process.map { session.openedAt - $0.startedAt > TimeOnTask.launch } ?? false
        session.attribution = desk.attribution(uid: session.uid, source: session.source, placement: placement)
        desk.emit(
            .started(
                SessionStart(
                    id: id, document: ref(desk), attribution: session.attribution, presence: session.presence, openedAt: session.openedAt,
                    notBefore: session.notBefore, process: session.process, isOpeningProved: session.isOpeningProved)))
        // A program on this machine: unlike a file server's client, it lets go when it closes.
        if session.openers.contains(where: { $0.tie == .process || $0.tie == .handle }) {
            desk.emit(.evidence(id, Evidence(.opened, first: session.openedAt)))
        }
        for evidence in session.waiting { desk.emit(.evidence(id, evidence)) }
        // By now its program has written it.
        for name in session.locks + session.marks where companion(name).map({ $0.isPresent && $0.kind != .kateSwap }) ?? false {
            desk.effects.append(.inspect(share: share, path: path.folder.appending(name)))
        }
        session.waiting = []
        sessions[index] = session
    }

    // MARK: Ending

    /// Doubts the presence from an instant on.
    mutating func doubt(_ index: Int, at: BootTime, for span: Duration, _ ending: SessionEnding) {
        sessions[index].closing = TrackedSession.Closing(at: at, due: at + span, ending: ending)
    }

    mutating func finishClosing(_ index: Int, at now: BootTime, _ desk: inout Desk) {
        guard let closing = sessions[index].closing else { return }
        if sessions[index].hasLiveProcess, !closing.isAway {
            sessions[index].closing = nil
            return
        }
        if closing.ending == .closed {
            if isHeld(sessions[index]) {
                // A handle that is younger than a touch decides when it has lasted, or is gone.
                if sessions[index].holdsDocument, let youngest = ownHandles(sessions[index]).last,
                    now - youngest.openedAt < desk.limits.hold
                {
                    sessions[index].closing?.due = youngest.openedAt + desk.limits.hold
                } else {
                    sessions[index].closing = nil
                }
                return
            }
            if asksOnceMore(index, at: now, &desk) { return }
        }
        end(index, closing.ending, closedAt: closing.at, notAfter: closing.notAfter ?? closing.at, &desk)
    }

    /// Its program lives, and so does its lock: what it does while saving may have come as one event, so that no handle was counted. Before
    /// that is taken for the close, `/proc` has the word; where it has none, the close is believed a moment later.
    private mutating func asksOnceMore(_ index: Int, at now: BootTime, _ desk: inout Desk) -> Bool {
        guard sessions[index].holdsDocument, let closing = sessions[index].closing, !closing.wasAsked,
            sessions[index].locks.contains(where: { companion($0)?.showsPresence ?? false })
        else { return false }
        let pids = sessions[index].openers.filter { $0.tie == .lock || $0.tie == .handle }.map(\.pid)
        if pids.isEmpty { return false }
        sessions[index].closing?.wasAsked = true
        sessions[index].closing?.due = now + desk.limits.closeDebounce
        for pid in pids { desk.effects.append(.lookAtHandle(pid: pid, share: share, path: path)) }
        return true
    }

    mutating func goIdle(_ index: Int, at now: BootTime, _ desk: inout Desk) {
        let session = sessions[index]
        guard let id = session.id else { return }
        if showsPresence(session), !session.isPaused {
            flush(index, &desk)
            sessions[index].isPaused = true
            desk.emit(.paused(id, at: session.lastSign))
            return
        }
        end(index, .idle, closedAt: session.lastLife, notAfter: latest(session, now), &desk)
    }

    mutating func end(_ index: Int, _ ending: SessionEnding, closedAt: BootTime, notAfter: BootTime, _ desk: inout Desk) {
        flush(index, &desk)
        let session = sessions.remove(at: index)
        // What is left of its locks is no presence any more.
        for place in companions.indices
        where session.locks.contains(companions[place].name) || session.marks.contains(companions[place].name) {
            companions[place].isStale = true
        }
        companions.removeAll { !$0.isPresent }
        // What was only a touch may still turn out to have been the opening, or the download before an upload.
        if session.id != nil || session.openers.isEmpty && session.uid == nil {
            reads.forget(before: closedAt)
            vagueReads.forget(before: closedAt)
            for pid in readsOfServers.keys { readsOfServers[pid]?.forget(before: closedAt) }
            if let uid = session.uid { readsOf[uid]?.forget(before: closedAt) }
        }
        let closed = max(closedAt, session.openedAt)
        guard let id = session.id else {
            if desk.limits.reportsTouches {
                let attribution = desk.attribution(uid: session.uid, source: session.source, placement: placement)
                desk.effects.append(.touched(ref(desk), attribution, from: session.openedAt, to: closed))
            }
            return
        }
        desk.emit(
            .stopped(
                id,
                SessionEnd(
                    ending: ending, closedAt: closed, notAfter: max(notAfter, closed),
                    confidence: session.confidence(ending, closedAt: closed))))
    }

    /// Watching is over: what is known to have ended ends there, everything else here.
    mutating func cutOff(at now: BootTime, _ desk: inout Desk) {
        advance(to: now, &desk)
        believeReadings(&desk)
        announceMove(&desk)
        if write != nil { settle(&desk) }
        for index in sessions.indices.reversed() {
            let session = sessions[index]
            if let closing = session.closing, !(closing.ending == .closed && isHeld(session)), closing.isAway || !session.hasLiveProcess {
                end(index, closing.ending, closedAt: closing.at, notAfter: closing.notAfter ?? closing.at, &desk)
            } else {
                let isThere = isSurelyThere(session)
                let closedAt = isThere ? now : session.lastLife
                end(index, .censored, closedAt: closedAt, notAfter: isThere ? now : latest(session, now), &desk)
            }
        }
    }

    func isSurelyThere(_ session: TrackedSession) -> Bool {
        showsPresence(session) && !session.locks.isEmpty || isHeld(session) || session.hasLiveProcess
    }

    /// The latest that somebody can have been there of whom only single signs were seen.
    private func latest(_ session: TrackedSession, _ now: BootTime) -> BootTime {
        let latest = session.presence == .points ? session.connectionEndedAt.map { min($0, now) } ?? now : now
        return max(latest, session.lastLife)
    }
}
