// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc

/// Serves the clients of Unix sockets: bytes in, bytes out, within `ClientLimits`. Never waits for any of them.
///
/// It knows no more of what they say than the byte that ends a message. All calls belong to the loop's thread.
package final class ClientServer {
    package let limits: ClientLimits
    package weak var delegate: (any ClientServerDelegate)?

    let messageEnd: UInt8
    let readBuffer: UnsafeMutableRawBufferPointer
    var connections: [ClientID: Connection] = [:]
    var users: [UInt32: UserShare] = [:]
    /// Not doomed; the limits count these.
    private(set) var liveCount = 0

    private let loop: EventLoop
    private let priority: Priority
    private let listeners: [UnixListener]
    private var acceptSources: [DescriptorSource] = []
    private var acceptAgainAt: Int64?
    private var lastID: UInt64 = 0
    private var doomed: [Connection] = []
    private var unflushed: [ClientID] = []
    // Set right after `self` can be captured; nil never again.
    private var chores: DeferredSource?
    private var timer: TimerSource?

    /// Starts to accept at once.
    package init(
        loop: EventLoop, listeners: [UnixListener], limits: ClientLimits = ClientLimits(), messageEnd: UInt8 = 0,
        priority: Priority = .clients, delegate: any ClientServerDelegate
    ) throws(SystemCallError) {
        self.loop = loop
        self.listeners = listeners
        self.limits = limits
        self.messageEnd = messageEnd
        self.priority = priority
        self.delegate = delegate
        readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, limits.turnBytes), alignment: 16)
        chores = try DeferredSource(loop, priority: priority) { [weak self] in self?.doChores() }
        timer = try TimerSource(loop, priority: priority) { [weak self] in self?.checkDeadlines() }
        for listener in listeners {
            let source = try DescriptorSource(loop, listener.descriptor, .readable, priority: priority) { [weak self] _ in
                self?.acceptWaiting(at: listener)
            }
            acceptSources.append(source)
        }
    }

    deinit {
        for source in acceptSources { source.cancel() }
        readBuffer.deallocate()
    }

    // MARK: What the service calls

    /// Queues bytes for a client. False where it is gone or going, or where they would cross a limit, which ends the connection: a reply
    /// cannot be left out of a stream. Ask `room(for:)` first where there is a choice.
    package func send(_ bytes: [UInt8], to id: ClientID) -> Bool {
        guard let connection = connections[id], connection.doom == nil, !connection.closesWhenFlushed, !connection.isGone else {
            return false
        }
        guard bytes.count <= limits.outputBytes - connection.output.count else {
            doom(connection, .tooMuchOutput(limit: limits.outputBytes))
            return false
        }
        guard bytes.count <= limits.outputBytesPerUser - connection.user.output else {
            doom(connection, .tooMuchOutputOfUser(limit: limits.outputBytesPerUser))
            return false
        }
        guard !bytes.isEmpty else { return true }
        if connection.output.count == 0 {
            connection.takenSinceDeadline = 0
            connection.outputDeadline = deadline(after: limits.outputTime)
            unflushed.append(id)
            chores?.schedule()
        }
        connection.output.append(bytes)
        connection.user.output += bytes.count
        return true
    }

    /// Ends a connection: at once, or after what was sent is written. Nothing more is read from it. `clientClosed` follows.
    package func close(_ id: ClientID, afterFlush: Bool) {
        guard let connection = connections[id], connection.doom == nil else { return }
        if afterFlush, connection.output.count > 0, !connection.isGone {
            connection.closesWhenFlushed = true
            connection.messageDeadline = nil
            updateInterest(connection)
        } else {
            doom(connection, .finished)
        }
    }

    /// Bytes sent that the kernel has not taken yet; nil for a client that is gone.
    package func pendingBytes(of id: ClientID) -> Int? {
        guard let connection = connections[id], connection.doom == nil else { return nil }
        return connection.output.count
    }

    /// The same of all clients of one uid.
    package func pendingBytes(ofUser uid: UInt32) -> Int { users[uid]?.output ?? 0 }

    /// True where the client has hung up: nothing that is sent reaches anybody.
    package func isGone(_ id: ClientID) -> Bool { connections[id]?.isGone ?? true }

    /// How many bytes `send` would take now.
    package func room(for id: ClientID) -> Int {
        guard let connection = connections[id], connection.doom == nil, !connection.closesWhenFlushed, !connection.isGone else { return 0 }
        return max(0, min(limits.outputBytes - connection.output.count, limits.outputBytesPerUser - connection.user.output))
    }

    package func client(_ id: ClientID) -> Client? {
        guard let connection = connections[id], connection.doom == nil else { return nil }
        return connection.client
    }

    /// Everybody connected, in the order they came.
    package var clients: [Client] {
        connections.values.filter { $0.doom == nil }.map(\.client).sorted { $0.id < $1.id }
    }

    /// Accepts no more; those who are connected stay.
    package func stopAccepting() {
        for source in acceptSources { source.cancel() }
        acceptSources = []
        acceptAgainAt = nil
    }

    /// Accepts no more, and ends every connection once its output is written.
    package func shutDown() {
        stopAccepting()
        for id in connections.keys.sorted() { close(id, afterFlush: true) }
    }

    // MARK: Accepting

    /// Taken in one turn, so that a flood of connections does not keep others from their turn.
    private static let acceptsPerTurn = 8

    private func acceptWaiting(at listener: UnixListener) {
        for _ in 0..<Self.acceptsPerTurn {
            do {
                guard let stream = try listener.accept() else { return }
                try take(stream)
            } catch {
                // Out of descriptors or memory: the connection stays in the queue and would wake us without end.
                for source in acceptSources { source.isPaused = true }
                acceptAgainAt = deadline(after: .seconds(1))
                delegate?.serverCannotAccept(error, server: self)
                return
            }
        }
    }

    private func acceptAgain() {
        acceptAgainAt = nil
        for source in acceptSources { source.isPaused = false }
    }

    private func take(_ stream: consuming UnixStream) throws(SystemCallError) {
        let credentials = try PeerCredentials.of(stream.descriptor)
        let groups = try PeerCredentials.groups(of: stream.descriptor)
        let now = Clocks.bootMicroseconds()
        let share = users[credentials.uid] ?? UserShare(uid: credentials.uid, limits: limits, now: now)
        guard share.connections < limits.clientsPerUser else {
            delegate?.clientRefused(credentials, reason: .tooManyClientsOfUser(limit: limits.clientsPerUser), server: self)
            return
        }
        guard liveCount < limits.clients || makeRoom(for: share) else {
            delegate?.clientRefused(credentials, reason: .tooManyClients(limit: limits.clients), server: self)
            return
        }
        lastID += 1
        let client = Client(id: ClientID(number: lastID), credentials: credentials, groups: groups)
        let connection = Connection(client: client, user: share, stream: stream, now: now)
        connection.source = try DescriptorSource(loop, connection.stream.descriptor, .readable, priority: priority) {
            [weak self, weak connection] readiness in
            if let self, let connection { self.serve(connection, readiness) }
        }
        users[credentials.uid] = share
        share.connections += 1
        liveCount += 1
        connections[client.id] = connection
        delegate?.clientConnected(client, server: self)
    }

    /// Ends the longest quiet connection of whoever has most, if that is fair to them.
    private func makeRoom(for share: UserShare) -> Bool {
        guard let greediest = users.values.max(by: { ($0.connections, $1.uid) < ($1.connections, $0.uid) }),
            greediest.connections > share.connections + 1
        else { return false }
        let theirs = connections.values.filter { $0.user === greediest && $0.doom == nil }
        guard let quietest = theirs.min(by: { ($0.lastActive, $0.client.id) < ($1.lastActive, $1.client.id) }) else { return false }
        doom(quietest, .madeRoom)
        return true
    }

    // MARK: Ending

    /// Decides the end; it happens after the present handler, so that nobody's call to us leads to a call back.
    func doom(_ connection: Connection, _ reason: ClosingReason) {
        guard connection.doom == nil else { return }
        connection.doom = reason
        connection.source?.isPaused = true
        connection.messageDeadline = nil
        connection.dropOutput()
        connection.setUnfinished(0)
        connection.user.connections -= 1
        liveCount -= 1
        doomed.append(connection)
        chores?.schedule()
    }

    private func doChores() {
        let ending = doomed
        doomed = []
        for connection in ending {
            connection.source?.cancel()
            connections[connection.client.id] = nil
            delegate?.clientClosed(connection.client, reason: connection.doom ?? .ended, server: self)
        }
        if !ending.isEmpty {
            forgetIdleUsers(now: Clocks.bootMicroseconds())
            if acceptAgainAt != nil { acceptAgain() }
        }
        let waiting = unflushed
        unflushed = []
        for id in waiting {
            if let connection = connections[id], connection.doom == nil { flush(connection) }
        }
    }

    /// A uid's share is kept while it has connections, and until a new one would begin with the same allowance: nobody gains by connecting
    /// anew.
    private func forgetIdleUsers(now: Int64) {
        for share in Array(users.values) where share.isLikeNew(now: now, limits: limits) { users[share.uid] = nil }
    }

    // MARK: Time

    /// The instant `span` from now; the timer will look at it.
    func deadline(after span: Duration) -> Int64 {
        let instant = Clocks.bootMicroseconds().addingReportingOverflow(span.wholeMicroseconds)
        return wake(at: instant.overflow ? Int64.max : instant.partialValue)
    }

    @discardableResult
    func wake(at instant: Int64) -> Int64 {
        if let timer, timer.armedFor.map({ instant < $0 }) ?? true { timer.arm(at: instant, accuracy: .milliseconds(100)) }
        return instant
    }

    /// The machine may have slept, or we may be late: first take what the client did in time.
    private func checkDeadlines(of connection: Connection, now: Int64) {
        func isPast(_ deadline: Int64?) -> Bool { deadline.map { $0 <= now } ?? false }
        if isPast(connection.messageDeadline) {
            receive(connection)
            if isPast(connection.messageDeadline) { doom(connection, .messageTooSlow(limit: limits.messageTime)) }
        }
        if isPast(connection.outputDeadline) {
            flush(connection)
            if isPast(connection.outputDeadline) { doom(connection, .outputTooSlow(limit: limits.outputTime)) }
        }
    }

    private func checkDeadlines() {
        let now = Clocks.bootMicroseconds()
        for share in Array(users.values) where share.resume(now: now) {
            for connection in connections.values where connection.user === share && connection.doom == nil { resumeReading(connection) }
        }
        for connection in Array(connections.values) where connection.doom == nil { checkDeadlines(of: connection, now: now) }
        if let again = acceptAgainAt, again <= now { acceptAgain() }
        let next =
            connections.values.flatMap { [$0.messageDeadline, $0.outputDeadline] } + users.values.map(\.pausedUntil) + [acceptAgainAt]
        if let earliest = next.compactMap({ $0 }).min() { wake(at: earliest) }
    }
}
