// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// An anonymous file whose bytes nobody can change any more: what a document is handed over in. An object, so that queues can hold it.
package final class SealedMemory: Sendable {
    package let descriptor: OwnedDescriptor
    package let size: Int64

    private init(sealing descriptor: consuming OwnedDescriptor, size: Int64) throws(SystemCallError) {
        _ = try descriptor.withRaw { raw throws(SystemCallError) in try systemCall("fcntl") { Int(daybook_seal(raw)) } }
        self.descriptor = descriptor
        self.size = size
    }

    /// A copy of these bytes.
    package convenience init(_ bytes: some Sequence<UInt8>) throws(SystemCallError) {
        let memory = try Self.unsealed()
        let all = Array(bytes)
        try memory.withRaw { raw throws(SystemCallError) in try Self.write(all[...], to: raw) }
        try self.init(sealing: memory, size: Int64(all.count))
    }

    /// A copy of what `source` holds from its start, `limit` bytes at most; nil where it has more. The caller compares `size` with what it
    /// knows of the source.
    package static func copy(of source: borrowing OwnedDescriptor, limit: Int64) throws(SystemCallError) -> SealedMemory? {
        let memory = try unsealed()
        var size: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let got = try source.withRaw { raw throws(SystemCallError) in
                try systemCall("pread") { buffer.withUnsafeMutableBytes { Glibc.pread(raw, $0.baseAddress, $0.count, off_t(size)) } }
            }
            if got == 0 { break }
            size += Int64(got)
            if size > limit { return nil }
            try memory.withRaw { raw throws(SystemCallError) in try write(buffer[..<got], to: raw) }
        }
        return try SealedMemory(sealing: memory, size: size)
    }

    /// True where a descriptor from elsewhere is such a file, so that it may be mapped without fear of a change.
    package static func isSealed(_ raw: Int32) -> Bool { daybook_is_sealed(raw) == 1 }

    private static func unsealed() throws(SystemCallError) -> OwnedDescriptor {
        OwnedDescriptor(adopting: Int32(try systemCall("memfd_create") { Int(daybook_memory_file("daybook-document")) }))
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to raw: Int32) throws(SystemCallError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = try systemCall("write") { rest.withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) } }
            rest = rest.dropFirst(written)
        }
    }
}
