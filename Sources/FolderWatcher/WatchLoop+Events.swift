// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

extension WatchLoop {
    /// Turns one record into what it means. `records` may lose a later one that was the second half of this.
    func handle(_ records: inout [InotifyRecord], _ index: Int, _ bytes: [UInt8], at: BootTime) {
        let record = records[index]
        let mask = record.mask
        if mask.contains(.queueOverflow) { return lostTrack(at: at) }
        if record.watch == markers.watch { return passMarker(bytes[record.name]) }
        if let slot = guards[record.watch] { passGuard(record, slot) }
        if ancestors.contains(record.watch) {
            if mask.contains(.ignored) { ancestors.remove(record.watch) }
            rootsInDoubt = true
            ancestorsInDoubt = true
            return
        }
        guard let folder = tree.node(watch: record.watch) else {
            // A folder that left the tree; its watch is on its way out.
            if mask.contains(.ignored) { forgotten.remove(record.watch) }
            return
        }
        if !mask.isDisjoint(with: [.ignored, .unmount, .deleteSelf, .moveSelf]) { return handleSelf(folder, mask) }
        // Listing and entering folders, ours included: most of all records, and never anybody's work.
        if mask.contains(.isFolder), !mask.isDisjoint(with: [.open, .closeNoWrite, .closeWrite, .modify, .access]) { return }
        let name = bytes[record.name]
        guard !name.isEmpty else {
            if mask.contains(.attributes), tree.marks(of: folder).contains(.unreadable) { visitAgain(folder, telling: .interesting) }
            return
        }
        if mask.contains(.movedFrom) {
            return left(folder, name, mask, cookie: record.cookie, at: at, rest: &records, after: index, bytes)
        }
        if mask.contains(.movedTo) { return arrived(folder, name, mask, cookie: record.cookie, at: at) }
        if mask.contains(.isFolder) { handleFolder(folder, name, mask, at: at) } else { handleFile(folder, name, mask, at: at) }
    }

    /// What happened to a watched folder itself; its parent's records tell the rest.
    private func handleSelf(_ folder: FolderTree.ID, _ mask: InotifyMask) {
        let isRoot = tree.parent(of: folder) == nil
        if mask.contains(.ignored) {
            tree.forgetWatch(of: folder)
            // Mostly deleted, and known to be by now. If not, another folder may have taken its name.
            if !isRoot { visitAgain(folder, telling: .interesting) }
        }
        guard isRoot, let slot = tree.share(of: folder) else { return }
        doubt(slot, mask)
    }

    private func doubt(_ slot: Int, _ mask: InotifyMask) {
        rootsInDoubt = true
        if mask.contains(.moveSelf) { slots[slot]?.problem = "the folder was moved away" }
        if mask.contains(.deleteSelf) { slots[slot]?.problem = "the folder was deleted" }
    }

    /// What inotify says of the root of a share that fanotify watches.
    private func passGuard(_ record: InotifyRecord, _ slot: Int) {
        if record.mask.contains(.ignored) { guards[record.watch] = nil }
        if !record.mask.isDisjoint(with: [.ignored, .unmount, .deleteSelf, .moveSelf]) { doubt(slot, record.mask) }
    }

    func handleFolder(_ parent: FolderTree.ID, _ name: ArraySlice<UInt8>, _ mask: InotifyMask, at: BootTime) {
        if mask.contains(.create) {
            flushHalf(parent, name)
            enter(parent, name, as: .created, since: drained.boot, at: at)
        } else if mask.contains(.delete) {
            guard let child = tree.child(of: parent, named: name) else { return }
            emit(.deleted, folder: child, at: at)
            remove(child)
        } else if mask.contains(.attributes) {
            guard let child = tree.child(of: parent, named: name) else { return }
            if tree.marks(of: child).contains(.unreadable) { visitAgain(child, telling: .interesting) }
            emit(.attributesChanged, folder: child, facts: facts(parent, name), at: at)
        }
    }

    func handleFile(_ folder: FolderTree.ID, _ name: ArraySlice<UInt8>, _ mask: InotifyMask, at: BootTime) {
        guard holdsDocuments(folder) else { return }
        if mask.contains(.create) {
            flushHalf(folder, name)
            if !listedNames.isEmpty, listedNames.remove(NameKey(folder: folder, name: Array(name))) != nil { return }
            emit(.created, folder, name, facts: facts(folder, name), at: at)
        } else if mask.contains(.open) {
            if !isOwn(folder, name, \.hasOpened) { emit(.opened, folder, name, at: at) }
        } else if mask.contains(.modify) {
            emit(.modified, folder, name, at: at)
        } else if mask.contains(.closeWrite) {
            emit(.closedAfterWriting, folder, name, facts: facts(folder, name), at: at)
        } else if mask.contains(.closeNoWrite) {
            if !isOwn(folder, name, \.hasClosed) { emit(.closedWithoutWriting, folder, name, at: at) }
        } else if mask.contains(.attributes) {
            emit(.attributesChanged, folder, name, facts: facts(folder, name), at: at)
        } else if mask.contains(.delete) {
            forgetListed(folder, name)
            emit(.deleted, folder, name, at: at)
        }
    }

    func forgetListed(_ folder: FolderTree.ID, _ name: ArraySlice<UInt8>) {
        if !listedNames.isEmpty { listedNames.remove(NameKey(folder: folder, name: Array(name))) }
    }

    func holdsDocuments(_ folder: FolderTree.ID) -> Bool {
        guard let (slot, cursor) = tree.shareAndCursor(of: folder), let share = slots[slot] else { return false }
        return share.share.layouts.holdsDocuments(cursor)
    }

    func layouts(of folder: FolderTree.ID) -> LayoutSet? { tree.share(of: folder).flatMap { slots[$0]?.share.layouts } }

    // MARK: Markers

    private func passMarker(_ name: ArraySlice<UInt8>) {
        switch Markers.record(named: name) {
        case .mark(let slot):
            // Fanotify has another queue: it is told once that has been read, too.
            if kernel.fanotify != nil { passedMarks.append(slot) } else { releaseMarker(slot) }
        case .begin(let slot): startOwnRead(slot)
        case .end(let slot): releaseMarker(slot)
        case nil: return
        }
    }

    private func startOwnRead(_ slot: Int) {
        guard case .read(let share, let path, _) = markers.use(of: slot), !activeReads.contains(where: { $0.slot == slot }),
            let folder = node(share: share, path.folder)
        else { return }
        activeReads.append(ActiveRead(slot: slot, folder: folder, name: Array(path.name)))
    }

    /// The slot's last record has been read, or is lost and all that was before it has been read.
    func releaseMarker(_ slot: Int) {
        guard let use = markers.use(of: slot) else { return }
        activeReads.removeAll { $0.slot == slot }
        markers.free(slot: slot)
        if case .mark(let id) = use { report(.marker(id: id)) }
    }

    /// Whether this is the one open or close of a read of our own. Only one: where there are two, somebody else did the same.
    private func isOwn(_ folder: FolderTree.ID, _ name: ArraySlice<UInt8>, _ part: WritableKeyPath<ActiveRead, Bool>) -> Bool {
        // Where it is known whose an open is, ours has been dropped before.
        guard !activeReads.isEmpty, speaker == nil,
            let index = activeReads.firstIndex(where: { !$0[keyPath: part] && $0.folder == folder && $0.name[...] == name })
        else { return false }
        activeReads[index][keyPath: part] = true
        return true
    }

    // MARK: Loss

    /// The kernel's queue was full: say so, and look at everything again after a while, longer each time it happens.
    func lostTrack(at: BootTime) {
        overflowCount &+= 1
        report(.gap(WatchGap(cause: .overflow, share: nil, from: drained.boot, to: at)))
        if let last = lastOverflow, at - last > options.rescanDelayLimit { rescanDelay = options.rescanDelay }
        lastOverflow = at
        if rescanSince == nil { rescanSince = drained }
        if rescanDue == nil { rescanDue = at + rescanDelay }
        rescanDelay = min(rescanDelay * 2, options.rescanDelayLimit)
        // Their records may be among the lost: every read under way counts as begun, and what is over ends when the queue has been read.
        for (slot, use) in markers.used {
            startOwnRead(slot)
            if case .read(_, _, hasEnded: false) = use { continue }
            lostMarkers.append(slot)
        }
    }
}
