// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// Cuts a stream of bytes into messages, which end in one zero byte. A read may hold half of one, or several.
package struct VarlinkFraming: Sendable {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case messageTooLong(limit: Int)
        case tooMuchUnread(limit: Int)

        package var description: String {
            switch self {
            case .messageTooLong(let limit): "a message is longer than \(limit) bytes"
            case .tooMuchUnread(let limit): "more than \(limit) bytes wait to be read"
            }
        }
    }

    private let messageLimit: Int
    private let unreadLimit: Int
    private var buffer: [UInt8] = []
    /// Where the first unread message begins.
    private var start = 0
    /// Every byte of `buffer` before this one has been looked at.
    private var searched = 0
    /// The ends of the whole messages that wait, ascending; those before `firstEnd` are taken.
    private var ends: [Int] = []
    private var firstEnd = 0

    package init(messageLimit: Int, unreadLimit: Int) {
        self.messageLimit = messageLimit
        self.unreadLimit = unreadLimit
    }

    /// Whole messages that wait.
    package var waiting: Int { ends.count - firstEnd }

    /// Bytes that wait, whole messages or not.
    package var unread: Int { buffer.count - start }

    /// Takes what a read returned. After a throw, close the connection.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(Failure) {
        guard bytes.count <= unreadLimit - unread else { throw .tooMuchUnread(limit: unreadLimit) }
        compact()
        buffer.append(contentsOf: bytes)
        while let end = buffer[searched...].firstIndex(of: 0) {
            guard end - (ends.last.map { $0 + 1 } ?? start) <= messageLimit else { throw .messageTooLong(limit: messageLimit) }
            ends.append(end)
            searched = end + 1
        }
        guard buffer.count - (ends.last.map { $0 + 1 } ?? start) <= messageLimit else { throw .messageTooLong(limit: messageLimit) }
        searched = buffer.count
    }

    /// The oldest whole message, without its zero byte; nil where there is none.
    package mutating func next() -> ArraySlice<UInt8>? {
        guard firstEnd < ends.count else { return nil }
        let message = buffer[start..<ends[firstEnd]]
        start = ends[firstEnd] + 1
        firstEnd += 1
        return message
    }

    /// A message as it stands on the wire.
    package static func frame(_ message: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        message.encode(into: &bytes)
        // The writer escapes U+0000, so the only zero byte is this one.
        bytes.append(0)
        return bytes
    }

    /// A reply as it stands on the wire, with parameters that are encoded already.
    static func frame(continues: Bool, capacity: Int, _ write: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity + 64)
        bytes.append(contentsOf: #"{"parameters":"#.utf8)
        write(&bytes)
        if continues { bytes.append(contentsOf: #","continues":true"#.utf8) }
        bytes.append(UInt8(ascii: "}"))
        bytes.append(0)
        return bytes
    }

    /// Gives back the room of taken messages; moves what is left, which is less than what was taken.
    private mutating func compact() {
        guard start > 0, start >= buffer.count - start else { return }
        let taken = start
        buffer.removeSubrange(..<taken)
        ends.removeSubrange(..<firstEnd)
        for index in ends.indices { ends[index] -= taken }
        firstEnd = 0
        searched -= taken
        start = 0
    }
}
