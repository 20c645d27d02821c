// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc
import Inference

/// What tells of a share's changes.
package enum WatchSource: String, Equatable, Sendable { case inotify, fanotify }

/// Both kernel interfaces behind one numbering of watches, so that neither the tree nor a listing needs to know who watches a folder.
///
/// Belongs to the watcher's thread.
final class KernelSources {
    let inotify: Inotify
    /// Nil where it is not wanted, or impossible.
    let fanotify: FanotifySource?
    /// Why it is impossible.
    let refusal: SystemCallError?
    private let refusalOfMark: (@Sendable (_ marked: Int) -> Int32?)?

    init(inotify: Inotify, fanotify: Result<Fanotify, SystemCallError>?, refusalOfMark: (@Sendable (_ marked: Int) -> Int32?)? = nil) {
        self.inotify = inotify
        self.refusalOfMark = refusalOfMark
        switch fanotify {
        case .success(let group): (self.fanotify, refusal) = (FanotifySource(group), nil)
        case .failure(let error): (self.fanotify, refusal) = (nil, error)
        case nil: (self.fanotify, refusal) = (nil, nil)
        }
    }

    /// Watches an open folder; the watch that it has already where it is watched.
    func watch(_ folder: borrowing OwnedDescriptor, by source: WatchSource) throws(SystemCallError) -> Int32 {
        switch source {
        case .inotify: return try inotify.watch(folder, InotifyMask.folder.rawValue)
        case .fanotify:
            guard let fanotify else { throw refusal ?? SystemCallError(call: "fanotify_init", code: ENOSYS) }
            if let code = refusalOfMark?(fanotify.count) { throw SystemCallError(call: "fanotify_mark", code: code) }
            return try fanotify.watch(folder)
        }
    }

    func forget(_ watch: Int32) {
        if FanotifySource.isOurs(watch) { fanotify?.forget(watch) } else { inotify.forget(watch) }
    }

    /// Lets go of all descriptors, so that nothing keeps a file system busy.
    func endTurn() { fanotify?.endTurn() }

}

extension WatchSource {
    /// Why fanotify cannot watch a share, in words for an administrator.
    package static func refusal(_ error: SystemCallError) -> String {
        switch error.code {
        case EPERM: "the daemon may not use it (EPERM); it needs CAP_SYS_ADMIN, which the drop-in fanotify.conf gives"
        case EACCES: "the daemon may not read the folder (EACCES)"
        case EXDEV: "the folder is in a part of its file system that has an id of its own (EXDEV), as a btrfs subvolume before Linux 6.8"
        case EOPNOTSUPP: "the file system gives its folders no handles (EOPNOTSUPP), as overlay does"
        case ENODEV: "the file system has no id (ENODEV)"
        case ENOSPC: "no more folders may be marked (ENOSPC); raise fs.fanotify.max_user_marks"
        case EMFILE: "no more groups are allowed (EMFILE); raise fs.fanotify.max_user_groups, or the daemon's LimitNOFILE"
        case EINVAL where error.call == "fanotify_init": "this kernel is too old (EINVAL); it needs Linux 5.17"
        case ENOSYS: "this kernel has no fanotify (ENOSYS)"
        default: "\(error)"
        }
    }
}
