// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The program that a process runs, by the file itself: a name in another mount namespace may be anybody's.
package struct PeerProgram: Equatable, Sendable {
    /// As the kernel names it, with bytes that are no UTF-8 replaced; for people.
    package var path: String
    private var device: UInt64
    private var inode: UInt64

    /// Nil where it has gone, or may not be looked at. Never waits for a disk: the kernel has the file open.
    package static func of(_ pid: Int32, procfs: String = "/proc") -> PeerProgram? {
        guard pid > 0 else { return nil }
        let raw = open("\(procfs)/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw != -1 else { return nil }
        // A handle: if the process ends, its number's next owner is not shown.
        let process = OwnedDescriptor(adopting: raw)
        return process.withRaw { raw in
            var there = stat()
            guard fstatat(raw, "exe", &there, 0) == 0, let target = ProcTable.linkTarget("exe", in: raw) else { return nil }
            return PeerProgram(
                path: String(decoding: target, as: UTF8.self), device: UInt64(there.st_dev), inode: UInt64(there.st_ino))
        }
    }

    /// Whether it runs the file that stands at this path now.
    package func runs(_ path: String) -> Bool {
        var there = stat()
        guard stat(path, &there) == 0, there.st_mode & S_IFMT == S_IFREG else { return false }
        return UInt64(there.st_dev) == device && UInt64(there.st_ino) == inode
    }
}
