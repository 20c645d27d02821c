// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// One inotify instance: one queue, so what it reports is in one order.
package final class Inotify: Sendable {
    package let descriptor: OwnedDescriptor

    package init() throws(SystemCallError) {
        descriptor = OwnedDescriptor(adopting: Int32(try systemCall("inotify_init1") { Int(daybook_inotify_open()) }))
    }

    /// Watches an open folder; the watch that there was, with a new mask, where it was watched already.
    package func watch(_ folder: borrowing OwnedDescriptor, _ mask: UInt32) throws(SystemCallError) -> Int32 {
        let number = folder.withRaw { $0 }
        return Int32(
            try descriptor.withRaw { raw throws(SystemCallError) in
                try systemCall("inotify_add_watch") { Int(daybook_inotify_watch(raw, number, mask)) }
            })
    }

    /// Watches a configured place, following links.
    package func watch(path: String, _ mask: UInt32) throws(SystemCallError) -> Int32 {
        let bytes = Array(path.utf8)
        return Int32(
            try descriptor.withRaw { raw throws(SystemCallError) in
                try withCString(bytes[...], call: "inotify_add_watch") { path throws(SystemCallError) in
                    try systemCall("inotify_add_watch") { Int(daybook_inotify_watch_path(raw, path, mask)) }
                }
            })
    }

    /// Gives a watch back. The kernel may have taken it already, which is as good.
    package func forget(_ watch: Int32) {
        _ = descriptor.withRaw { daybook_inotify_forget($0, watch) }
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
