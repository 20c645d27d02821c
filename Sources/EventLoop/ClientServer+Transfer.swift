// SPDX-License-Identifier: Apache-2.0
import DaybookLinux

extension ClientServer {
    /// One client's turn: at most one read and one write.
    func serve(_ connection: Connection, _ readiness: DescriptorSource.Readiness) {
        guard connection.doom == nil else { return }
        if !readiness.isDisjoint(with: [.hungUp, .failed]) {
            // Nobody reads what we have for it. What it sent before still counts, so go on reading to its end.
            connection.isGone = true
            connection.dropOutput()
            if connection.closesWhenFlushed || connection.hasEnded { return doom(connection, .ended) }
        }
        if readiness.contains(.writable), !connection.isGone { flush(connection) }
        if connection.doom == nil, isReading(connection), !readiness.isDisjoint(with: [.readable, .hungUp]) { receive(connection) }
        if connection.doom == nil { updateInterest(connection) }
    }

    // MARK: Reading

    private func isReading(_ connection: Connection) -> Bool {
        !connection.hasEnded && !connection.closesWhenFlushed && !connection.isHeld && connection.output.count <= limits.readPauseBytes
            && connection.user.pausedUntil == nil
    }

    func receive(_ connection: Connection) {
        let result: UnixStream.ReadResult
        do {
            result = try connection.stream.read(into: readBuffer)
        } catch {
            return doom(connection, .failed(error.description))
        }
        switch result {
        case .nothingYet: return
        case .ended: receivedEnd(connection)
        case .bytes(let count): received(Array(readBuffer.prefix(count)), connection)
        }
    }

    private func receivedEnd(_ connection: Connection) {
        connection.hasEnded = true
        connection.messageDeadline = nil
        connection.setUnfinished(0)
        if connection.isGone { return doom(connection, .ended) }
        delegate?.clientFinishedSending(connection.client, server: self)
    }

    private func received(_ bytes: [UInt8], _ connection: Connection) {
        let now = Clocks.bootMicroseconds()
        connection.lastActive = now
        if connection.user.take(bytes.count, now: now, limits: limits), let until = connection.user.pausedUntil {
            wake(at: until)
            for other in connections.values where other.user === connection.user && other.doom == nil { updateInterest(other) }
        }
        var length = connection.unfinished
        var hasEnd = false
        for byte in bytes {
            if byte == messageEnd {
                hasEnd = true
                length = 0
            } else {
                length += 1
                guard length <= limits.messageBytes else { return doom(connection, .messageTooLong(limit: limits.messageBytes)) }
            }
        }
        connection.setUnfinished(length)
        guard connection.user.unfinished <= limits.unfinishedBytesPerUser else {
            return doom(connection, .tooMuchUnfinished(limit: limits.unfinishedBytesPerUser))
        }
        // From a message's first byte, not from the last one seen: a byte now and then buys no time.
        if length == 0 {
            connection.messageDeadline = nil
        } else if hasEnd || connection.messageDeadline == nil {
            connection.messageDeadline = deadline(after: limits.messageTime)
        }
        delegate?.clientSent(bytes, client: connection.client, server: self)
    }

    /// Reads nothing more from a client until `release`: the service has more of its requests than it wants to do now.
    package func hold(_ id: ClientID) {
        guard let connection = connections[id], connection.doom == nil, !connection.isHeld else { return }
        connection.isHeld = true
        updateInterest(connection)
    }

    package func release(_ id: ClientID) {
        guard let connection = connections[id], connection.doom == nil, connection.isHeld else { return }
        connection.isHeld = false
        resumeReading(connection)
    }

    /// After a pause that was ours, an unfinished message gets its time anew.
    func resumeReading(_ connection: Connection) {
        if connection.unfinished > 0, !connection.hasEnded { connection.messageDeadline = deadline(after: limits.messageTime) }
        updateInterest(connection)
    }

    /// Asks the loop for what this client can use now.
    func updateInterest(_ connection: Connection) {
        guard let source = connection.source, connection.doom == nil else { return }
        var interest: DescriptorSource.Interest = []
        let reads = isReading(connection)
        if reads { interest.insert(.readable) } else { connection.messageDeadline = nil }
        if connection.output.count > 0 { interest.insert(.writable) }
        source.interest = interest
        // A hang-up is reported without end, so it must not be listened to while it cannot be acted upon.
        source.isPaused = connection.isGone && !reads
    }

    // MARK: Writing

    func flush(_ connection: Connection) {
        let result: UnixStream.WriteResult
        do {
            result = try connection.output.withFirst(limits.turnBytes) { bytes throws(SystemCallError) in
                try connection.stream.write(bytes)
            }
        } catch {
            return doom(connection, .failed(error.description))
        }
        switch result {
        case .full: updateInterest(connection)
        case .gone:
            connection.isGone = true
            connection.dropOutput()
            if connection.closesWhenFlushed || connection.hasEnded { doom(connection, .ended) } else { updateInterest(connection) }
        case .wrote(let count): wrote(count, connection)
        }
    }

    private func wrote(_ count: Int, _ connection: Connection) {
        let wasReading = isReading(connection)
        connection.output.removeFirst(count)
        connection.user.output -= count
        connection.lastActive = Clocks.bootMicroseconds()
        guard connection.output.count == 0 else {
            connection.takenSinceDeadline += count
            if connection.takenSinceDeadline >= limits.outputStepBytes {
                connection.takenSinceDeadline = 0
                connection.outputDeadline = deadline(after: limits.outputTime)
            }
            return wasReading ? updateInterest(connection) : resumeReading(connection)
        }
        connection.outputDeadline = nil
        if connection.closesWhenFlushed { return doom(connection, .finished) }
        if wasReading { updateInterest(connection) } else { resumeReading(connection) }
        delegate?.clientDrained(connection.client, server: self)
    }
}
