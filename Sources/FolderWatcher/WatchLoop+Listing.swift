// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Inference

/// What a folder's entries mean, and what is left to do when a walk is through.
extension WatchLoop {
    func list(_ scan: Scan, _ current: Scan.Current) -> Int {
        let folder = current.visit.folder
        guard let slot = tree.share(of: folder), let cursor = tree.cursor(of: folder), let layouts = slots[slot]?.share.layouts else {
            scan.current = nil
            return 1
        }
        let isMore: Bool
        do throws(SystemCallError) {
            isMore = try listing.readNext(current.open.descriptor)
        } catch {
            // A damaged disk or a server that went away.
            lackWatch(folder, slot, error)
            isMore = false
        }
        guard isMore else {
            scan.current = nil
            finishListing(scan, current)
            return 0
        }
        // Lent out for the piece, so that names can be slices of it while other state changes.
        var piece = FolderListing(size: 0)
        swap(&piece, &listing)
        defer { swap(&piece, &listing) }
        let holdsDocuments = layouts.holdsDocuments(cursor)
        let now = Self.now().boot
        var cost = 1
        for entry in piece.entries {
            let name = piece.bytes[entry.name]
            var isFolder = entry.type == .folder
            if entry.type == .unknown {
                guard let status = try? FileStatus(of: name, in: current.open.descriptor) else { continue }  // gone
                isFolder = status.type == .folder
            }
            if isFolder {
                if let below = layouts.entering(name, from: cursor) { noteFolder(scan, current, name, below) }
            } else if holdsDocuments, tell(file: name, scan, current, now) {
                cost += 1
            }
        }
        return 1 + cost / 16
    }

    private func noteFolder(_ scan: Scan, _ current: Scan.Current, _ name: ArraySlice<UInt8>, _ cursor: LayoutCursor) {
        guard let (child, isNew) = tree.add(name, to: current.visit.folder, cursor: cursor) else { return }
        let looksAgain = scan.purpose.looksAgain
        if looksAgain { tree.mark(child, .seen) }
        var visit = Scan.Visit(folder: child, since: current.visit.since, telling: current.visit.telling, tellsFolder: isNew, again: false)
        switch scan.purpose {
        case .crawl, .arrivals: break
        case .rescan, .poll:
            visit.again = true
            // A folder that nobody knew: all in it is new.
            if isNew { visit.telling = .all }
        case .retry:
            // Those that wait for a watch are in the list themselves.
            guard isNew || !tree.marks(of: child).contains(.listed) else { return }
            if isNew { visit.telling = .all }
        }
        if !visit.again, !isNew, tree.marks(of: child).contains(.listed), tree.watch(of: child) != nil { return }
        scan.stack.append(visit)
    }

    /// Whether it was worth a look.
    private func tell(file name: ArraySlice<UInt8>, _ scan: Scan, _ current: Scan.Current, _ now: BootTime) -> Bool {
        if current.visit.telling == .interesting, !options.isInteresting(name) { return false }
        guard let status = try? FileStatus(of: name, in: current.open.descriptor), status.type != .folder else { return true }  // gone
        if current.visit.telling == .changed, status.changed < scan.changedSince { return true }
        if scan.purpose == .poll {
            let key = NameKey(folder: current.visit.folder, name: Array(name))
            guard poll.isNews(key, changed: status.changed, wall: Self.now().wall) else { return true }
        }
        emit(.found(since: current.visit.since), current.visit.folder, name, facts: FileFacts(status), at: now)
        if listedNames.count < options.listedNamesRemembered {
            listedNames.insert(NameKey(folder: current.visit.folder, name: Array(name)))
        }
        return true
    }

    func tell(folder visit: Scan.Visit, _ status: FileStatus) {
        guard visit.tellsFolder, let layouts = layouts(of: visit.folder), let cursor = tree.cursor(of: visit.folder) else { return }
        guard visit.telling == .all || layouts.isAssignment(cursor) else { return }
        emit(.found(since: visit.since), folder: visit.folder, facts: FileFacts(status), at: Self.now().boot)
    }

    private func finishListing(_ scan: Scan, _ current: Scan.Current) {
        let folder = current.visit.folder
        tree.mark(folder, .listed)
        if scan.purpose.looksAgain {
            for child in tree.children(of: folder) where !tree.marks(of: child).contains(.seen) {
                // It may turn up elsewhere before the scan ends.
                tree.mark(child, .missed)
                scan.missed.append(child)
            }
        }
        if scan.stack.count > current.firstChild { scan.keep(folder, current.open) }
        scan.shareWeight(of: current)
    }

    // MARK: Ending

    func finish(_ scan: Scan) {
        scan.close()
        let now = Self.now()
        for folder in scan.missed where tree.marks(of: folder).contains(.missed) {
            emit(.missing(since: scan.since), folder: folder, at: now.boot)
            remove(folder)
        }
        scan.missed = []
        guard let slot = scan.slot, let share = slots[slot] else { return }
        switch scan.purpose {
        case .crawl:
            stateChanged(slot, now: true)
        case .rescan:
            if let since = scan.since { report(.rescanned(share: share.number, since: since)) }
            stateChanged(slot)
        case .poll: stateChanged(slot)
        case .retry, .arrivals: break
        }
    }

    func startRescan() {
        guard let since = rescanSince else { return }
        rescanSince = nil
        rescanDue = nil
        verifyRoots()
        let now = Self.now()
        let changedSince = fileTime(since, now)
        for slot in slots.indices {
            guard let root = slots[slot]?.root else { continue }
            let scan = Scan(.rescan, slot: slot, since: since.boot, changedSince: changedSince)
            scan.stack = [Scan.Visit(folder: root, weight: 1, since: since.boot, telling: .changed, tellsFolder: false, again: true)]
            scans.append(scan)
        }
    }

    /// Tries what has no watch and what is unavailable once more.
    func startRetry(_ now: (boot: BootTime, wall: Int64)) {
        retryDue = nil
        verifyRoots()
        guard let last = lastRetry else { return }
        lastRetry = nil
        for slot in slots.indices where slots[slot]?.root != nil {
            let waiting = tree.all(share: slot, having: .unwatched)
            guard !waiting.isEmpty else { continue }
            lastRetry = now
            retryDue = now.boot + options.retryInterval
            let scan = Scan(
                .retry, slot: slot, since: last.boot, changedSince: fileTime(last, now))
            scan.stack = waiting.map { Scan.Visit(folder: $0, since: last.boot, telling: .changed, tellsFolder: false, again: true) }
            scans.append(scan)
        }
    }
}
