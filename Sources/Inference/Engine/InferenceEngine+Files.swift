// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Changes of files.
extension InferenceEngine {
    /// `isThere` says whether the name was there right after the event.
    mutating func fileChanged(_ change: Change, isThere: Bool) {
        let admission = admit(change)
        if case .ignored = admission {
            return changedByUnknown(change)
        }
        if change.isMerged, !isMeant(change.kind, isThere: isThere) { return }
        let doer = admission.doer
        let key = Key(share: change.share, path: change.path)
        if case .renamed(let from) = change.kind {
            renamed(change, from: from, to: key, by: doer)
            return
        }
        if let doer, doer.isNobody, !isNobodysChange(change.kind) { return }
        switch FileName(change.path.name) {
        case .document: documentChanged(change, key, by: doer)
        case .companion(let kind, let document): companionChanged(change, kind, of: document, by: doer, isThere: isThere)
        case .temporary: temporaryChanged(change, by: doer)
        case .litter: break
        }
    }

    /// Of several things that the kernel told as one event, the order is not known; but what is there was made last, and what is not went last.
    private func isMeant(_ kind: Change.Kind, isThere: Bool) -> Bool {
        switch kind {
        case .created, .movedIn: isThere
        case .deleted, .movedOut: !isThere
        default: true
        }
    }

    /// What counts though root, a service or a copying program did it: what it writes and takes away, not what it looks at.
    private func isNobodysChange(_ kind: Change.Kind) -> Bool {
        switch kind {
        case .opened, .closedAfterWriting, .closedWithoutWriting, .attributesChanged: false
        case .created, .modified, .deleted, .renamed, .movedIn, .movedOut, .found, .missing: true
        }
    }

    // MARK: Documents

    private mutating func documentChanged(_ change: Change, _ key: Key, by doer: Doer?) {
        let at = change.at
        let owner = change.facts?.owner
        if let type = change.facts?.type, type != .file { return }
        switch change.kind {
        case .opened: if let doer { documentOpened(key, by: doer, at: at) } else { documentOpened(key, at: at) }
        case .closedAfterWriting, .closedWithoutWriting:
            let afterWriting = change.kind == .closedAfterWriting
            if let doer {
                withDocument(key, at: at, create: false) { document, desk in
                    document.closed(by: doer, afterWriting: afterWriting, isMerged: change.isMerged, at: at, &desk)
                }
                return
            }
            let isSweep = documents[key].map { sweeps.isSweeping(ScopedSweeps.Scope(key.share, $0.placement), at: at) } ?? false
            withDocument(key, at: at, create: false) { document, desk in
                document.closed(afterWriting: afterWriting, at: at, isSweep: isSweep, &desk)
            }
        case .modified:
            withDocument(key, at: at, create: true) { document, desk in document.modified(at: at, by: doer, &desk) }
            noteWriting(key, by: doer, at: at)
        case .created:
            withDocument(key, at: at, create: true) { document, desk in document.created(at: at, owner: doer?.uid ?? owner, by: doer, &desk)
            }
        case .deleted, .movedOut, .missing:
            withDocument(key, at: at, create: false) { document, _ in
                document.removedAt = at
                document.movedTo = nil
            }
        case .movedIn:
            withDocument(key, at: at, create: true) { document, desk in
                document.replaced(at: at, owner: owner, isNew: true, by: doer, &desk)
            }
        case .found(let since):
            guard let since else { return }
            withDocument(key, at: at, create: true) { document, desk in
                document.found(since: since, at: at, owner: owner, &desk)
            }
        case .attributesChanged, .renamed: break
        }
    }

    private mutating func documentOpened(_ key: Key, at: BootTime) {
        let isKnown = documents[key] != nil
        guard let placement = documents[key]?.placement ?? placement(key) else { return }
        let (verdict, swept) = sweeps.opened(key, ScopedSweeps.Scope(key.share, placement), at: at)
        // A sweep over a whole tree would fill the table with readings that mean nothing.
        if verdict == .big, !isKnown { return }
        var isIndexed = true
        withDocument(key, at: at, create: true) { document, _ in
            document.opened(at: at)
            if verdict != .none { document.isSwept = true }
            isIndexed = document.isIndexed
            document.isIndexed = true
        }
        if !isIndexed { index(key) }
        guard verdict == .begun else { return }
        for (swept, since) in swept where swept != key {
            withDocument(swept, at: at, create: false) { document, _ in document.markSwept(since: since) }
        }
    }

    private mutating func documentOpened(_ key: Key, by doer: Doer, at: BootTime) {
        let opening = processes.opened(doer.pid, key, uid: doer.uid, at: at)
        // Not even the names of all that a search goes through are worth keeping.
        if processes.isSweeping(doer.pid, big: desk.limits.bigSweep), documents[key] == nil { return }
        var isIndexed = true
        withDocument(key, at: at, create: true) { document, _ in
            document.opened(by: doer, isNeighbour: opening != .own, at: at)
            isIndexed = document.isIndexed
            document.isIndexed = true
        }
        if !isIndexed { index(key) }
        if case .neighbour(let cancelled?) = opening {
            withDocument(cancelled, at: at, create: false) { document, desk in document.cancelVisit(by: doer.pid, &desk) }
        }
    }

    /// Remembers where Word's shortened name of a document's owner file leads.
    private mutating func index(_ key: Key) {
        let shortened = FileName.officeOwnerName(of: key.path.name)
        if shortened.count - 2 < key.path.name.count {
            officeNames[Key(share: key.share, path: key.path.folder.appending(shortened))] = key.path
        }
    }

    /// Several documents written within a second are no person's saves.
    private mutating func noteWriting(_ key: Key, by doer: Doer?, at: BootTime) {
        guard let placement = documents[key]?.placement else { return }
        if let doer {
            let (verdict, keys) = processes.wrote(doer.pid, key, threshold: desk.limits.sweep, big: desk.limits.bigSweep, at: at)
            if verdict == .none { return }
            for key in keys { documents.change(key) { $0.write?.isSweep = true } }
            return
        }
        let (verdict, begun) = writeSweeps.opened(key, ScopedSweeps.Scope(key.share, placement), at: at)
        if verdict == .none { return }
        let swept = verdict == .begun ? begun.map(\.key) : [key]
        for key in swept { documents.change(key) { $0.write?.isSweep = true } }
    }

    // MARK: Companions

    private mutating func companionChanged(_ change: Change, _ kind: CompanionKind, of name: [UInt8], by doer: Doer?, isThere: Bool = true)
    {
        guard let key = document(of: kind, name, beside: change) else { return }
        let companion = Array(change.path.name)
        let at = change.at
        let owner = doer?.uid ?? change.facts?.owner
        let isNobody = doer?.isNobody ?? false
        switch change.kind {
        case .created, .movedIn, .renamed:
            if isNobody { return }
            withDocument(key, at: at, create: true) { document, desk in
                document.companionAppeared(kind, companion, at: at, owner: owner, by: doer, &desk)
            }
            if kind == .backup, let owner { desk.note(maker: owner, share: key.share, folder: key.path.folder, at: at) }
            if owner == nil, kind.marksPresence || kind.marksUnsavedChanges {
                desk.effects.append(.inspect(share: change.share, path: change.path))
            }
        case .opened:
            withDocument(key, at: at, create: false) { document, _ in document.companionOpened(companion, at: at, by: doer) }
        case .modified:
            if isNobody { return }
            withDocument(key, at: at, create: kind.marksPresence || kind.marksUnsavedChanges) { document, desk in
                document.companionModified(kind, companion, at: at, owner: owner, by: doer, &desk)
            }
        case .closedAfterWriting, .closedWithoutWriting:
            let afterWriting = change.kind == .closedAfterWriting
            withDocument(key, at: at, create: false) { document, desk in
                document.companionClosed(companion, afterWriting: afterWriting, by: doer, at: at, &desk)
            }
            if change.isMerged, let doer, !doer.hasEnded, kind.marksPresence, isThere {
                desk.effects.append(.lookAtHandle(pid: doer.pid, share: change.share, path: change.path))
            }
        case .deleted, .movedOut:
            withDocument(key, at: at, create: false) { document, desk in
                document.companionVanished(kind, companion, by: doer, at: at, &desk)
            }
        case .missing(let since):
            withDocument(key, at: at, create: false) { document, desk in
                document.companionMissing(kind, companion, since: since, at: at, &desk)
            }
        case .found:
            // At the start a lock may be years old: it only keeps alive what goes on already, and is known when it is written again.
            withDocument(key, at: at, create: false) { document, desk in
                if !document.sessions.isEmpty { document.companionFound(kind, companion, at: at, owner: owner, &desk) }
            }
        case .attributesChanged: break
        }
    }

    /// The document that a companion belongs to; nil where it cannot be told or does not count.
    func document(of kind: CompanionKind, _ name: [UInt8], beside change: Change) -> Key? {
        if kind == .officeOwner {
            if let path = officeNames[Key(share: change.share, path: change.path)] { return Key(share: change.share, path: path) }
            // Possibly shortened: the program has opened the document before, so an unknown one is better left than made up.
            let length = name.prefix { $0 != UInt8(ascii: ".") }.count
            let isShortened = FileName.officeOwnerName(of: "xx".utf8 + name) == Array("~$".utf8) + name
            if isShortened, length >= 6, documents[Key(share: change.share, path: change.path.folder.appending(name))] == nil { return nil }
        }
        guard FileName(name) == .document else { return nil }
        return Key(share: change.share, path: change.path.folder.appending(name))
    }

    /// A companion was looked at. What it says inside is shown, never believed: who it is comes from the kernel alone.
    mutating func inspected(_ share: Int, _ path: PathBytes, _ facts: FileFacts?, _ bytes: [UInt8], at: BootTime) {
        guard share >= 0, share < desk.shares.count, case .companion(let kind, let name) = FileName(path.name) else { return }
        let asked = Change(at: at, share: share, path: path, isFolder: false, kind: .opened)
        guard let key = document(of: kind, name, beside: asked), documents[key] != nil else { return }
        let companion = Array(path.name)
        withDocument(key, at: at, create: false) { document, desk in
            if let owner = facts?.owner, !desk.directory.sharedAccounts.contains(owner) { document.companionOwner(companion, owner, &desk) }
            if facts != nil { document.companionIsThere(companion) }
            if let contents = LockContents(bytes, of: kind) { document.companionSays(companion, contents, at: at, &desk) }
        }
    }

    // MARK: Temporary files and renames

    private mutating func temporaryChanged(_ change: Change, by doer: Doer?) {
        switch change.kind {
        case .created, .movedIn:
            if let owner = doer?.uid ?? change.facts?.owner {
                desk.note(maker: owner, share: change.share, folder: change.path.folder, at: change.at)
            }
        default: break
        }
    }

    private mutating func renamed(_ change: Change, from: PathBytes, to key: Key, by doer: Doer?) {
        let at = change.at
        let source = Key(share: change.share, path: from)
        var vanished = change
        vanished.path = from
        vanished.kind = .movedOut
        let old = counts(source) ? FileName(from.name) : .temporary
        let new = FileName(change.path.name)
        switch (old, new) {
        case (.document, .document):
            if let moving = documents[source] {
                if moving.isTemporary(at: at), documents[key].map({ !$0.isUnknown }) ?? false {
                    // An editor whose temporary files look like documents.
                    _ = documents.take(source)
                    fallthrough
                }
                withDocument(source, at: at, create: false) { document, _ in
                    document.renamedAway(to: key.path, owner: doer?.uid ?? change.facts?.owner, at: at)
                }
            } else if documents[key]?.removedAt.map({ at - $0 < desk.limits.replaced }) ?? false {
                fallthrough
            }
        case (.temporary, .document), (.litter, .document), (.companion, .document):
            if case .companion(let kind, let name) = old { companionChanged(vanished, kind, of: name, by: doer) }
            withDocument(key, at: at, create: true) { document, desk in
                document.replaced(at: at, owner: change.facts?.owner, isNew: false, by: doer, &desk)
            }
            noteWriting(key, by: doer, at: at)
        case (_, .companion(let kind, let name)):
            if case .document = old {
                // Its old content is kept as a backup: no change of place.
                withDocument(source, at: at, create: false) { document, _ in document.removedAt = at }
            } else {
                if case .companion(let kind, let name) = old { companionChanged(vanished, kind, of: name, by: doer) }
                companionChanged(change, kind, of: name, by: doer)
            }
        case (.document, .temporary), (.document, .litter):
            withDocument(source, at: at, create: false) { document, _ in document.removedAt = at }
        case (.companion(let kind, let name), .temporary), (.companion(let kind, let name), .litter):
            companionChanged(vanished, kind, of: name, by: doer)
        case (.temporary, .temporary), (.temporary, .litter), (.litter, .temporary), (.litter, .litter): break
        }
    }
}
