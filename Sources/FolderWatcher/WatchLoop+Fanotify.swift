// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

/// What fanotify's records mean, in the same words as inotify's. It differs in four things: a folder is named by its handle, one record may
/// tell of several happenings, a rename is one record, and the process is known.
extension WatchLoop {
    /// What belongs to every change that one record makes.
    struct Speaker {
        var actor: Actor?
        var isMerged: Bool
        /// What was there under a name, asked once for all happenings of the record.
        var seen: (folder: FolderTree.ID, name: ArraySlice<UInt8>, facts: FileFacts?)?
    }

    /// How far ahead a rename is looked for that has swallowed what comes before it.
    static let mergeLookAhead = 256

    private static let own: [UInt8] = [UInt8(ascii: ".")]

    /// `records` loses those of which nothing comes.
    func handle(_ records: inout [FanotifyRecord], _ bytes: [UInt8], at: BootTime) {
        guard let fanotify = kernel.fanotify else { return }
        fanotify.actors.beginBatch()
        records.removeAll { !isOfInterest($0, bytes) }
        // Before all else: a server's process may be working for somebody else in the next moment.
        for record in records { _ = fanotify.actors.actor(record.pid, at: at) }
        // What the kernel has put before a rename although it came after it, by the rename's place in the batch.
        var later: [Int: Int] = [:]
        for (index, record) in records.enumerated() where !isStopping {
            if let rename = swallowing(records, index, bytes) {
                later[rename] = index
                continue
            }
            handle(record, fanotify, bytes, at: at)
            if let after = later.removeValue(forKey: index) { handle(records[after], fanotify, bytes, at: at) }
        }
        for index in later.values.sorted() where !isStopping { handle(records[index], fanotify, bytes, at: at) }
        speaker = nil
    }

    private func handle(_ record: FanotifyRecord, _ fanotify: FanotifySource, _ bytes: [UInt8], at: BootTime) {
        let mask = record.mask
        if mask.contains(.queueOverflow) { return lostTrack(at: at) }
        speaker = Speaker(actor: fanotify.actors.actor(record.pid, at: at), isMerged: mask.isMerged)
        defer { speaker = nil }
        if mask.contains(.rename) { return rename(record, bytes, at: at) }
        guard let folder = node(record.place, bytes) else { return }
        let name = bytes[record.place.name]
        guard mask.contains(.isFolder) else {
            mask.forEachHappening(isThere: { facts(folder, name) != nil }) { handleFile(folder, name, InotifyMask($0), at: at) }
            return
        }
        // A folder's attributes come under its own handle, all else under that of the folder above.
        guard name == Self.own[...] else {
            let happenings = mask.intersection([.create, .delete])
            happenings.forEachHappening(isThere: { facts(folder, name) != nil }) { handleFolder(folder, name, InotifyMask($0), at: at) }
            return
        }
        guard mask.contains(.attributes) else { return }
        if let parent = tree.parent(of: folder), let name = tree.withName(of: folder, { Array($0) }) {
            handleFolder(parent, name[...], .attributes, at: at)
        } else if tree.marks(of: folder).contains(.unreadable) {
            visitAgain(folder, telling: .interesting)
        }
    }

    /// Whether anything can come of it: not our own doing, not the listing and entering of folders (most of all records), and in a folder
    /// that counts.
    private func isOfInterest(_ record: FanotifyRecord, _ bytes: [UInt8]) -> Bool {
        if record.mask.contains(.queueOverflow) { return true }
        guard record.pid != options.ownProcess else { return false }
        if record.mask.contains(.isFolder) {
            return !record.mask.isDisjoint(with: [.create, .delete, .attributes, .rename])
        }
        return holdsDocuments(record.place, bytes) || holdsDocuments(record.newPlace, bytes)
    }

    private func holdsDocuments(_ place: FanotifyRecord.Place, _ bytes: [UInt8]) -> Bool {
        node(place, bytes).map(holdsDocuments) ?? false
    }

    private func node(_ place: FanotifyRecord.Place, _ bytes: [UInt8]) -> FolderTree.ID? {
        guard !place.folder.isEmpty else { return nil }
        return kernel.fanotify?.watch(handle: bytes[place.folder]).flatMap { tree.node(watch: $0) }
    }

    // MARK: Renames

    /// Both halves, or one of them where only that place is watched.
    private func rename(_ record: FanotifyRecord, _ bytes: [UInt8], at: BootTime) {
        let isFolder = record.mask.contains(.isFolder)
        let target = node(record.newPlace, bytes)
        let newName = bytes[record.newPlace.name]
        var left: Place?
        if let folder = node(record.place, bytes) {
            let name = bytes[record.place.name]
            forgetListed(folder, name)
            if isFolder {
                left = tree.child(of: folder, named: name).map { Place(parent: folder, name: Array(name), folder: $0) }
            } else if holdsDocuments(folder) {
                left = Place(parent: folder, name: Array(name))
            }
        }
        switch (left, target) {
        case (let left?, let target?): renamed(left, to: target, newName, at: at)
        case (let left?, nil): movedOut(left, at: at)
        case (nil, let target?): arrived(target, newName, isFolder ? .isFolder : [], cookie: 0, at: at)
        case (nil, nil): break
        }
    }

    /// The kernel adds a happening to an earlier record of the same process and name that nobody has read. Where a rename lies between the
    /// two, that looks as if it had come first: a program that renames its document to a backup and writes it anew under the old name would
    /// seem to have written the backup. The rename's place in the batch, where what is there now shows that it was so.
    private func swallowing(_ records: [FanotifyRecord], _ index: Int, _ bytes: [UInt8]) -> Int? {
        let record = records[index]
        let isMade = record.mask.contains(.create)
        guard isMade || record.mask.contains(.delete), records.count > index + 1 else { return nil }
        for next in index + 1..<min(records.count, index + 1 + Self.mergeLookAhead) where records[next].mask.contains(.rename) {
            guard records[next].pid == record.pid else { continue }
            // Away from the name, which is there again; or onto the name, which is gone again.
            let place = isMade ? records[next].place : records[next].newPlace
            guard bytes[place.name] == bytes[record.place.name], bytes[place.folder] == bytes[record.place.folder],
                let folder = node(record.place, bytes), (facts(folder, bytes[record.place.name]) != nil) == isMade
            else { continue }
            return next
        }
        return nil
    }
}

extension InotifyMask {
    /// The kernel has one number for both.
    fileprivate init(_ mask: FanotifyMask) { self.init(rawValue: UInt32(truncatingIfNeeded: mask.rawValue)) }
}
