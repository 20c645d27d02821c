// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc
import JournalFormat

/// An index file that is whole. Its bytes are mapped: in memory only where and while they are looked at.
///
/// All of it is read and checked once, by calls that can fail, before anything is mapped: a file that a failing disk does not give is an error
/// at the start, and not the end of the process.
package final class StoredEvidenceIndex: Sendable {
    package let name: String
    package let head: EvidenceIndexFile.Head
    private let map: MappedFile

    /// No session of it began before this entry.
    package var first: UInt64 { UInt64(name.prefix { $0 != "-" }) ?? 1 }

    /// Fails where it is not there, is damaged, or is of another form.
    package convenience init(_ name: String, stateDirectory: String) throws(SystemCallError) {
        let state = try OwnedDescriptor.openFolder(stateDirectory)
        try self.init(name, in: try OwnedDescriptor.open("journal", in: state, flags: O_RDONLY | O_DIRECTORY))
    }

    init(_ name: String, in journal: borrowing OwnedDescriptor) throws(SystemCallError) {
        guard name.hasSuffix(EvidenceIndexFile.ending), !name.contains("/") else { throw SystemCallError(call: "openat", code: EINVAL) }
        let file = try OwnedDescriptor.open(name, in: journal, flags: O_RDONLY | O_NONBLOCK)
        let head = try EvidenceIndexFile.head(of: file)
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while done < head.restSize {
            let got = try file.read(into: buffer, at: EvidenceIndexFile.headSize + done)
            guard got > 0 else { throw SystemCallError(call: "pread", code: EBADMSG) }
            hash.add(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            done += got
        }
        guard done == head.restSize, hash.finish() == head.digest else { throw SystemCallError(call: "pread", code: EBADMSG) }
        map = try MappedFile(file, size: EvidenceIndexFile.headSize + head.restSize)
        self.name = name
        self.head = head
    }

    /// The content, lent for the call; nil where a page of it could not be had, now or before: the file was made shorter, or the disk fails.
    package func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let result = map.withBytes { body(UnsafeRawBufferPointer(rebasing: $0[(EvidenceIndexFile.headSize + head.seqCount * 8)...])) }
        return map.isTorn ? nil : result
    }
}
