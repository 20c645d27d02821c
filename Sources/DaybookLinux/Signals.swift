// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Which signals reach a thread, and which the process ignores.
package enum Signals {
    /// Blocks them in the calling thread and in the threads it makes afterwards.
    package static func block(_ numbers: [Int32]) throws(SystemCallError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers {
            guard sigaddset(&set, number) == 0 else { throw SystemCallError(call: "sigaddset", code: errno) }
        }
        let code = pthread_sigmask(SIG_BLOCK, &set, nil)
        if code != 0 { throw SystemCallError(call: "pthread_sigmask", code: code) }
    }

    /// True where the calling thread blocks it.
    package static func isBlocked(_ number: Int32) -> Bool {
        var set = sigset_t()
        return pthread_sigmask(SIG_BLOCK, nil, &set) == 0 && sigismember(&set, number) == 1
    }

    /// For the whole process: a write to a pipe that nobody reads becomes EPIPE instead of the end of the process.
    package static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}
