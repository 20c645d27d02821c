// SPDX-License-Identifier: Apache-2.0
import DaybookLinux

/// The server's side of one client.
final class Connection {
    let client: Client
    let user: UserShare
    let stream: UnixStream
    var source: DescriptorSource?
    var output = OutputBuffer()
    /// Bytes since the end of the last whole message.
    var unfinished = 0
    /// By when the message that has begun must have ended.
    var messageDeadline: Int64?
    /// By when the next `outputStepBytes` must have been taken.
    var outputDeadline: Int64?
    var takenSinceDeadline = 0
    /// For whom to let go first when the server is full.
    var lastActive: Int64
    /// The client will send no more.
    var hasEnded = false
    /// The client cannot read any more.
    var isGone = false
    var closesWhenFlushed = false
    /// The service is not ready for more of its requests.
    var isHeld = false
    /// Set once it is certain to end; it takes part in nothing from then on.
    var doom: ClosingReason?

    init(client: Client, user: UserShare, stream: consuming UnixStream, now: Int64) {
        self.client = client
        self.user = user
        self.stream = stream
        lastActive = now
    }

    deinit {
        // Before the descriptor is closed: the loop must not keep a number that the kernel gives to somebody else.
        source?.cancel()
    }

    func dropOutput() {
        user.output -= output.count
        output.removeAll()
        outputDeadline = nil
    }

    func setUnfinished(_ count: Int) {
        user.unfinished += count - unfinished
        unfinished = count
    }
}

/// What all clients of one uid take together.
final class UserShare {
    let uid: UInt32
    var connections = 0
    var unfinished = 0
    var output = 0
    /// Bytes it may still send at `refilledAt`; below zero its clients wait until `pausedUntil`.
    private var allowance: Int
    private var refilledAt: Int64
    private(set) var pausedUntil: Int64?

    init(uid: UInt32, limits: ClientLimits, now: Int64) {
        self.uid = uid
        allowance = limits.bytesInBurst
        refilledAt = now
    }

    /// Counts what was read; true where that used up what the uid may send for now.
    func take(_ count: Int, now: Int64, limits: ClientLimits) -> Bool {
        refill(now: now, limits: limits)
        allowance -= count
        guard allowance < 0, pausedUntil == nil else { return false }
        // Back at zero, and a quarter of a second's worth in hand, so that it is not woken for each few bytes.
        let missing = -allowance + limits.bytesInPerSecond / 4
        pausedUntil = now + Int64(missing) * 1_000_000 / Int64(max(1, limits.bytesInPerSecond))
        return true
    }

    /// True where a pause has just ended.
    func resume(now: Int64) -> Bool {
        guard let until = pausedUntil, until <= now else { return false }
        pausedUntil = nil
        return true
    }

    /// True where a share made now would be no better off.
    func isLikeNew(now: Int64, limits: ClientLimits) -> Bool {
        guard connections == 0, pausedUntil == nil else { return false }
        refill(now: now, limits: limits)
        return allowance >= limits.bytesInBurst
    }

    private func refill(now: Int64, limits: ClientLimits) {
        // More than a burst's worth of time adds nothing.
        let passed = min(max(0, now - refilledAt), 3_600_000_000)
        let gained = Int(passed) / 1000 * limits.bytesInPerSecond / 1000
        guard gained > 0 else { return }
        allowance = min(limits.bytesInBurst, allowance + gained)
        refilledAt = now
    }
}
