// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Inference

/// A folder held open for a while. A class, since arrays hold copyable values only.
final class OpenFolder {
    let descriptor: OwnedDescriptor

    init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
}

/// One walk through folders, depth first, that can be left and taken up again between any two pieces.
final class Scan {
    enum Purpose: Equatable {
        /// A share is new: only assignment folders and interesting names are told of.
        case crawl
        /// Folders that appeared. All shares have one such scan, which goes first.
        case arrivals
        /// Something was lost: what changed is told of.
        case rescan
        /// What has no watch is tried again, and told of as in a rescan.
        case retry
        /// A share on a network is looked at for what other machines did.
        case poll

        /// What is known is looked at again, and what is missed is told of.
        var looksAgain: Bool { self == .rescan || self == .retry || self == .poll }
    }

    /// Which of a folder's files are told of.
    enum Telling: UInt8 { case interesting, all, changed }

    struct Visit {
        var folder: FolderTree.ID
        var weight: Float = 0
        /// For what is told as `found`.
        var since: BootTime?
        var telling: Telling
        /// The folder itself is to be told of, too.
        var tellsFolder: Bool
        /// It is to be listed although it has been.
        var again: Bool
    }

    struct Current {
        var visit: Visit
        var open: OpenFolder
        /// Where on the stack its own folders begin.
        var firstChild: Int
    }

    /// How many folders on the way down stay open. Deeper ones are opened again by their path.
    static let keptOpen = 16

    let purpose: Purpose
    /// The share's slot; nil for arrivals.
    let slot: Int?
    /// Wall clock in microseconds: a file that changed before is not told of by `.changed`.
    let changedSince: Int64
    let since: BootTime?
    var stack: [Visit] = []
    var current: Current?
    /// Folders that their parent's listing has missed.
    var missed: [FolderTree.ID] = []
    private(set) var done: Double = 0
    private(set) var folders = 0
    private var path: [(id: FolderTree.ID, open: OpenFolder)] = []

    init(_ purpose: Purpose, slot: Int?, since: BootTime? = nil, changedSince: Int64 = .min) {
        self.purpose = purpose
        self.slot = slot
        self.since = since
        self.changedSince = changedSince
    }

    var isFinished: Bool { stack.isEmpty && current == nil }

    func count(_ weight: Float) {
        folders += 1
        done = min(1, done + Double(weight))
    }

    /// The weight of the folder that has been listed is shared by itself and its folders.
    func shareWeight(of current: Current) {
        let children = stack.count - current.firstChild
        guard children >= 0 else { return }
        let part = current.visit.weight / Float(children + 1)
        for index in current.firstChild..<stack.count { stack[index].weight = part }
        count(part)
    }

    /// An ancestor that is still open; forgets those below it, since a depth-first walk does not come back to them.
    func kept(_ id: FolderTree.ID) -> OpenFolder? {
        while let last = path.last, last.id != id { path.removeLast() }
        return path.last?.open
    }

    func keep(_ id: FolderTree.ID, _ open: OpenFolder) {
        if path.count >= Self.keptOpen { path.removeFirst() }
        path.append((id, open))
    }

    /// Lets go of all descriptors, so that nothing keeps a file system busy.
    func close() { path.removeAll() }
}
