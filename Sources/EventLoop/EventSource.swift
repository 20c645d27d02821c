// SPDX-License-Identifier: Apache-2.0
import CSystemd
package import DaybookLinux
import Glibc

/// Something the loop waits for. Removed by `cancel()` or with its last reference.
package class EventSource {
    private(set) var raw: OpaquePointer?

    fileprivate init() {}

    deinit { remove() }

    /// Calls the handler no more, whatever is pending. May be called at any time, also twice, also from its own or another's handler.
    package func cancel() { remove() }

    package var isCancelled: Bool { raw == nil }

    fileprivate func install(priority: Priority, _ call: String, _ add: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32)
        throws(SystemCallError)
    {
        // Unretained: the source is removed before the object is gone, so the pointer is valid whenever it is used.
        try checked(call, add(&raw, Unmanaged.passUnretained(self).toOpaque()))
        if priority != .normal { try checked("sd_event_source_set_priority", sd_event_source_set_priority(raw, priority.raw)) }
    }

    fileprivate func setEnabled(_ state: Int) {
        guard let raw else { return }
        // Fails only for a source of a loop that has ended.
        _ = sd_event_source_set_enabled(raw, Int32(state))
    }

    fileprivate func remove() {
        guard let source = raw else { return }
        raw = nil
        _ = sd_event_source_disable_unref(source)
    }
}

/// Waits for a descriptor. Cancel it before the descriptor is closed.
package final class DescriptorSource: EventSource {
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let readable = Interest(rawValue: EPOLLIN.rawValue)
        package static let writable = Interest(rawValue: EPOLLOUT.rawValue)
    }

    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// Both directions are closed; reported without being asked for.
        package static let hungUp = Readiness(rawValue: EPOLLHUP.rawValue)
        /// Reported without being asked for.
        package static let failed = Readiness(rawValue: EPOLLERR.rawValue)
    }

    private var handler: ((Readiness) -> Void)?

    /// `descriptor` stays the caller's.
    package init(
        _ loop: EventLoop, _ descriptor: borrowing OwnedDescriptor, _ interest: Interest = .readable, priority: Priority = .normal,
        handler: @escaping (Readiness) -> Void
    ) throws(SystemCallError) {
        self.interest = interest
        self.handler = handler
        super.init()
        let number = descriptor.withRaw { $0 }
        try install(priority: priority, "sd_event_add_io") {
            sd_event_add_io(loop.event, &$0, number, interest.rawValue, descriptorReady, $1)
        }
    }

    /// With nothing of interest, a hang-up is still reported; see `isPaused`.
    package var interest: Interest {
        didSet {
            guard interest != oldValue, let raw else { return }
            // Fails only for a source of a loop that has ended.
            _ = sd_event_source_set_io_events(raw, interest.rawValue)
        }
    }

    /// While true nothing is reported at all.
    package var isPaused = false {
        didSet { if isPaused != oldValue { setEnabled(isPaused ? SD_EVENT_OFF : SD_EVENT_ON) } }
    }

    package override func cancel() {
        remove()
        handler = nil
    }

    fileprivate func fire(_ events: UInt32) { handler?(Readiness(rawValue: events)) }
}

private func descriptorReady(_: OpaquePointer?, _: Int32, _ events: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
    source(context, DescriptorSource.self)?.fire(events)
    return 0
}

/// Fires once for each time it is armed, on CLOCK_BOOTTIME, which goes on in suspend. Costs nothing while it is not armed.
/// Timers that are due in the same turn of the loop, e.g. after a suspend, come in any order.
package final class TimerSource: EventSource {
    private var handler: (() -> Void)?

    /// Not armed yet.
    package init(_ loop: EventLoop, priority: Priority = .normal, handler: @escaping () -> Void) throws(SystemCallError) {
        self.handler = handler
        super.init()
        try install(priority: priority, "sd_event_add_time") {
            sd_event_add_time(loop.event, &$0, CLOCK_BOOTTIME, UInt64(Int64.max), 0, timerFired, $1)
        }
        setEnabled(SD_EVENT_OFF)
    }

    /// When it will fire, in microseconds of the boot clock; nil while not armed.
    package private(set) var armedFor: Int64?

    /// Fires at `instant` (microseconds of the boot clock, as `Clocks.bootMicroseconds`) or up to `accuracy` later, so that several timers
    /// can share one wake-up. Replaces what was armed before. An instant in the past fires at the loop's next turn.
    package func arm(at instant: Int64, accuracy: Duration = .milliseconds(250)) {
        guard let raw else { return }
        armedFor = instant
        // These fail only for a source of a loop that has ended.
        _ = sd_event_source_set_time(raw, UInt64(max(0, instant)))
        _ = sd_event_source_set_time_accuracy(raw, UInt64(max(1, accuracy.wholeMicroseconds)))
        setEnabled(SD_EVENT_ONESHOT)
    }

    /// Fires after `span`, as `arm(at:accuracy:)`.
    package func arm(after span: Duration, accuracy: Duration = .milliseconds(250)) {
        let (sum, overflow) = Clocks.bootMicroseconds().addingReportingOverflow(span.wholeMicroseconds)
        arm(at: overflow ? Int64.max : sum, accuracy: accuracy)
    }

    package func disarm() {
        armedFor = nil
        setEnabled(SD_EVENT_OFF)
    }

    package override func cancel() {
        remove()
        armedFor = nil
        handler = nil
    }

    fileprivate func fire() {
        armedFor = nil
        handler?()
    }
}

private func timerFired(_: OpaquePointer?, _: UInt64, _ context: UnsafeMutableRawPointer?) -> Int32 {
    source(context, TimerSource.self)?.fire()
    return 0
}

/// Takes a signal in the loop. Every thread of the process must block it (`Signals.block` before the first thread is made).
package final class SignalSource: EventSource {
    package struct Arrival: Equatable, Sendable {
        package var number: Int32
        /// Who sent it; for SIGCHLD the child.
        package var pid: Int32
        package var uid: UInt32

        package init(number: Int32, pid: Int32, uid: UInt32) {
            self.number = number
            self.pid = pid
            self.uid = uid
        }
    }

    private var handler: ((Arrival) -> Void)?

    /// Blocks the signal in the calling thread.
    package init(_ loop: EventLoop, _ number: Int32, priority: Priority = .signals, handler: @escaping (Arrival) -> Void)
        throws(SystemCallError)
    {
        self.handler = handler
        super.init()
        try Signals.block([number])
        try install(priority: priority, "sd_event_add_signal") { sd_event_add_signal(loop.event, &$0, number, signalArrived, $1) }
    }

    package override func cancel() {
        remove()
        handler = nil
    }

    fileprivate func fire(_ info: signalfd_siginfo) {
        handler?(Arrival(number: Int32(truncatingIfNeeded: info.ssi_signo), pid: Int32(bitPattern: info.ssi_pid), uid: info.ssi_uid))
    }
}

private func signalArrived(_: OpaquePointer?, _ info: UnsafePointer<signalfd_siginfo>?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    if let info { source(context, SignalSource.self)?.fire(info.pointee) }
    return 0
}

/// Runs its handler once, soon, for each turn of the loop in which it was scheduled: gathers work and keeps handlers from nesting.
package final class DeferredSource: EventSource {
    private var handler: (() -> Void)?

    /// Not scheduled yet.
    package init(_ loop: EventLoop, priority: Priority = .normal, handler: @escaping () -> Void) throws(SystemCallError) {
        self.handler = handler
        super.init()
        try install(priority: priority, "sd_event_add_defer") { sd_event_add_defer(loop.event, &$0, deferredFired, $1) }
        setEnabled(SD_EVENT_OFF)
    }

    /// Twice before it ran is once.
    package func schedule() { setEnabled(SD_EVENT_ONESHOT) }

    package override func cancel() {
        remove()
        handler = nil
    }

    fileprivate func fire() { handler?() }
}

private func deferredFired(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    source(context, DeferredSource.self)?.fire()
    return 0
}

/// Runs its handler when the loop exits, lowest priority number first.
package final class ExitSource: EventSource {
    private var handler: (() -> Void)?

    package init(_ loop: EventLoop, priority: Priority = .normal, handler: @escaping () -> Void) throws(SystemCallError) {
        self.handler = handler
        super.init()
        try install(priority: priority, "sd_event_add_exit") { sd_event_add_exit(loop.event, &$0, exitReached, $1) }
    }

    package override func cancel() {
        remove()
        handler = nil
    }

    fileprivate func fire() { handler?() }
}

private func exitReached(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    source(context, ExitSource.self)?.fire()
    return 0
}

/// The object behind a callback's context, kept alive for the call even if its handler drops the last reference.
private func source<S: EventSource>(_ context: UnsafeMutableRawPointer?, _: S.Type) -> S? {
    context.map { Unmanaged<S>.fromOpaque($0).takeUnretainedValue() }
}
