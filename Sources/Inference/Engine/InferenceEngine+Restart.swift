// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// After a restart or a loss: what the journal and `/proc` say goes on.
extension InferenceEngine {
    /// The lock files of sessions that go on, with their shares' numbers: after a gap it is asked whether they are still there.
    package var lockFiles: [(share: Int, path: PathBytes)] {
        documents.keys.flatMap { key -> [(share: Int, path: PathBytes)] in
            guard let document = documents[key] else { return [] }
            return document.sessions.flatMap { $0.locks + $0.marks }.filter { document.companion($0)?.isPresent ?? false }
                .map { (key.share, key.path.folder.appending($0)) }
        }
    }

    mutating func resume(_ sessions: [WorkSession], at: BootTime) {
        for session in sessions where session.end == nil {
            guard let share = desk.shares.firstIndex(where: { $0.path == session.document.share }) else { continue }
            let key = Key(share: share, path: session.document.path)
            desk.nextID = max(desk.nextID, ActivityID(session.id.rawValue &+ 1))
            withDocument(key, at: at, create: true) { document, desk in
                document.sessions.append(TrackedSession(resuming: session, at: at, desk.limits))
            }
        }
    }

    mutating func reconcile(_ holders: [Holder], at: BootTime) {
        var held: [Key: [Holder]] = [:]
        for holder in holders where holder.share >= 0 && holder.share < desk.shares.count {
            held[Key(share: holder.share, path: holder.path), default: []].append(holder)
        }
        // What is not held any more was closed unseen.
        for key in documents.keys where held[key] == nil {
            withDocument(key, at: at, create: false) { document, desk in document.notHeld(at: at, &desk) }
        }
        for (key, here) in held.sorted(by: { ($0.key.share, $0.key.path) < ($1.key.share, $1.key.path) }) {
            switch FileName(key.path.name) {
            case .document:
                let doers = here.map(doer)
                withDocument(key, at: at, create: true) { document, desk in
                    document.notHeld(but: Set(here.map(\.pid)), at: at, &desk)
                    for (holder, doer) in zip(here, doers) { document.held(by: holder, doer, at: at, &desk) }
                }
            case .companion(let kind, let name) where kind.marksPresence || kind.marksUnsavedChanges:
                guard FileName(name) == .document, let holder = here.first(where: { $0.mode == .writing }) else { continue }
                let companion = Array(key.path.name)
                let doer = doer(holder)
                withDocument(Key(share: key.share, path: key.path.folder.appending(name)), at: at, create: true) { document, desk in
                    document.lockHeld(kind, companion, by: holder, doer, at: at, &desk)
                }
            case .companion, .temporary, .litter: break
            }
        }
    }

    /// What is known of a holder; its program where it has done something before.
    private func doer(_ holder: Holder) -> Doer {
        let process = processes[holder.pid]
        return Doer(
            pid: holder.pid, uid: Desk.isPerson(holder.uid) ? holder.uid : nil, role: process?.role ?? .program,
            startedAt: process?.startedAt, first: process?.first)
    }
}

extension TrackedSession {
    /// A session of the journal. Where something lasted, it must be seen again soon.
    init(resuming session: WorkSession, at: BootTime, _ limits: InferenceLimits) {
        self.init(openedAt: session.openedAt, notBefore: session.notBefore)
        id = session.id
        attribution = session.attribution
        uid = session.attribution.source == .assumed ? nil : session.attribution.person?.uid
        source = session.attribution.source
        presence = session.presence
        lastSign = session.lastSign
        lastLife = session.lastSign
        saves = session.saves
        isContinuous = session.isContinuous
        hasLostLock = session.presence == .points && session.evidence.contains { $0.kind == .lockVanished }
        if case .paused = session.state { isPaused = true }
        if presence != .points {
            closing = Closing(at: lastSign, due: at + limits.resume, ending: .censored, notAfter: at)
        }
        resumedAt = at
        guard let process = session.process, presence != .points else { return }
        isLateComer = session.openedAt - process.startedAt > TimeOnTask.launch
        // Whether it still runs is answered at once.
        let tie: Opener.Tie = presence == .process ? .process : presence == .held ? .handle : .lock
        openers = [Opener(pid: process.pid, startedAt: process.startedAt, tie: tie)]
        if tie == .process { closing?.due = at + limits.alive }
    }
}

extension Document {
    /// The next start knows what the journal says: what somebody has open, though not for long yet, and evidence that is still put together.
    mutating func prepareForRestart(_ desk: inout Desk) {
        believeReadings(&desk)
        for index in sessions.indices {
            if sessions[index].id == nil, sessions[index].closing == nil, showsPresence(sessions[index]) { start(index, &desk) }
            if sessions[index].id != nil { flush(index, &desk) }
        }
    }

    mutating func notHeld(at: BootTime, _ desk: inout Desk) {
        guard !handles.isEmpty else { return }
        handles.removeAll()
        isSwept = false
        guard let index = sessions.firstIndex(where: \.holdsDocument), sessions[index].closing == nil else { return }
        sessions[index].closing = TrackedSession.Closing(
            at: sessions[index].lastLife, due: at + desk.limits.closeDebounce, ending: .censored, notAfter: at)
    }

    /// Of those whose handles were seen, some let go unseen.
    mutating func notHeld(but pids: Set<Int32>, at: BootTime, _ desk: inout Desk) {
        let gone = Set(handles.open.compactMap { $0.doer?.pid }).subtracting(pids)
        for pid in gone { _ = handles.remove(pid: pid) }
        guard !gone.isEmpty,
            let index = sessions.firstIndex(where: { $0.holdsDocument && $0.closing == nil && ownHandles($0).isEmpty })
        else { return }
        sessions[index].closing = TrackedSession.Closing(
            at: sessions[index].lastLife, due: at + desk.limits.closeDebounce, ending: .censored, notAfter: at)
    }

    mutating func held(by holder: Holder, _ doer: Doer, at: BootTime, _ desk: inout Desk) {
        guard Desk.isPerson(holder.uid) else { return }
        // Where the kernel names no processes, one handle stands for all.
        if !handles.contains(pid: doer.pid), !handles.open.contains(where: { $0.doer == nil }) {
            handles.opened(at: at, by: doer, hasWritten: holder.mode == .writing)
            handles.judge { $0.doer?.pid == doer.pid }
        }
        if let index = sessions.firstIndex(where: { $0.uid == holder.uid }) ?? sessions.firstIndex(where: { $0.uid == nil }) {
            // A reader of a text proves nothing by itself.
            guard holder.mode == .writing || !isText || sessions[index].holdsDocument || sessions[index].presence == .held else { return }
            sessions[index].holdsDocument = true
            sessions[index].closing = nil
            sessions[index].lastLife = max(sessions[index].lastLife, at)
            learn(index, uid: holder.uid, source: .holder, &desk)
        } else if holder.mode == .writing || !isText {
            // Opened before our time.
            let index = open(at: at, notBefore: at - desk.rule.atMost, uid: holder.uid, source: .holder)
            sessions[index].holdsDocument = true
            judgedUntil = at
            start(index, &desk)
        }
    }

    mutating func lockHeld(
        _ kind: CompanionKind, _ name: [UInt8], by holder: Holder, _ doer: Doer, at: BootTime, _ desk: inout Desk
    ) {
        if companion(name) == nil || companion(name)?.isStale == true {
            companions.removeAll { $0.name == name }
            companionAppeared(kind, name, at: at, owner: Desk.isPerson(holder.uid) ? holder.uid : nil, &desk)
        }
        guard let place = companions.firstIndex(where: { $0.name == name }) else { return }
        if companions[place].handles.isEmpty { companions[place].handles.opened(at: at, by: doer) }
        guard let index = sessions.firstIndex(where: { $0.locks.contains(name) || $0.marks.contains(name) }) else { return }
        sessions[index].closing = nil
        if sessions[index].id == nil { sessions[index].notBefore = at - desk.rule.atMost }
    }
}
