// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What happens to the document's own name, where the kernel names the process.
extension Document {
    // MARK: Opening and closing

    mutating func opened(by doer: Doer, isNeighbour: Bool, at: BootTime) {
        touchedAt = at
        handles.know(doer)
        handles.opened(at: at, by: doer, isNeighbour: isNeighbour)
    }

    /// With `isMerged`, it is asked whether the process holds the document after all: which came first is not known.
    mutating func closed(by doer: Doer, afterWriting: Bool, isMerged: Bool, at: BootTime, _ desk: inout Desk) {
        touchedAt = at
        lastCloseAt = at
        handles.know(doer)
        let handle = handles.closed(afterWriting: afterWriting, by: doer)
        if afterWriting, handle?.hasWritten ?? true, let last = write?.last, write?.doer?.pid == doer.pid, at - last < desk.limits.settle {
            write?.last = max(last, at)
        }
        if isMerged, !doer.hasEnded, doer.role != .runner {
            desk.effects.append(.lookAtHandle(pid: doer.pid, share: share, path: path))
        }
        if let handle { released(handle, by: doer, at: at, &desk) }
    }

    /// `/proc` shows whether the process holds the document.
    mutating func looked(at mode: Holder.Mode?, by doer: Doer, at: BootTime, _ desk: inout Desk) {
        if let mode {
            if !handles.contains(pid: doer.pid) { handles.opened(at: at, by: doer, hasWritten: mode == .writing) }
        } else {
            for handle in handles.remove(pid: doer.pid) {
                // It was the last close that was told, if any was since.
                let told = lastCloseAt.flatMap { $0 >= handle.openedAt ? $0 : nil } ?? at
                released(handle, by: doer, at: handle.isJudged ? told : handle.openedAt, &desk)
            }
        }
    }

    /// Somebody closed it, and it is not known who.
    mutating func closedByUnknown(at: BootTime, _ desk: inout Desk) {
        lastCloseAt = at
        for pid in Set(handles.open.compactMap { $0.doer?.pid }).sorted() {
            desk.effects.append(.lookAtHandle(pid: pid, share: share, path: path))
        }
    }

    private mutating func released(_ handle: Handles.Handle, by doer: Doer, at: BootTime, _ desk: inout Desk) {
        var whose = doer
        whose.uid = doer.uid ?? handle.doer?.uid
        let lasted = at - handle.openedAt
        if lasted < desk.limits.hold {
            // A save is no reading.
            if !handle.hasWritten { visited(handle, to: at, by: whose, &desk) }
        } else if handle.awaitsJudgement, lasted >= needed(handle, desk) {
            believe(handle, &desk)
        }
        guard let index = sessions.firstIndex(where: { $0.holdsDocument && isOf($0, handle) }), ownHandles(sessions[index]).isEmpty else {
            return
        }
        if let closing = sessions[index].closing, lasted < desk.limits.hold {
            // A short reopening after the close changes nothing about it.
            sessions[index].closing?.due = max(closing.due, at)
            return
        }
        if whose.isPresence, lasted < desk.limits.opening, let opener = sessions[index].openers.firstIndex(where: { $0.pid == doer.pid }),
            sessions[index].openers[opener].tie == .handle
        {
            // A slow reading, and no holding.
            sessions[index].openers[opener].tie = .process
            sessions[index].holdsDocument = false
            return
        }
        let hasLibreOfficeLock = sessions[index].locks.contains { companion($0)?.kind == .libreOfficeLock }
        let near = desk.limits.closeDebounce
        let afar = hasLibreOfficeLock ? desk.limits.closeDebounceAfar : desk.limits.reconnect
        doubt(index, at: at, for: doer.role == .fileServer ? afar : near, .closed)
    }

    /// Opened, and closed again at once: what a text editor does when somebody opens a document, and what `cat` does too.
    private mutating func visited(_ handle: Handles.Handle, to last: BootTime, by doer: Doer, _ desk: inout Desk) {
        let first = handle.openedAt
        endUnconfirmed(doer.uid, by: doer, &desk)
        let own = ownSession(doer.uid, desk)
        addReading(from: first, to: last, of: doer, isSweep: handle.isNeighbour, &desk)
        if handle.isNeighbour || doer.uid == nil || doer.role == .runner { return sayTouch(doer.uid, from: first, to: last, &desk) }
        switch doer.role {
        case .program:
            guard doer.isPresence else { return sayTouch(doer.uid, from: first, to: last, &desk) }
            let index = own ?? openVisit(first, doer, desk)
            learn(index, uid: doer.uid, source: .event, &desk)
            join(index, doer, .process, at: first, &desk)
            if sessions[index].id == nil, sessions[index].startDue == nil { sessions[index].startDue = first + desk.limits.alive }
        case .fileServer:
            if let own {
                if !showsPresence(sessions[own]) { holdReading(own, first, last, by: doer, &desk) }
                return
            }
            let index = openVisit(first, doer, desk)
            sessions[index].wasReadAfar = true
            join(index, doer, .connection, at: first, &desk)
            sign(index, Evidence(.read, first: first), &desk)
            sessions[index].startDue = first + desk.limits.alive
        case .runner, .noise, .copier: break
        }
    }

    /// The session of a known person: their own, or one that is assumed to be theirs.
    private func ownSession(_ uid: UInt32?, _ desk: Desk) -> Int? {
        guard let uid else { return nil }
        if let own = sessions.firstIndex(where: { $0.uid == uid }) { return own }
        let person = desk.directory.person(uid: uid)
        return sessions.firstIndex { $0.uid == nil && ($0.attribution.person == nil || $0.attribution.person == person) }
    }

    private mutating func openVisit(_ first: BootTime, _ doer: Doer, _ desk: Desk) -> Int {
        let (opened, notBefore) = beginning(first, doer, desk)
        return open(at: opened, notBefore: notBefore, uid: doer.uid, source: .event)
    }

    private func sayTouch(_ uid: UInt32?, from first: BootTime, to last: BootTime, _ desk: inout Desk) {
        guard desk.limits.reportsTouches, sessions.isEmpty else { return }
        let attribution = desk.attribution(uid: uid, source: .event, placement: placement)
        desk.effects.append(.touched(ref(desk), attribution, from: first, to: last))
    }

    /// What was taken for a person's opening was one of several by the same process.
    mutating func cancelVisit(by pid: Int32, _ desk: inout Desk) {
        for index in handles.open.indices where handles.open[index].doer?.pid == pid { handles.markNeighbour(index) }
        for index in sessions.indices where sessions[index].heldReading?.doer.pid == pid { sessions[index].heldReading = nil }
        guard
            let index = sessions.firstIndex(where: { session in
                session.id == nil && session.openers.count == 1 && session.openers[0].pid == pid && session.locks.isEmpty
                    && session.marks.isEmpty && !session.holdsDocument
            })
        else { return }
        end(index, .closed, closedAt: sessions[index].lastLife, notAfter: sessions[index].lastLife, &desk)
    }

    // MARK: Handles that last

    /// How long a handle must be held to be presence.
    func needed(_ handle: Handles.Handle, _ desk: Desk) -> Duration { handle.isNeighbour ? desk.limits.sweptHold : desk.limits.hold }

    /// Handles of this session's person.
    func ownHandles(_ session: TrackedSession) -> [Handles.Handle] { handles.open.filter { isOf(session, $0) } }

    private func isOf(_ session: TrackedSession, _ handle: Handles.Handle) -> Bool {
        guard let doer = handle.doer else { return true }
        guard let uid = doer.uid, let own = session.uid else { return true }
        return uid == own
    }

    mutating func judgeHandles(at now: BootTime, _ desk: inout Desk) {
        for handle in handles.open where handle.awaitsJudgement && handle.openedAt + needed(handle, desk) <= now { believe(handle, &desk) }
    }

    /// Somebody has the document open.
    private mutating func believe(_ handle: Handles.Handle, _ desk: inout Desk) {
        guard let doer = handle.doer else { return }
        handles.judge { $0.doer?.pid == doer.pid && $0.doer?.uid == doer.uid && $0.openedAt <= handle.openedAt }
        let index: Int
        if let own = session(of: doer.uid) {
            index = own
            if sessions[index].closing?.ending == .closed, handles.contains(pid: doer.pid) { sessions[index].closing = nil }
        } else {
            let (opened, notBefore) = beginning(handle.openedAt, doer, desk)
            index = open(at: opened, notBefore: notBefore, uid: doer.uid, source: .event)
        }
        learn(index, uid: doer.uid, source: .event, &desk)
        sessions[index].holdsDocument = true
        if doer.role == .program { join(index, doer, .handle, at: handle.openedAt, &desk) }
        if sessions[index].id == nil {
            sessions[index].openedAt = min(sessions[index].openedAt, handle.openedAt)
            sessions[index].notBefore = min(sessions[index].notBefore, sessions[index].openedAt)
            adoptLocks(index, &desk)
            start(index, &desk)
        }
    }

    // MARK: Processes

    /// When the person began whose first trace this is: at the start of the process where that is near, and known.
    func beginning(_ first: BootTime, _ doer: Doer?, _ desk: Desk) -> (openedAt: BootTime, notBefore: BootTime) {
        let isFresh = doer?.first.map { $0 == InferenceEngine.Key(share: share, path: path) } ?? true
        if let doer, doer.role == .program, isFresh, let start = doer.startedAt, start <= first, first - start <= desk.limits.opening {
            return (start, start - desk.limits.promptLaunch)
        }
        return (first, first - desk.limits.launch)
    }

    /// A process takes part in a session, or shows in another way that it does.
    mutating func join(_ index: Int, _ doer: Doer, _ tie: Opener.Tie, at: BootTime, _ desk: inout Desk) {
        guard tie == .connection ? doer.isConnection : doer.isPresence else { return }
        if let known = sessions[index].openers.firstIndex(where: { $0.pid == doer.pid }) {
            if tie == .lock || tie == .handle && sessions[index].openers[known].tie != .lock { sessions[index].openers[known].tie = tie }
            return
        }
        guard sessions[index].openers.count < TrackedSession.openerLimit else { return }
        sessions[index].openers.append(Opener(pid: doer.pid, startedAt: doer.startedAt, tie: tie))
        guard tie != .connection else { return }
        sessions[index].closing = nil
        guard sessions[index].id != nil, sessions[index].presence == .points else { return }
        sessions[index].takenUpAt = min(sessions[index].takenUpAt ?? at, at)
        // `sed`, `cat` and a script's copy are over by then, and must not end the session of who saves with their help.
        if tie != .process { takeUp(index, &desk) }
    }

    /// A program has the document of a session that had nothing but points.
    mutating func takeUp(_ index: Int, _ desk: inout Desk) {
        guard let at = sessions[index].takenUpAt else { return }
        sessions[index].takenUpAt = nil
        guard sessions[index].presence == .points, sessions[index].openers.contains(where: { $0.tie != .connection }) else { return }
        sessions[index].presence = .process
        sign(index, Evidence(.opened, first: max(at, sessions[index].openedAt)), &desk)
    }

    /// A process ended, and with it all that it held.
    mutating func processEnded(_ pid: Int32, at: BootTime, isShared: Bool, _ desk: inout Desk) {
        if write?.doer?.pid == pid { write?.doer?.hasEnded = true }
        _ = handles.remove(pid: pid)
        for index in sessions.indices where sessions[index].heldReading?.doer.pid == pid { believeReading(index, &desk) }
        for place in companions.indices where companions[place].isPresent {
            _ = companions[place].handles.remove(pid: pid)
            if companions[place].pid == pid { companions[place].isStale = true }
        }
        for index in sessions.indices.reversed() {
            guard let place = sessions[index].openers.firstIndex(where: { $0.pid == pid }) else { continue }
            let opener = sessions[index].openers.remove(at: place)
            if !sessions[index].hasLiveProcess { sessions[index].takenUpAt = nil }
            if isShared { sessions[index].isShared = true }
            if showsPresence(sessions[index]) { continue }
            if opener.tie == .connection {
                // Read or fetched, and gone: a touch, unless something comes of it.
                if sessions[index].id == nil { doubt(index, at: sessions[index].lastLife, for: .zero, .closed) }
                if sessions[index].openers.isEmpty { sessions[index].connectionEndedAt = max(at, sessions[index].lastLife) }
            } else if let closing = sessions[index].closing, closing.ending != .censored || hasEndedUnseen(sessions[index], at) {
                sessions[index].closing?.due = min(closing.due, at + desk.limits.closeDebounce)
                if closing.ending == .censored { sessions[index].closing?.notAfter = at }
            } else if sessions[index].id == nil || sessions[index].presence != .points {
                doubt(index, at: max(at, sessions[index].lastLife), for: desk.limits.closeDebounce, .process)
            }
        }
    }

    /// True where it was gone already when the daemon came back.
    private func hasEndedUnseen(_ session: TrackedSession, _ at: BootTime) -> Bool {
        session.resumedAt.map { at - $0 <= .milliseconds(200) } ?? false
    }

    /// A session of the journal that nothing has confirmed yet is over where a new process opens the document.
    mutating func endUnconfirmed(_ uid: UInt32?, by doer: Doer?, _ desk: inout Desk) {
        guard let doer, doer.role == .program, let start = doer.startedAt, let uid,
            let index = sessions.firstIndex(where: { $0.uid == uid && $0.closing?.ending == .censored && !showsPresence($0) }),
            let resumedAt = sessions[index].resumedAt, start > resumedAt, let closing = sessions[index].closing
        else { return }
        end(index, .censored, closedAt: closing.at, notAfter: closing.notAfter ?? closing.at, &desk)
    }

    /// The processes whose end matters here, in order.
    var awaitedNow: [Int32] {
        var pids: [Int32] = []
        for session in sessions { pids += session.openers.map(\.pid) }
        if let doer = write?.doer, doer.isPresence || doer.isConnection { pids.append(doer.pid) }
        if pids.count < 2 { return pids }
        return Set(pids).sorted()
    }

    /// Its end will not be told, so that its life says nothing.
    mutating func giveUp(_ pid: Int32) {
        for index in sessions.indices { sessions[index].openers.removeAll { $0.pid == pid } }
        if write?.doer?.pid == pid { write?.doer?.hasEnded = true }
    }

    func startOf(_ pid: Int32) -> BootTime? {
        for session in sessions {
            if let opener = session.openers.first(where: { $0.pid == pid }) { return opener.startedAt }
        }
        return write?.doer?.startedAt
    }
}
