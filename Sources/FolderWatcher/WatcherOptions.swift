// SPDX-License-Identifier: Apache-2.0
import Glibc
package import Inference

/// One folder tree to watch, and what counts in it.
package struct WatchedShare: Equatable, Sendable {
    /// Absolute, as configured. Links on the way to it are followed, links below it never.
    package var path: String
    package var layouts: LayoutSet

    package init(path: String, layouts: LayoutSet) {
        self.path = path
        self.layouts = layouts
    }
}

/// The watcher's settings and limits, each with its default.
package struct WatcherOptions: Sendable {
    /// An existing folder of the daemon's own, below no share and writable: the files for `beginOwnRead` and `mark` are made in it.
    package var privateFolder: String
    /// Whether fanotify is used where it works, share by share. It tells whose a change is.
    package var usesFanotify = false
    /// The process whose events count for nothing where fanotify tells whose they are: this one.
    package var ownProcess: Int32 = getpid()
    /// How long a wake-up by inotify waits for more before it reads. Measured: 10 ms make an event three times cheaper than reading at once.
    package var batchDelay: Duration = .milliseconds(10)
    /// How long after a read of fanotify's records the next one waits at least. The first after a rest is never late.
    package var fanotifyPause: Duration = .milliseconds(1)
    /// The same after records of which nothing came, as the listing of folders makes without end.
    package var fanotifyPauseAfterNoise: Duration = .milliseconds(5)
    /// How many records the kernel lets wait, where it is known. A short queue is read earlier.
    package var queueLength: Int?
    /// So many records at most come in a second, for how soon a quarter of the queue is full.
    static let mostRecordsPerSecond = 200_000
    /// The kernel's own bound of its limit.
    private static let longestQueue = Int(Int32.max)

    /// Folders that are listed before events are looked at: the records of that are to leave most of the queue free, too.
    package var slice: Int { min(foldersPerSlice, queueLength.map { max(1, $0 / 12) } ?? foldersPerSlice) }

    /// The longest wait before reading that leaves most of the queue free. With the kernel's usual 16,384 it is longer than any of the above.
    package var longestWait: Duration {
        queueLength.map { .microseconds(Int64(min(max(0, $0), Self.longestQueue)) * 1_000_000 / (4 * Int64(Self.mostRecordsPerSecond))) }
            ?? .seconds(1)
    }

    /// Bytes taken by one read.
    package var readSize = 128 * 1024
    /// The most changes in one report.
    package var changesPerReport = 1024
    /// How long the first half of a rename waits for its second before it counts as moved out.
    package var renameWindow: Duration = .milliseconds(100)
    /// How many such halves wait at most.
    package var renameCapacity = 1024
    /// How long after an overflow the rescan starts; doubled at each further overflow up to `rescanDelayLimit`.
    package var rescanDelay: Duration = .seconds(1)
    package var rescanDelayLimit: Duration = .seconds(60)
    /// How often what is partly watched or unavailable is tried again. Nothing is scheduled while all is well.
    package var retryInterval: Duration = .seconds(30)
    /// How often shares on network file systems are looked at for what other machines did. Nothing is scheduled where there is none.
    package var pollInterval: Duration = .seconds(60)
    /// The most watches to use; nil: as many as the kernel allows (fs.inotify.max_user_watches).
    package var mostWatches: Int?
    /// The most folders to mark for fanotify; nil: as many as the kernel allows (fs.fanotify.max_user_marks).
    package var mostMarks: Int?
    /// For tests: what the kernel refuses a fanotify mark with, by how many are set already; nil: it is asked.
    package var refusalOfMark: (@Sendable (_ marked: Int) -> Int32?)?
    /// Folders nested deeper in a share are not entered, and listed as unreadable.
    package var deepest = 128
    /// How many folders a crawl lists before it looks at the events again. Each costs up to three records of the kernel's queue.
    package var foldersPerSlice = 256
    /// How often progress of a crawl is reported.
    package var progressInterval: Duration = .milliseconds(500)
    /// How many unreadable folders `ShareState` names.
    package var unreadableListed = 100
    /// How many names of new folders are remembered to tell an event from what the listing already said. Beyond it, a file may be reported
    /// as found and as created.
    package var listedNamesRemembered = 65_536
    /// Which files the first crawl reports besides assignment folders: lock files and their like.
    package var isInteresting: @Sendable (ArraySlice<UInt8>) -> Bool
    /// Runs first on the watcher's thread, e.g. to lower its rights.
    package var onThreadStart: (@Sendable () -> Void)?

    package init(privateFolder: String, isInteresting: @escaping @Sendable (ArraySlice<UInt8>) -> Bool) {
        self.privateFolder = privateFolder
        self.isInteresting = isInteresting
    }
}
