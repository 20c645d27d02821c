// SPDX-License-Identifier: Apache-2.0
import Glibc
import JournalFormat

/// Salts from the kernel's random numbers, fetched for many entries at a time: one system call for each would cost more than all else that
/// an entry costs. What was given is not kept.
struct SaltSource {
    private var numbers: [UInt64] = []
    private static let atOnce = 512

    mutating func next() -> Salt {
        if numbers.count < 2 { refill() }
        return Salt(high: numbers.removeLast(), low: numbers.removeLast())
    }

    private mutating func refill() {
        numbers = [UInt64](repeating: 0, count: Self.atOnce)
        let isFilled = numbers.withUnsafeMutableBytes { buffer in
            // At most 256 bytes in one call; then all come, or none.
            stride(from: 0, to: buffer.count, by: 256).allSatisfy { place in
                getentropy(buffer.baseAddress.map { $0 + place }, 256) == 0
            }
        }
        if !isFilled {
            var system = SystemRandomNumberGenerator()
            for index in numbers.indices { numbers[index] = system.next() }
        }
    }
}
