// SPDX-License-Identifier: Apache-2.0
import Glibc
import JournalFormat

/// Reads a segment line by line with one buffer.
final class SegmentFile {
    enum Line {
        case line(UnsafeRawBufferPointer)
        case tooLong
    }

    let segment: JournalSegment
    private let bytes: any SegmentBytes
    private var buffer: UnsafeMutableRawBufferPointer
    /// The unread part of the buffer.
    private var unread = 0..<0
    private var isSkipping = false
    /// The length of the line that was given last, with its end.
    private var given = 0

    static let bufferSize = 256 << 10

    init(_ segment: JournalSegment, _ bytes: any SegmentBytes) {
        self.segment = segment
        self.bytes = bytes
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// The next whole line, lent until the next call; nil where there is none yet. Half a line waits for its end.
    func next() throws(JournalError) -> Line? {
        var searched = unread.lowerBound
        while true {
            if let base = buffer.baseAddress, searched < unread.upperBound,
                let end = memchr(base + searched, 0x0a, unread.upperBound - searched)
            {
                let place = base.distance(to: end)
                let line = UnsafeRawBufferPointer(rebasing: buffer[unread.lowerBound..<place])
                given = place + 1 - unread.lowerBound
                unread = (place + 1)..<unread.upperBound
                if isSkipping {
                    isSkipping = false
                    return .tooLong
                }
                return .line(line)
            }
            let pending = unread.count
            if pending == buffer.count || isSkipping {
                // The buffer grows to what a line may have; beyond that its bytes are let go.
                if buffer.count > JournalFormat.longestLine { isSkipping = true }
                if isSkipping { unread = 0..<0 } else { grow() }
            } else if unread.lowerBound > 0 {
                if let base = buffer.baseAddress { memmove(base, base + unread.lowerBound, pending) }
                unread = 0..<pending
            }
            searched = unread.upperBound
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[unread.upperBound...])
            let count = try bytes.read(into: room)
            if count == 0 { return nil }
            unread = unread.lowerBound..<(unread.upperBound + count)
        }
    }

    /// The line that was given last comes again; only right after it was given.
    func giveBack() {
        unread = (unread.lowerBound - given)..<unread.upperBound
        given = 0
    }

    /// What comes next is read from the file anew.
    func forgetReadAhead() {
        bytes.giveBack(unread.count)
        unread = 0..<0
    }

    /// Goes to a line at or before the first one whose number is above `seq`, in few reads.
    func seek(after seq: UInt64) throws(JournalError) { try bytes.seek(after: seq) }

    /// After `next` threw: goes on behind the damage. False where the rest is lost.
    func skipDamage() -> Bool {
        unread = 0..<0
        isSkipping = false
        return bytes.skipDamage()
    }

    private func grow() {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[unread]))
        buffer.deallocate()
        buffer = larger
        unread = 0..<unread.count
    }
}
