// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookLinux
package import Inference

/// Watches folder trees on a thread of its own, and hands over what happens in them.
///
/// The order of the reports is the kernel's. Where the consumer is slow the thread waits, so that the kernel's own overflow tells the loss.
/// While nothing happens the thread sleeps without a time-out. Nothing is ever written below a share.
package final class FolderWatcher: Sendable {
    /// Checks the shares and makes the kernel's queue; nothing is watched before `start`.
    ///
    /// Only the watcher puts into `output`, and `stop` closes it.
    package init(shares: [WatchedShare], options: WatcherOptions, output: HandOver<WatcherReport>) throws(WatchError) {
        fatalError()
    }

    /// Starts the thread: the crawl goes on while this returns.
    package func start() throws(WatchError) {}

    /// Ends the thread and waits for that; quick also while events pour in or the consumer is stuck.
    package func stop() {}

    /// Watches these from now on; the answer is `.reconfigured(id)`. A share that stays as it was keeps its watches.
    package func reconfigure(_ shares: [WatchedShare], id: UInt64) throws(WatchError) {}

    /// Looks at documents that the caller knows: what is gone comes as `missing(since)`, what changed since then (all, where it is nil) as
    /// `found(since)`, and then `.examined(id)`. For after a gap: the watcher keeps no list of files, its caller knows those that matter.
    package func examine(_ documents: [(share: Int, path: PathBytes)], since: BootTime?, id: UInt64) {}

    /// Asks for `.marker(id)` behind all that has happened before this call. False where too many wait or the private file cannot be
    /// touched: ask again later.
    package func mark(id: UInt64) -> Bool { false }

    /// Announces that the caller is about to open this document for reading, once. Nil where it cannot be announced now: do not read, try
    /// again later. Callable from any thread.
    package func beginOwnRead(share: Int, path: PathBytes) -> OwnRead? { nil }

    /// Says that the caller has closed it. One open and one close without writing of this name between the two calls are taken as the
    /// caller's and not reported; whatever else happened to it is.
    package func endOwnRead(_ read: consuming OwnRead) {}

    /// For `status`: watches in use, and per share how many folders are known.
    package var counts: WatcherCounts { WatcherCounts() }
}

/// A read of the daemon's own that is under way. Give it to `FolderWatcher.endOwnRead`, always.
package struct OwnRead: ~Copyable, Sendable {
    let slot: Int
}

/// Figures for `status`.
package struct WatcherCounts: Equatable, Sendable {
    /// Watches that this watcher holds, those on folders above the shares included.
    package var watches = 0
    /// By the share's number.
    package var folders: [Int] = []
    /// Records read from the kernel so far, directory noise included.
    package var records: UInt64 = 0
    package var overflows: UInt64 = 0

    package init() {}
}
