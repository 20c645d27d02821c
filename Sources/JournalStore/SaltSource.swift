// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
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
        if !RandomBytes.fill(&numbers) {
            var system = SystemRandomNumberGenerator()
            for index in numbers.indices { numbers[index] = system.next() }
        }
    }
}
