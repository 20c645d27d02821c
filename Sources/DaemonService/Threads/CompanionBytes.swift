// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// Reading the little that a lock file says, without following anything or waiting for anybody.
enum CompanionBytes {
    /// The first bytes of a regular file; empty where it is none any more or cannot be read.
    static func first(_ name: ArraySlice<UInt8>, in folder: borrowing OwnedDescriptor, limit: Int) -> [UInt8] {
        withName(name) { name in
            let raw = folder.withRaw { openat($0, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY) }
            guard raw != -1 else { return [] }
            let file = OwnedDescriptor(adopting: raw)
            return file.withRaw { raw in
                var facts = stat()
                guard fstat(raw, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return [] }
                return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                    count = max(0, pread(raw, buffer.baseAddress, limit, 0))
                }
            }
        }
    }

    /// Where a symbolic link points, as bytes.
    static func linkTarget(_ name: ArraySlice<UInt8>, in folder: borrowing OwnedDescriptor, limit: Int) -> [UInt8] {
        withName(name) { name in
            folder.withRaw { raw in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: limit) { buffer in
                    guard let base = buffer.baseAddress else { return [] }
                    let count = readlinkat(raw, name, base, limit)
                    return count <= 0 ? [] : buffer.prefix(count).map { UInt8(bitPattern: $0) }
                }
            }
        }
    }

    private static func withName(_ name: ArraySlice<UInt8>, _ body: (UnsafePointer<CChar>) -> [UInt8]) -> [UInt8] {
        guard !name.isEmpty, !name.contains(0) else { return [] }
        return (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map(body) ?? []
        }
    }
}
