// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Changes of folders and of the configuration, which reach many documents at once.
extension InferenceEngine {
    mutating func folderChanged(_ change: Change) {
        let at = change.at
        switch change.kind {
        case .created, .movedIn, .found: sayAssignment(change, change.path, .appeared)
        case .deleted, .movedOut, .missing:
            sayAssignment(change, change.path, .vanished)
            for key in documents.keys(atOrBelow: change.path, share: change.share) {
                withDocument(key, at: at, create: false) { document, desk in document.cutOff(at: at, &desk) }
                guard var document = documents.take(key) else { continue }
                release(&document, key)
            }
        case .renamed(let from):
            let wasOne = desk.shares[change.share].layouts.assignmentFolder(from) != nil
            let isOne = desk.shares[change.share].layouts.assignmentFolder(change.path) != nil
            if isOne {
                sayAssignment(change, change.path, wasOne ? .renamed(from: from) : .appeared)
            } else {
                sayAssignment(change, from, .vanished)
            }
            let moved = documents.keys(atOrBelow: from, share: change.share)
            for key in moved {
                guard var document = documents.take(key), let path = key.path.moved(from: from, to: change.path) else { continue }
                // A folder of thousands of files that is renamed in a loop would cost them all each time. Without evidence they begin anew.
                if moved.count > desk.limits.movedQuietDocuments, document.isQuiet {
                    release(&document, key)
                    continue
                }
                move(document, from: key, to: Key(share: key.share, path: path), withFolder: true, at: at)
            }
        case .opened, .modified, .closedAfterWriting, .closedWithoutWriting, .attributesChanged: break
        }
    }

    private mutating func sayAssignment(_ change: Change, _ path: PathBytes, _ event: AssignmentFolderEvent) {
        guard let placement = desk.shares[change.share].layouts.assignmentFolder(path) else { return }
        desk.effects.append(
            .assignmentFolder(
                share: change.share, path: path, placement: placement, owner: change.facts?.owner, event: event, at: change.at))
    }

    /// Gives a document another name; what goes on, goes on. Outside all layouts its sessions end.
    mutating func move(_ document: Document, from: Key, to key: Key, withFolder: Bool, at: BootTime) {
        var document = document
        release(&document, from)
        guard let placement = placement(key) else {
            document.cutOff(at: at, &desk)
            return
        }
        let isSamePlace = placement == document.placement
        let old = document.path
        document.path = key.path
        document.placement = placement
        document.isIndexed = false
        document.removedAt = nil
        document.movedTo = nil
        if isSamePlace, withFolder {
            document.noteMove(from: old, at: at)
        } else {
            // Rested already; or another assignment or person, by which what follows must be judged.
            document.announceMove(&desk, anyway: true)
        }
        if var there = documents.take(key) {
            release(&there, key)
            // Both are known: the sessions go on side by side under the one name.
            document.sessions += there.sessions
            document.companions += there.companions.filter { new in !document.companions.contains { $0.name == new.name } }
            document.write = document.write ?? there.write
        }
        documents.put(document, key)
        withDocument(key, at: at, create: false) { _, _ in }
    }

    mutating func changeShares(to shares: [ShareLayout], at: BootTime) {
        let old = documents.keys.compactMap { key in documents[key].map { (key, $0) } }
        let oldShares = desk.shares
        documents = DocumentTable()
        officeNames = [:]
        deadlines = DeadlineQueue()
        var kept: [(Key, Document)] = []
        for (key, document) in old {
            var document = document
            release(&document, key)
            let index = shares.firstIndex { $0.path == oldShares[key.share].path }
            let placement = index.flatMap { shares[$0].layouts.placement(ofDocument: key.path) }
            if let index, let placement {
                kept.append((Key(share: index, path: key.path), document.inShare(index, placement)))
            } else {
                document.cutOff(at: at, &desk)
            }
        }
        desk.shares = shares
        for (key, document) in kept {
            documents.put(document, key)
            withDocument(key, at: at, create: false) { _, _ in }
        }
    }
}

extension Document {
    /// The same document under another number of its share.
    func inShare(_ share: Int, _ placement: Placement) -> Document {
        var copy = self
        copy.share = share
        copy.placement = placement
        copy.isIndexed = false
        return copy
    }
}
