// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What happens to the files beside the document.
extension Document {
    /// The most companions that are kept: a document has one or two.
    static let companionLimit = 16

    /// It was made, moved in, or is seen for the first time while it is written.
    mutating func companionAppeared(
        _ kind: CompanionKind, _ name: [UInt8], at: BootTime, owner: UInt32?, by doer: Doer? = nil, _ desk: inout Desk
    ) {
        let owner = doer?.uid ?? owner
        touchedAt = at
        switch kind {
        case .backup:
            if let owner { maker = Maker(uid: owner, at: at) }
            return
        case .autosave:
            // The program's own doing: it lives, but nobody need be there.
            if let index = session(of: owner) { sessions[index].lastLife = max(sessions[index].lastLife, at) }
            return
        case .swap, .libreOfficeLock, .officeOwner, .emacsLock, .kateSwap: break
        }
        endUnconfirmed(owner, by: doer, &desk)
        let old = companion(name)
        companions.removeAll { $0.name == name }
        guard companions.count < Self.companionLimit else { return }
        var fresh = Companion(kind: kind, name: name, at: at)
        fresh.owner = owner ?? old?.owner
        if doer?.role == .program { fresh.pid = doer?.pid }
        companions.append(fresh)
        if kind.marksUnsavedChanges {
            markAppeared(fresh, by: doer, &desk)
        } else {
            lockAppeared(fresh, old: old, by: doer, at: at, &desk)
        }
    }

    private mutating func lockAppeared(_ lock: Companion, old: Companion?, by doer: Doer?, at: BootTime, _ desk: inout Desk) {
        if let holder = sessions.firstIndex(where: { $0.locks.contains(lock.name) }) {
            if let owner = lock.owner, let uid = sessions[holder].uid, owner != uid {
                // nano deletes another's lock and puts its own: the first person is still at work, without a lock.
                sessions[holder].locks.removeAll { $0 == lock.name }
                sessions[holder].closing = nil
                loosen(holder, old?.pid)
                loseLock(holder, at: at, &desk)
            } else {
                // Deleted and made again: a save of LibreOffice, or nano's first keystroke after opening or saving.
                sessions[holder].closing = nil
                learn(holder, uid: lock.owner, source: doer?.uid != nil ? .event : .companion, &desk)
                if let doer {
                    if old?.pid != doer.pid { loosen(holder, old?.pid) }
                    join(holder, doer, .lock, at: at, &desk)
                } else if old?.wasStolen ?? false {
                    // vim's lock, deleted under its hand: nano was opened beside it.
                    sessions[holder].windows &+= 1
                }
                if lock.kind == .swap, let old, !old.wasHeld, at - old.appearedAt > .milliseconds(300) {
                    sign(holder, Evidence(.lockChanged, first: at), &desk)
                    replacedLockAt = at
                }
                return
            }
        }
        attach(lock, by: doer, at: at, &desk)
    }

    /// Another process took the lock away: who made it is still at work, without one.
    private mutating func loosen(_ index: Int, _ pid: Int32?) {
        guard let place = sessions[index].openers.firstIndex(where: { $0.pid == pid && $0.tie == .lock }) else { return }
        sessions[index].openers[place].tie = .process
    }

    /// Nothing tells any more when this person closes the document: from now on the session lives by single signs.
    private mutating func loseLock(_ index: Int, at: BootTime, _ desk: inout Desk) {
        if showsPresence(sessions[index]) { return }
        sessions[index].hasLostLock = true
        if sessions[index].presence == .companion { sessions[index].presence = .points }
        // Until now the lock was there; but its end was another's doing, and no sign of this person.
        sessions[index].lastLife = max(sessions[index].lastLife, at)
        flush(index, &desk)
        say(index, Evidence(.lockVanished, first: at), &desk)
    }

    /// Gives a new lock its session.
    private mutating func attach(_ lock: Companion, by doer: Doer?, at: BootTime, _ desk: inout Desk) {
        var opened = at
        // Two people may open it one right after the other: what the first one opened and read is not the second one's.
        let own = session(of: lock.owner)
        let others = sessions.indices.filter { $0 != own }.map { sessions[$0].openedAt }.max()
        let handle = handles.open.first { handle in
            doer == nil ? others.map { handle.openedAt > $0 } ?? true : handle.doer?.pid == doer?.pid
        }
        if let handle, at - handle.openedAt <= desk.limits.opening { opened = min(opened, handle.openedAt) }
        if let reading = readings(of: doer?.uid).recent(at: at, within: Reads.together),
            doer?.uid != nil || others.map({ reading.first - $0 > Reads.together }) ?? true
        {
            opened = min(opened, reading.first)
        }
        let began = beginning(opened, doer, desk)
        opened = began.openedAt
        if let known = session(of: lock.owner), let closing = sessions[known].closing, closing.ending == .closed,
            !sessions[known].locks.isEmpty, !isHeld(sessions[known])
        {
            // vim after a crash: the lock that it left is taken, so that it makes another.
            end(known, .closed, closedAt: closing.at, notAfter: closing.at, &desk)
        }
        let index: Int
        if let known = session(of: lock.owner) {
            index = known
            sessions[index].closing = nil
            if sessions[index].id == nil { sessions[index].openedAt = min(sessions[index].openedAt, opened) }
        } else {
            index = open(at: opened, notBefore: began.notBefore, uid: lock.owner, source: .companion)
        }
        sessions[index].locks.append(lock.name)
        sessions[index].hasLostLock = false
        learn(index, uid: lock.owner, source: doer?.uid != nil ? .event : .companion, &desk)
        if let doer { join(index, doer, .lock, at: at, &desk) }
        if lock.kind != .swap, !ownHandles(sessions[index]).isEmpty { sessions[index].holdsDocument = true }
        if sessions[index].id != nil, sessions[index].presence == .points { sessions[index].presence = .companion }
        sign(index, Evidence(.lockAppeared, first: at), &desk)
        if sessions[index].id == nil { sessions[index].startDue = at + desk.limits.hold } else { readLater(lock.name, at: at, desk) }
    }

    private mutating func markAppeared(_ mark: Companion, by doer: Doer?, _ desk: inout Desk) {
        let at = mark.appearedAt
        let index =
            session(of: mark.owner)
            ?? openPoints(sign: at, readBefore: at, apart: .zero, uid: mark.owner, source: .companion, by: doer, &desk)
        learn(index, uid: mark.owner, source: doer?.uid != nil ? .event : .companion, &desk)
        if let doer { join(index, doer, .process, at: at, &desk) }
        if !sessions[index].marks.contains(mark.name) { sessions[index].marks.append(mark.name) }
        sessions[index].hasMark = true
        sign(index, Evidence(.typed, first: at, isContinuous: mark.kind == .kateSwap), &desk)
        if sessions[index].id == nil {
            sessions[index].startDue = at + desk.limits.hold
        } else if mark.kind == .emacsLock, sessions[index].said.isEmpty {
            // It comes with each first change after a save, and says the same each time.
            readLater(mark.name, at: at, desk)
        }
    }

    mutating func companionOpened(_ name: [UInt8], at: BootTime, by doer: Doer? = nil) {
        guard let place = companions.firstIndex(where: { $0.name == name && $0.isPresent }) else { return }
        // Whoever looks into another's lock does not keep it.
        if let doer, let pid = companions[place].pid, pid != doer.pid { return }
        companions[place].handles.opened(at: at, by: doer)
    }

    mutating func companionModified(
        _ kind: CompanionKind, _ name: [UInt8], at: BootTime, owner: UInt32?, by doer: Doer? = nil, _ desk: inout Desk
    ) {
        let owner = doer?.uid ?? owner
        guard let place = companions.firstIndex(where: { $0.name == name && $0.isPresent }), !companions[place].isStale else {
            // From before our time, or left by a crash and taken back.
            let known = companion(name)
            if kind.marksPresence || kind.marksUnsavedChanges {
                companionAppeared(kind, name, at: at, owner: owner ?? known?.owner, by: doer, &desk)
                if let place = companions.firstIndex(where: { $0.name == name }), let known { companions[place].handles = known.handles }
            }
            return
        }
        touchedAt = at
        companions[place].changedAt = at
        companions[place].handles.written(by: doer)
        if companions[place].owner == nil { companions[place].owner = owner }
        guard let index = sessions.firstIndex(where: { $0.locks.contains(name) || $0.marks.contains(name) }) else { return }
        if doer?.uid == nil { learn(index, uid: companions[place].owner, source: .companion, &desk) }
        // vim holds its swap file and writes it when somebody has typed, or moved about; while opening and saving it writes it anyway.
        let isTyping = kind == .kateSwap || kind == .swap && !companions[place].handles.isEmpty
        guard isTyping, at - companions[place].appearedAt > .seconds(1) || kind == .kateSwap else { return }
        if sessions[index].closing?.ending == .closed { sessions[index].closing = nil }
        sign(index, Evidence(.typed, first: at, isContinuous: true), &desk)
    }

    mutating func companionClosed(_ name: [UInt8], afterWriting: Bool, by doer: Doer? = nil, at: BootTime, _ desk: inout Desk) {
        guard let place = companions.firstIndex(where: { $0.name == name && $0.isPresent }) else { return }
        if let doer { companions[place].handles.know(doer) }
        guard let handle = companions[place].handles.closed(afterWriting: afterWriting, by: doer), afterWriting,
            at - handle.openedAt >= desk.limits.hold
        else { return }
        companions[place].wasHeld = true
        guard companions[place].handles.isEmpty,
            let index = sessions.firstIndex(where: { $0.locks.contains(name) || $0.marks.contains(name) })
        else { return }
        // Not deleted: its program died or its connection broke, and may come back.
        let isLock = sessions[index].locks.contains(name)
        if sessions[index].closing == nil { doubt(index, at: at, for: isLock ? desk.limits.reconnect : desk.limits.settle, .closed) }
    }

    /// `/proc` shows whether the process holds a companion.
    mutating func companionLooked(_ name: [UInt8], at mode: Holder.Mode?, by doer: Doer, at: BootTime) {
        guard let place = companions.firstIndex(where: { $0.name == name && $0.isPresent }) else { return }
        if mode == nil {
            _ = companions[place].handles.remove(pid: doer.pid)
        } else if !companions[place].handles.contains(pid: doer.pid) {
            companionOpened(name, at: at, by: doer)
            if mode == .writing { companions[place].handles.written(by: doer) }
        }
    }

    mutating func companionVanished(_ kind: CompanionKind, _ name: [UInt8], by doer: Doer? = nil, at: BootTime, _ desk: inout Desk) {
        guard let place = companions.firstIndex(where: { $0.name == name && $0.isPresent }) else { return }
        touchedAt = at
        companions[place].vanishedAt = at
        let maker = companions[place].pid
        if !companions[place].handles.isEmpty {
            companions[place].wasHeld = true
            companions[place].wasStolen = doer == nil || doer?.pid != maker
        }
        companions[place].handles.removeAll()
        if let index = sessions.firstIndex(where: { $0.marks.contains(name) }) {
            markVanished(index, name, at: at, &desk)
        } else if let index = sessions.firstIndex(where: { $0.locks.contains(name) }) {
            // Another process took it away (nano does, when it opens the document too): who made it is still at work.
            if let doer, let maker, doer.pid != maker { loosen(index, maker) }
            if sessions[index].hasLiveProcess { return }
            let others = sessions[index].locks.filter { $0 != name }.contains { companion($0)?.showsPresence ?? false }
            if !others { lockVanished(index, by: doer, at: at, &desk) }
        } else {
            companions.remove(at: place)
        }
    }

    private mutating func lockVanished(_ index: Int, by doer: Doer?, at: BootTime, _ desk: inout Desk) {
        if let closing = sessions[index].closing, closing.ending == .closed, at - closing.at > desk.limits.hold,
            !isHeld(sessions[index])
        {
            // Its program had gone before; now somebody clears away what it left.
            end(index, .closed, closedAt: closing.at, notAfter: closing.at, &desk)
        } else if sessions[index].windows > 1 {
            // One window was closed; the other has no lock until its next keystroke.
            sessions[index].windows &-= 1
            sessions[index].lastLife = max(sessions[index].lastLife, at)
        } else {
            let isAfar = doer?.role == .fileServer
            doubt(index, at: at, for: isAfar ? desk.limits.closeDebounceAfar : desk.limits.closeDebounce, .companion)
            // The one who closed may have been the other, whose lock this one took away.
            if doer == nil, sessions.contains(where: \.hasLostLock) { sessions[index].closing?.notAfter = at + desk.rule.idleSavesOnly }
        }
    }

    /// Saved, or undone; or a stale mark that was taken away while somebody opened the document: then the old session ended before.
    private mutating func markVanished(_ index: Int, _ name: [UInt8], at: BootTime, _ desk: inout Desk) {
        sessions[index].marks.removeAll { $0 == name }
        companions.removeAll { $0.name == name }
        if sessions[index].closing?.ending == .closed, sessions[index].locks.isEmpty, !sessions[index].holdsDocument {
            sessions[index].closing = nil
        }
        let isSaving = write.map { at - $0.last < desk.limits.settle } ?? false
        guard !isSaving, sessions[index].locks.isEmpty, !sessions[index].holdsDocument,
            !sessions[index].hasLiveProcess, let reading = readings(of: sessions[index].uid).recent(at: at, within: Reads.together),
            reading.first > sessions[index].lastSign
        else { return }
        sessions[index].closing = TrackedSession.Closing(
            at: min(sessions[index].lastLife, reading.first), due: at + .milliseconds(500), ending: .companion, notAfter: reading.first,
            isStaleMark: true)
    }
}

extension Document {
    /// What a companion says inside, for display.
    mutating func companionSays(_ name: [UInt8], _ contents: LockContents, at: BootTime, _ desk: inout Desk) {
        guard let words = contents.words,
            let index = sessions.firstIndex(where: { $0.locks.contains(name) || $0.marks.contains(name) }), let id = sessions[index].id,
            sessions[index].said.count < LockWords.limitOfSession, !sessions[index].said.contains(words)
        else { return }
        sessions[index].said.append(words)
        desk.emit(.lockSays(id, words, at: at))
    }

    /// Has a lock read that came while its session was journaled already: a moment later, when its program has written it.
    mutating func readLater(_ name: [UInt8], at: BootTime, _ desk: Desk) {
        guard let place = companions.firstIndex(where: { $0.name == name }) else { return }
        companions[place].readDue = at + desk.limits.hold
    }

    mutating func readCompanions(at now: BootTime, _ desk: inout Desk) {
        for place in companions.indices where companions[place].readDue.map({ $0 <= now }) ?? false {
            companions[place].readDue = nil
            let name = companions[place].name
            guard companions[place].isPresent, sessions.contains(where: { $0.id != nil && ($0.locks + $0.marks).contains(name) }) else {
                continue
            }
            desk.effects.append(.inspect(share: share, path: path.folder.appending(name)))
        }
    }
}
