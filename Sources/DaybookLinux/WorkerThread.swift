// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// A named thread that runs one body to its end; `join` waits for that.
package final class WorkerThread: Sendable {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private let thread: pthread_t

    /// Starts at once. The name has 15 bytes at most (the kernel cuts it) and is what `top -H` shows. All signals are blocked in it, so
    /// that they reach the loop.
    package init(name: String, run: @escaping @Sendable () -> Void) throws(SystemCallError) {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var id = pthread_t()
        let body = Unmanaged.passRetained(Body(name: name, run: run))
        let code = pthread_create(&id, nil, startBody, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw SystemCallError(call: "pthread_create", code: code)
        }
        thread = id
    }

    /// Waits until the body has returned. Call once.
    package func join() { pthread_join(thread, nil) }

    fileprivate static func enter(_ pointer: UnsafeMutableRawPointer) {
        let body = Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
        daybook_name_thread(String(body.name.prefix(15)))
        body.run()
    }
}

// A function, not a closure: a closure handed to C and called on another thread traps in Swift 6 mode.
private func startBody(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pointer { WorkerThread.enter(pointer) }
    return nil
}
