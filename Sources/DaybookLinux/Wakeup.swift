// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// An eventfd: any thread signals, one thread waits for it in its poll set.
package final class Wakeup: Sendable {
    package let descriptor: OwnedDescriptor

    package init() throws(SystemCallError) {
        let raw = try systemCall("eventfd") { Int(daybook_eventfd()) }
        descriptor = OwnedDescriptor(adopting: Int32(raw))
    }

    /// Wakes the waiting thread; several signals before it wakes are one.
    package func signal() {
        descriptor.withRaw { raw in
            var one: UInt64 = 1
            // EAGAIN means the counter is full, so the waiter is awake anyway.
            _ = Glibc.write(raw, &one, 8)
        }
    }

    /// Takes the signal back; call before looking at what it announced, so that a later one is not lost.
    package func reset() {
        descriptor.withRaw { raw in
            var count: UInt64 = 0
            _ = Glibc.read(raw, &count, 8)
        }
    }
}
