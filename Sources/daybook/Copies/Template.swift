// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// A file that is to be copied, opened once: whatever happens to its name meanwhile, all copies are of the same.
final class Template {
    /// As it was named.
    let path: String
    /// Its own name, as bytes.
    let name: [UInt8]
    private let file: OwnedDescriptor
    /// Bytes, when it was opened.
    let size: Int64?

    init(path: String) throws(CommandFailure) {
        self.path = path
        let status: DataFileStatus
        do throws(SystemCallError) {
            let raw = try TypedWords.withPath(path) { (name) throws(SystemCallError) in
                try systemCall("open") { Int(open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) }
            }
            file = OwnedDescriptor(adopting: Int32(raw))
            status = try file.status()
        } catch { throw CommandFailure("cannot read \(path): \(errnoText(error.code)); nothing was set or copied") }
        guard status.isFile else {
            throw CommandFailure("\(path) is \(status.isFolder ? "a folder" : "no plain file"); name the one file to copy")
        }
        size = Int64(status.size)
        name = TypedWords.bytes(of: path).split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        // Hidden and temporary names are no documents.
        guard let first = name.first, first != UInt8(ascii: "."), first != UInt8(ascii: "~") else {
            throw CommandFailure("\(path): a document's name does not begin so, and nobody's work on it would be seen")
        }
    }

    /// Writes all of it; stops, with nil, when somebody interrupts.
    func copy(to target: borrowing OwnedDescriptor) throws(SystemCallError) -> Bool {
        var offset = 0
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            if Interrupts.hasCome { return false }
            let start = offset
            let got = try readPiece(&buffer, at: start)
            if got == 0 { return true }
            let outcome = buffer.withUnsafeBytes { bytes -> SystemCallError? in
                do throws(SystemCallError) {
                    try target.writeAll(UnsafeRawBufferPointer(rebasing: bytes[..<got]), at: start)
                    return nil
                } catch { return error }
            }
            if let outcome { throw outcome }
            offset += got
        }
    }

    private func readPiece(_ buffer: inout [UInt8], at offset: Int) throws(SystemCallError) -> Int {
        let raw = file.withRaw { $0 }
        let count = buffer.count
        return try systemCall("pread") { buffer.withUnsafeMutableBytes { pread(raw, $0.baseAddress, count, off_t(offset)) } }
    }
}
