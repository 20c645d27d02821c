// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc

/// A file that a person named, opened to be measured where it lies, without a copy. Whether it stayed as it was is asked afterwards: a
/// measurement of a file that changed meanwhile is none.
package final class OpenedDocument {
    package let descriptor: OwnedDescriptor
    private let path: [UInt8]
    private let copier: DocumentCopier
    private let first: stat

    /// Links are followed: a person typed the path.
    package init(path: [UInt8], limit: Int64 = DocumentCopier.standardLimit) throws(CopyError) {
        guard !path.isEmpty, !path.contains(0) else { throw .badName }
        copier = DocumentCopier(limit: limit)
        self.path = path
        // Looked at before the open: opening some devices does something, and whoever waits at a FIFO would be let go.
        let before = try copier.status(path: path, in: AT_FDCWD, follow: true)
        try copier.check(before)
        descriptor = try copier.open(path: path, in: AT_FDCWD, follow: true)
        first = try copier.status(of: descriptor)
        try copier.check(first)
        guard first.st_ino == before.st_ino, first.st_dev == before.st_dev else { throw .changedWhileRead }
    }

    /// The account that the file belongs to.
    package var owner: UInt32 { first.st_uid }

    /// True where nobody wrote since it was opened.
    package var isUnchanged: Bool {
        guard let last = try? copier.status(of: descriptor) else { return false }  // what cannot be looked at is not known to be the same
        return copier.sameState(first, last)
    }
}
