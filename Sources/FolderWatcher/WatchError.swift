// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux

/// What stops the watcher from starting, in words its owner can act on.
package enum WatchError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAbsolute(path: String)
    case overlapping(inner: String, outer: String)
    case tooManyLayouts(path: String, count: Int, limit: Int)
    case tooManyShares(count: Int, limit: Int)
    case noLayouts(path: String)
    case privateFolder(path: String, SystemCallError)
    case privateFolderShared(path: String, share: String)
    case noInstance(SystemCallError)
    case thread(SystemCallError)
    case alreadyStarted

    package var description: String {
        switch self {
        case .notAbsolute(let path): "the share '\(path)' does not start with a slash; write its whole path"
        case .overlapping(let inner, let outer):
            "the share \(inner) lies in the share \(outer); keep one of them, and give it the layouts of both"
        case .tooManyLayouts(let path, let count, let limit):
            "the share \(path) has \(count) layouts, \(limit) is the most; join some with placeholders"
        case .tooManyShares(let count, let limit): "\(count) shares are configured, \(limit) is the most; watch a folder above some of them"
        case .noLayouts(let path): "the share \(path) has no layout, so nothing in it could count; add one, e.g. {person}/{document}"
        case .privateFolder(let path, let error):
            "cannot use the watcher's own folder \(path): \(error); make it a folder that the daemon may write"
        case .privateFolderShared(let path, let share):
            "the watcher's own folder \(path) lies in the share \(share); put it elsewhere, nothing is ever written below a share"
        case .noInstance(let error) where error.code == 24:
            "no inotify instance is left for this user; raise fs.inotify.max_user_instances or end a program that uses them"
        case .noInstance(let error): "cannot use inotify: \(error)"
        case .thread(let error): "cannot start the watcher's thread: \(error)"
        case .alreadyStarted: "the watcher has been started before; make a new one"
        }
    }
}
