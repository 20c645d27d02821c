// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Standard output, buffered, and standard error. A reader that has gone away ends the program without a word, as SIGPIPE does.
final class Output {
    private var buffer: [UInt8] = []
    private let out: Int32
    private let err: Int32
    private static let flushAt = 32 * 1024

    init(out: Int32 = STDOUT_FILENO, err: Int32 = STDERR_FILENO) {
        self.out = out
        self.err = err
    }

    func write(_ text: String) { write(bytes: Array(text.utf8)) }

    func line(_ text: String) { write(text + "\n") }

    func write(bytes: [UInt8]) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.flushAt { flush() }
    }

    /// A message for people: `daybook: …`.
    func message(_ text: String) {
        flush()
        _ = Self.writeAll(Array("daybook: \(text)\n".utf8), to: err)
    }

    func flush() {
        guard !buffer.isEmpty else { return }
        let code = Self.writeAll(buffer, to: out)
        buffer.removeAll(keepingCapacity: true)
        switch code {
        case 0: return
        // The reader, e.g. `head`, has seen enough.
        case EPIPE: exit(ExitCode.good.rawValue)
        default:
            _ = Self.writeAll(Array("daybook: cannot write the output: \(String(cString: strerror(code)))\n".utf8), to: err)
            exit(ExitCode.failed.rawValue)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress?.advanced(by: position), raw.count - position)
            }
            if count >= 0 {
                position += count
                continue
            }
            let code = errno
            if code == EAGAIN {
                // Somebody's terminal was left non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, -1)
            } else if code != EINTR {
                return code
            }
        }
        return 0
    }
}
