// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
package import JournalFormat

/// Files beside the segments that hold the evidence of one assignment each that is over, so that it need not stay in the memory of the
/// process: `<first entry>-<digest>.evidence`. Caches, never truth, and of no use without the snapshot that names them; they name nobody.
///
/// Little-endian. Head of 144 bytes: magic (8), form of the file (4), version of the content (4), number of the last entry it stands for (8),
/// its chain (32), how many entries began its sessions (8), size of the content (8), SHA-256 of all that follows the head (32), zeros (8),
/// SHA-256 of the head so far (32). Then the numbers of those entries (8 each), and the content, which is the reader's own business.
///
/// A file never changes, and is written in a folder of its own before it gets its name here. Whoever erases entries removes that folder
/// first, and then every file that has one of these entries: a writer that is still at work then has no place to put anything.
package enum EvidenceIndexFile {
    package static let ending = ".evidence"
    package static let temporaryFolder = ".evidence.new"

    static let magic = Array("DAYBOOK\u{2}".utf8)
    static let form: UInt32 = 1
    static let headSize = 144
    /// More than the largest assignment has; a damaged size must not become a request for memory.
    static let largest = 16 << 30

    /// What stands in its head.
    package struct Head: Equatable, Sendable {
        /// Nothing after this entry is in it.
        package var position: JournalPosition
        package var contentVersion: UInt32
        /// How many entries began its sessions.
        package var seqCount: Int
        package var contentSize: Int
        package var digest: Digest

        var restSize: Int { seqCount * 8 + contentSize }

        var bytes: [UInt8] {
            var head = EvidenceIndexFile.magic
            func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { head.append(contentsOf: $0) } }
            add(EvidenceIndexFile.form)
            add(contentVersion)
            add(position.seq)
            position.chain.withBytes { head.append(contentsOf: $0) }
            add(UInt64(seqCount))
            add(UInt64(contentSize))
            digest.withBytes { head.append(contentsOf: $0) }
            add(UInt64(0))
            SHA256.hash(head).withBytes { head.append(contentsOf: $0) }
            return head
        }

        /// Nil for bytes that are no head, or one of another form.
        init?(_ bytes: UnsafeRawBufferPointer) {
            func number<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Number {
                Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
            }
            guard bytes.count == EvidenceIndexFile.headSize,
                Digest.of(UnsafeRawBufferPointer(rebasing: bytes[..<112]))
                    == Digest(stored: UnsafeRawBufferPointer(rebasing: bytes[112...])),
                bytes.prefix(8).elementsEqual(EvidenceIndexFile.magic), number(8, UInt32.self) == EvidenceIndexFile.form,
                let chain = Digest(stored: UnsafeRawBufferPointer(rebasing: bytes[24..<56])),
                let digest = Digest(stored: UnsafeRawBufferPointer(rebasing: bytes[72..<104])),
                number(56, UInt64.self) <= UInt64(EvidenceIndexFile.largest / 8),
                number(64, UInt64.self) <= UInt64(EvidenceIndexFile.largest)
            else { return nil }
            position = JournalPosition(seq: number(16, UInt64.self), chain: chain)
            contentVersion = number(12, UInt32.self)
            seqCount = Int(number(56, UInt64.self))
            contentSize = Int(number(64, UInt64.self))
            self.digest = digest
        }

        init(position: JournalPosition, contentVersion: UInt32, seqs: [UInt64], contentSize: Int, digest: Digest) {
            self.position = position
            self.contentVersion = contentVersion
            seqCount = seqs.count
            self.contentSize = contentSize
            self.digest = digest
        }
    }

    /// What the head says of the rest.
    package static func digest(seqs: [UInt64], content: [UInt8]) -> Digest {
        var hash = SHA256()
        for seq in seqs { withUnsafeBytes(of: seq.littleEndian) { hash.add($0) } }
        content.withUnsafeBytes { hash.add($0) }
        return hash.finish()
    }

    /// Sorts beside the segment that has the entry; another content has another name.
    static func name(first: UInt64, digest: Digest) -> String {
        let segment = JournalSegment.name(first: first)
        return "\(segment.dropLast(".jsonl".count))-\(digest.hex.prefix(16))\(ending)"
    }

    /// The names of all such files in the journal's folder.
    static func names(in journal: borrowing OwnedDescriptor) throws(SystemCallError) -> [String] {
        try journal.names().filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
    }

    /// Removes what is being written, and every file that has one of these entries or cannot be read; all of it is gone from the disk then.
    static func remove(touching ranges: [ClosedRange<UInt64>], in journal: borrowing OwnedDescriptor, _ disk: Disk) throws(SystemCallError)
    {
        try removeUnfinished(in: journal, disk)
        var removed = false
        for name in try names(in: journal) where touches(name, in: journal, ranges) {
            try disk.perform(.unlink) { () throws(SystemCallError) in try journal.unlink(name) }
            removed = true
        }
        if removed { try disk.perform(.syncFolder) { () throws(SystemCallError) in try journal.sync() } }
    }

    /// Removes those that a snapshot which has taken the place of an older one does not name.
    static func remove(except kept: Set<String>, in journal: borrowing OwnedDescriptor, _ disk: Disk) throws(SystemCallError) {
        for name in try names(in: journal) where !kept.contains(name) {
            try disk.perform(.unlink) { () throws(SystemCallError) in try journal.unlink(name) }
        }
    }

    /// Whoever is still writing in that folder finds that it is gone.
    static func removeUnfinished(in journal: borrowing OwnedDescriptor, _ disk: Disk) throws(SystemCallError) {
        for _ in 0..<100 {
            do throws(SystemCallError) {
                let folder = try OwnedDescriptor.open(temporaryFolder, in: journal, flags: O_RDONLY | O_DIRECTORY)
                for name in try folder.names() {
                    do throws(SystemCallError) {
                        try disk.perform(.unlink) { () throws(SystemCallError) in try folder.unlink(name) }
                    } catch {
                        if error.code != ENOENT { throw error }  // it got its name just now, and is found under that
                    }
                }
                try disk.perform(.unlink) { () throws(SystemCallError) in try journal.removeFolder(temporaryFolder) }
                try disk.perform(.syncFolder) { () throws(SystemCallError) in try journal.sync() }
                return
            } catch {
                switch error.code {
                case ENOENT: return
                // Somebody put something else there.
                case ENOTDIR, ELOOP: try disk.perform(.unlink) { () throws(SystemCallError) in try journal.unlink(temporaryFolder) }
                // A file was begun meanwhile.
                case ENOTEMPTY: continue
                default: throw error
                }
            }
        }
        throw SystemCallError(call: "unlinkat \(temporaryFolder)", code: ENOTEMPTY)
    }

    private static func touches(_ name: String, in journal: borrowing OwnedDescriptor, _ ranges: [ClosedRange<UInt64>]) -> Bool {
        guard let file = try? OwnedDescriptor.open(name, in: journal, flags: O_RDONLY | O_NONBLOCK) else { return true }  // unread, it goes
        if (try? file.status().isFolder) == true { return false }
        guard let head = try? head(of: file), let seqs = try? bytes(of: file, at: headSize, count: head.seqCount * 8)
        else { return true }
        return seqs.withUnsafeBytes { seqs in
            (0..<head.seqCount).contains { index in
                let seq = UInt64(littleEndian: seqs.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
                return ranges.contains(seq)
            }
        }
    }

    /// EBADMSG for a file that is none of ours, or that is longer or shorter than it says.
    static func head(of file: borrowing OwnedDescriptor) throws(SystemCallError) -> Head {
        let status = try file.status()
        guard status.isFile, status.size >= headSize, let head = try bytes(of: file, at: 0, count: headSize).withUnsafeBytes({ Head($0) }),
            status.size == headSize + head.restSize
        else { throw SystemCallError(call: "pread", code: EBADMSG) }
        return head
    }

    private static func bytes(of file: borrowing OwnedDescriptor, at start: Int, count: Int) throws(SystemCallError) -> [UInt8] {
        var all: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, min(count, SegmentFile.bufferSize)), alignment: 16)
        defer { buffer.deallocate() }
        while all.count < count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, count - all.count)])
            let got = try file.read(into: part, at: start + all.count)
            guard got > 0 else { throw SystemCallError(call: "pread", code: EBADMSG) }
            all.append(contentsOf: part[..<got])
        }
        return all
    }
}

extension [ClosedRange<UInt64>] {
    /// Of ranges in order.
    func contains(_ seq: UInt64) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound < seq { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].contains(seq)
    }
}
