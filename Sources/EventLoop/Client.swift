// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux

/// Names a connection for as long as the server lives; never used again.
package struct ClientID: Hashable, Comparable, Sendable {
    package let number: UInt64

    package init(number: UInt64) { self.number = number }

    package static func < (left: ClientID, right: ClientID) -> Bool { left.number < right.number }
}

/// A connected client, as the kernel vouched for it when it connected.
package struct Client: Equatable, Sendable {
    package let id: ClientID
    package let credentials: PeerCredentials
    /// Every supplementary group; `credentials.gid` is not added.
    package let groups: [UInt32]

    package init(id: ClientID, credentials: PeerCredentials, groups: [UInt32]) {
        self.id = id
        self.credentials = credentials
        self.groups = groups
    }

    /// By its main or a supplementary group.
    package func isMember(of gid: UInt32) -> Bool { credentials.gid == gid || groups.contains(gid) }
}

/// What a `ClientServer` tells the service. Called in the loop's thread, one at a time, never from within a call to the server.
package protocol ClientServerDelegate: AnyObject {
    func clientConnected(_ client: Client, server: ClientServer)

    /// At least one byte; messages arrive in pieces as the kernel cuts them.
    func clientSent(_ bytes: [UInt8], client: Client, server: ClientServer)

    /// Everything given to `send` has reached the kernel.
    func clientDrained(_ client: Client, server: ClientServer)

    /// The client will send no more, but may still read. Without an own answer the connection is closed once its output is written;
    /// whoever has replies still to come closes it later.
    func clientFinishedSending(_ client: Client, server: ClientServer)

    /// The connection is gone; exactly once for each that connected.
    func clientClosed(_ client: Client, reason: ClosingReason, server: ClientServer)

    /// A connection was turned away. May come often: limit what is logged of it.
    func clientRefused(_ credentials: PeerCredentials, reason: ClosingReason, server: ClientServer)

    /// The machine has no descriptors or memory left for connections; they wait, and the server tries again within a second.
    func serverCannotAccept(_ error: SystemCallError, server: ClientServer)
}

extension ClientServerDelegate {
    package func clientConnected(_ client: Client, server: ClientServer) {}
    package func clientDrained(_ client: Client, server: ClientServer) {}
    package func clientFinishedSending(_ client: Client, server: ClientServer) { server.close(client.id, afterFlush: true) }
    package func clientRefused(_ credentials: PeerCredentials, reason: ClosingReason, server: ClientServer) {}
    package func serverCannotAccept(_ error: SystemCallError, server: ClientServer) {}
}
