// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc

/// Why a document could not be copied, in words for people. The name of the document is not repeated: the caller knows whether it may say it.
package enum CopyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Not one name in a folder.
    case badName
    case notFound
    case symbolicLink
    case notRegular(kind: String)
    case tooLarge(bytes: Int64, limit: Int64)
    /// Somebody wrote meanwhile: try again when it is quiet.
    case changedWhileRead
    case failed(SystemCallError)

    package var description: String {
        switch self {
        case .badName: "not the name of a file in this folder"
        case .notFound: "there is no such file (any more)"
        case .symbolicLink: "a symbolic link, which is not followed; measure the file it points to"
        case .notRegular(let kind): "\(kind), not a document"
        case .tooLarge(let bytes, let limit):
            "too large to be measured: \(bytes) bytes, the limit is \(limit)"
        case .changedWhileRead: "it was being written while it was read; measure it again when that is done"
        case .failed(let error): "cannot be read: \(error)"
        }
    }
}

/// Copies a document into sealed memory, so that whoever measures it needs no right to the folder and sees one unchanging state.
package struct DocumentCopier: Sendable {
    /// Larger documents are refused: their copy would be held in memory.
    package static let standardLimit: Int64 = 100 << 20

    package var limit: Int64

    package init(limit: Int64 = standardLimit) { self.limit = limit }

    /// Copies the file `name` of a folder; never follows a link and never waits for a FIFO or device.
    ///
    /// `beforeOpen` runs directly before the first act on the file that a watcher could see (its open), `afterClose` directly after the last
    /// (its close), also when the copy fails in between; neither runs where the file is not opened at all. So a caller can bracket what
    /// its own watch will report. Blocks: not for the loop thread.
    package func copy(
        _ name: [UInt8], in folder: borrowing OwnedDescriptor, beforeOpen: () -> Void = {}, afterClose: () -> Void = {}
    ) throws(CopyError) -> SealedMemory {
        guard !name.isEmpty, name != [0x2e], name != [0x2e, 0x2e], !name.contains(0), !name.contains(UInt8(ascii: "/")) else {
            throw .badName
        }
        return try folder.withRaw { folder throws(CopyError) in
            try copy(path: name, in: folder, follow: false, beforeOpen: beforeOpen, afterClose: afterClose)
        }
    }

    /// Copies the file at a path that a person typed: links are followed.
    package func copy(path: [UInt8]) throws(CopyError) -> SealedMemory {
        guard !path.isEmpty, !path.contains(0) else { throw .badName }
        return try copy(path: path, in: AT_FDCWD, follow: true, beforeOpen: {}, afterClose: {})
    }

    private func copy(
        path: [UInt8], in folder: Int32, follow: Bool, beforeOpen: () -> Void, afterClose: () -> Void
    ) throws(CopyError) -> SealedMemory {
        // Looked at before the open: opening some devices does something, and whoever waits at a FIFO would be let go.
        let before = try status(path: path, in: folder, follow: follow)
        try check(before)
        beforeOpen()
        defer { afterClose() }
        // Opened and closed within this call, so before `afterClose`.
        return try copyOpening(path: path, in: folder, follow: follow, expected: before)
    }

    private func copyOpening(path: [UInt8], in folder: Int32, follow: Bool, expected: stat) throws(CopyError) -> SealedMemory {
        let file = try open(path: path, in: folder, follow: follow)
        let first = try status(of: file)
        try check(first)
        guard first.st_ino == expected.st_ino, first.st_dev == expected.st_dev else { throw .changedWhileRead }
        let copied: SealedMemory?
        do { copied = try SealedMemory.copy(of: file, limit: limit) } catch { throw .failed(error) }
        let last = try status(of: file)
        guard let copied else { throw .tooLarge(bytes: max(Int64(last.st_size), limit + 1), limit: limit) }
        guard copied.size == Int64(first.st_size), sameState(first, last) else { throw .changedWhileRead }
        return copied
    }

    func check(_ status: stat) throws(CopyError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .notRegular(kind: "a folder")
        case S_IFLNK: throw .symbolicLink
        case S_IFIFO: throw .notRegular(kind: "a FIFO")
        case S_IFSOCK: throw .notRegular(kind: "a socket")
        case S_IFCHR, S_IFBLK: throw .notRegular(kind: "a device")
        default: throw .notRegular(kind: "something special")
        }
        if Int64(status.st_size) > limit { throw .tooLarge(bytes: Int64(status.st_size), limit: limit) }
    }

    func sameState(_ left: stat, _ right: stat) -> Bool {
        left.st_size == right.st_size && left.st_mtim.tv_sec == right.st_mtim.tv_sec && left.st_mtim.tv_nsec == right.st_mtim.tv_nsec
            && left.st_ctim.tv_sec == right.st_ctim.tv_sec && left.st_ctim.tv_nsec == right.st_ctim.tv_nsec
    }
}
