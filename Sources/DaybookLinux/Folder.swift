// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// Opening folders so that no link and no mount can lead elsewhere.
package enum Folder {
    /// What the descriptor is for.
    package enum Purpose: Sendable {
        /// Reading its entries.
        case listing
        /// Only a place to start from (O_PATH): makes no inotify event and needs no right to read.
        case place
    }

    /// The longest piece of a path that one call gets; longer ones are walked in several (the kernel takes 4095 bytes).
    static let longestPiece = 3800

    /// A configured place, by its absolute path; links on the way are followed.
    package static func open(path: String, for purpose: Purpose) throws(SystemCallError) -> OwnedDescriptor {
        let bytes = Array(path.utf8)
        return OwnedDescriptor(
            adopting: try withCString(bytes[...], call: "open") { path throws(SystemCallError) in
                Int32(try systemCall("open") { Int(daybook_open_folder(path, purpose == .listing ? 1 : 0)) })
            })
    }

    /// A folder below an open one, of any depth. Fails with ENOTDIR at a file or link, ELOOP at a link on the way, EXDEV at a mount.
    /// `bySteps`: as it is done where the kernel's own call for this is forbidden.
    package static func open(
        _ path: ArraySlice<UInt8>, in folder: borrowing OwnedDescriptor, for purpose: Purpose, bySteps: Bool = false
    ) throws(SystemCallError) -> OwnedDescriptor {
        guard path.count > longestPiece, let cut = path.prefix(longestPiece).lastIndex(of: UInt8(ascii: "/")) else {
            return try openPiece(path, in: folder, for: purpose, bySteps: bySteps)
        }
        let next = try openPiece(path[..<cut], in: folder, for: .place, bySteps: bySteps)
        return try open(path[(cut + 1)...], in: next, for: purpose, bySteps: bySteps)
    }

    /// Makes an empty file, readable by its owner only, where there is none.
    package static func makeFile(_ name: String, in folder: borrowing OwnedDescriptor) throws(SystemCallError) {
        _ = try folder.withRaw { number throws(SystemCallError) in try systemCall("openat") { Int(daybook_make_file(number, name)) } }
    }

    /// Sets a file's times to now; inotify reports it as a change of attributes.
    package static func touchFile(_ name: String, in folder: borrowing OwnedDescriptor) throws(SystemCallError) {
        _ = try folder.withRaw { number throws(SystemCallError) in try systemCall("utimensat") { Int(daybook_touch_file(number, name)) } }
    }

    /// The name of the network file system that a folder lies on, whose changes by other machines the kernel does not report; nil for others.
    package static func networkFileSystem(of folder: borrowing OwnedDescriptor) -> String? {
        var type: UInt64 = 0
        guard folder.withRaw({ daybook_file_system($0, &type) }) == 0 else { return nil }
        // The magic numbers of <linux/magic.h>. FUSE may be local, but is not to be trusted for events either.
        return switch type {
        case 0x6969: "nfs"
        case 0x517b: "smbfs"
        case 0xff53_4d42: "cifs"
        case 0xfe53_4d42: "smb3"
        case 0x6573_5546: "fuse"
        case 0x0102_1997: "9p"
        case 0x5346_414f: "afs"
        case 0x00c3_6400: "ceph"
        default: nil
        }
    }

    /// A descriptor that polls POLLPRI when something is mounted or unmounted.
    package static func mountChanges() throws(SystemCallError) -> OwnedDescriptor {
        OwnedDescriptor(adopting: Int32(try systemCall("open") { Int(daybook_watch_mounts()) }))
    }

    private static func openPiece(
        _ path: ArraySlice<UInt8>, in folder: borrowing OwnedDescriptor, for purpose: Purpose, bySteps: Bool
    ) throws(SystemCallError) -> OwnedDescriptor {
        let listing: Int32 = purpose == .listing ? 1 : 0
        let raw = try folder.withRaw { number throws(SystemCallError) in
            try withCString(path, call: "openat2") { path throws(SystemCallError) in
                try systemCall("openat2") {
                    Int(bySteps ? daybook_open_folder_by_steps(number, path, listing) : daybook_open_folder_at(number, path, listing))
                }
            }
        }
        return OwnedDescriptor(adopting: Int32(raw))
    }
}

/// Reads a folder's entries in pieces, as bytes, into storage that is used again.
package struct FolderListing: Sendable {
    package enum EntryType: Equatable, Sendable {
        case file, folder, symbolicLink, other
        /// The file system does not tell; ask `FileStatus`.
        case unknown
    }

    package struct Entry: Equatable, Sendable {
        package var type: EntryType
        /// The name's place in `bytes`.
        package var name: Range<Int>
    }

    package private(set) var bytes: [UInt8]
    /// Without `.` and `..`.
    package private(set) var entries: [Entry] = []

    package init(size: Int = 64 * 1024) { bytes = Array(repeating: 0, count: size) }

    /// Replaces `entries` by the next ones; false at the end. A folder that was deleted meanwhile is at its end.
    package mutating func readNext(_ folder: borrowing OwnedDescriptor) throws(SystemCallError) -> Bool {
        entries.removeAll(keepingCapacity: true)
        let size = bytes.count
        let number = folder.withRaw { $0 }
        let count = try systemCall("getdents64") {
            bytes.withUnsafeMutableBytes { buffer in
                let result = daybook_list_folder(number, buffer.baseAddress, size)
                return result == -1 && errno == ENOENT ? 0 : Int(result)
            }
        }
        parse(count)
        return count > 0
    }

    /// Inode and offset, eight bytes each, length of the record, type.
    private static let headerSize = 19

    private mutating func parse(_ count: Int) {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while count - offset >= Self.headerSize {
                let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
                guard length >= Self.headerSize, length <= count - offset else { return }
                let start = offset + Self.headerSize
                var end = start
                while end < offset + length, buffer[end] != 0 { end += 1 }
                let isDots =
                    buffer[start] == UInt8(ascii: ".") && (end - start == 1 || end - start == 2 && buffer[start + 1] == UInt8(ascii: "."))
                if end > start, !isDots { entries.append(Entry(type: Self.type(buffer[offset + 18]), name: start..<end)) }
                offset += length
            }
        }
    }

    private static func type(_ raw: UInt8) -> EntryType {
        // The DT_ constants of <dirent.h>.
        switch raw {
        case 8: .file
        case 4: .folder
        case 10: .symbolicLink
        case 0: .unknown
        default: .other
        }
    }
}
