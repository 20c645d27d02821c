// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// The shares themselves: missing, there, moved away, mounted over, there again.
extension WatchLoop {
    /// Looks whether each share's folder is the one that is watched, and attaches what can be reached now.
    func verifyRoots() {
        rootsInDoubt = false
        for slot in slots.indices where slots[slot] != nil {
            if slots[slot]?.root != nil {
                if let problem = displacement(slot) { detach(slot, problem) } else { slots[slot]?.problem = nil }
            }
            if slots[slot]?.root == nil { attach(slot) }
        }
        // A mount somewhere else on the machine changes nothing here.
        if ancestorsInDoubt || slots.contains(where: { $0 != nil && $0?.root == nil }) { lookAbove() }
        if slots.contains(where: { $0 != nil && $0?.root == nil }), retryDue == nil {
            retryDue = Self.now().boot + options.retryInterval
        }
        if stateDue == nil, slots.contains(where: { $0?.needsReport == true }) { stateDue = Self.now().boot }
        planPoll()
    }

    private func lookAbove() {
        ancestorsInDoubt = false
        watchAncestors()
        // One may have appeared between the look and the watch.
        for slot in slots.indices where slots[slot]?.isMissing == true {
            attach(slot)
            // Attached: the folders above need no more than usual.
            if slots[slot]?.root != nil { rootsInDoubt = true }
        }
    }

    /// Why the share's path does not lead to the folder that is watched; nil where it does.
    private func displacement(_ slot: Int) -> String? {
        guard let share = slots[slot], let root = share.root else { return nil }
        if let refused = share.refusedMark, share.source == .fanotify {
            return "fanotify cannot mark all of it (\(WatchSource.refusal(refused))); inotify watches it from now on"
        }
        do throws(SystemCallError) {
            let status = try FileStatus(of: Folder.open(path: share.share.path, for: .place))
            if ShareSlot.Identity(status) != share.identity {
                if share.isMountPoint { return "its file system was unmounted; it is watched again as soon as it is mounted" }
                return share.problem ?? "another folder stands at its place"
            }
        } catch {
            // A shortage of our own says nothing about the share.
            if [EMFILE, ENFILE, ENOMEM].contains(error.code) { return nil }
            return share.problem ?? reason(error, share.share.path)
        }
        // Without its watch nothing is seen, even where the folder is the same (unmounted and mounted again).
        let isGuarded = share.source == .inotify || guards.values.contains(slot)
        if isGuarded, tree.watch(of: root) != nil || tree.marks(of: root).contains(.unwatched) { return nil }
        return share.problem ?? "the kernel has given up its watch"
    }

    private func detach(_ slot: Int, _ problem: String) {
        guard let root = slots[slot]?.root else { return }
        remove(root)
        giveBackGuard(of: slot)
        // What is refused a mark in its first crawl has not been watched before.
        let isNew = slots[slot]?.refusedMark != nil && scans.contains { $0.slot == slot && $0.purpose == .crawl }
        scans.removeAll { $0.slot == slot }
        openFolders.removeAll()
        ancestorsInDoubt = true
        slots[slot]?.root = nil
        slots[slot]?.identity = nil
        slots[slot]?.lost = isNew ? nil : drained
        slots[slot]?.problem = problem
        if slots[slot]?.isMountPoint == true { slots[slot]?.awaitsMount = true }
        // Told at once, also where it is attached again in the next moment: sessions there have ended.
        slots[slot]?.needsReport = true
        reportStates()
    }

    private func attach(_ slot: Int) {
        guard let share = slots[slot] else { return }
        slots[slot]?.isMissing = false
        do throws(SystemCallError) {
            let root = try Folder.open(path: share.share.path, for: .listing)
            let status = try FileStatus(of: root)
            let above = try FileStatus(of: Folder.open(path: share.share.path + "/..", for: .place))
            let isMountPoint = status.mount != above.mount || status.device != above.device
            if share.awaitsMount, !isMountPoint { return lack(slot, "its file system is not mounted; it is watched as soon as it is") }
            let watch = try watch(root: root, of: slot)
            if let watch, let other = tree.node(watch: watch) {
                let number = tree.share(of: other).flatMap { slots[$0]?.number } ?? 0
                return lack(slot, "it is the same folder as one of share number \(number + 1); keep one of them")
            }
            if let watch {
                forgotten.remove(watch)
                ancestors.remove(watch)
            }
            if slots[slot]?.source == .fanotify, try !placeGuard(slot, root) {
                return lack(slot, "it is the same folder as another share's; keep one of them")
            }
            guard let cursor = share.share.layouts.start else { return }
            let node = tree.addRoot(share: slot, cursor: cursor)
            if let watch { tree.setWatch(watch, of: node) } else { tree.mark(node, .unwatched) }
            ancestorsInDoubt = true
            slots[slot]?.root = node
            slots[slot]?.identity = ShareSlot.Identity(status)
            slots[slot]?.network = Folder.networkFileSystem(of: root)
            slots[slot]?.problem = nil
            slots[slot]?.isMountPoint = isMountPoint
            slots[slot]?.awaitsMount = false
            crawl(slot, node)
        } catch {
            slots[slot]?.isMissing = error.code == ENOENT
            lack(slot, reason(error, share.share.path))
        }
    }

    /// By fanotify where that is wanted and works, else by inotify. Nil where the kernel allows no more watches.
    private func watch(root: borrowing OwnedDescriptor, of slot: Int) throws(SystemCallError) -> Int32? {
        slots[slot]?.source = .inotify
        slots[slot]?.refusal = nil
        if options.usesFanotify {
            do throws(SystemCallError) {
                if let refused = slots[slot]?.refusedMark { throw refused }
                let watch = try kernel.watch(root, by: .fanotify)
                slots[slot]?.source = .fanotify
                if let path = slots[slot]?.share.path { kernel.fanotify?.note(place: path, of: root) }
                return watch
            } catch {
                slots[slot]?.refusal = error
            }
        }
        do throws(SystemCallError) {
            return try kernel.watch(root, by: .inotify)
        } catch {
            guard error.code == ENOSPC else { throw error }
            return nil
        }
    }

    // MARK: Guards

    /// False where another share has it already.
    private func placeGuard(_ slot: Int, _ root: borrowing OwnedDescriptor) throws(SystemCallError) -> Bool {
        let watch = try kernel.inotify.watch(root, InotifyMask.ancestor.rawValue)
        guard guards[watch] == nil, tree.node(watch: watch) == nil else { return false }
        forgotten.remove(watch)
        guards[watch] = slot
        ancestorsInDoubt = true
        return true
    }

    func giveBackGuard(of slot: Int) {
        guard let watch = guards.first(where: { $0.value == slot })?.key else { return }
        guards[watch] = nil
        if !ancestors.contains(watch) { forgotten.insert(watch) }
    }

    private func crawl(_ slot: Int, _ root: FolderTree.ID) {
        guard let share = slots[slot] else { return }
        let now = Self.now()
        let scan: Scan
        if let lost = share.lost {
            // It was watched before: what changed since then is told of as after any other loss.
            slots[slot]?.lost = nil
            report(.gap(WatchGap(cause: .unavailable, share: share.number, from: lost.boot, to: now.boot)))
            scan = Scan(.crawl, slot: slot, since: lost.boot, changedSince: fileTime(lost, now))
            scan.stack = [Scan.Visit(folder: root, weight: 1, since: lost.boot, telling: .changed, tellsFolder: false, again: true)]
        } else {
            scan = Scan(.crawl, slot: slot)
            scan.stack = [Scan.Visit(folder: root, weight: 1, since: nil, telling: .interesting, tellsFolder: false, again: true)]
        }
        scans.append(scan)
        slots[slot]?.needsReport = false
    }

    private func lack(_ slot: Int, _ problem: String) {
        // What the kernel said when it went is more than that it is not there now.
        if slots[slot]?.problem == nil { slots[slot]?.problem = problem }
        slots[slot]?.needsReport = true
    }

    private func reason(_ error: SystemCallError, _ path: String) -> String {
        switch error.code {
        case ENOENT: "the folder does not exist; it is watched as soon as it does"
        case ENOTDIR: "it is no folder"
        case EACCES, EPERM: "the daemon may not read it; give it CAP_DAC_READ_SEARCH or the right to read"
        default: "it cannot be opened: \(error)"
        }
    }

    // MARK: Folders above

    /// Watches the folders above each share, for being moved or deleted; above a missing one also for what appears in them.
    private func watchAncestors() {
        var wanted: [String: InotifyMask] = [:]
        for slot in slots {
            guard let slot else { continue }
            var path = slot.share.path[...]
            var isMissing = slot.root == nil
            while let slash = path.dropLast(path.hasSuffix("/") ? 1 : 0).lastIndex(of: "/") {
                path = path[..<slash]
                let folder = path.isEmpty ? "/" : String(path)
                wanted[folder, default: []].formUnion(isMissing ? .ancestorOfMissing : .ancestor)
                // Only the nearest one that exists has to tell of what appears.
                if isMissing, access(folder, F_OK) == 0 { isMissing = false }
                if path.isEmpty { break }
            }
        }
        var watches: [Int32: InotifyMask] = [:]
        for (path, mask) in wanted {
            // What is missing or may not be read is looked for by the timer.
            guard let watch = try? kernel.inotify.watch(path: path, mask.rawValue) else { continue }
            if watch == markers.watch {
                _ = try? kernel.inotify.watch(path: path, mask.union([.attributes, .onlyFolder]).rawValue)
            } else if tree.node(watch: watch) != nil {
                // Also a folder of a share (by way of a link): that counts for more.
                _ = try? kernel.inotify.watch(path: path, InotifyMask.folder.rawValue)
            } else {
                forgotten.remove(watch)
                // Two paths may be one folder: then it needs both masks.
                let both = watches[watch, default: []].union(mask)
                if both != mask { _ = try? kernel.inotify.watch(path: path, both.rawValue) }
                watches[watch] = both
            }
        }
        forgotten.formUnion(ancestors.subtracting(watches.keys).subtracting(guards.keys))
        ancestors = Set(watches.keys)
    }

    // MARK: New settings

    func reconfigure(_ shares: [WatchedShare], id: UInt64) {
        flush()
        var kept: Set<Int> = []
        var fresh: [(number: Int, share: WatchedShare)] = []
        var numbers: [Int: Int] = [:]
        for (number, share) in shares.enumerated() {
            if let slot = slots.indices.first(where: { slots[$0]?.share == share && !kept.contains($0) }) {
                kept.insert(slot)
                numbers[slot] = number
            } else {
                fresh.append((number, share))
            }
        }
        for slot in slots.indices where !kept.contains(slot) {
            if let root = slots[slot]?.root { remove(root) }
            giveBackGuard(of: slot)
            scans.removeAll { $0.slot == slot }
            slots[slot] = nil
        }
        openFolders.removeAll()
        for (slot, number) in numbers {
            slots[slot]?.number = number
            slots[slot]?.needsReport = true
            slots[slot]?.reported = nil
            // The administrator may have moved the data off that file system.
            slots[slot]?.awaitsMount = false
        }
        for (number, share) in fresh {
            let slot = ShareSlot(share: share, number: number)
            if let free = slots.firstIndex(where: { $0 == nil }) { slots[free] = slot } else { slots.append(slot) }
        }
        report(.reconfigured(id: id))
        ancestorsInDoubt = true
        verifyRoots()
        reportStates()
    }
}
