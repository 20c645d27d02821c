// SPDX-License-Identifier: Apache-2.0
import CDaybookCrypto

/// 32 bytes that SHA-256 made: of a line, or of the chain up to it.
package struct Digest: Hashable, Sendable {
    // Big-endian words: cheap to copy and to compare, no allocation.
    private let words: Words

    fileprivate struct Words: Hashable, Sendable {
        var a: UInt64 = 0
        var b: UInt64 = 0
        var c: UInt64 = 0
        var d: UInt64 = 0

        var swapped: Words { Words(a: a.byteSwapped, b: b.byteSwapped, c: c.byteSwapped, d: d.byteSwapped) }
    }

    /// What the first entry's chain is made from.
    package static let zero = Digest(words: Words())

    private init(words: Words) { self.words = words }

    fileprivate init(bigEndian words: Words) { self.words = UInt64(1).bigEndian == 1 ? words : words.swapped }
    fileprivate var bigEndianWords: Words { UInt64(1).bigEndian == 1 ? words : words.swapped }

    /// Nil unless there are exactly 64 lower-case hexadecimal digits: the stored form has one spelling.
    package init?(hex: UnsafeRawBufferPointer) {
        guard hex.count == 64, let digits = hex.baseAddress else { return nil }
        let found = Self.made { daybook_hex32(digits.assumingMemoryBound(to: CChar.self), $0) }
        guard let found else { return nil }
        self = found
    }

    package init?(hex: some Collection<UInt8>) {
        guard let digest = Array(hex).withUnsafeBytes({ Digest(hex: $0) }) else { return nil }
        self = digest
    }

    package init?(hex: String) { self.init(hex: Array(hex.utf8)) }

    /// The hash of bytes that are all there.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> Digest {
        // A wrong digest in the journal would be worse than a stop.
        guard let digest = made({ daybook_sha256_of(bytes.baseAddress, bytes.count, $0) }) else {
            preconditionFailure("libcrypto failed to make a SHA-256")
        }
        return digest
    }

    /// The chain after an entry: the hash of the chain before it and of the entry's digest.
    package static func chain(after previous: Digest, _ digest: Digest) -> Digest {
        let result: Digest? = previous.withBytes { first in
            digest.withBytes { second in
                made { result in
                    guard let first = first.baseAddress, let second = second.baseAddress else { return 0 }
                    return daybook_sha256_pair(
                        first.assumingMemoryBound(to: UInt8.self), second.assumingMemoryBound(to: UInt8.self), result)
                }
            }
        }
        guard let result else { preconditionFailure("libcrypto failed to make a SHA-256") }
        return result
    }

    /// 32 bytes from C; nil where it gives 0.
    private static func made(_ body: (UnsafeMutablePointer<UInt8>) -> Int32) -> Digest? {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        return withUnsafeMutableBytes(of: &words) { buffer in
            guard let bytes = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), body(bytes) == 1 else { return nil }
            return Digest(bytes: UnsafeRawBufferPointer(buffer))
        }
    }

    /// Of 32 bytes.
    init(bytes: UnsafeRawBufferPointer) {
        words = Words(
            a: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            b: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
            c: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            d: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)))
    }

    /// Nil unless there are 32 bytes.
    package init?(stored bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 32 else { return nil }
        self.init(bytes: bytes)
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
        withBytes { appendHexDigits(of: $0, to: &out) }
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

    package static func hash(_ bytes: some Sequence<UInt8>) -> Digest { Array(bytes).withUnsafeBytes { Digest.of($0) } }
}

/// 128 random bits that go into a line, so that nobody can find by trying what an erased line said.
package struct Salt: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Lends the 16 bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }
}

/// Two lower-case digits for each of at most 32 bytes.
private func appendHexDigits(of bytes: UnsafeRawBufferPointer, to out: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { digits in
        let count = min(bytes.count, 32)
        guard let from = bytes.baseAddress, let to = digits.baseAddress else { return }
        daybook_hex(from.assumingMemoryBound(to: UInt8.self), count, to)
        out.append(contentsOf: UnsafeBufferPointer(rebasing: digits[..<(2 * count)]))
    }
}

extension ByteRoom {
    mutating func append(hexOf salt: Salt) {
        salt.withBytes { bytes in
            guard let from = bytes.baseAddress else { return }
            append(2 * bytes.count) { daybook_hex(from.assumingMemoryBound(to: UInt8.self), bytes.count, $0) }
        }
    }

    /// Puts digest and chain behind the line that begins at `start` and whose object is still open, and says what they are.
    mutating func seal(from start: Int, after previous: Digest) -> (digest: Digest, chain: Digest) {
        var sums: (Digest.Words, Digest.Words) = (Digest.Words(), previous.bigEndianWords)
        let length = count - start
        append(Int(DAYBOOK_SEAL_LENGTH)) { end in
            let good = withUnsafeMutableBytes(of: &sums) { sums in
                guard let digest = sums.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return Int32(0) }
                return daybook_seal_line(end - length, length, digest + 32, digest, end)
            }
            // A wrong digest in the journal would be worse than a stop.
            precondition(good == 1, "libcrypto failed to make a SHA-256")
        }
        return (Digest(bigEndian: sums.0), Digest(bigEndian: sums.1))
    }
}
