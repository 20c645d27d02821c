// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// What the kernel knows of a file at one moment. Times are microseconds since 1970.
package struct FileStatus: Equatable, Sendable {
    package enum FileType: Equatable, Sendable { case file, folder, symbolicLink, other }

    package var type: FileType
    package var device: UInt64
    /// The mount it was reached through; 0 where the kernel does not tell.
    package var mount: UInt64
    package var inode: UInt64
    package var links: UInt64
    /// Permission bits, without the type.
    package var mode: UInt32
    package var owner: UInt32
    package var group: UInt32
    package var size: Int64
    package var modified: Int64
    /// When content, name or attributes last changed; no program can set it.
    package var changed: Int64
    /// Nil where the file system does not know.
    package var born: Int64?

    init(_ raw: daybook_status) {
        switch raw.mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): type = .file
        case UInt32(S_IFDIR): type = .folder
        case UInt32(S_IFLNK): type = .symbolicLink
        default: type = .other
        }
        device = raw.device
        mount = raw.mount
        inode = raw.inode
        links = raw.links
        mode = raw.mode & 0o7777
        owner = raw.owner
        group = raw.group
        size = raw.size
        modified = raw.modified
        changed = raw.changed
        born = raw.born == Int64.min ? nil : raw.born
    }

    /// Of an open file.
    package init(of file: borrowing OwnedDescriptor) throws(SystemCallError) {
        var raw = daybook_status()
        _ = try file.withRaw { number throws(SystemCallError) in
            try systemCall("statx") { Int(daybook_status_at(number, "", &raw)) }
        }
        self.init(raw)
    }

    /// Of a name in an open folder, without following a link.
    package init(of name: ArraySlice<UInt8>, in folder: borrowing OwnedDescriptor) throws(SystemCallError) {
        var raw = daybook_status()
        _ = try folder.withRaw { number throws(SystemCallError) in
            try withCString(name, call: "statx") { name throws(SystemCallError) in
                try systemCall("statx") { Int(daybook_status_at(number, name, &raw)) }
            }
        }
        self.init(raw)
    }
}

/// Lends bytes as the kernel wants them. Refuses (EINVAL) what would name something else: a zero byte within, or nothing.
func withCString<R>(
    _ bytes: ArraySlice<UInt8>, call: String, _ body: (UnsafePointer<CChar>) throws(SystemCallError) -> R
) throws(SystemCallError) -> R {
    guard !bytes.isEmpty, !bytes.contains(0) else { throw SystemCallError(call: call, code: EINVAL) }
    let result = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { buffer -> Result<R, SystemCallError> in
        _ = buffer.initialize(from: bytes)
        buffer.initializeElement(at: bytes.count, to: 0)
        guard let base = buffer.baseAddress else { return .failure(SystemCallError(call: call, code: EINVAL)) }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count + 1) { pointer in
            do throws(SystemCallError) {
                return .success(try body(pointer))
            } catch {
                return .failure(error)
            }
        }
    }
    return try result.get()
}
