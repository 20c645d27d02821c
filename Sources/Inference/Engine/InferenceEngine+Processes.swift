// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Processes: who is behind a change, and what their end means.
extension InferenceEngine {
    enum Admission {
        /// The kernel names no process, as with inotify.
        case unnamed
        /// A process that lived for a moment only, and of which nothing is known: no editor.
        case ignored
        case process(Doer)

        var doer: Doer? { if case .process(let doer) = self { doer } else { nil } }
    }

    /// Who is behind a change.
    mutating func admit(_ change: Change) -> Admission {
        guard let actor = change.actor, actor.pid > 0 else { return .unnamed }
        if processes.isAnother(actor, at: change.at) {
            processEnded(actor.pid, at: change.at)
            processes.forget(actor.pid)
        }
        let process = processes.meet(actor, names: desk.limits.programs, at: change.at)
        guard process.program != nil || process.uid != nil else {
            switch change.kind {
            case .opened, .closedAfterWriting, .closedWithoutWriting: return .ignored
            default: return .unnamed
            }
        }
        var doer = Doer(
            pid: actor.pid, uid: process.uid, role: process.role, startedAt: process.startedAt,
            hasEnded: process.endedAt != nil || actor.uid == nil, first: process.first)
        if let uid = process.uid {
            if desk.directory.sharedAccounts.contains(uid) {
                doer.uid = nil
            } else if !Desk.isPerson(uid) || uid < desk.limits.leastPersonUID {
                // A file server that is itself again works for somebody whom it does not name now.
                doer.isNobody = process.role != .fileServer
                doer.uid = doer.isNobody ? 0 : nil
            }
        }
        if process.role == .noise || process.role == .copier { doer.isNobody = true }
        return .process(doer)
    }

    mutating func changedByUnknown(_ change: Change) {
        if change.kind == .opened { openedByUnknown(change) } else { closedByUnknown(change) }
    }

    /// A process that had gone, and of which nothing is known, closed the document: those who hold it are asked whether it was they.
    private mutating func closedByUnknown(_ change: Change) {
        guard [.closedAfterWriting, .closedWithoutWriting].contains(change.kind), !change.isMerged,
            FileName(change.path.name) == .document
        else { return }
        withDocument(Key(share: change.share, path: change.path), at: change.at, create: false) { document, desk in
            document.closedByUnknown(at: change.at, &desk)
        }
    }

    /// A process that had gone, and of which nothing is known, opened the document. It was no editor that stays; but what somebody fetches over
    /// a file server and puts back later is read by such a one.
    private mutating func openedByUnknown(_ change: Change) {
        let key = Key(share: change.share, path: change.path)
        guard FileName(change.path.name) == .document, change.facts?.type ?? .file == .file,
            let placement = documents[key]?.placement ?? placement(key)
        else { return }
        let (verdict, swept) = vagueSweeps.opened(key, ScopedSweeps.Scope(key.share, placement), at: change.at)
        if verdict == .big, documents[key] == nil { return }
        withDocument(key, at: change.at, create: true) { document, desk in
            document.openedByUnknown(at: change.at, isSweep: verdict != .none, desk)
        }
        guard verdict == .begun else { return }
        for (swept, since) in swept where swept != key {
            withDocument(swept, at: change.at, create: false) { document, _ in document.vagueReads.markSwept(since: since) }
        }
    }

    mutating func processEnded(_ pid: Int32, at: BootTime) {
        let (waiting, isShared) = processes.ended(pid, at: at)
        for key in waiting {
            withDocument(key, at: at, create: false) { document, desk in
                document.processEnded(pid, at: at, isShared: isShared, &desk)
            }
        }
    }

    /// The answer to a look into `/proc`.
    mutating func looked(_ pid: Int32, _ share: Int, _ path: PathBytes, _ mode: Holder.Mode?, at: BootTime) {
        guard share >= 0, share < desk.shares.count, let process = processes[pid], process.endedAt == nil else { return }
        let uid = process.uid.flatMap { Desk.isPerson($0) && !desk.directory.sharedAccounts.contains($0) ? $0 : nil }
        let doer = Doer(pid: pid, uid: uid, role: process.role, startedAt: process.startedAt, first: process.first)
        switch FileName(path.name) {
        case .document:
            withDocument(Key(share: share, path: path), at: at, create: false) { document, desk in
                document.looked(at: mode, by: doer, at: at, &desk)
            }
        case .companion(let kind, let name):
            let asked = Change(at: at, share: share, path: path, isFolder: false, kind: .opened)
            guard let key = document(of: kind, name, beside: asked) else { return }
            let companion = Array(path.name)
            withDocument(key, at: at, create: false) { document, _ in document.companionLooked(companion, at: mode, by: doer, at: at) }
        case .temporary, .litter: break
        }
    }

    // MARK: Waiting for their end

    /// Tells the kernel's edge which processes this document waits for, where that has changed.
    mutating func follow(_ document: inout Document, _ key: Key, at: BootTime) {
        let now = document.awaitedNow
        if now == document.awaited { return }
        for pid in document.awaited where !now.contains(pid) { leave(pid, key) }
        for pid in now where !document.awaited.contains(pid) {
            let startedAt = document.startOf(pid)
            switch processes.wait(pid, key, startedAt: startedAt, at: at) {
            case .first: desk.effects.append(.watchProcess(pid: pid, startedAt: startedAt))
            case .another: break
            case .refused:
                // Presence that nobody would end is none.
                document.giveUp(pid)
                if processes.fullAt == at { overflowed(.processes, at: at) }
            }
        }
        document.awaited = document.awaitedNow
    }

    /// The document is given up, or gets another key.
    mutating func release(_ document: inout Document, _ key: Key) {
        for pid in document.awaited { leave(pid, key) }
        document.awaited = []
    }

    private mutating func leave(_ pid: Int32, _ key: Key) {
        if processes.leave(pid, key) { desk.effects.append(.forgetProcess(pid: pid)) }
    }
}
