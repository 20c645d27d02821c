// SPDX-License-Identifier: Apache-2.0

/// Names a document: a share as configured, and the path below it. One logical file, whatever inode carries it.
package struct DocumentRef: Hashable, Comparable, Sendable {
    /// The share's configured path, e.g. `/srv/classes`.
    package var share: String
    package var path: PathBytes

    package init(share: String, path: PathBytes) {
        self.share = share
        self.path = path
    }

    package static func < (left: DocumentRef, right: DocumentRef) -> Bool {
        left.share == right.share ? left.path < right.path : left.share < right.share
    }
}
