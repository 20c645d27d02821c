// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Glibc
import Inference

/// What can be said against a list of shares before anything is watched.
enum ShareCheck {
    /// Numbers of shares are kept in 16 bits, and each may hold descriptors while it is crawled.
    static let shareLimit = 1024

    static func check(_ shares: [WatchedShare], privateFolder: String) throws(WatchError) {
        guard shares.count <= shareLimit else { throw .tooManyShares(count: shares.count, limit: shareLimit) }
        for share in shares {
            guard share.path.hasPrefix("/") else { throw .notAbsolute(path: share.path) }
            let count = share.layouts.layouts.count
            guard count > 0 else { throw .noLayouts(path: share.path) }
            guard count <= LayoutCursor.layoutLimit else {
                throw .tooManyLayouts(path: share.path, count: count, limit: LayoutCursor.layoutLimit)
            }
        }
        var owners: [PathBytes: String] = [:]
        for share in shares {
            let place = place(share.path)
            if let other = owners[place] { throw .overlapping(inner: share.path, outer: other) }
            owners[place] = share.path
        }
        for share in shares {
            if let outer = owner(above: place(share.path), owners) { throw .overlapping(inner: share.path, outer: outer) }
        }
        let own = place(privateFolder)
        if let share = owners[own] ?? owner(above: own, owners) { throw .privateFolderShared(path: privateFolder, share: share) }
    }

    private static func owner(above place: PathBytes, _ owners: [PathBytes: String]) -> String? {
        var folder = place
        while !folder.isRoot {
            folder = folder.folder
            if let owner = owners[folder] { return owner }
        }
        return nil
    }

    /// The true place as far as it exists, without doubled slashes; compared by whole names, so that `/ab` is not below `/a`.
    private static func place(_ path: String) -> PathBytes {
        var names = Array(path.utf8).split(separator: PathBytes.slash)
        var missing: [ArraySlice<UInt8>] = []
        // The part that exists is resolved, what is missing is kept as it is written.
        while !names.isEmpty {
            let text = "/" + String(decoding: Array(names.joined(separator: [PathBytes.slash])), as: UTF8.self)
            if let resolved = realpath(text, nil) {
                defer { free(resolved) }
                names = Array(String(cString: resolved).utf8).split(separator: PathBytes.slash)
                break
            }
            missing.insert(names.removeLast(), at: 0)
        }
        return PathBytes(bytes: Array((names + missing).joined(separator: [PathBytes.slash])))
    }
}
