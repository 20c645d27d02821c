// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// One fanotify group: one queue, whose events name the folder by its handle, and the process.
package final class Fanotify: Sendable {
    package let descriptor: OwnedDescriptor

    /// Fails with EPERM where the kernel would not say whose events they are (no CAP_SYS_ADMIN, or a filter), EINVAL before Linux 5.17.
    package init() throws(SystemCallError) {
        descriptor = OwnedDescriptor(adopting: Int32(try systemCall("fanotify_init") { Int(daybook_fanotify_open()) }))
    }

    /// Tries all that watching shares needs, as far as it can be tried without watching. Shares that cannot be opened are passed over.
    package static func test(shares: [String]) throws(SystemCallError) {
        _ = try Fanotify()
        for path in shares {
            // What cannot be opened is told with the share itself.
            guard let folder = try? Folder.open(path: path, for: .listing), let handle = try? handle(of: folder) else { continue }
            let number = folder.withRaw { $0 }
            // Else marks could not be given back.
            let opened = try systemCall("open_by_handle_at") {
                handle.withUnsafeBytes { Int(daybook_open_handle(number, $0.baseAddress, $0.count)) }
            }
            _ = OwnedDescriptor(adopting: Int32(opened))
            return
        }
    }

    /// How this folder's events will name it. EOPNOTSUPP where its file system has no handles.
    package static func handle(of folder: borrowing OwnedDescriptor) throws(SystemCallError) -> [UInt8] {
        try handle(of: [], in: folder)
    }

    /// The same of a folder that cannot be opened. An empty name is `folder` itself.
    package static func handle(of name: ArraySlice<UInt8>, in folder: borrowing OwnedDescriptor) throws(SystemCallError) -> [UInt8] {
        let number = folder.withRaw { $0 }
        var bytes = [UInt8](repeating: 0, count: Int(DAYBOOK_HANDLE_SIZE))
        let count =
            name.isEmpty
            ? try systemCall("name_to_handle_at") {
                bytes.withUnsafeMutableBytes { Int(daybook_folder_handle(number, "", $0.baseAddress)) }
            }
            : try withCString(name, call: "name_to_handle_at") { name throws(SystemCallError) in
                try systemCall("name_to_handle_at") {
                    bytes.withUnsafeMutableBytes { Int(daybook_folder_handle(number, name, $0.baseAddress)) }
                }
            }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Marks an open folder.
    package func mark(_ folder: borrowing OwnedDescriptor, _ mask: UInt64) throws(SystemCallError) {
        try change(folder, mask, add: true)
    }

    /// Takes a mark away. `mount` is any folder opened (not as a place) on the same file system. The folder may be gone, and the mark with
    /// it (ESTALE, ENOENT), which is as good.
    package func unmark(_ handle: ArraySlice<UInt8>, on mount: borrowing OwnedDescriptor, _ mask: UInt64) throws(SystemCallError) {
        let number = mount.withRaw { $0 }
        let opened = try systemCall("open_by_handle_at") {
            handle.withUnsafeBytes { Int(daybook_open_handle(number, $0.baseAddress, $0.count)) }
        }
        try change(OwnedDescriptor(adopting: Int32(opened)), mask, add: false)
    }

    private func change(_ folder: borrowing OwnedDescriptor, _ mask: UInt64, add: Bool) throws(SystemCallError) {
        let number = folder.withRaw { $0 }
        _ = try descriptor.withRaw { raw throws(SystemCallError) in
            try systemCall("fanotify_mark") { Int(daybook_fanotify_mark(raw, number, mask, add ? 1 : 0)) }
        }
    }

    /// Whole records into the front of `buffer`; 0 where none wait. Never blocks.
    package func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int {
        let size = buffer.count
        return try descriptor.withRaw { raw throws(SystemCallError) in
            try systemCall("read") {
                buffer.withUnsafeMutableBytes { bytes in
                    let count = Glibc.read(raw, bytes.baseAddress, size)
                    return count == -1 && errno == EAGAIN ? 0 : count
                }
            }
        }
    }
}
