// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// One end of a connected Unix stream socket. Reading and writing never wait and never raise SIGPIPE.
package struct UnixStream: ~Copyable, Sendable {
    package let descriptor: OwnedDescriptor

    package init(adopting descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    package enum ReadResult: Equatable, Sendable {
        /// How many bytes the buffer now holds, at least 1.
        case bytes(Int)
        case nothingYet
        /// The peer will send nothing more.
        case ended
    }

    package enum WriteResult: Equatable, Sendable {
        case wrote(Int)
        case full
        /// The peer reads no more.
        case gone
    }

    /// Connects within `limit`, also while the server's queue is full.
    package static func connect(to path: String, within limit: Duration) throws(UnixSocketError) -> UnixStream {
        let checked = try SocketPath(path)
        // A blocking connect, since a non-blocking one to a full queue fails at once instead of waiting its turn.
        let raw = daybook_stream_socket(0)
        guard raw != -1 else { throw .refused(path: path, SystemCallError(call: "socket", code: errno)) }
        let stream = UnixStream(adopting: OwnedDescriptor(adopting: raw))
        let deadline = Deadline(after: limit)
        while true {
            // Zero would mean for ever.
            _ = daybook_set_send_timeout(raw, max(1, deadline.remainingMicroseconds))
            if daybook_connect_path(raw, checked.bytes, checked.bytes.count) == 0 { break }
            let code = errno
            if code == EINTR, !deadline.hasPassed { continue }
            if code == EAGAIN || code == EINTR { throw .timedOut(path: path) }
            throw .refused(path: path, SystemCallError(call: "connect", code: code))
        }
        _ = daybook_set_send_timeout(raw, 0)
        guard daybook_set_nonblocking(raw, 1) == 0 else { throw .refused(path: path, SystemCallError(call: "fcntl", code: errno)) }
        return stream
    }

    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> ReadResult {
        guard let base = buffer.baseAddress, buffer.count > 0 else { return .nothingYet }
        while true {
            let count = descriptor.withRaw { daybook_receive($0, base, buffer.count) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            let code = errno
            switch code {
            case EINTR: continue
            case EAGAIN: return .nothingYet
            // The peer died with bytes of ours unread.
            case ECONNRESET: return .ended
            default: throw SystemCallError(call: "recv", code: code)
            }
        }
    }

    package borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> WriteResult {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return .wrote(0) }
        while true {
            let count = descriptor.withRaw { daybook_send($0, base, bytes.count) }
            if let result = try Self.result(of: count) { return result }
        }
    }

    package borrowing func write(_ bytes: [UInt8]) throws(SystemCallError) -> WriteResult {
        if bytes.isEmpty { return .wrote(0) }
        while true {
            let count = descriptor.withRaw { daybook_send($0, bytes, bytes.count) }
            if let result = try Self.result(of: count) { return result }
        }
    }

    /// Nil where the call has to be repeated. Right after it, since it reads `errno`.
    private static func result(of count: Int) throws(SystemCallError) -> WriteResult? {
        if count >= 0 { return .wrote(count) }
        let code = errno
        switch code {
        case EINTR: return nil
        case EAGAIN, ENOBUFS: return .full
        case EPIPE, ECONNRESET: return .gone
        default: throw SystemCallError(call: "send", code: code)
        }
    }

    /// What to wait for in `wait`.
    package enum Readiness: Sendable { case readable, writable }

    /// Waits until reading or writing can make progress; false where `limit` passed first. For command-line clients, never for the loop.
    package borrowing func wait(until readiness: Readiness, within limit: Duration) throws(SystemCallError) -> Bool {
        let deadline = Deadline(after: limit)
        while true {
            let code = descriptor.withRaw { raw -> Int32 in
                var entry = pollfd(fd: raw, events: Int16(readiness == .readable ? POLLIN : POLLOUT), revents: 0)
                let count = poll(&entry, 1, deadline.remainingMilliseconds)
                return count > 0 ? 0 : count == 0 ? EAGAIN : errno
            }
            if code == 0 { return true }
            if code != EAGAIN, code != EINTR { throw SystemCallError(call: "poll", code: code) }
            if deadline.hasPassed { return false }
        }
    }

    /// Says that nothing more will be sent; the other direction stays open.
    package borrowing func finishSending() {
        descriptor.withRaw { raw in
            _ = shutdown(raw, Int32(SHUT_WR))  // already closed by the peer is fine
        }
    }
}

/// Two ends of one connection; one of them is for another process or thread.
package struct StreamPair: ~Copyable, Sendable {
    /// For the loop: does not block.
    package let first: OwnedDescriptor
    /// For a child or a worker: blocks.
    package let second: OwnedDescriptor

    /// Both ends are closed on exec.
    package init() throws(SystemCallError) {
        var raw: (Int32, Int32) = (-1, -1)
        _ = try systemCall("socketpair") {
            withUnsafeMutableBytes(of: &raw) { Int(daybook_stream_pair(0, $0.baseAddress?.assumingMemoryBound(to: Int32.self))) }
        }
        // Cannot fail for a descriptor that was just made.
        _ = daybook_set_nonblocking(raw.0, 1)
        first = OwnedDescriptor(adopting: raw.0)
        second = OwnedDescriptor(adopting: raw.1)
    }
}

/// A moment by which something has to be done, on the boot clock.
package struct Deadline: Sendable {
    private let at: Int64

    package init(after span: Duration) {
        let (seconds, attoseconds) = span.components
        // About 30 years; a longer wish cannot overflow the sum.
        let bounded = min(max(seconds, 0), 1_000_000_000)
        at = Clocks.bootMicroseconds() + bounded * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000
    }

    package var remainingMicroseconds: Int64 { max(0, at - Clocks.bootMicroseconds()) }

    /// Rounded up, so that waiting that long is never too short; fits `poll`.
    package var remainingMilliseconds: Int32 { Int32(clamping: (remainingMicroseconds + 999) / 1000) }

    package var hasPassed: Bool { remainingMicroseconds == 0 }
}
