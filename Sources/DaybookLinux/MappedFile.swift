// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// The bytes of a file, in memory only while and where they are looked at; goes on after the file has lost its name. A file that is written anew
/// under another name and renamed is another one: this shows the old one.
///
/// Whoever makes the file itself shorter, or a disk that does not give a page, cannot end the process: the page reads as zeros, and `isTorn` says
/// so from then on. Ask after each look.
package final class MappedFile: Sendable {
    private let number: Int32
    private nonisolated(unsafe) let start: UnsafeRawPointer  // never written to, and there as long as this is
    package let size: Int

    /// Fails with ENODATA where the file does not have so many bytes, or none are wanted.
    package init(_ file: borrowing OwnedDescriptor, size: Int) throws(SystemCallError) {
        guard size > 0, try file.status().size >= size else { throw SystemCallError(call: "mmap", code: ENODATA) }
        var bytes: UnsafeMutableRawPointer?
        number = Int32(
            try file.withRaw { raw throws(SystemCallError) in try systemCall("mmap") { Int(daybook_map(raw, size, &bytes)) } })
        guard let bytes else { throw SystemCallError(call: "mmap", code: EFAULT) }
        start = UnsafeRawPointer(bytes)
        self.size = size
    }

    deinit { daybook_unmap(number) }

    /// Whether a page could not be had, so that zeros were read in its place.
    package var isTorn: Bool { daybook_map_is_torn(number) != 0 }

    /// Lent for the call.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: size))
    }
}
