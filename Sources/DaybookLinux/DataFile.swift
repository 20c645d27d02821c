// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux  // Its headers may be the first to declare `timespec`, which then is theirs.
import Glibc

/// What `fstat` says that a keeper of data files needs.
package struct DataFileStatus: Equatable, Sendable {
    package var isFile: Bool
    package var isFolder: Bool
    package var size: Int
    package var mode: UInt32
    package var device: UInt64
    package var inode: UInt64
    /// Of the content, in microseconds of the wall clock.
    package var modified: Int64
}

// Files of our own, relative to a folder's descriptor and without following links; each call is the system call of its name.
extension OwnedDescriptor {
    /// `openat`, always close-on-exec and without following a link at the end.
    package static func open(
        _ name: String, in folder: borrowing OwnedDescriptor, flags: Int32, mode: UInt32 = 0
    ) throws(SystemCallError) -> OwnedDescriptor {
        let raw = try folder.withRaw { (folder) throws(SystemCallError) in
            try systemCall("openat") { Int(Glibc.openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW, mode)) }
        }
        return OwnedDescriptor(adopting: Int32(raw))
    }

    /// Bytes that may still be written where it lies, to whoever asks; nil where the file system does not say.
    package borrowing func freeBytes() -> Int64? {
        withRaw { raw in
            var room = statvfs()
            guard fstatvfs(raw, &room) == 0, room.f_blocks > 0 else { return nil }
            let blocks = geteuid() == 0 ? room.f_bfree : room.f_bavail
            return Int64(clamping: UInt64(blocks).multipliedReportingOverflow(by: UInt64(room.f_frsize)).partialValue)
        }
    }

    /// A folder by its path; links on the way are followed, since the administrator wrote the path.
    package static func openFolder(_ path: String) throws(SystemCallError) -> OwnedDescriptor {
        OwnedDescriptor(adopting: Int32(try systemCall("open") { Int(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) }))
    }

    package borrowing func status() throws(SystemCallError) -> DataFileStatus {
        var status = stat()
        _ = try withRaw { (raw) throws(SystemCallError) in try systemCall("fstat") { Int(fstat(raw, &status)) } }
        let type = status.st_mode & S_IFMT
        return DataFileStatus(
            isFile: type == S_IFREG, isFolder: type == S_IFDIR, size: Int(status.st_size), mode: status.st_mode & 0o7777,
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1000)
    }

    /// Reads up to the buffer's size; 0 at the end.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemCallError) -> Int {
        try withRaw { (raw) throws(SystemCallError) in
            try systemCall("pread") { pread(raw, buffer.baseAddress, buffer.count, off_t(offset)) }
        }
    }

    /// Writes all of it; after a throw, some of it may stand in the file.
    package borrowing func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemCallError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = try withRaw { (raw) throws(SystemCallError) in
                try systemCall("pwrite") { pwrite(raw, rest.baseAddress, rest.count, off_t(offset + done)) }
            }
            // No file system answers 0 to a write of some bytes; if one did, this would never end.
            guard count > 0 else { throw SystemCallError(call: "pwrite", code: EIO) }
            done += count
        }
    }

    /// Content, and size where it changed, are on the disk.
    package borrowing func syncData() throws(SystemCallError) { try call("fdatasync") { fdatasync($0) } }

    /// Content and everything about the file, or a folder's names, are on the disk.
    package borrowing func sync() throws(SystemCallError) { try call("fsync") { fsync($0) } }

    package borrowing func truncate(to size: Int) throws(SystemCallError) { try call("ftruncate") { ftruncate($0, off_t(size)) } }

    /// What the kernel keeps of it in memory is let go, so that the next read comes from the disk. Only a wish.
    package borrowing func forgetCache() { withRaw { _ = posix_fadvise($0, 0, 0, POSIX_FADV_DONTNEED) } }

    package borrowing func setMode(_ mode: UInt32) throws(SystemCallError) { try call("fchmod") { fchmod($0, mode) } }

    /// Takes the whole-file lock; false where another open file has it. It ends with the last descriptor of this open file.
    package borrowing func lockExclusively() throws(SystemCallError) -> Bool {
        do {
            try call("flock") { flock($0, LOCK_EX | LOCK_NB) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    /// Gives the lock up at once, also where a child process that is just being started still shares the open file.
    package borrowing func unlock() throws(SystemCallError) { try call("flock") { flock($0, LOCK_UN) } }

    // What follows takes names in this folder.

    package borrowing func makeFolder(_ name: String, mode: UInt32) throws(SystemCallError) {
        try call("mkdirat") { mkdirat($0, name, mode) }
    }

    package borrowing func rename(_ old: String, to new: String) throws(SystemCallError) {
        try call("renameat") { renameat($0, old, $0, new) }
    }

    /// The same into another folder.
    package borrowing func rename(_ old: String, to new: String, in folder: borrowing OwnedDescriptor) throws(SystemCallError) {
        _ = try withRaw { (from) throws(SystemCallError) in
            try folder.withRaw { (to) throws(SystemCallError) in try systemCall("renameat") { Int(renameat(from, old, to, new)) } }
        }
    }

    package borrowing func makeLink(_ name: String, to target: String) throws(SystemCallError) {
        try call("symlinkat") { symlinkat(target, $0, name) }
    }

    package borrowing func unlink(_ name: String) throws(SystemCallError) { try call("unlinkat") { unlinkat($0, name, 0) } }

    /// Only an empty one goes.
    package borrowing func removeFolder(_ name: String) throws(SystemCallError) {
        try call("unlinkat") { unlinkat($0, name, AT_REMOVEDIR) }
    }

    /// The names in this folder, but `.` and `..`, in no order; names that are not UTF-8 are left out, since ours all are.
    package borrowing func names() throws(SystemCallError) -> [String] {
        // A descriptor of its own, since reading moves the place in it.
        let copy = try OwnedDescriptor.open(".", in: self, flags: O_RDONLY | O_DIRECTORY)
        let raw = copy.release()
        guard let stream = fdopendir(raw) else {
            let code = errno
            _ = Glibc.close(raw)
            throw SystemCallError(call: "fdopendir", code: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemCallError(call: "readdir", code: errno) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
    }

    private borrowing func call(_ name: String, _ body: (Int32) -> Int32) throws(SystemCallError) {
        _ = try withRaw { (raw) throws(SystemCallError) in try systemCall(name) { Int(body(raw)) } }
    }
}
