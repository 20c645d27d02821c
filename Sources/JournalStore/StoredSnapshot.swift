// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
package import JournalFormat

/// A snapshot that fits the journal beside it. Its bytes are in memory of their own, which goes with this.
///
/// The file is read, not mapped: on a disk that fails, a mapped page ends the process, and a read is an error.
package final class StoredSnapshot {
    package let stamp: SnapshotFile.Stamp
    private let memory: AnonymousMemory

    /// Lent for the call.
    package func withContent<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let bytes = UnsafeRawBufferPointer(memory.bytes)
        return try body(UnsafeRawBufferPointer(rebasing: bytes[SnapshotFile.headSize..<(bytes.count - SnapshotFile.tailSize)]))
    }

    /// The first bytes of the content are not needed any more: their room goes back to the kernel, so that a large ledger is not there twice.
    package func release(_ count: Int) { memory.release(SnapshotFile.headSize + count) }

    /// `through`: the last entry that the journal has for sure.
    package init(
        stateDirectory: String, contentVersion: UInt32, program: String, through last: UInt64
    ) throws(SnapshotFile.Refusal) {
        do throws(SystemCallError) {
            let state = try OwnedDescriptor.openFolder(stateDirectory)
            let file = try OwnedDescriptor.open(SnapshotFile.name, in: state, flags: O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            guard status.isFile else { throw SystemCallError(call: "openat", code: EINVAL) }
            guard status.size >= SnapshotFile.headSize + SnapshotFile.tailSize, status.size <= SnapshotFile.largest else {
                throw SystemCallError(call: "fstat", code: EBADMSG)
            }
            // Before all of it is read: a file that somebody made longer must not fill the memory of every start.
            var length: UInt64 = 0
            let told = try withUnsafeMutableBytes(of: &length) { (bytes) throws(SystemCallError) in
                try file.read(into: bytes, at: status.size - SnapshotFile.tailSize)
            }
            guard told == 8, UInt64(littleEndian: length) == UInt64(status.size - SnapshotFile.headSize - SnapshotFile.tailSize) else {
                throw SystemCallError(call: "pread", code: EBADMSG)
            }
            memory = try AnonymousMemory(size: status.size)
            var done = 0
            while done < status.size {
                let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: memory.bytes[done...]), at: done)
                guard count > 0 else { throw SystemCallError(call: "pread", code: EBADMSG) }
                done += count
            }
        } catch {
            switch error.code {
            case ENOENT: throw .absent
            case EBADMSG: throw .damaged
            default: throw .unreadable(errnoText(error.code))
            }
        }
        let bytes = UnsafeRawBufferPointer(memory.bytes)
        stamp = try Self.checked(bytes)
        guard stamp.contentVersion == contentVersion, stamp.program == String(program.prefix(SnapshotFile.versionSize)) else {
            throw .otherVersion
        }
        guard stamp.position.seq > 0, stamp.position.seq <= last,
            JournalReader(stateDirectory: stateDirectory).position(of: stamp.position.seq) == stamp.position
        else { throw .otherJournal }
    }

    private static func checked(_ bytes: UnsafeRawBufferPointer) throws(SnapshotFile.Refusal) -> SnapshotFile.Stamp {
        let tail = bytes.count - SnapshotFile.tailSize
        func number<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Number {
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
        }
        guard bytes.prefix(SnapshotFile.magic.count).elementsEqual(SnapshotFile.magic),
            number(tail, UInt64.self) == UInt64(tail - SnapshotFile.headSize)
        else { throw .damaged }
        // Whatever wrote another form may have sealed it otherwise.
        guard number(8, UInt32.self) == SnapshotFile.form else { throw .otherVersion }
        let digest = Digest.of(UnsafeRawBufferPointer(rebasing: bytes[..<(tail + 8)]))
        guard digest.withBytes({ $0.elementsEqual(bytes[(tail + 8)...]) }),
            let chain = Digest(stored: UnsafeRawBufferPointer(rebasing: bytes[24..<56]))
        else { throw .damaged }
        return SnapshotFile.Stamp(
            position: JournalPosition(seq: number(16, UInt64.self), chain: chain), journalBytes: number(56, UInt64.self),
            contentVersion: number(12, UInt32.self),
            program: String(decoding: bytes[64..<128].prefix { $0 != 0 }, as: UTF8.self))
    }
}

/// Memory that is given back to the kernel at once, and not kept for later.
final class AnonymousMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(size: Int) throws(SystemCallError) {
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { throw SystemCallError(call: "mmap", code: errno) }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// Of the first bytes whole pages; they read as zeros then.
    func release(_ count: Int) {
        let page = max(1, sysconf(Int32(_SC_PAGESIZE)))
        let whole = min(count, bytes.count) / page * page
        if whole > 0 { madvise(bytes.baseAddress, whole, MADV_DONTNEED) }
    }
}

extension JournalReader {
    /// Where the journal stood after an entry; nil where it has none of that number, or it cannot be read.
    package func position(of seq: UInt64) -> JournalPosition? {
        let lines = JournalLines(path, after: seq - 1, through: seq)
        while let found = try? lines.next() {
            guard let line = found.line, let number = LineParts.seq(of: line), number >= seq else { continue }
            guard number == seq, let parts = LineParts(line) else { return nil }
            return JournalPosition(seq: seq, chain: parts.chain)
        }
        return nil
    }
}
