// SPDX-License-Identifier: Apache-2.0
import CZstd
import DaybookLinux
import Glibc
import JournalFormat

/// A compressed segment: zstd frames of whole lines, then a table of them (zstd's seekable format), by which a place is found quickly.
/// `zstdcat` gives the same bytes. Where the table is absent or wrong, the segment is read from its beginning.
final class PackedSegment: SegmentBytes {
    private let name: String
    private let file: OwnedDescriptor
    private let context: OpaquePointer
    /// Where each frame begins in the file, and after the last one the table; empty without a table.
    private let frames: [Int]
    private var input: UnsafeMutableRawBufferPointer
    private var pending = 0..<0
    /// Where the next compressed bytes are read.
    private var offset = 0
    /// Whether the decoder stands inside a frame.
    private var isInside = false
    /// The frames that were read so far from the beginning, and what is counted of the one that is being read.
    private var seen: [(packed: Int, plain: Int)] = []
    private var counted = (packed: 0, plain: 0)
    /// Bytes that were given back, and come first.
    private var again: [UInt8] = []
    private var last: [UInt8] = []
    private var lastSkip = -1
    private let keepsLast: Bool

    /// `keepsLast`: `giveBack` will be used.
    init(_ name: String, file: consuming OwnedDescriptor, keepsLast: Bool = false) throws(JournalError) {
        guard let context = ZSTD_createDCtx() else { throw .unreadable(segment: name, reason: errnoText(ENOMEM)) }
        // No frame of ours needs more; a made-up one may not have the memory either.
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Int32(PackedFrames.windowLog))
        self.name = name
        self.context = context
        self.keepsLast = keepsLast
        input = .allocate(byteCount: 128 << 10, alignment: 16)
        frames = PackedFrames.table(of: file)
        self.file = file
    }

    deinit {
        ZSTD_freeDCtx(context)
        input.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(JournalError) -> Int {
        if !again.isEmpty {
            let count = min(again.count, buffer.count)
            buffer.copyBytes(from: again.prefix(count))
            again.removeFirst(count)
            return count
        }
        var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
        while output.pos == 0 {
            if pending.isEmpty, try !fill() {
                if isInside { throw .unreadable(segment: name, reason: "its compressed form ends too early") }
                return 0
            }
            var source = ZSTD_inBuffer(src: input.baseAddress, size: pending.upperBound, pos: pending.lowerBound)
            let before = output.pos
            let hint = ZSTD_decompressStream(context, &output, &source)
            counted = (counted.packed + source.pos - pending.lowerBound, counted.plain + output.pos - before)
            pending = source.pos..<pending.upperBound
            guard ZSTD_isError(hint) == 0 else {
                throw .unreadable(
                    segment: name, reason: "its compressed form is damaged (\(String(cString: ZSTD_getErrorName(hint))))")
            }
            isInside = hint != 0
            if hint == 0 {
                seen.append(counted)
                counted = (0, 0)
            }
        }
        if keepsLast { last = Array(buffer.prefix(output.pos)) }
        return output.pos
    }

    /// After all was read from the beginning: whether the table is what the frames say.
    var hasRightTable: Bool {
        guard let table = seen.last, table.plain == 0 else { return false }
        return PackedFrames.isTable(of: seen.dropLast(), at: offset - table.packed, in: file)
    }

    func giveBack(_ count: Int) {
        // A compressed segment does not change, so the same bytes will do.
        again = Array(last.suffix(count)) + again
    }

    func seek(after seq: UInt64) throws(JournalError) {
        var low = 0
        var high = frames.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            // Where a frame does not tell, reading begins before it.
            if let found = firstSeq(ofFrame: middle), found <= seq + 1 { low = middle } else { high = middle }
        }
        go(to: frames.isEmpty ? 0 : frames[low])
    }

    func skipDamage() -> Bool {
        // The decoder is somewhere between what was read and what it took; the damaged frame began before that.
        let reached = offset - pending.count
        guard let next = frames.first(where: { $0 >= reached && $0 > lastSkip }) else { return false }
        lastSkip = next
        go(to: next)
        return next != frames.last
    }

    private func go(to place: Int) {
        ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
        offset = place
        pending = 0..<0
        isInside = false
        again = []
    }

    private func firstSeq(ofFrame index: Int) -> UInt64? {
        go(to: frames[index])
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
            guard let count = try? read(into: buffer) else { return nil }  // damage is told when it is read
            return LineParts.seq(of: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private func fill() throws(JournalError) -> Bool {
        do {
            let count = try file.read(into: input, at: offset)
            offset += count
            pending = 0..<count
            return count > 0
        } catch {
            throw .unreadable(segment: name, reason: errnoText(error.code))
        }
    }
}
