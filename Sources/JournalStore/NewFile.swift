// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// A file that is made under another name, flushed, and put in the place of an old one.
final class NewFile {
    private let temporary: String
    private let file: OwnedDescriptor
    private let disk: Disk
    private var waiting: [UInt8] = []
    private var written = 0

    init(_ temporary: String, in folder: borrowing OwnedDescriptor, _ disk: Disk) throws(SystemCallError) {
        self.temporary = temporary
        self.disk = disk
        do throws(SystemCallError) { try folder.unlink(temporary) } catch { if error.code != ENOENT { throw error } }
        file = try disk.perform(.openFile) { () throws(SystemCallError) in
            try OwnedDescriptor.open(temporary, in: folder, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        }
    }

    func add(_ bytes: [UInt8]) throws(SystemCallError) {
        waiting.append(contentsOf: bytes)
        if waiting.count >= SegmentFile.bufferSize { try flush() }
    }

    /// A line with its end.
    func add(line: UnsafeRawBufferPointer) throws(SystemCallError) {
        waiting.append(contentsOf: line)
        waiting.append(0x0a)
        if waiting.count >= SegmentFile.bufferSize { try flush() }
    }

    private func flush() throws(SystemCallError) {
        try disk.write(waiting, to: file, at: written)
        written += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }

    func finish(as name: String, in folder: borrowing OwnedDescriptor, mode: UInt32) throws(SystemCallError) {
        try flush()
        try disk.perform(.setMode) { () throws(SystemCallError) in try file.setMode(mode) }
        try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
        let temporary = temporary
        try disk.perform(.rename) { () throws(SystemCallError) in try folder.rename(temporary, to: name) }
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try folder.sync() }
    }
}
