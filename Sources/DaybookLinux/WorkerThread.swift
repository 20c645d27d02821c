// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc
import Synchronization

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
    private let isJoined = Atomic(false)

    /// Starts at once. Of the name 15 bytes are kept; it is what `top -H` shows. Signals are blocked in it, so that they reach the loop, but
    /// not those that a thread's own mistake raises: blocked, they would end the process without a word.
    package init(name: String, run: @escaping @Sendable () -> Void) throws(SystemCallError) {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] { sigdelset(&all, number) }
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

    deinit {
        // Otherwise its stack would be kept for a `join` that never comes.
        if !isJoined.load(ordering: .acquiring) { pthread_detach(thread) }
    }

    /// Waits until the body has returned. Only the first call waits; never call it in the thread itself.
    package func join() {
        if !isJoined.exchange(true, ordering: .acquiringAndReleasing) { pthread_join(thread, nil) }
    }

    fileprivate static func enter(_ pointer: UnsafeMutableRawPointer) {
        let body = Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
        daybook_name_thread(body.name)
        body.run()
    }
}

// A function, not a closure: a closure handed to C and called on another thread traps in Swift 6 mode.
private func startBody(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pointer { WorkerThread.enter(pointer) }
    return nil
}
