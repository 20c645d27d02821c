// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// The folder that a trace is written into: a new or an empty one, readable by its owner only, and never in a share.
final class OutputFolder {
    private let folder: OwnedDescriptor

    /// `shares`: configured folders with their links resolved; `watched`: device and inode of folders in one, by whatever path they can be
    /// reached.
    static func make(_ path: String, outside shares: [String], watched: Set<[UInt64]>) throws -> OutputFolder {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let isThere = access(path, F_OK) == 0
        let above = isThere ? path : Self.parent(path)
        guard let resolved = Checkup.realPath(above) else { throw CommandFailure("\(above): \(errnoText(errno))") }
        let isInside = shares.contains { resolved == $0 || resolved.hasPrefix($0 == "/" ? "/" : $0 + "/") }
        guard try !isInside && !Self.isBelow(resolved, watched) else {
            throw CommandFailure("\(path) lies in a share, where Daybook never writes; name a folder elsewhere, e.g. in /var/tmp")
        }
        if !isThere, mkdir(path, 0o700) != 0 { throw CommandFailure("\(path): \(errnoText(errno))") }
        let folder: OwnedDescriptor
        do { folder = try OwnedDescriptor.openFolder(path) } catch { throw CommandFailure("\(path): \(errnoText(error.code))") }
        var listing = FolderListing()
        while try listing.readNext(folder) {
            guard listing.entries.isEmpty else { throw CommandFailure("\(path) is not empty; name a new folder") }
        }
        return OutputFolder(folder: folder)
    }

    private init(folder: consuming OwnedDescriptor) { self.folder = folder }

    /// Makes a file of these bytes.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        let failure: SystemCallError?
        do {
            let file = try OwnedDescriptor.open(name, in: folder, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            failure = bytes.withUnsafeBytes { bytes in
                do throws(SystemCallError) {
                    try file.writeAll(bytes, at: 0)
                    return nil
                } catch { return error }
            }
        } catch { failure = error }
        if let failure { throw CommandFailure("\(name): \(errnoText(failure.code))") }
    }

    private static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether any folder on the way up is one of these, e.g. through another mount of the same folder.
    private static func isBelow(_ path: String, _ watched: Set<[UInt64]>) throws -> Bool {
        var place = path
        while true {
            var status = stat()
            guard stat(place, &status) == 0 else { throw CommandFailure("\(place): \(errnoText(errno))") }
            if watched.contains([UInt64(status.st_dev), UInt64(status.st_ino)]) { return true }
            if place == "/" { return false }
            place = parent(place)
        }
    }
}
