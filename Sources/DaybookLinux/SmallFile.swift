// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Files of the kernel's that are read whole: their size is not known before.
package enum SmallFile {
    /// Reads `path`; with `folder`, relative to it. EFBIG where it has more than `limit` bytes.
    package static func read(_ path: String, in folder: Int32 = AT_FDCWD, limit: Int = 65_536) throws(SystemCallError) -> [UInt8] {
        let raw = try systemCall("open \(path)") { Int(openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) }
        let file = OwnedDescriptor(adopting: Int32(raw))
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try file.withRaw { raw throws(SystemCallError) in
                try systemCall("read \(path)") { Glibc.read(raw, &part, part.count) }
            }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw SystemCallError(call: "read \(path)", code: EFBIG) }
            bytes.append(contentsOf: part.prefix(count))
        }
    }

    /// Without the line break at its end.
    package static func readLine(_ path: String) throws(SystemCallError) -> String {
        var bytes = try read(path)
        while let last = bytes.last, last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Which run of the machine this is.
package enum BootIdentity {
    /// `/proc/sys/kernel/random/boot_id` without its dashes: 32 hexadecimal digits.
    package static func current(procfs: String = "/proc") throws(SystemCallError) -> String {
        let path = procfs + "/sys/kernel/random/boot_id"
        let digits = try SmallFile.readLine(path).filter { $0 != "-" }
        guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else { throw SystemCallError(call: "read \(path)", code: EINVAL) }
        return digits
    }
}
