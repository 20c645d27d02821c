// SPDX-License-Identifier: Apache-2.0

/// How much one connection may hold. Each has its default here and a test that crosses it by one.
package struct VarlinkLimits: Equatable, Sendable {
    /// Bytes of one message without its zero byte. A longer one ends the connection.
    package var messageLength = 256 * 1024
    /// Bytes received and not yet taken as calls. The owner stops reading at `wantsInput == false`, so only an owner that does not
    /// look runs into it.
    package var unreadLength = 1024 * 1024
    /// Calls that wait behind the one that is being answered. From here on `wantsInput` is false, and the peer waits in its `write`.
    package var waitingCalls = 32

    package init() {}

    /// What a client believes of a server: replies are tables, thus longer.
    package static let client: VarlinkLimits = {
        var limits = VarlinkLimits()
        limits.messageLength = 16 * 1024 * 1024
        limits.unreadLength = 32 * 1024 * 1024
        return limits
    }()
}
