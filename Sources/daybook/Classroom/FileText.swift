// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// Small texts that a command is given as a file.
enum FileText {
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> String {
        let bytes: [UInt8]
        do throws(SystemCallError) { bytes = try SmallFile.read(path, limit: limit) } catch {
            throw CommandFailure("cannot read \(path): \(error.code == EFBIG ? "it is larger than \(limit) bytes" : errnoText(error.code))")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw CommandFailure("\(path) is no UTF-8 text") }
        return text
    }
}

/// Where relative paths begin.
enum WorkingFolder {
    /// Nil where it was deleted.
    static var path: String? {
        guard let raw = getcwd(nil, 0) else { return nil }
        defer { free(raw) }
        return String(cString: raw)
    }
}
