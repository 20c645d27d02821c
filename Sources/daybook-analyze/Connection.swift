// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import CDaybookLinux
import DaybookJSON
import DaybookLinux
import Glibc

/// A descriptor that came with a request.
final class PassedDocument {
    let descriptor: OwnedDescriptor
    init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
}

/// One client of the service: bytes and documents in, replies out. Whoever breaks the protocol is disconnected.
final class Connection {
    /// Requests that wait; beyond that the socket is not read until one is done.
    static let waitingLimit = 8
    /// Replies that the client has not taken; beyond that nothing more is read from it.
    static let outgoingLimit = 2 * AnalyzerMessages.replyLimit

    let socket: OwnedDescriptor
    private var unread: [UInt8] = []
    private var documents: [PassedDocument] = []
    private var waiting: [(AnalyzerRequest, PassedDocument)] = []
    private var outgoing: [UInt8] = []
    private var running = 0
    private var isBroken = false
    private var isEnded = false

    init(_ socket: consuming OwnedDescriptor) { self.socket = socket }

    var mayRead: Bool { !isEnded && waiting.count < Self.waitingLimit && outgoing.count < Self.outgoingLimit }
    var hasOutgoing: Bool { !outgoing.isEmpty }

    /// Nothing more will come and nothing is owed.
    var isDone: Bool { isBroken || (isEnded && waiting.isEmpty && running == 0 && outgoing.isEmpty) }

    func receive() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        var passed = [Int32](repeating: -1, count: Self.waitingLimit)
        var count: Int32 = 0
        let got = socket.withRaw { raw in
            buffer.withUnsafeMutableBytes {
                daybook_receive_passed(raw, $0.baseAddress, $0.count, &passed, Int32(Self.waitingLimit), &count)
            }
        }
        let code = errno
        for raw in passed.prefix(Int(count)) { documents.append(PassedDocument(OwnedDescriptor(adopting: raw))) }
        if got == 0 {
            isEnded = true
        } else if got < 0 {
            if code != EAGAIN, code != EINTR { isBroken = true }
        } else {
            unread.append(contentsOf: buffer[..<got])
            takeMessages()
        }
    }

    /// The client is gone for both directions: nobody could take a reply.
    func hangUp() { isBroken = true }

    /// The next request to be worked on.
    func nextRequest() -> (AnalyzerRequest, PassedDocument)? {
        guard !isBroken, !waiting.isEmpty else { return nil }
        running += 1
        return waiting.removeFirst()
    }

    /// Answers a request that `nextRequest` gave out.
    func reply(to request: AnalyzerRequest, _ measurement: Measurement) {
        running -= 1
        let head: JSONObject = ["version": .integer(AnalyzerMessages.version), "id": .integer(request.id)]
        outgoing.append(contentsOf: measurement.json(after: head).encodedBytes)
        outgoing.append(0)
        flush()
    }

    func flush() {
        while !outgoing.isEmpty {
            let sent = socket.withRaw { raw in
                outgoing.withUnsafeBytes { daybook_send_passing(raw, $0.baseAddress, $0.count, -1) }
            }
            let code = errno
            if sent > 0 {
                outgoing.removeFirst(sent)
            } else if sent == -1, code == EINTR {
                continue
            } else {
                if code != EAGAIN { isBroken = true }
                return
            }
        }
    }

    private func takeMessages() {
        while let end = unread.firstIndex(of: 0) {
            let message = Array(unread[..<end])
            unread.removeSubrange(...end)
            // Each request brings one document; without it nobody could say which of the next ones is whose.
            guard message.count <= AnalyzerMessages.requestLimit, !documents.isEmpty,
                let value = try? JSONValue(parsing: message), let request = AnalyzerRequest(json: value)  // the reason helps nobody
            else {
                isBroken = true
                return
            }
            waiting.append((request, documents.removeFirst()))
        }
        // A document without a request, a request without an end.
        if documents.count > 1 || unread.count > AnalyzerMessages.requestLimit { isBroken = true }
    }
}
