// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into lines, with bounded memory whatever the bytes are.
package struct LineSplitter {
    package enum Piece {
        /// A whole line without its end.
        case line(UnsafeRawBufferPointer)
        /// A line beyond the format's limit, whose bytes were not kept.
        case tooLong(bytes: Int)
    }

    private var rest: [UInt8] = []
    private var dropped = 0
    private var trailingZeros = 0

    package init() {}

    /// Bytes after the last line end.
    package var pendingBytes: Int { rest.count + dropped }
    /// How many of them, at their end, are zero.
    package var pendingZeros: Int { trailingZeros }

    /// Calls `body` for each line that ends in these bytes; they are lent for the call.
    package mutating func feed<Failure: Error>(
        _ chunk: UnsafeRawBufferPointer, _ body: (Piece) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        while start < chunk.count {
            guard let end = chunk.lineEnd(from: start) else { break }
            let part = UnsafeRawBufferPointer(rebasing: chunk[start..<end])
            start = end + 1
            if dropped > 0 || rest.count + part.count > JournalFormat.longestLine {
                let length = pendingBytes + part.count
                forget()
                try body(.tooLong(bytes: length))
            } else if rest.isEmpty {
                try body(.line(part))
            } else {
                rest.append(contentsOf: part)
                let line = rest
                forget()
                // Typed errors do not pass through `withUnsafeBytes`, so the result is carried out by hand.
                var failure: Failure?
                line.withUnsafeBytes { bytes in
                    do throws(Failure) { try body(.line(bytes)) } catch { failure = error }
                }
                if let failure { throw failure }
            }
        }
        keep(UnsafeRawBufferPointer(rebasing: chunk[start...]))
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        let zeros = bytes.reversed().prefix { $0 == 0 }.count
        trailingZeros = zeros == bytes.count ? trailingZeros + zeros : zeros
        if dropped > 0 || rest.count + bytes.count > JournalFormat.longestLine {
            dropped += rest.count + bytes.count
            rest = []
        } else {
            rest.append(contentsOf: bytes)
        }
    }

    private mutating func forget() {
        rest.removeAll()
        dropped = 0
        trailingZeros = 0
    }
}

extension UnsafeRawBufferPointer {
    /// The first line end at or after a place, looking at eight bytes at a time.
    fileprivate func lineEnd(from start: Int) -> Int? {
        var place = start
        while place + 8 <= count {
            let found = loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian ^ 0x0a0a_0a0a_0a0a_0a0a
            // A byte that became zero has its top bit set; those above the lowest may be wrong, and are not asked for.
            let marks = (found &- 0x0101_0101_0101_0101) & ~found & 0x8080_8080_8080_8080
            if marks != 0 { return place + marks.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count {
            if self[place] == 0x0a { return place }
            place += 1
        }
        return nil
    }
}
