// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Inference

/// One share as the watcher's thread sees it. Its place in the list of slots stays, its number is what the caller knows it by.
///
/// Belongs to the watcher's thread.
final class ShareSlot {
    struct Identity: Equatable {
        var device: UInt64
        var mount: UInt64
        var inode: UInt64
        var born: Int64?

        init(_ status: FileStatus) {
            device = status.device
            mount = status.mount
            inode = status.inode
            born = status.born
        }
    }

    let share: WatchedShare
    var number: Int
    var source = WatchSource.inotify
    /// Why fanotify does not watch it, where it was to.
    var refusal: SystemCallError?
    /// Set where fanotify may not mark one of its folders: inotify watches it from then on.
    var refusedMark: SystemCallError?
    /// Nil while it is unavailable.
    var root: FolderTree.ID?
    var identity: Identity?
    /// Why it is unavailable.
    var problem: String?
    /// It is unavailable because its path names nothing.
    var isMissing = false
    /// It was a mount point when its file system went: without a mount, only the empty place is there.
    var awaitsMount = false
    var isMountPoint = false
    /// Since when it has been out of reach, on both clocks, where it was watched before.
    var lost: (boot: BootTime, wall: Int64)?
    var network: String?
    /// Why some folders have no watch.
    var shortage: String?
    var needsReport = true
    var reported: ShareState?

    init(share: WatchedShare, number: Int) {
        self.share = share
        self.number = number
    }
}
