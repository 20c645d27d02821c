// SPDX-License-Identifier: Apache-2.0
import CSystemd
package import DaybookLinux
import Glibc

/// One thread's loop on libsystemd's sd-event: it sleeps until a descriptor, a timer, a signal or a hand-over needs it, and calls one
/// handler at a time.
///
/// Everything here belongs to the thread that runs the loop; other threads reach it through a `HandOver` and its `Wakeup`. A source
/// lives as long as its object; `cancel()` or the last reference going away removes it, also from within its own handler.
package final class EventLoop {
    let event: OpaquePointer

    package init() throws(SystemCallError) {
        var made: OpaquePointer?
        try checked("sd_event_new", sd_event_new(&made))
        guard let made else { throw SystemCallError(call: "sd_event_new", code: ENOMEM) }
        event = made
    }

    deinit { sd_event_unref(event) }

    /// Serves until `exit`; the result is its code.
    package func run() throws(SystemCallError) -> Int32 { try checked("sd_event_loop", sd_event_loop(event)) }

    /// Serves what is ready, or waits for it at most `limit` (nil: as long as it takes). False where nothing was served, or the loop has
    /// ended.
    package func step(within limit: Duration?) throws(SystemCallError) -> Bool {
        if sd_event_get_state(event) == SD_EVENT_FINISHED { return false }
        let result = sd_event_run(event, limit.map { UInt64(clamping: $0.wholeMicroseconds) } ?? UInt64.max)
        return try checked("sd_event_run", result) > 0
    }

    /// Makes `run` return once the present handler and then the exit handlers are done.
    package func exit(code: Int32 = 0) {
        // Fails only once the loop has ended.
        _ = sd_event_exit(event, code)
    }

    /// Lets systemd know in time, for as long as the loop turns, that it does. False where systemd does not ask for that.
    package func startWatchdog() throws(SystemCallError) -> Bool {
        try checked("sd_event_set_watchdog", sd_event_set_watchdog(event, 1)) > 0
    }
}

/// Who is served first where several are ready.
package struct Priority: Equatable, Comparable, Sendable {
    let raw: Int64

    package init(_ raw: Int64) { self.raw = raw }

    /// Signals, and what ends the service.
    package static let signals = Priority(-100)
    /// What the kernel says of files: must not wait behind clients.
    package static let changes = Priority(-50)
    package static let normal = Priority(0)
    /// Clients may be hostile, so everything else goes first.
    package static let clients = Priority(50)
    /// When all else is done.
    package static let last = Priority(100)

    package static func < (left: Priority, right: Priority) -> Bool { left.raw < right.raw }
}

/// Turns libsystemd's negative results into typed errors.
@discardableResult
func checked(_ call: String, _ result: Int32) throws(SystemCallError) -> Int32 {
    if result < 0 { throw SystemCallError(call: call, code: -result) }
    return result
}

extension Duration {
    /// Rounded up and never negative, so that waiting that long is never too short.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let bounded = min(seconds, 9_000_000_000_000)
        if seconds < 0 || attoseconds < 0 { return 0 }
        return bounded * 1_000_000 + (attoseconds + 999_999_999_999) / 1_000_000_000_000
    }
}
