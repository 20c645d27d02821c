// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// One thing that happened to a name below a share, whatever kernel interface saw it.
package struct Change: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case created
        case opened
        /// Content was written or cut.
        case modified
        case closedAfterWriting
        case closedWithoutWriting
        /// Owner, mode, times or the number of links.
        case attributesChanged
        case deleted
        /// The name came from another name below the same share.
        case renamed(from: PathBytes)
        /// It came from a place that is not watched; a folder's content follows as `found`.
        case movedIn
        /// It went to a place that is not watched.
        case movedOut
        /// A listing found it: at the first crawl, in a new folder, or in a rescan after something was lost. It was not there, or not
        /// like this, at `since` (nil: nothing is known of earlier).
        case found(since: BootTime?)
        /// A rescan missed it: it was deleted or moved since then.
        case missing(since: BootTime?)
    }

    package var at: BootTime
    /// Index into the configured shares.
    package var share: Int
    package var path: PathBytes
    package var isFolder: Bool
    package var kind: Kind
    /// What `fstatat` (without following links) said right after the event; nil where the name was gone by then.
    package var facts: FileFacts?
    /// The process behind the event where the kernel named it (fanotify).
    package var actor: Actor?
    /// True for one of several that the kernel told as a single event, since nobody had read it yet: in which order they happened, and how
    /// often, is not known.
    package var isMerged: Bool

    package init(
        at: BootTime, share: Int, path: PathBytes, isFolder: Bool, kind: Kind, facts: FileFacts? = nil, actor: Actor? = nil,
        isMerged: Bool = false
    ) {
        self.at = at
        self.share = share
        self.path = path
        self.isFolder = isFolder
        self.kind = kind
        self.facts = facts
        self.actor = actor
        self.isMerged = isMerged
    }
}

/// What the kernel knows of a file at one moment.
package struct FileFacts: Equatable, Sendable {
    package enum FileType: Equatable, Sendable { case file, folder, symbolicLink, other }

    package var type: FileType
    package var device: UInt64
    package var inode: UInt64
    package var owner: UInt32
    package var size: Int64
    /// Wall clock, since that is what file systems store.
    package var modified: WallTime
    package var links: UInt32

    package init(
        type: FileType, device: UInt64 = 0, inode: UInt64 = 0, owner: UInt32, size: Int64 = 0,
        modified: WallTime = WallTime(microseconds: 0), links: UInt32 = 1
    ) {
        self.type = type
        self.device = device
        self.inode = inode
        self.owner = owner
        self.size = size
        self.modified = modified
        self.links = links
    }
}

/// The process behind an event, as `/proc` showed it when the event was read.
package struct Actor: Equatable, Sendable {
    package var pid: Int32
    /// The file-system uid; nil where the process had gone.
    package var uid: UInt32?
    /// The process's own name, not a thread's.
    package var program: String?
    /// When the process was started; nil where it had gone or the source does not tell.
    package var startedAt: BootTime?

    package init(pid: Int32, uid: UInt32?, program: String?, startedAt: BootTime? = nil) {
        self.pid = pid
        self.uid = uid
        self.program = program
        self.startedAt = startedAt
    }
}
