// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CZstd
import DaybookLinux
import Glibc
import JournalFormat
import Synchronization

/// Compresses segments that have rested, on a short-lived thread: a copy is made under another name, flushed, read back and compared byte for
/// byte, and renamed; only then the plain one is removed. A crash leaves the plain one, or both, or the compressed one, each whole.
final class SegmentPacker: @unchecked Sendable {
    private let place: JournalPlaceOnDisk
    private let rest: Duration
    private let disk: Disk
    private let isStopping = Atomic(false)
    private let isRunning = Atomic(false)
    // Owner: the writer's thread, which alone calls `start` and `stop`.
    private var thread: WorkerThread?
    // Owner: the thread that packs.
    private var isPaced = false
    private let pausing = Condition()

    /// Where it cannot lower itself, it rests for so many times as long as it worked: a fifth of a processor at most.
    private static let rests: Int64 = 4

    static let temporaryName = ".pack.new"
    private static let level: Int32 = 6

    init(place: JournalPlaceOnDisk, after rest: Duration, disk: Disk) {
        self.place = place
        self.rest = rest
        self.disk = disk
    }

    /// Looks for what is to be compressed, unless that is going on already; `done` is told how many were, and what went wrong.
    func start(_ done: @escaping @Sendable (Int, StorageTrouble?) -> Void) {
        guard !isStopping.load(ordering: .acquiring), !isRunning.exchange(true, ordering: .acquiringAndReleasing) else { return }
        thread?.join()
        do throws(SystemCallError) {
            thread = try WorkerThread(name: "journal-pack") { [self] in
                let (packed, trouble) = packAll()
                isRunning.store(false, ordering: .releasing)
                done(packed, trouble)
            }
        } catch {
            isRunning.store(false, ordering: .releasing)
            done(0, StorageTrouble(packing: error))
        }
    }

    /// Ends what goes on, at the next frame.
    func stop() {
        tellToStop()
        thread?.join()
    }

    /// Ends what goes on, at the next frame; the next `start` begins anew.
    func pause() {
        tellToStop()
        thread?.join()
        thread = nil
        isStopping.store(false, ordering: .releasing)
    }

    private func packAll() -> (Int, StorageTrouble?) {
        // On Linux of this thread alone. The service's filter of system calls forbids it, since it is of a group that may do more; then the
        // work is done in small parts with pauses in between.
        isPaced = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) != 0
        var packed = 0
        do throws(SystemCallError) {
            for segment in try place.journal.names().segments.dropLast() where try isDue(segment) {
                if isStopping.load(ordering: .acquiring) { break }
                if try pack(segment) { packed += 1 }
            }
            return (packed, nil)
        } catch {
            return (packed, StorageTrouble(packing: error))
        }
    }

    private func isDue(_ segment: JournalSegment) throws(SystemCallError) -> Bool {
        guard !segment.isPacked else { return false }
        let status = try OwnedDescriptor.open(segment.name, in: place.journal.descriptor, flags: O_RDONLY | O_NONBLOCK).status()
        // A damaged one is read-only and stays as it is.
        return status.isFile && status.mode & 0o200 != 0 && Clocks.wallMicroseconds() - status.modified >= rest.microseconds
    }

    /// False where it was told to stop.
    private func pack(_ segment: JournalSegment) throws(SystemCallError) -> Bool {
        let plain = try OwnedDescriptor.open(segment.name, in: place.journal.descriptor, flags: O_RDONLY)
        let before = try plain.status()
        if try !isSame(segment.otherName, plain, before.size) {
            guard try compress(plain) else { return false }
            guard try isSame(Self.temporaryName, plain, before.size) else { throw SystemCallError(call: "comparing", code: EIO) }
            try disk.perform(.rename) { () throws(SystemCallError) in
                try place.journal.descriptor.rename(Self.temporaryName, to: segment.otherName)
            }
        }
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() }
        guard try plain.status() == before else { throw SystemCallError(call: "comparing", code: EBUSY) }
        try disk.perform(.unlink) { () throws(SystemCallError) in try place.journal.descriptor.unlink(segment.name) }
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() }
        return true
    }

    /// Writes the compressed form under the temporary name, and flushes it; false where it was told to stop.
    private func compress(_ plain: borrowing OwnedDescriptor) throws(SystemCallError) -> Bool {
        let file = try disk.perform(.openFile) { () throws(SystemCallError) in
            try OwnedDescriptor.open(
                Self.temporaryName, in: place.journal.descriptor, flags: O_RDWR | O_CREAT | O_TRUNC, mode: JournalPlaceOnDisk.fileMode)
        }
        try disk.perform(.setMode) { () throws(SystemCallError) in try file.setMode(JournalPlaceOnDisk.fileMode) }
        guard let context = ZSTD_createCCtx() else { throw SystemCallError(call: "ZSTD_createCCtx", code: ENOMEM) }
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        var frames: [(packed: Int, plain: Int)] = []
        var (read, written) = (0, 0)
        while let lines = try wholeLines(of: plain, at: read) {
            if isStopping.load(ordering: .acquiring) { return false }
            let began = Condition.now()
            defer { if isPaced { rest(since: began) } }
            var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(lines.count))
            let size = ZSTD_compress2(context, &frame, frame.count, lines, lines.count)
            guard ZSTD_isError(size) == 0 else { throw SystemCallError(call: "ZSTD_compress2", code: ENOMEM) }
            try disk.write(Array(frame.prefix(size)), to: file, at: written)
            frames.append((size, lines.count))
            read += lines.count
            written += size
        }
        try disk.write(PackedFrames.encode(frames), to: file, at: written)
        try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
        return true
    }

    private func rest(since began: Int64) {
        let now = Condition.now()
        let end = now + Self.rests * (now - began)
        pausing.withLock {
            while !isStopping.load(ordering: .acquiring), Condition.now() < end { _ = pausing.wait(until: end) }
        }
    }

    private func tellToStop() {
        isStopping.store(true, ordering: .releasing)
        pausing.withLock {}
        pausing.wakeAll()
    }

    /// About a frame's worth of bytes that end with a line; nil at the end. A line longer than any line may be is cut.
    private func wholeLines(of file: borrowing OwnedDescriptor, at offset: Int) throws(SystemCallError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: PackedFrames.frameBytes, alignment: 16)
        defer { part.deallocate() }
        while bytes.count <= JournalFormat.longestLine {
            let count = try file.read(into: part, at: offset + bytes.count)
            if count == 0 { break }
            bytes.append(contentsOf: part[..<count])
            if let end = bytes.lastIndex(of: 0x0a) { return Array(bytes[...end]) }
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Whether a compressed file gives exactly these bytes, read from the disk. False where there is none, or where it cannot be unpacked.
    private func isSame(_ name: String, _ plain: borrowing OwnedDescriptor, _ size: Int) throws(SystemCallError) -> Bool {
        let file: OwnedDescriptor
        do { file = try OwnedDescriptor.open(name, in: place.journal.descriptor, flags: O_RDONLY | O_NONBLOCK) } catch {
            guard error.code == ENOENT else { throw error }
            return false
        }
        file.forgetCache()
        guard PackedFrames.table(of: file).count > 1 || size == 0, let packed = try? PackedSegment(name, file: file) else { return false }
        let buffers = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * PackedFrames.frameBytes, alignment: 16)
        defer { buffers.deallocate() }
        let left = UnsafeMutableRawBufferPointer(rebasing: buffers[..<PackedFrames.frameBytes])
        var offset = 0
        while true {
            guard let count = try? packed.read(into: left) else { return false }  // it is made again then
            if count == 0 { return offset == size }
            var done = 0
            while done < count {
                let right = UnsafeMutableRawBufferPointer(rebasing: buffers[PackedFrames.frameBytes...].prefix(count - done))
                let got = try plain.read(into: right, at: offset + done)
                guard got > 0, let one = left.baseAddress, let other = right.baseAddress, memcmp(one + done, other, got) == 0 else {
                    return false
                }
                done += got
            }
            offset += count
        }
    }
}

extension StorageTrouble {
    init(packing error: SystemCallError) {
        self.init(
            call: error.call, code: error.code,
            description: "a segment of the journal could not be compressed (\(error)); it stays as it is, and is tried again later")
    }
}
