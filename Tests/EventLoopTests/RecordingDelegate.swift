// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop

/// Keeps what a server tells, and may answer.
final class RecordingDelegate: ClientServerDelegate {
    var connected: [Client] = []
    var received: [ClientID: [UInt8]] = [:]
    var drained: [ClientID] = []
    var closed: [(ClientID, ClosingReason)] = []
    var refused: [(PeerCredentials, ClosingReason)] = []
    var cannotAccept: [SystemCallError] = []
    var onReceive: (([UInt8], Client, ClientServer) -> Void)?
    var onFinishedSending: ((Client, ClientServer) -> Void)?
    var onDrained: ((Client, ClientServer) -> Void)?

    func clientConnected(_ client: Client, server: ClientServer) { connected.append(client) }

    func clientSent(_ bytes: [UInt8], client: Client, server: ClientServer) {
        received[client.id, default: []] += bytes
        onReceive?(bytes, client, server)
    }

    func clientDrained(_ client: Client, server: ClientServer) {
        drained.append(client.id)
        onDrained?(client, server)
    }

    func clientFinishedSending(_ client: Client, server: ClientServer) {
        if let onFinishedSending { onFinishedSending(client, server) } else { server.close(client.id, afterFlush: true) }
    }

    func clientClosed(_ client: Client, reason: ClosingReason, server: ClientServer) { closed.append((client.id, reason)) }

    func clientRefused(_ credentials: PeerCredentials, reason: ClosingReason, server: ClientServer) {
        refused.append((credentials, reason))
    }

    func serverCannotAccept(_ error: SystemCallError, server: ClientServer) { cannotAccept.append(error) }

    func reason(_ id: ClientID) -> ClosingReason? { closed.first { $0.0 == id }?.1 }
}
