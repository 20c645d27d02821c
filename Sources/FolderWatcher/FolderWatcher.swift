// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookLinux
import Glibc
import Inference
import Synchronization

/// Watches folder trees on a thread of its own, by inotify or fanotify, and hands over what happens in them.
///
/// The order of the reports is the kernel's. Where the consumer is slow the thread waits, so that the kernel's own overflow tells the loss.
/// While nothing happens the thread sleeps without a time-out. Nothing is ever written below a share.
package final class FolderWatcher: Sendable {
    private enum Life { case new, running(WorkerThread), ended }

    private let shares: [WatchedShare]
    private let options: WatcherOptions
    private let output: HandOver<WatcherReport>
    private let inotify: Inotify
    private let fanotify: Result<Fanotify, SystemCallError>?
    private let markers: Markers
    private let mailbox: Mailbox
    private let life = Mutex(Life.new)

    /// Checks the shares and makes the kernel's queue; nothing is watched before `start`.
    ///
    /// Only the watcher puts into `output`, and `stop` closes it.
    package init(shares: [WatchedShare], options: WatcherOptions, output: HandOver<WatcherReport>) throws(WatchError) {
        try ShareCheck.check(shares, privateFolder: options.privateFolder)
        self.shares = shares
        var options = options
        if options.queueLength == nil { options.queueLength = Self.queueLength(options) }
        self.options = options
        self.output = output
        do throws(SystemCallError) {
            inotify = try Inotify()
            mailbox = try Mailbox()
        } catch {
            throw .noInstance(error)
        }
        do throws(SystemCallError) {
            fanotify = options.usesFanotify ? .success(try Fanotify()) : nil
        } catch {
            // Each share's state tells.
            fanotify = .failure(error)
        }
        do throws(SystemCallError) {
            markers = try Markers(folder: options.privateFolder, inotify: inotify)
        } catch {
            throw .privateFolder(path: options.privateFolder, error)
        }
    }

    deinit { stop() }

    /// The shorter of the queues that are made now; nil where the kernel does not say (before Linux 5.13 of fanotify, in some containers).
    private static func queueLength(_ options: WatcherOptions) -> Int? {
        (["inotify"] + (options.usesFanotify ? ["fanotify"] : [])).compactMap { interface in
            (try? SmallFile.readLine("/proc/sys/fs/\(interface)/max_queued_events")).flatMap { Int($0) }
        }.min()
    }

    /// Starts the thread: the crawl goes on while this returns.
    package func start() throws(WatchError) {
        let (shares, options, output, markers, mailbox) = (shares, options, output, markers, mailbox)
        let (inotify, fanotify) = (inotify, fanotify)
        let refused: WatchError? = life.withLock { life in
            guard case .new = life else { return .alreadyStarted }
            do throws(SystemCallError) {
                life = .running(
                    try WorkerThread(name: "watcher") {
                        options.onThreadStart?()
                        let loop = WatchLoop(
                            shares: shares, options: options, output: output,
                            kernel: KernelSources(inotify: inotify, fanotify: fanotify, refusalOfMark: options.refusalOfMark),
                            markers: markers,
                            mailbox: mailbox)
                        loop.run()
                    })
                return nil
            } catch {
                return .thread(error)
            }
        }
        if let refused { throw refused }
    }

    /// Ends the thread and waits for that; quick also while events pour in or the consumer is stuck.
    package func stop() {
        let thread: WorkerThread? = life.withLock { life in
            defer { life = .ended }
            if case .running(let thread) = life { return thread }
            return nil
        }
        mailbox.stop()
        // Frees the thread where it waits for room.
        output.close()
        thread?.join()
    }

    /// Watches these from now on; the answer is `.reconfigured(id)`. A share that stays as it was keeps its watches.
    package func reconfigure(_ shares: [WatchedShare], id: UInt64) throws(WatchError) {
        try ShareCheck.check(shares, privateFolder: options.privateFolder)
        mailbox.post(.reconfigure(shares, id: id))
    }

    /// Looks at documents that the caller knows: what is gone comes as `missing(since)`, what changed since then (all, where it is nil) as
    /// `found(since)`, and then `.examined(id)`. For after a gap: the watcher keeps no list of files, its caller knows those that matter.
    package func examine(_ documents: [(share: Int, path: PathBytes)], since: BootTime?, id: UInt64) {
        mailbox.post(.examine(documents, since: since, id: id))
    }

    /// Asks for `.marker(id)` behind all that has happened before this call. False where too many wait or the private file cannot be
    /// touched: ask again later.
    package func mark(id: UInt64) -> Bool { markers.begin(.mark(id: id)) != nil }

    /// Announces that the caller is about to open this document for reading, once. Nil where it cannot be announced now: do not read, try
    /// again later. Callable from any thread.
    package func beginOwnRead(share: Int, path: PathBytes) -> OwnRead? {
        markers.begin(.read(share: share, path: path, hasEnded: false)).map(OwnRead.init)
    }

    /// Says that the caller has closed it. One open and one close without writing of this name between the two calls are taken as the
    /// caller's and not reported; whatever else happened to it is.
    package func endOwnRead(_ read: consuming OwnRead) {
        if !markers.end(slot: read.slot) { mailbox.post(.release(slot: read.slot)) }
    }

    /// For `status`: watches in use, and per share how many folders are known.
    package var counts: WatcherCounts { mailbox.counts }
}

/// A read of the daemon's own that is under way. Give it to `FolderWatcher.endOwnRead`, always.
package struct OwnRead: ~Copyable, Sendable {
    let slot: Int
}

/// Figures for `status`.
package struct WatcherCounts: Equatable, Sendable {
    /// Watches of inotify's that this watcher holds, those on folders above the shares included.
    package var watches = 0
    /// Folders that are marked for fanotify.
    package var marks = 0
    /// By the share's number.
    package var folders: [Int] = []
    /// Records read from the kernel so far, directory noise included.
    package var records: UInt64 = 0
    package var overflows: UInt64 = 0

    package init() {}
}
