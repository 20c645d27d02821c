// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import JournalFormat

/// The bytes of a segment from its beginning to its end, the same whether it is compressed on the disk or not. For one thread.
protocol SegmentBytes: AnyObject {
    /// The next bytes, up to the buffer's size; 0 where there are none yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(JournalError) -> Int
    /// So many of the bytes that were read last come again, as the file has them then.
    func giveBack(_ count: Int)
    /// Goes to the beginning of a line at or before the first one whose number is above `seq`, in few reads.
    func seek(after seq: UInt64) throws(JournalError)
    /// After a read threw: goes on behind the damage, at the beginning of a line. False where that cannot be told.
    func skipDamage() -> Bool
}

/// A segment as it is written.
final class PlainSegment: SegmentBytes {
    private let name: String
    private let file: OwnedDescriptor
    private var offset = 0

    static let probe = 64 << 10

    init(_ name: String, file: consuming OwnedDescriptor) {
        self.name = name
        self.file = file
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(JournalError) -> Int {
        let count = try read(into: buffer, at: offset)
        offset += count
        return count
    }

    func giveBack(_ count: Int) { offset -= count }

    func skipDamage() -> Bool { false }

    func seek(after seq: UInt64) throws(JournalError) {
        var low = 0
        var high: Int
        do { high = try file.status().size } catch { throw .unreadable(segment: name, reason: errnoText(error.code)) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.probe, alignment: 16)
        defer { buffer.deallocate() }
        while high - low > SegmentFile.bufferSize {
            let middle = low + (high - low) / 2
            guard let (start, found) = try firstLine(from: middle, buffer), start < high else {
                high = middle
                continue
            }
            if found <= seq { low = start } else { high = middle }
        }
        offset = low
    }

    /// The first line that begins after a place, and its number; nil where none can be told within the buffer.
    private func firstLine(from place: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(JournalError) -> (start: Int, seq: UInt64)? {
        let count = try read(into: buffer, at: place)
        var start = 0
        while let base = buffer.baseAddress, start < count, let end = memchr(base + start, 0x0a, count - start) {
            start = base.distance(to: end) + 1
            if let seq = LineParts.seq(of: UnsafeRawBufferPointer(rebasing: buffer[start..<count])) { return (place + start, seq) }
        }
        return nil
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JournalError) -> Int {
        do { return try file.read(into: buffer, at: offset) } catch {
            throw .unreadable(segment: name, reason: errnoText(error.code))
        }
    }
}
