// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import JournalFormat

/// Goes over every byte of the journal, and says of each line what a check of the journal would.
final class JournalWalk {
    enum Piece {
        /// A line that counts.
        case good(UnsafeRawBufferPointer, LineParts)
        /// A line that a later segment replaces, or one in or behind damage.
        case other(UnsafeRawBufferPointer, isVoid: Bool)
        /// Bytes that are no line: too long, or unfinished at the end.
        case bytes(Int, endsWithLine: Bool)
    }

    private var verifier = JournalVerifier()

    /// Walks over one segment, after those before it. Where a part of a compressed one cannot be unpacked, what comes after it follows.
    func segment<Failure: Error>(
        _ segment: JournalSegment, _ bytes: any SegmentBytes, next: UInt64?, _ body: (Piece) throws(Failure) -> Void
    ) throws(Failure) {
        verifier.begin(segment: segment.name, first: segment.first, next: next)
        var splitter = LineSplitter()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count: Int
            do { count = try bytes.read(into: buffer) } catch {
                verifier.end(unpackable: error.description)
                splitter = LineSplitter()
                guard bytes.skipDamage() else { return }
                continue
            }
            if count == 0 { break }
            try splitter.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { (piece) throws(Failure) in
                switch piece {
                case .line(let line):
                    verifier.check(line)
                    if let parts = verifier.goodLine {
                        try body(.good(line, parts))
                    } else {
                        let isVoid = next.map { next in LineParts.seq(of: line).map { $0 >= next } ?? false } ?? false
                        try body(.other(line, isVoid: isVoid))
                    }
                case .tooLong(let bytes):
                    verifier.check(tooLong: bytes)
                    try body(.bytes(bytes, endsWithLine: true))
                }
            }
        }
        if splitter.pendingBytes > 0 { try body(.bytes(splitter.pendingBytes, endsWithLine: false)) }
        verifier.end(unfinished: splitter.pendingBytes, zeros: splitter.pendingZeros)
    }
}
