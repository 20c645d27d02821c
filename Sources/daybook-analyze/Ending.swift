// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Being asked to end (Ctrl-C, a stop of the service): what runs for a document is ended first, since what an analyzer started would not
/// end with us by itself.
enum Ending {
    // Owner: the signal handler writes it, the one thread reads it; a 32-bit word is written at once.
    nonisolated(unsafe) private static var number: sig_atomic_t = 0

    /// The signal that asked; nil where none has.
    static var asked: Int32? { number == 0 ? nil : Int32(number) }

    /// From now on SIGINT and SIGTERM only interrupt a wait.
    static func watch() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in Ending.number = sig_atomic_t(number) }
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaction(number, &action, nil) }
    }

    /// Ends this process by the signal that asked for it, so that whoever started us sees it.
    static func end() -> Never {
        let number = asked ?? SIGTERM
        signal(number, SIG_DFL)
        raise(number)
        _exit(128 + number)
    }
}
