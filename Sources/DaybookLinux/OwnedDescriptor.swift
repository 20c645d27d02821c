// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The only owner of a kernel file descriptor; closes it exactly once.
package struct OwnedDescriptor: ~Copyable, Sendable {
    private let raw: Int32

    /// Takes over a descriptor that nobody else will close.
    package init(adopting raw: Int32) { self.raw = raw }

    deinit { _ = Glibc.close(raw) }

    /// Lends the number for one call. Do not keep it: the kernel reuses numbers.
    package borrowing func withRaw<R, E: Error>(_ body: (Int32) throws(E) -> R) throws(E) -> R {
        try body(raw)
    }

    /// Closes now and says whether the kernel accepted what was still to be written.
    package consuming func close() throws(SystemCallError) {
        let number = raw
        discard self
        // Never repeated: after EINTR the number is already free and may be somebody else's.
        if Glibc.close(number) == -1, errno != EINTR { throw SystemCallError(call: "close", code: errno) }
    }

    /// Gives the number away, e.g. to C code that will close it.
    package consuming func release() -> Int32 {
        let number = raw
        discard self
        return number
    }
}
