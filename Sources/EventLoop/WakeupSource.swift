// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux

/// Runs its handler in the loop's thread after any thread has signalled the `Wakeup`: once, however many signals came before.
///
/// The handler takes everything from every `HandOver` that uses this wake-up.
package final class WakeupSource {
    package let wakeup: Wakeup
    private let source: DescriptorSource

    package init(_ loop: EventLoop, _ wakeup: Wakeup, priority: Priority = .normal, handler: @escaping () -> Void) throws(SystemCallError) {
        self.wakeup = wakeup
        source = try DescriptorSource(loop, wakeup.descriptor, .readable, priority: priority) { _ in
            // First, so that what is put while the handler takes is announced again.
            wakeup.reset()
            handler()
        }
    }

    package func cancel() { source.cancel() }
}
