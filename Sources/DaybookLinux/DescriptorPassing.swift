// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// Descriptors that came with a message. Each is taken once, in the order they were sent; what is not taken is closed.
package final class ReceivedDescriptors {
    private var waiting: [Int32]

    fileprivate init(adopting raws: [Int32]) { waiting = raws }

    deinit {
        while take() != nil {}
    }

    package var count: Int { waiting.count }

    package func take() -> OwnedDescriptor? {
        waiting.isEmpty ? nil : OwnedDescriptor(adopting: waiting.removeFirst())
    }
}

/// SCM_RIGHTS: handing an open file to another process.
package enum DescriptorPassing {
    /// Descriptors in one message.
    package static let limit = Int(DAYBOOK_DESCRIPTORS_MAX)

    package enum Received {
        /// At least one byte.
        case message([UInt8], ReceivedDescriptors)
        case nothingYet
        case ended
    }

    /// Sends bytes (at least one) and a descriptor, which stays the caller's too. The result is how many bytes went; the descriptor goes
    /// with the first. Waits for room only on a blocking socket; otherwise EAGAIN is thrown.
    package static func send(_ bytes: [UInt8], with passed: borrowing OwnedDescriptor, over socket: borrowing OwnedDescriptor)
        throws(SystemCallError) -> Int
    {
        var number = passed.withRaw { $0 }
        return try socket.withRaw { raw throws(SystemCallError) in
            try systemCall("sendmsg") { daybook_send_descriptors(raw, bytes, bytes.count, &number, 1) }
        }
    }

    /// Receives at most `limit` bytes and `DescriptorPassing.limit` descriptors, which are closed on exec. More descriptors than that are
    /// EMSGSIZE, and none is kept.
    package static func receive(upTo limit: Int, from socket: borrowing OwnedDescriptor) throws(SystemCallError) -> Received {
        var raws = [Int32](repeating: -1, count: Self.limit)
        var number = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, used in
            used = socket.withRaw { raw -> Int in
                while true {
                    let count = daybook_receive_descriptors(raw, buffer.baseAddress, max(1, limit), &raws, &number)
                    if count >= 0 { return count }
                    code = errno
                    if code != EINTR { return 0 }
                    code = 0
                }
            }
        }
        if code == EAGAIN { return .nothingYet }
        if code == ECONNRESET { return .ended }
        if code != 0 { throw SystemCallError(call: "recvmsg", code: code) }
        let descriptors = ReceivedDescriptors(adopting: Array(raws.prefix(number)))
        return bytes.isEmpty ? .ended : .message(bytes, descriptors)
    }
}
