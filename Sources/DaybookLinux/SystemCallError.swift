// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A system call that the kernel refused.
package struct SystemCallError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call's name as in section 2 of the manual, e.g. `openat`.
    package var call: String
    /// The `errno` it left.
    package var code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(errnoText(code))" }
}

/// The C library's words for an `errno`, e.g. `No space left on device`.
package func errnoText(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let base = buffer.baseAddress else { return "error \(code)" }
        // The XSI form fills the buffer; the result says whether the number was known.
        base.pointee = 0
        _ = strerror_r(code, base, 256)
        let text = String(cString: base)
        return text.isEmpty ? "error \(code)" : text
    }
}

/// Repeats a call while it is interrupted, and turns -1 into a typed error.
@inline(never)
package func systemCall(_ name: String, _ body: () -> Int) throws(SystemCallError) -> Int {
    while true {
        let result = body()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemCallError(call: name, code: code) }
    }
}
