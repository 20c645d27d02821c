// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

extension WatchLoop {
    // MARK: Halves

    /// The first half of a rename. Its second is mostly the next record, and then taken out of `records`.
    func left(
        _ folder: FolderTree.ID, _ name: ArraySlice<UInt8>, _ mask: InotifyMask, cookie: UInt32, at: BootTime,
        rest records: inout [InotifyRecord], after index: Int, _ bytes: [UInt8]
    ) {
        forgetListed(folder, name)
        var place = Place(parent: folder, name: Array(name))
        if mask.contains(.isFolder) {
            // A folder that is none of ours may still arrive at a place that is: then its second half stands alone.
            guard let child = tree.child(of: folder, named: name) else { return }
            place.folder = child
        } else if !holdsDocuments(folder) {
            return
        }
        let end = min(records.count, index + 1 + Self.renameLookAhead)
        for other in index + 1..<max(end, index + 1) where records[other].cookie == cookie && records[other].mask.contains(.movedTo) {
            guard let target = tree.node(watch: records[other].watch) else { break }
            let newName = bytes[records[other].name]
            records[other] = InotifyRecord(watch: 0, mask: [])
            return renamed(place, to: target, newName, at: at)
        }
        if let oldest = pairing.left(place, cookie: cookie, at: at) { movedOut(oldest.place, at: oldest.at) }
    }

    /// A second half whose first was not in the same batch.
    func arrived(_ folder: FolderTree.ID, _ name: ArraySlice<UInt8>, _ mask: InotifyMask, cookie: UInt32, at: BootTime) {
        if let half = pairing.arrived(cookie: cookie) {
            renamed(half.place, to: folder, name, at: at)
        } else if mask.contains(.isFolder) {
            flushHalf(folder, name)
            enter(folder, name, as: .movedIn, since: nil, at: at)
        } else if holdsDocuments(folder) {
            flushHalf(folder, name)
            emit(.movedIn, folder, name, facts: facts(folder, name), at: at)
        }
    }

    /// The name is used again: what was called so before has left for good, and must be told of first.
    func flushHalf(_ folder: FolderTree.ID, _ name: ArraySlice<UInt8>) {
        guard pairing.deadline != nil else { return }
        if let half = pairing.take(where: { $0.parent == folder && $0.name[...] == name }) { movedOut(half.place, at: half.at) }
    }

    /// Half a rename without the other: it went where nobody watches.
    func movedOut(_ place: Place, at: BootTime) {
        if let folder = place.folder {
            guard tree.contains(folder) else { return }
            emit(.movedOut, folder: folder, at: at)
            remove(folder)
        } else {
            emit(.movedOut, place.parent, place.name[...], at: at)
        }
    }

    // MARK: Pairs

    func renamed(_ place: Place, to parent: FolderTree.ID, _ name: ArraySlice<UInt8>, at: BootTime) {
        flushHalf(parent, name)
        if let folder = place.folder {
            renamedFolder(folder, to: parent, name, at: at)
        } else {
            renamedFile(place, to: parent, name, at: at)
        }
    }

    private func renamedFile(_ place: Place, to parent: FolderTree.ID, _ name: ArraySlice<UInt8>, at: BootTime) {
        for index in activeReads.indices where activeReads[index].folder == place.parent && activeReads[index].name == place.name {
            activeReads[index].folder = parent
            activeReads[index].name = Array(name)
        }
        guard holdsDocuments(parent) else { return movedOut(place, at: at) }
        let found = facts(parent, name)
        if tree.share(of: place.parent) == tree.share(of: parent), let from = tree.path(of: place.parent) {
            emit(.renamed(from: from.appending(place.name)), parent, name, facts: found, at: at)
        } else {
            movedOut(place, at: at)
            emit(.movedIn, parent, name, facts: found, at: at)
        }
    }

    private func renamedFolder(_ folder: FolderTree.ID, to parent: FolderTree.ID, _ name: ArraySlice<UInt8>, at: BootTime) {
        guard let from = tree.path(of: folder) else {
            // Gone from the tree meanwhile: as good as from outside.
            return enter(parent, name, as: .movedIn, since: nil, at: at)
        }
        guard let layouts = layouts(of: parent), let above = tree.cursor(of: parent), let cursor = layouts.entering(name, from: above)
        else {
            return movedOut(Place(parent: parent, name: [], folder: folder), at: at)
        }
        guard tree.share(of: folder) == tree.share(of: parent) else {
            emit(.movedOut, folder: folder, at: at)
            remove(folder)
            return enter(parent, name, as: .movedIn, since: nil, at: at)
        }
        // Only an empty folder can be replaced by a rename; or a listing has seen this one here already.
        if let taken = tree.child(of: parent, named: name), taken != folder { remove(taken) }
        guard tree.move(folder, to: parent, named: name) else {
            // Only records that contradict each other lead here: look instead of guessing.
            visitAgain(parent, telling: .changed)
            return
        }
        tree.unmark(folder, .missed)
        emit(.renamed(from: from), folder: folder, facts: facts(parent, name), at: at)
        replace(folder, cursor)
    }

    /// Gives a moved folder its new place in the layouts, and all below it. What cannot lead to a document any more is left; what now can is
    /// entered.
    func replace(_ folder: FolderTree.ID, _ cursor: LayoutCursor) {
        guard tree.cursor(of: folder) != cursor, let layouts = layouts(of: folder) else { return }
        var changed: [(FolderTree.ID, LayoutCursor)] = [(folder, cursor)]
        while let (next, cursor) = changed.popLast() {
            tree.setCursor(cursor, of: next)
            for child in tree.children(of: next) {
                let below = tree.withName(of: child) { layouts.entering($0, from: cursor) }
                guard let below, let place = below else {
                    remove(child)
                    continue
                }
                changed.append((child, place))
            }
            // Folders that led nowhere before were not noted, so only a listing knows them.
            visitAgain(next, telling: .interesting)
        }
    }

    // MARK: The tree

    /// A folder that was not known appeared: told of, watched, listed.
    func enter(_ parent: FolderTree.ID, _ name: ArraySlice<UInt8>, as kind: Change.Kind, since: BootTime?, at: BootTime) {
        guard let layouts = layouts(of: parent), let above = tree.cursor(of: parent), let cursor = layouts.entering(name, from: above),
            let (child, isNew) = tree.add(name, to: parent, cursor: cursor)
        else { return }
        guard isNew else {
            // A listing was faster. After a move another folder may stand here now.
            if kind == .movedIn { visitAgain(child, telling: .interesting) }
            return
        }
        emit(kind, folder: child, facts: facts(parent, name), at: at)
        arrivals.stack.append(Scan.Visit(folder: child, since: since, telling: .all, tellsFolder: false, again: false))
    }

    /// Has a known folder opened once more: watched if it is not, listed where it was not or where another one stands at its name.
    func visitAgain(_ folder: FolderTree.ID, telling: Scan.Telling) {
        arrivals.stack.append(Scan.Visit(folder: folder, since: drained.boot, telling: telling, tellsFolder: false, again: true))
    }

    /// Takes a folder out of the tree; its watches are given back bit by bit.
    func remove(_ folder: FolderTree.ID) {
        var watches: [Int32] = []
        tree.remove(folder) { _, watch in if watch != 0 { watches.append(watch) } }
        forgotten.formUnion(watches)
    }
}
