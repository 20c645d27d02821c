// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What happens to the document's own name.
extension Document {
    mutating func opened(at: BootTime) {
        touchedAt = at
        handles.opened(at: at)
    }

    mutating func closed(afterWriting: Bool, at: BootTime, isSweep: Bool, _ desk: inout Desk) {
        touchedAt = at
        let closed = handles.closed(afterWriting: afterWriting)
        // LibreOffice holds the document for writing after each save: only the end of a writing is part of the write.
        if afterWriting, closed?.hasWritten ?? true, let last = write?.last, at - last < desk.limits.settle { write?.last = max(last, at) }
        guard let handle = closed else { return }
        let lasted = at - handle.openedAt
        if !afterWriting, lasted < desk.limits.hold { addRead(from: handle.openedAt, to: at, isSweep: isSweep, &desk) }
        if handles.isEmpty { isSwept = false }
        // A text that was open for writing all the time: known only now.
        if afterWriting, lasted >= desk.limits.hold, judgedUntil.map({ handle.openedAt > $0 }) ?? true {
            believeHandle(handle, &desk)
        }
        guard handles.isEmpty, let index = sessions.firstIndex(where: \.holdsDocument) else { return }
        if let closing = sessions[index].closing, lasted < desk.limits.hold {
            // A short reopening after the close changes nothing about it.
            sessions[index].closing?.due = max(closing.due, at)
            return
        }
        let hasLibreOfficeLock = sessions[index].locks.contains { companion($0)?.kind == .libreOfficeLock }
        doubt(index, at: at, for: hasLibreOfficeLock ? desk.limits.closeDebounce : desk.limits.reconnect, .closed)
    }

    private mutating func addRead(from first: BootTime, to last: BootTime, isSweep: Bool, _ desk: inout Desk) {
        // nano makes its lock again at the first keystroke; if it reads the document with it, it is another window.
        if let at = replacedLockAt, !isSweep, first >= at, first - at < .milliseconds(100),
            let index = sessions.firstIndex(where: { showsPresence($0) && !$0.locks.isEmpty })
        {
            sessions[index].windows &+= 1
            replacedLockAt = nil
            windowAt = first
        }
        reads.add(from: first, to: last, isSweep: isSweep, chain: desk.rule.idleSavesOnly)
        if desk.limits.reportsTouches, !isSweep, sessions.isEmpty {
            let attribution = desk.attribution(uid: nil, source: .assumed, placement: placement)
            desk.effects.append(.touched(ref(desk), attribution, from: first, to: last))
        }
    }

    /// What was taken for a reading since then was part of a sweep.
    mutating func markSwept(since: BootTime) {
        reads.markSwept(since: since)
        if !handles.isEmpty { isSwept = true }
        if let at = windowAt, at >= since, let index = sessions.firstIndex(where: { $0.windows > 1 }) {
            sessions[index].windows &-= 1
            windowAt = nil
        }
    }

    /// A handle has lasted: somebody has the document open.
    mutating func judgeHandle(at now: BootTime, _ desk: inout Desk) {
        let unjudged = handles.open.filter { handle in
            handle.doer == nil && (judgedUntil.map { handle.openedAt > $0 } ?? true)
                && handle.openedAt + (isSwept ? desk.limits.sweptHold : desk.limits.hold) <= now
        }
        let needsWrite = isText && !sessions.contains(where: \.holdsDocument)
        guard let handle = unjudged.first(where: { !needsWrite || $0.hasWritten }) else { return }
        believeHandle(handle, &desk)
    }

    private mutating func believeHandle(_ handle: Handles.Handle, _ desk: inout Desk) {
        judgedUntil = max(judgedUntil ?? handle.openedAt, handle.openedAt)
        if let index = sessions.firstIndex(where: \.holdsDocument) {
            if sessions[index].closing?.ending == .closed, !handles.isEmpty { sessions[index].closing = nil }
            return
        }
        // Office programs lock and hold; a text editor that has a lock or shows points holds nothing, so that this is somebody else's.
        let index =
            sessions.firstIndex { $0.locks.contains { companion($0).map { $0.kind != .swap } ?? false } }
            ?? sessions.firstIndex { $0.locks.isEmpty }
        if let index {
            sessions[index].holdsDocument = true
            if sessions[index].id == nil {
                sessions[index].openedAt = min(sessions[index].openedAt, handle.openedAt)
                sessions[index].notBefore = min(sessions[index].notBefore, handle.openedAt - desk.limits.launch)
                start(index, &desk)
            }
            return
        }
        guard sessions.isEmpty else { return }
        let index2 = open(at: handle.openedAt, notBefore: handle.openedAt - desk.limits.launch, uid: nil, source: .assumed)
        sessions[index2].holdsDocument = true
        adoptLocks(index2, &desk)
        start(index2, &desk)
    }

    /// A lock left by a crash is taken back silently by its program when the document is held again.
    mutating func adoptLocks(_ index: Int, _ desk: inout Desk) {
        for place in companions.indices
        where companions[place].isPresent && companions[place].kind.marksPresence && companions[place].kind != .swap
            && !sessions.contains(where: { $0.locks.contains(companions[place].name) })
            && (sessions[index].uid == nil || companions[place].owner == nil || companions[place].owner == sessions[index].uid)
        {
            companions[place].isStale = false
            sessions[index].locks.append(companions[place].name)
            learn(index, uid: companions[place].owner, source: .companion, &desk)
        }
    }

    // MARK: Writing

    mutating func created(at: BootTime, owner: UInt32?, by doer: Doer? = nil, _ desk: inout Desk) {
        touchedAt = at
        if let owner { maker = Maker(uid: owner, at: at) }
        if let removedAt, at - removedAt < desk.limits.replaced {
            self.removedAt = nil
            movedTo = nil
        } else {
            madeAt = at
        }
    }

    mutating func modified(at: BootTime, by doer: Doer? = nil, _ desk: inout Desk) {
        touchedAt = at
        if let doer { handles.know(doer) }
        handles.written(by: doer)
        let known = doer.flatMap { $0.uid ?? handles.uid(of: $0.pid) }
        let uid = known ?? maker.flatMap { at - $0.at <= desk.limits.replaced ? $0.uid : nil }
        noteWrite(at: at, uid: uid, by: doer, &desk)
    }

    /// Something was renamed over it, or came in under its name.
    mutating func replaced(at: BootTime, owner: UInt32?, isNew: Bool, by doer: Doer? = nil, _ desk: inout Desk) {
        touchedAt = at
        if isNew, !(removedAt.map { at - $0 < desk.limits.replaced } ?? false) { madeAt = at }
        removedAt = nil
        movedTo = nil
        noteWrite(at: at, uid: doer?.uid ?? owner, by: doer, &desk)
    }

    /// Writes of one program's one save are nearer to each other.
    private static let sameWrite = Duration.milliseconds(200)

    private mutating func noteWrite(at: BootTime, uid: UInt32?, by doer: Doer?, _ desk: inout Desk) {
        // Two people who save one right after the other saved twice.
        if let doer, !doer.isNobody, let old = write, !old.isNobody, let before = old.uid, let uid, before != uid, old.isUIDOfProcess {
            settle(&desk)
        }
        if write == nil {
            let isCreation = madeAt.map { at - $0 < .seconds(10) } ?? false
            write = PendingWrite(first: at, last: at, uid: uid, isCreation: isCreation, doer: doer, isNobody: doer?.isNobody ?? false)
        }
        // What a rescan found and what is seen a moment later are two writes: the second one was surely then.
        if let old = write, old.since != nil, at - old.last > Self.sameWrite { write?.since = nil }
        if let last = write?.last { write?.last = max(last, at) }
        if let doer, doer.isNobody, !(write?.isNobody ?? false) { return }
        if let uid { write?.uid = uid }
        if let doer {
            write?.doer = doer
            if doer.uid != nil { write?.isUIDOfProcess = true }
        }
        if !(doer?.isNobody ?? false) { write?.isNobody = false }
        for index in sessions.indices where sessions[index].closing?.isStaleMark ?? false { sessions[index].closing = nil }
    }

    /// The write has come to rest: a save.
    mutating func settle(_ desk: inout Desk) {
        guard let done = write else { return }
        write = nil
        madeAt = nil
        let source: IdentitySource = done.isUIDOfProcess ? .event : done.uid == nil ? .companion : .save
        let uid = done.uid ?? desk.maker(share: share, folder: path.folder, near: done.first, done.last)
        // Root writes for others: only where root has the lock is it somebody at work, whose path says the name.
        let rootSession = uid.flatMap { uid in Desk.isPerson(uid) ? nil : lockSession(ownedBy: uid) }
        if let uid, !Desk.isPerson(uid), rootSession == nil {
            save(done, .unknown, &desk)
            return
        }
        // What somebody copied here, over an older state or not, was brought in: nothing is known of how long they worked on it.
        let isArrival = done.doer?.role == .copier && sessions.allSatisfy { $0.presence == .points && $0.uid == uid && $0.openers.isEmpty }
        let isNobodys = done.isNobody && !isArrival
        if isNobodys || done.isSweep && (sessions.isEmpty || done.doer != nil) {
            // Written with many others in one go, or by what copies: checked out, unpacked, brought over.
            let attribution = desk.attribution(uid: uid, source: source, placement: placement)
            save(done, attribution, &desk)
            return
        }
        let index = rootSession ?? writer(uid, done) ?? openForWrite(done, uid: uid, source: source, &desk)
        learn(index, uid: uid, source: source, &desk)
        let isBroughtIn = done.isCreation && sessions[index].id == nil && sessions[index].openedAt == done.last
        let kind: Evidence.Kind = isBroughtIn ? .broughtIn : .saved
        sign(index, Evidence(kind, first: done.since ?? done.last, last: done.last, isInferred: done.since != nil), &desk)
        if let doer = done.doer { join(index, doer, doer.role == .fileServer ? .connection : .process, at: done.last, &desk) }
        if let doer = done.doer, doer.role == .fileServer, doer.hasEnded, sessions[index].openers.isEmpty {
            sessions[index].connectionEndedAt = done.last
        }
        start(index, &desk)
        save(done, sessions[index].attribution, &desk)
    }

    private func save(_ done: PendingWrite, _ attribution: Attribution, _ desk: inout Desk) {
        desk.effects.append(
            .saved(
                share: share, document: ref(desk), placement: placement, attribution: attribution, since: done.since ?? done.last,
                at: done.last))
    }

    private func lockSession(ownedBy uid: UInt32) -> Int? {
        sessions.firstIndex { $0.locks.contains { companion($0)?.owner == uid } }
    }

    /// Whose session a save belongs to.
    private func writer(_ uid: UInt32?, _ done: PendingWrite) -> Int? {
        if uid == nil, sessions.count > 1 {
            // vim writes its swap file right after the document.
            let near = sessions.indices.filter { index in
                sessions[index].locks.contains { name in
                    companion(name).map { $0.changedAt >= done.first && $0.changedAt - done.last < .milliseconds(500) } ?? false
                }
            }
            if near.count == 1 { return near[0] }
        }
        return session(of: uid)
    }

    private mutating func openForWrite(_ done: PendingWrite, uid: UInt32?, source: IdentitySource, _ desk: inout Desk) -> Int {
        openPoints(sign: done.last, readBefore: done.first, apart: Reads.together, uid: uid, source: source, by: done.doer, &desk)
    }
}

/// Renames, rescans and what else comes from outside.
extension Document {
    /// True for a file that was made a moment ago: what is renamed over a document, whatever its name.
    func isTemporary(at: BootTime) -> Bool {
        sessions.allSatisfy { $0.id == nil } && (madeAt.map { at - $0 < .seconds(60) } ?? false) && write != nil
    }

    /// Nothing but a name.
    var isUnknown: Bool {
        sessions.isEmpty && reads.latest == nil && vagueReads.latest == nil && readsOf.isEmpty && removedAt == nil && handles.isEmpty
    }

    /// Renamed to another document's name. Believed after a while, if it is not made again; and never while a lock beside the old name
    /// says that somebody works under that name. `owner`: of the file, for one that was made and renamed before anybody could look.
    mutating func renamedAway(to target: PathBytes, owner: UInt32?, at: BootTime) {
        if isTemporary(at: at), write?.uid == nil, maker == nil { write?.uid = owner }
        removedAt = at
        let isLocked = sessions.contains { session in session.locks.contains { companion($0)?.showsPresence ?? false } }
        movedTo = isLocked ? nil : target
    }

    /// A rescan found it new or changed.
    mutating func found(since: BootTime, at: BootTime, owner: UInt32?, _ desk: inout Desk) {
        touchedAt = at
        if write == nil { write = PendingWrite(first: at, last: at) }
        write?.last = at
        write?.since = min(since, at)
        // Root's file, and nobody is known to work on it: brought over by a copy, or written by whom nobody saw.
        if let owner, !Desk.isPerson(owner), sessions.isEmpty { write?.isNobody = true }
    }

    /// A listing found a companion of a session that goes on.
    mutating func companionFound(_ kind: CompanionKind, _ name: [UInt8], at: BootTime, owner: UInt32?, _ desk: inout Desk) {
        guard kind.marksPresence || kind.marksUnsavedChanges, companion(name) == nil, companions.count < Self.companionLimit,
            let index = session(of: owner)
        else { return }
        var found = Companion(kind: kind, name: name, at: at)
        found.owner = owner
        companions.append(found)
        if kind.marksPresence { sessions[index].locks.append(name) } else { sessions[index].marks.append(name) }
        sessions[index].closing = nil
        learn(index, uid: owner, source: .companion, &desk)
    }

    mutating func companionOwner(_ name: [UInt8], _ owner: UInt32, _ desk: inout Desk) {
        guard let place = companions.firstIndex(where: { $0.name == name }), companions[place].owner == nil else { return }
        companions[place].owner = owner
        guard let index = sessions.firstIndex(where: { $0.locks.contains(name) || $0.marks.contains(name) }), sessions[index].uid == nil
        else { return }
        learn(index, uid: owner, source: .companion, &desk)
    }
}
