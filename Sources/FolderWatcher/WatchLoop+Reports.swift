// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import DaybookLinux
package import Inference

extension WatchLoop {
    // MARK: Telling

    /// Waits while the consumer is slow: then the kernel's queue fills, and its overflow tells the loss.
    func report(_ report: WatcherReport) {
        flush()
        deliver(report)
    }

    func flush() {
        guard !outgoing.isEmpty else { return }
        let changes = outgoing
        outgoing = []
        deliver(.changes(changes))
    }

    private func deliver(_ report: WatcherReport) {
        guard !hasFailed else { return }
        // Whoever reads the report may ask for figures next.
        showCounts()
        // Where each event is read at once, a consumer that has no processor for a moment would else be many reports behind, and this thread
        // wait for it instead of reading. Refused only when closed, which is the end.
        let limit = options.changesPerReport
        if !output.putWaiting(report, joining: { $0.join($1, limit: limit) }) { hasFailed = true }
    }

    func emit(
        _ kind: Change.Kind, _ folder: FolderTree.ID, _ name: ArraySlice<UInt8>, facts: FileFacts? = nil, at: BootTime
    ) {
        guard let (slot, path) = tree.shareAndPath(of: folder) else { return }
        if poll.due != nil, kind.isWriting, isOnNetwork(slot) {
            poll.changedHere(NameKey(folder: folder, name: Array(name)), wall: Self.now().wall)
        }
        emit(kind, share: slot, path: path.appending(name), isFolder: false, facts: facts, at: at)
    }

    func emit(_ kind: Change.Kind, folder: FolderTree.ID, facts: FileFacts? = nil, at: BootTime) {
        guard let (slot, path) = tree.shareAndPath(of: folder) else { return }
        emit(kind, share: slot, path: path, isFolder: true, facts: facts, at: at)
    }

    private func emit(_ kind: Change.Kind, share slot: Int, path: PathBytes, isFolder: Bool, facts: FileFacts?, at: BootTime) {
        guard let share = slots[slot] else { return }
        let change = Change(
            at: at, share: share.number, path: path, isFolder: isFolder, kind: kind, facts: facts, actor: speaker?.actor,
            isMerged: speaker?.isMerged ?? false)
        // A write in many pieces is one in one batch: all of it has the same time.
        if kind == .modified, outgoing.last == change { return }
        outgoing.append(change)
        if outgoing.count >= options.changesPerReport { flush() }
    }

    // MARK: Facts

    /// What the kernel says of a name now; nil where it is gone.
    func facts(_ folder: FolderTree.ID, _ name: ArraySlice<UInt8>) -> FileFacts? {
        guard let seen = speaker?.seen, seen.folder == folder, seen.name == name else {
            let facts = look(folder, name)
            speaker?.seen = (folder, name, facts)
            return facts
        }
        return seen.facts
    }

    private func look(_ folder: FolderTree.ID, _ name: ArraySlice<UInt8>) -> FileFacts? {
        guard let open = place(folder) else { return nil }
        return (try? FileStatus(of: name, in: open.descriptor)).map(FileFacts.init)  // gone, which the next record will tell
    }

    /// A folder as a place to look from, open until the batch is done: a descriptor kept longer would keep the file system from being
    /// unmounted.
    func place(_ folder: FolderTree.ID) -> OpenFolder? {
        if let open = openFolders[folder] { return open }
        guard let slot = tree.share(of: folder), let path = tree.path(of: folder), let top = rootPlace(slot) else { return nil }
        if openFolders.count >= Self.openPerBatch { openFolders.removeAll(keepingCapacity: true) }
        guard !path.isRoot else { return top }
        guard let descriptor = try? Folder.open(path.bytes[...], in: top.descriptor, for: .place) else { return nil }  // gone
        let open = OpenFolder(descriptor)
        openFolders[folder] = open
        return open
    }

    private func rootPlace(_ slot: Int) -> OpenFolder? {
        guard let share = slots[slot], let root = share.root else { return nil }
        if let open = openFolders[root] { return open }
        guard let descriptor = try? Folder.open(path: share.share.path, for: .place), let status = try? FileStatus(of: descriptor),
            ShareSlot.Identity(status) == share.identity
        else {
            rootsInDoubt = true
            return nil
        }
        let open = OpenFolder(descriptor)
        openFolders[root] = open
        return open
    }

    /// The node of a folder that the caller names by its path.
    func node(share number: Int, _ path: PathBytes) -> FolderTree.ID? {
        guard let slot = slots.firstIndex(where: { $0?.number == number }), var node = slots[slot]?.root else { return nil }
        for name in path.components {
            guard let child = tree.child(of: node, named: name) else { return nil }
            node = child
        }
        return node
    }

    // MARK: State

    /// States change in bursts; they are told of together, shortly after the first.
    func stateChanged(_ slot: Int, now: Bool = false) {
        slots[slot]?.needsReport = true
        let at = Self.now().boot
        stateDue = now ? at : stateDue ?? at + .seconds(1)
    }

    func reportStates() {
        stateDue = nil
        for slot in slots.indices where slots[slot]?.needsReport == true {
            slots[slot]?.needsReport = false
            guard let state = state(slot), state != slots[slot]?.reported else { continue }
            slots[slot]?.reported = state
            report(.state(state))
        }
    }

    func state(_ slot: Int) -> ShareState? {
        guard let share = slots[slot] else { return nil }
        guard share.root != nil else {
            return ShareState(
                share: share.number, condition: .unavailable, folders: 0, source: share.source,
                refusal: share.refusal.map(WatchSource.refusal), reason: share.problem)
        }
        let unreadable = tree.all(share: slot, having: .unreadable)
        let unwatched = tree.all(share: slot, having: .unwatched).count
        var reasons: [String] = []
        if unwatched > 0 {
            reasons.append(
                "\(unwatched) folders have no watch (\(share.shortage ?? "the kernel refused it")); they are listed every "
                    + "\(Int(options.retryInterval.seconds)) s instead, so times in them are rough")
        }
        if !unreadable.isEmpty {
            reasons.append("\(unreadable.count) folders cannot be read; their files are not counted until that is mended")
        }
        if let network = share.network {
            reasons.append(
                "it is on a network file system (\(network)); what other machines change there is found by looking "
                    + "every \(Int(options.pollInterval.seconds)) s, so times are rough, and who only reads is not seen")
        }
        return ShareState(
            share: share.number, condition: reasons.isEmpty ? .complete : .partial, folders: tree.count(share: slot), source: share.source,
            refusal: share.refusal.map(WatchSource.refusal), reason: reasons.isEmpty ? nil : reasons.joined(separator: "; "),
            unreadable: unreadable.prefix(options.unreadableListed).compactMap { tree.path(of: $0) }, unreadableCount: unreadable.count,
            unwatched: unwatched)
    }

    func reportProgress(_ scan: Scan) {
        guard scan.purpose == .crawl, let slot = scan.slot, let share = slots[slot] else { return }
        let now = Self.now().boot
        guard scan.isFinished || now - lastProgress >= options.progressInterval else { return }
        lastProgress = now
        report(
            .crawl(
                CrawlProgress(
                    share: share.number, folders: scan.folders, fraction: scan.isFinished ? 1 : scan.done, isFinished: scan.isFinished)))
    }

    // MARK: Requests

    func answerRequests() {
        mailbox.wake.reset()
        for request in mailbox.take() {
            switch request {
            case .release(let slot): lostMarkers.append(slot)
            case .reconfigure(let shares, let id): reconfigure(shares, id: id)
            case .examine(let documents, let since, let id):
                examine(documents, since: since)
                report(.examined(id: id))
            }
        }
    }

    private func examine(_ documents: [(share: Int, path: PathBytes)], since: BootTime?) {
        let now = Self.now()
        let changedSince = since.map { fileTime(($0, .max), now) } ?? .min
        for (number, path) in documents {
            guard let slot = slots.firstIndex(where: { $0?.number == number }), let share = slots[slot], share.root != nil,
                share.share.layouts.placement(ofDocument: path) != nil, let top = rootPlace(slot)
            else { continue }
            let status = status(path, below: top)
            if let status, status.type != .folder {
                guard status.changed >= changedSince else { continue }
                emit(.found(since: since), share: slot, path: path, isFolder: false, facts: FileFacts(status), at: now.boot)
            } else {
                emit(.missing(since: since), share: slot, path: path, isFolder: false, facts: nil, at: now.boot)
            }
        }
        openFolders.removeAll(keepingCapacity: true)
    }

    private func status(_ path: PathBytes, below top: OpenFolder) -> FileStatus? {
        // Any refusal means that it is not where it was: gone, or reached only through a link or a mount.
        let folder = path.folder
        if folder.isRoot { return try? FileStatus(of: path.name, in: top.descriptor) }
        guard let open = try? Folder.open(folder.bytes[...], in: top.descriptor, for: .place) else { return nil }
        return try? FileStatus(of: path.name, in: open)
    }

    /// The wall clock from which on a file counts as changed since then. The earlier of the two ways to tell, since the clock may have been
    /// set meanwhile.
    func fileTime(_ instant: (boot: BootTime, wall: Int64), _ now: (boot: BootTime, wall: Int64)) -> Int64 {
        min(now.wall - (now.boot - instant.boot).microseconds, instant.wall) - Self.fileClockLag
    }
}

extension Change.Kind {
    /// The file has other content, or another file has its name.
    fileprivate var isWriting: Bool {
        switch self {
        case .created, .modified, .closedAfterWriting, .renamed, .movedIn: true
        case .opened, .closedWithoutWriting, .attributesChanged, .deleted, .movedOut, .found, .missing: false
        }
    }
}

extension FileFacts {
    /// What inference needs to know of what `statx` said.
    package init(_ status: FileStatus) {
        let type: FileType =
            switch status.type {
            case .file: .file
            case .folder: .folder
            case .symbolicLink: .symbolicLink
            case .other: .other
            }
        self.init(
            type: type, device: status.device, inode: status.inode, owner: status.owner, size: status.size,
            modified: WallTime(microseconds: status.modified), links: UInt32(clamping: status.links))
    }
}
