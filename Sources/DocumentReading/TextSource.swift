// SPDX-License-Identifier: Apache-2.0
import CDaybookICU
import Glibc

/// UTF-8 text that can be gone through more than once: a document as it lies there, or decoded text in memory.
struct TextSource {
    private let document: Document?
    private let memory: [UInt8]
    /// Where the text begins: after a byte order mark.
    private let start: Int

    init(_ document: Document, from start: Int) {
        self.document = document
        memory = []
        self.start = start
    }

    init(_ bytes: [UInt8]) {
        document = nil
        memory = bytes
        start = 0
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let document { return document.read(at: start + offset, into: buffer) }
        let part = memory[min(offset, memory.count)..<min(memory.count, offset + buffer.count)]
        buffer.copyBytes(from: part)
        return part.count
    }

    /// All of it, piece by piece; a piece may end inside a character.
    func pieces(_ body: (UnsafeRawBufferPointer) throws(ReadingError) -> Void) throws(ReadingError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 64)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let got = read(at: offset, into: buffer)
            guard got > 0 else { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            offset += got
        }
    }

    /// All of it at once.
    func all() -> [UInt8] {
        guard let document else { return memory }
        return [UInt8](unsafeUninitializedCapacity: max(0, document.size - start)) { buffer, count in
            count = document.read(at: start, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

/// Lines of a text, without their ends.
struct LineReader {
    /// A text with a longer line is not wrapped by hand, so each of its lines is a paragraph.
    static let wrappedLine = 120

    private let source: TextSource

    init(_ source: TextSource) { self.source = source }

    /// True where no line is longer than people and programs wrap lines at.
    func isWrapped() throws(ReadingError) -> Bool {
        var isWrapped = true
        try lines(while: { isWrapped }) { piece, isStart, isEnd throws(ReadingError) in
            if !isStart || !isEnd || piece.count > Self.wrappedLine { isWrapped = false }
        }
        return isWrapped
    }

    /// Each line: whole, or in pieces where it is longer than the buffer.
    func lines(
        while goesOn: () -> Bool = { true },
        _ body: (_ piece: UnsafeRawBufferPointer, _ isStart: Bool, _ isEnd: Bool) throws(ReadingError) -> Void
    ) throws(ReadingError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 64)
        defer { buffer.deallocate() }
        var offset = 0
        var kept = 0
        var isStart = true
        while goesOn() {
            let got = source.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
            offset += got
            let filled = kept + got
            let isLast = kept + got < buffer.count
            var start = 0
            while goesOn() {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<filled])
                guard let base = rest.baseAddress, !rest.isEmpty else { break }
                var size = 0
                let end = daybook_line_end(base.assumingMemoryBound(to: UInt8.self), rest.count, &size)
                // A CR at the end of the buffer may be half of an end, and so may the first bytes of a separator.
                if size == 0 || (!isLast && end + size == rest.count) { break }
                try body(UnsafeRawBufferPointer(rebasing: rest[..<end]), isStart, true)
                isStart = true
                start += end + size
            }
            let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<filled])
            if isLast {
                if !rest.isEmpty || !isStart { try body(rest, isStart, true) }
                return
            }
            if start == 0 {
                // One line fills the buffer. Its last bytes stay, in case they begin a line end.
                try body(UnsafeRawBufferPointer(rebasing: rest[..<(rest.count - 3)]), isStart, false)
                isStart = false
                start = filled - 3
            }
            kept = filled - start
            if kept > 0, let base = buffer.baseAddress { memmove(base, base + start, kept) }
        }
    }
}
