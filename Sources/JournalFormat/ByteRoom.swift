// SPDX-License-Identifier: Apache-2.0

/// Bytes that grow, and whose memory is kept when they are emptied: a line costs no allocation. For one owner.
struct ByteRoom: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 512) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { base.deallocate() }

    /// The last byte; 0 where there is none.
    var last: UInt8 { count > 0 ? base[count - 1] : 0 }

    /// Makes room for so many more bytes.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        (base, capacity) = (moved, larger)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        appendReserved(byte)
    }

    /// After `reserve` only.
    @inline(__always)
    mutating func appendReserved(_ byte: UInt8) {
        base[count] = byte
        count += 1
    }

    /// After `reserve` only.
    @inline(__always)
    mutating func appendReserved(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        (base + count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
        reserve(bytes.count)
        appendReserved(bytes)
    }

    mutating func append(contentsOf bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append(contentsOf: $0) } }

    /// Lends the place behind the last byte for so many bytes, which `body` sets.
    @inline(__always)
    mutating func append(_ more: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        reserve(more)
        body(base + count)
        count += more
    }

    /// Forgets what came after the first bytes; the room stays.
    mutating func shorten(to length: Int) { count = min(count, max(0, length)) }

    /// Forgets all; memory beyond so many bytes is given back.
    mutating func empty(keeping most: Int) {
        count = 0
        guard capacity > most else { return }
        base.deallocate()
        base = .allocate(capacity: most)
        capacity = most
    }

    func withBytes<Result>(from place: Int = 0, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: base + place, count: count - place))
    }
}
