// SPDX-License-Identifier: Apache-2.0
import CDaybookCrypto

/// 32 bytes that SHA-256 made: of a line, or of the chain up to it.
package struct Digest: Hashable, Sendable {
    // Big-endian words: cheap to copy and to compare, no allocation.
    private let words: Words

    private struct Words: Hashable, Sendable {
        var a: UInt64 = 0
        var b: UInt64 = 0
        var c: UInt64 = 0
        var d: UInt64 = 0
    }

    /// What the first entry's chain is made from.
    package static let zero = Digest(words: Words())

    private init(words: Words) { self.words = words }

    /// Nil unless there are exactly 64 lower-case hexadecimal digits: the stored form has one spelling.
    package init?(hex: some Collection<UInt8>) {
        guard hex.count == 64 else { return nil }
        var parts: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        for byte in hex {
            guard let digit = lowerHexDigit(byte) else { return nil }
            parts.0 = parts.0 << 4 | parts.1 >> 60
            parts.1 = parts.1 << 4 | parts.2 >> 60
            parts.2 = parts.2 << 4 | parts.3 >> 60
            parts.3 = parts.3 << 4 | UInt64(digit)
        }
        words = Words(a: parts.0, b: parts.1, c: parts.2, d: parts.3)
    }

    package init?(hex: String) { self.init(hex: Array(hex.utf8)) }

    fileprivate init(bytes: UnsafeRawBufferPointer) {
        words = Words(
            a: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            b: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            c: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            d: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)))
    }

    /// Lends the 32 bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(
            of: Words(a: words.a.bigEndian, b: words.b.bigEndian, c: words.c.bigEndian, d: words.d.bigEndian), body)
    }

    package var hex: String {
        var out: [UInt8] = []
        appendHex(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    package func appendHex(to out: inout [UInt8]) {
        withBytes { bytes in
            for byte in bytes {
                out.append(hexDigits[Int(byte >> 4)])
                out.append(hexDigits[Int(byte & 15)])
            }
        }
    }
}

/// SHA-256 over bytes that come in pieces; can be used again after `finish`. For one thread.
package struct SHA256: ~Copyable {
    private let state: OpaquePointer

    package init() {
        guard let state = daybook_sha256_new() else { preconditionFailure("libcrypto gives no SHA-256") }
        self.state = state
    }

    deinit { daybook_sha256_free(state) }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) { daybook_sha256_add(state, bytes.baseAddress, bytes.count) }

    package mutating func add(_ digest: Digest) { digest.withBytes { daybook_sha256_add(state, $0.baseAddress, $0.count) } }

    /// The hash of all that was added since the last `finish`.
    package mutating func finish() -> Digest {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
            let good = daybook_sha256_finish(state, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
            // A wrong digest in the journal would be worse than a stop.
            precondition(good == 1, "libcrypto failed to finish a SHA-256")
            return Digest(bytes: UnsafeRawBufferPointer(buffer))
        }
    }

    package static func hash(_ bytes: some Sequence<UInt8>) -> Digest {
        var hash = SHA256()
        Array(bytes).withUnsafeBytes { hash.add($0) }
        return hash.finish()
    }
}

/// 128 random bits that go into a line, so that nobody can find by trying what an erased line said.
package struct Salt: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    func appendHex(to out: inout [UInt8]) {
        for word in [high, low] {
            for shift in stride(from: 60, through: 0, by: -4) { out.append(hexDigits[Int(word >> UInt64(shift) & 15)]) }
        }
    }
}

let hexDigits = Array("0123456789abcdef".utf8)

func lowerHexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
}
