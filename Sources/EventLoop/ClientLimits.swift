// SPDX-License-Identifier: Apache-2.0

/// What clients of a socket may take. Every limit counts what is allowed; one more is refused.
package struct ClientLimits: Equatable, Sendable {
    /// Connections at a time, of everybody together. When full, a newcomer takes the place of somebody with more connections, if any.
    package var clients = 256
    /// Connections at a time of one uid.
    package var clientsPerUser = 16
    /// Bytes since the end of the last whole message, of one client. Longer messages end the connection.
    package var messageBytes = 65_536
    /// The same, of all clients of one uid together.
    package var unfinishedBytesPerUser = 262_144
    /// How long one message may take from its first byte to its last.
    package var messageTime = Duration.seconds(10)
    /// Bytes that one uid may send in one go; then it is read at `bytesInPerSecond`.
    package var bytesInBurst = 1_048_576
    package var bytesInPerSecond = 262_144
    /// Bytes waiting to be read by one client. What would not fit ends the connection.
    package var outputBytes = 4_194_304
    /// The same, of all clients of one uid together.
    package var outputBytesPerUser = 8_388_608
    /// With more than this waiting, a client's further requests stay unread.
    package var readPauseBytes = 65_536
    /// How long a client may go without taking `outputStepBytes`, or all there is.
    package var outputTime = Duration.seconds(30)
    package var outputStepBytes = 4096
    /// Taken from, or given to, one client before the next one's turn.
    package var turnBytes = 16_384

    package init() {}
}

/// Why a connection ended or was not taken, in words for the log.
package enum ClosingReason: Equatable, Sendable, CustomStringConvertible {
    /// The client hung up.
    case ended
    /// The service closed it.
    case finished
    case tooManyClients(limit: Int)
    case tooManyClientsOfUser(limit: Int)
    /// Another user had fewer connections and needed the place.
    case madeRoom
    case messageTooLong(limit: Int)
    case tooMuchUnfinished(limit: Int)
    case messageTooSlow(limit: Duration)
    case tooMuchOutput(limit: Int)
    case tooMuchOutputOfUser(limit: Int)
    case outputTooSlow(limit: Duration)
    case failed(String)

    package var description: String {
        switch self {
        case .ended: "the client hung up"
        case .finished: "done"
        case .tooManyClients(let limit): "already \(limit) clients are connected"
        case .tooManyClientsOfUser(let limit): "this user already has \(limit) connections"
        case .madeRoom: "the server was full, and other users had fewer connections"
        case .messageTooLong(let limit): "a message has more than \(limit) bytes"
        case .tooMuchUnfinished(let limit): "this user's unfinished messages have more than \(limit) bytes"
        case .messageTooSlow(let limit): "a message took longer than \(limit)"
        case .tooMuchOutput(let limit): "more than \(limit) bytes would wait to be read by the client"
        case .tooMuchOutputOfUser(let limit): "more than \(limit) bytes would wait to be read by this user's clients"
        case .outputTooSlow(let limit): "the client did not read for \(limit)"
        case .failed(let why): why
        }
    }
}
