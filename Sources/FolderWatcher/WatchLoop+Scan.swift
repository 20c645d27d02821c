// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// Listing folders: each is watched first and listed then, so that nothing falls between.
extension WatchLoop {
    /// One slice, so that the kernel's queue is read in between: our own listing fills it too.
    func runScans() {
        var left = options.slice
        while left > 0, !isStopping, !rootsInDoubt {
            if !arrivals.isFinished {
                left -= step(arrivals)
                if arrivals.isFinished { finish(arrivals) }
            } else if let scan = scans.first {
                left -= step(scan)
                reportProgress(scan)
                if scan.isFinished {
                    scans.removeFirst()
                    finish(scan)
                }
            } else {
                return
            }
        }
    }

    /// One folder opened, or one piece of it listed; says how much of the slice that took.
    private func step(_ scan: Scan) -> Int {
        if let current = scan.current {
            guard tree.contains(current.visit.folder) else {
                scan.current = nil
                return 1
            }
            return list(scan, current)
        }
        guard let visit = scan.stack.popLast() else { return 1 }
        open(scan, visit)
        // Small folders in one go.
        if let current = scan.current { return 1 + list(scan, current) }
        scan.count(visit.weight)
        return 1
    }

    // MARK: Opening

    private func open(_ scan: Scan, _ visit: Scan.Visit) {
        guard let slot = tree.share(of: visit.folder), let share = slots[slot] else { return }
        let marks = tree.marks(of: visit.folder)
        if !visit.again, marks.contains(.listed), tree.watch(of: visit.folder) != nil { return }
        let folder: OpenFolder
        do throws(SystemCallError) {
            if tree.parent(of: visit.folder) != nil, tree.depth(of: visit.folder) > options.deepest {
                throw SystemCallError(call: "openat2", code: ENAMETOOLONG)
            }
            guard let opened = try openForListing(scan, visit.folder, share) else { return }
            folder = opened
        } catch {
            return refused(scan, visit, slot, error)
        }
        guard let status = try? FileStatus(of: folder.descriptor) else { return }  // cannot fail for an open folder
        if let identity = share.identity, status.device != identity.device || status.mount != identity.mount {
            // Another file system, snapshot or mount begins here.
            return remove(visit.folder)
        }
        guard var visit = watch(scan, visit, slot, folder, status) else { return }
        tree.unmark(visit.folder, .unreadable)
        if marks.contains(.unreadable) { stateChanged(slot) }
        tell(folder: visit, status)
        visit.tellsFolder = false
        if scan.purpose.looksAgain {
            for child in tree.children(of: visit.folder) { tree.unmark(child, .seen) }
        }
        scan.current = Scan.Current(visit: visit, open: folder, firstChild: scan.stack.count)
    }

    /// Nil where the folder or one above it has gone meanwhile.
    private func openForListing(_ scan: Scan, _ id: FolderTree.ID, _ share: ShareSlot) throws(SystemCallError) -> OpenFolder? {
        guard let parent = tree.parent(of: id) else {
            let root = try Folder.open(path: share.share.path, for: .listing)
            guard let status = try? FileStatus(of: root), ShareSlot.Identity(status) == share.identity else {
                rootsInDoubt = true
                return nil
            }
            return OpenFolder(root)
        }
        guard let above = keptOpen(scan, parent) else { return nil }
        let opened = try tree.withName(of: id) { name throws(SystemCallError) in
            OpenFolder(try Folder.open(name, in: above.descriptor, for: .listing))
        }
        return opened
    }

    private func keptOpen(_ scan: Scan, _ parent: FolderTree.ID) -> OpenFolder? {
        if let kept = scan.kept(parent) { return kept }
        // The walk came down another way, or too deep to keep all open. Not through `place`'s table alone: that is emptied with each batch.
        guard let open = place(parent) else { return nil }
        scan.keep(parent, open)
        return open
    }

    private func refused(_ scan: Scan, _ visit: Scan.Visit, _ slot: Int, _ error: SystemCallError) {
        switch error.code {
        case EXDEV:
            // Another mount begins here.
            remove(visit.folder)
        case ENOENT, ENOTDIR, ELOOP:
            // Gone or replaced since it was listed. Its record is on the way, unless nobody watches the folder above.
            if tree.parent(of: visit.folder).flatMap({ tree.watch(of: $0) }) == nil { remove(visit.folder) }
        case EACCES, EPERM, ENAMETOOLONG:
            if visit.tellsFolder, let parent = tree.parent(of: visit.folder), let above = keptOpen(scan, parent),
                let status = tree.withName(of: visit.folder, { try? FileStatus(of: $0, in: above.descriptor) }) ?? nil
            {
                tell(folder: visit, status)
            }
            guard !tree.marks(of: visit.folder).contains(.unreadable) else { return }
            tree.mark(visit.folder, .unreadable)
            if slots[slot]?.source == .fanotify { recognise(scan, visit.folder) }
            stateChanged(slot)
        default:
            lackWatch(visit.folder, slot, error)
        }
    }

    /// So that the change of its rights is seen.
    private func recognise(_ scan: Scan, _ folder: FolderTree.ID) {
        guard tree.watch(of: folder) == nil, let parent = tree.parent(of: folder), let above = keptOpen(scan, parent) else { return }
        let watch = tree.withName(of: folder) { kernel.fanotify?.recognise($0, in: above.descriptor) } ?? nil
        guard let watch, tree.node(watch: watch) == nil else { return }
        forgotten.remove(watch)
        tree.setWatch(watch, of: folder)
    }

    /// Noted, counted, and tried again by the timer.
    func lackWatch(_ folder: FolderTree.ID, _ slot: Int, _ error: SystemCallError) {
        slots[slot]?.shortage =
            switch error.code {
            case ENOSPC:
                "\(watchesInUse) inotify watches are in use here, "
                    + (options.mostWatches.map { "\($0) is the most that is configured" }
                        ?? "more are not allowed; raise fs.inotify.max_user_watches")
            case EMFILE: "the daemon has too many files open; raise LimitNOFILE"
            default: "\(error)"
            }
        if retryDue == nil { retryDue = Self.now().boot + options.retryInterval }
        if lastRetry == nil { lastRetry = drained }
        guard !tree.marks(of: folder).contains(.unwatched) else { return }
        tree.mark(folder, .unwatched)
        stateChanged(slot)
    }

    // MARK: Watching

    /// Sets the watch; nil where there is nothing to list here. What the kernel answers also says whether the folder is the one we knew.
    private func watch(_ scan: Scan, _ visit: Scan.Visit, _ slot: Int, _ open: OpenFolder, _ status: FileStatus) -> Scan.Visit? {
        var visit = visit
        let watch: Int32
        do throws(SystemCallError) {
            if tree.watch(of: visit.folder) == nil { try checkLimits(slot) }
            watch = try kernel.watch(open.descriptor, by: slots[slot]?.source ?? .inotify)
        } catch {
            // A folder that fanotify will never tell of: the share changes over as a whole, so that one source tells it in one order.
            if [ENOSPC, EXDEV, EOPNOTSUPP, ENODEV, EPERM].contains(error.code), slots[slot]?.source == .fanotify {
                slots[slot]?.refusedMark = error
                rootsInDoubt = true
                return nil
            }
            // Listed all the same: better a rough time than none.
            lackWatch(visit.folder, slot, error)
            return visit
        }
        forgotten.remove(watch)
        ancestors.remove(watch)
        if let before = tree.watch(of: visit.folder), before != watch {
            // Another folder stands at this name, and nothing has told us.
            replaceContent(of: visit, lastWatch: before)
            visit.telling = .all
            visit.tellsFolder = true
        } else if let other = tree.node(watch: watch), other != visit.folder {
            guard let moved = foundElsewhere(scan, visit, known: other, status) else { return nil }
            visit = moved
        }
        tree.setWatch(watch, of: visit.folder)
        if tree.marks(of: visit.folder).contains(.unwatched) {
            tree.unmark(visit.folder, .unwatched)
            stateChanged(slot)
        }
        tree.unmark(visit.folder, .missed)
        return visit
    }

    /// The configured ones; the kernel's own come back from it.
    private func checkLimits(_ slot: Int) throws(SystemCallError) {
        switch slots[slot]?.source {
        case .fanotify:
            if let most = options.mostMarks, let fanotify = kernel.fanotify, fanotify.count >= most {
                throw SystemCallError(call: "fanotify_mark", code: ENOSPC)
            }
        case .inotify, nil:
            if let most = options.mostWatches, watchesInUse >= most { throw SystemCallError(call: "inotify_add_watch", code: ENOSPC) }
        }
    }

    private func replaceContent(of visit: Scan.Visit, lastWatch: Int32) {
        emit(.missing(since: visit.since), folder: visit.folder, at: Self.now().boot)
        for child in tree.children(of: visit.folder) { remove(child) }
        tree.forgetWatch(of: visit.folder)
        tree.unmark(visit.folder, .listed)
        forgotten.insert(lastWatch)
    }

    /// The folder just opened is one that the tree has at another place: it was moved, and the records of that are lost or still to be read.
    private func foundElsewhere(_ scan: Scan, _ visit: Scan.Visit, known: FolderTree.ID, _ status: FileStatus) -> Scan.Visit? {
        let now = Self.now().boot
        openFolders.removeAll(keepingCapacity: true)
        if let parent = tree.parent(of: known), let above = place(parent),
            let there = tree.withName(of: known, { try? FileStatus(of: $0, in: above.descriptor) }) ?? nil,
            there.inode == status.inode, there.device == status.device
        {
            // It is at both places (a mount within a mount): one is enough.
            remove(visit.folder)
            return nil
        }
        guard tree.parent(of: known) != nil, let parent = tree.parent(of: visit.folder), let from = tree.path(of: known),
            let cursor = tree.cursor(of: visit.folder), let name = tree.withName(of: visit.folder, { Array($0) })
        else {
            remove(visit.folder)
            return nil
        }
        if tree.share(of: known) == tree.share(of: visit.folder) {
            remove(visit.folder)
            guard tree.move(known, to: parent, named: name[...]) else { return nil }
            emit(.renamed(from: from), folder: known, facts: FileFacts(status), at: now)
            tree.unmark(known, .missed)
            replace(known, cursor)
            // It has been watched all the time; only where something was lost its files are looked at.
            guard scan.purpose == .rescan || scan.purpose == .poll || !tree.marks(of: known).contains(.listed) else { return nil }
            var moved = visit
            moved.folder = known
            moved.tellsFolder = false
            if scan.purpose == .rescan || scan.purpose == .poll { moved.telling = .changed }
            return moved
        }
        emit(.movedOut, folder: known, at: now)
        remove(known)
        if let watch = tree.watch(of: visit.folder) { forgotten.remove(watch) }
        return visit
    }
}
