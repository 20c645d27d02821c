// SPDX-License-Identifier: Apache-2.0

/// Numbers as few bytes: seven bits each, the lowest first. Small ones, also negative ones, take one or two.
extension [UInt8] {
    mutating func append(packed value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    mutating func append(packed value: Int64) { append(packed: UInt64(bitPattern: value << 1 ^ value >> 63)) }

    /// Exactly: a whole number, one with at most two decimals, or all its bits.
    mutating func append(packed value: Double) {
        for (mark, factor) in [(UInt64(0), 1.0), (1, 100)] {
            let scaled = (value * factor).rounded()
            guard scaled.magnitude < 0x1p53 else { continue }
            let whole = Int64(scaled)
            guard (Double(whole) / factor).bitPattern == value.bitPattern else { continue }
            return append(packed: UInt64(bitPattern: whole << 1 ^ whole >> 63) << 2 | mark)
        }
        append(packed: UInt64(2))
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: value.bitPattern >> shift)) }
    }
}

/// Reads what was appended so; nil where there is no such thing, and then for everything after it.
struct PackedReader {
    private let bytes: [UInt8]
    private(set) var place: Int

    init(_ bytes: [UInt8], at place: Int = 0) {
        self.bytes = bytes
        self.place = place
    }

    mutating func unsigned() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while place < bytes.count, shift < 64 {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        place = bytes.count
        return nil
    }

    mutating func signed() -> Int64? { unsigned().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) } }

    mutating func double() -> Double? {
        guard let packed = unsigned() else { return nil }
        let whole = packed >> 2
        let value = Int64(bitPattern: whole >> 1) ^ -Int64(bitPattern: whole & 1)
        switch packed & 3 {
        case 0: return Double(value)
        case 1: return Double(value) / 100
        default:
            guard packed == 2, bytes.count - place >= 8 else {
                place = bytes.count
                return nil
            }
            var bits: UInt64 = 0
            for index in 0..<8 { bits |= UInt64(bytes[place + index]) << UInt64(8 * index) }
            place += 8
            return Double(bitPattern: bits)
        }
    }
}
