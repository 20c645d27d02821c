// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// What the watcher's thread hands over, in the order in which it learned it.
package enum WatcherReport: Equatable, Sendable {
    /// Some changes, oldest first. A full batch of one read may come as several reports.
    case changes([Change])
    /// Something may have been missed. A rescan follows by itself; deleted documents are found by `FolderWatcher.examine`.
    case gap(WatchGap)
    /// How well a share is watched from now on: at the start, after its crawl, and at each change.
    case state(ShareState)
    /// How far the crawl of a share is. Comes at most a few times a second, and once with `isFinished`.
    case crawl(CrawlProgress)
    /// A rescan of one share is through: what changed since then has been reported as `found` or `missing` (folders).
    case rescanned(share: Int, since: BootTime)
    /// The answers to `examine(_:since:id:)` are all before this.
    case examined(id: UInt64)
    /// All that happened before `mark(id:)` was called has been reported before this (but the first half of a rename may still wait for
    /// its second).
    case marker(id: UInt64)
    /// From here on the numbers of shares are those of the list given to `reconfigure`.
    case reconfigured(id: UInt64)
    /// The thread cannot go on (the kernel refused to be read): nothing more will come.
    case failed(reason: String)

    /// Takes the changes of `next` in behind its own; false where one of the two is something else or they would be more than `limit`.
    mutating func join(_ next: WatcherReport, limit: Int) -> Bool {
        guard case .changes(var changes) = self, case .changes(let more) = next, changes.count + more.count <= limit else { return false }
        // With one owner nothing is copied.
        self = .changes([])
        changes.append(contentsOf: more)
        self = .changes(changes)
        return true
    }
}

/// A stretch in which changes may have been missed.
package struct WatchGap: Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        /// The kernel's queue was full.
        case overflow
        /// The share could not be reached in between.
        case unavailable
    }

    package var cause: Cause
    /// Nil for all shares, since they are in one queue.
    package var share: Int?
    /// The last instant at which everything was known to be read.
    package var from: BootTime
    package var to: BootTime

    package init(cause: Cause, share: Int?, from: BootTime, to: BootTime) {
        self.cause = cause
        self.share = share
        self.from = from
        self.to = to
    }
}

/// How well one share is watched.
package struct ShareState: Equatable, Sendable {
    package enum Condition: Equatable, Sendable { case complete, partial, unavailable }

    package var share: Int
    package var condition: Condition
    package var source: WatchSource
    /// Why inotify watches it although fanotify was to, in words for an administrator.
    package var refusal: String?
    /// Folders that are known and can lead to a document.
    package var folders: Int
    /// Why it is not complete, in words for an administrator; names no folder.
    package var reason: String?
    /// Folders that cannot be read, at most `WatcherOptions.unreadableListed` of them. The caller masks them.
    package var unreadable: [PathBytes]
    package var unreadableCount: Int
    /// Folders without a watch, which are listed on a timer instead.
    package var unwatched: Int

    package init(
        share: Int, condition: Condition, folders: Int, source: WatchSource = .inotify, refusal: String? = nil, reason: String? = nil,
        unreadable: [PathBytes] = [], unreadableCount: Int = 0, unwatched: Int = 0
    ) {
        self.share = share
        self.condition = condition
        self.folders = folders
        self.source = source
        self.refusal = refusal
        self.reason = reason
        self.unreadable = unreadable
        self.unreadableCount = unreadableCount
        self.unwatched = unwatched
    }
}

/// How far a crawl is.
package struct CrawlProgress: Equatable, Sendable {
    package var share: Int
    /// Folders listed so far.
    package var folders: Int
    /// 0 to 1, never falling: each folder counts as its part of the folder above it, since nobody knows the total beforehand.
    package var fraction: Double
    package var isFinished: Bool

    package init(share: Int, folders: Int, fraction: Double, isFinished: Bool) {
        self.share = share
        self.folders = folders
        self.fraction = fraction
        self.isFinished = isFinished
    }
}
