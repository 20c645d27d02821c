// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux

/// The kernel's random numbers.
package enum RandomBytes {
    /// Fills the numbers in one system call; false where the kernel has none to give.
    package static func fill(_ numbers: inout [UInt64]) -> Bool {
        numbers.withUnsafeMutableBytes { daybook_random($0.baseAddress, $0.count) == 1 }
    }
}
