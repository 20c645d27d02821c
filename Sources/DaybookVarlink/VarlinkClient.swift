// SPDX-License-Identifier: Apache-2.0
import DaybookJSON

/// The asking side of a connection, as bytes in and bytes out.
package struct VarlinkClient: Sendable {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case framing(VarlinkFraming.Failure)
        case notAReply
        case replyWithoutCall

        package var description: String {
            switch self {
            case .framing(let failure): failure.description
            case .notAReply: "a message is no Varlink reply"
            case .replyWithoutCall: "a reply came that nobody asked for"
            }
        }
    }

    package struct CallID: Hashable, Sendable {
        package let rawValue: UInt64
    }

    private var framing: VarlinkFraming
    /// Calls whose last reply has not come, oldest first.
    private var waiting: [CallID] = []
    private var lastID: UInt64 = 0

    package init(limits: VarlinkLimits = .client) {
        framing = VarlinkFraming(messageLimit: limits.messageLength, unreadLimit: limits.unreadLength)
    }

    /// Calls whose last reply has not come.
    package var outstanding: Int { waiting.count }

    /// The bytes to send. A oneway call has no reply to wait for.
    package mutating func call(_ call: VarlinkCall) -> (id: CallID, bytes: [UInt8]) {
        lastID += 1
        let id = CallID(rawValue: lastID)
        if !call.oneway { waiting.append(id) }
        return (id, VarlinkFraming.frame(call.message))
    }

    /// Takes what a read returned. After a throw, close the connection.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(Failure) {
        do { try framing.receive(bytes) } catch { throw .framing(error) }
    }

    /// The next whole reply and its call; nil where more bytes are needed. After a throw, close the connection.
    package mutating func next() throws(Failure) -> (id: CallID, reply: VarlinkReply)? {
        guard let message = framing.next() else { return nil }
        guard let value = try? JSONValue(parsing: message), let reply = VarlinkReply(value) else { throw .notAReply }
        guard let id = waiting.first else { throw .replyWithoutCall }
        if !reply.continues { waiting.removeFirst() }
        return (id, reply)
    }
}
