// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop

/// Everybody who reads the journal's entries, and what they are fed from.
struct Following {
    var feed = FollowerFeed()
    private(set) var users: [UInt32: UserFollowers] = [:]
    /// What the history thread has been asked and not answered.
    private(set) var reads: [(after: UInt64, kinds: Set<String>)] = []
    private var lastMask = 0

    /// Asked of the history thread at a time; who needs something else waits for one of the answers.
    static let readsLimit = 8
    /// Somebody else's reading that begins so many entries before most likely brings what is wanted.
    private static let nearEntries: UInt64 = 32

    var isEmpty: Bool { users.isEmpty }
    var count: Int { users.values.reduce(0) { $0 + $1.members.count } }

    /// The mask where they are to see no names.
    mutating func join(_ client: Client, names: Bool) -> SharedMask? {
        let user = users[client.credentials.uid] ?? UserFollowers()
        users[client.credentials.uid] = user
        user.join(client.id)
        if names { return nil }
        if user.mask == nil {
            lastMask += 1
            user.mask = SharedMask(number: lastMask)
        }
        return user.mask
    }

    mutating func leave(_ client: Client) {
        guard let user = users[client.credentials.uid] else { return }
        user.leave(client.id)
        if user.members.isEmpty { users[client.credentials.uid] = nil }
        if users.isEmpty { feed.drop() }
    }

    /// True where the disk must be asked now; else an answer is on its way that helps, or shows whether it does.
    mutating func mustRead(after: UInt64, kinds: Set<String>) -> Bool {
        if reads.count >= Self.readsLimit { return false }
        if reads.contains(where: { $0.kinds == kinds && $0.after <= after && after - $0.after < Self.nearEntries }) { return false }
        reads.append((after, kinds))
        return true
    }

    mutating func answered(after: UInt64, kinds: Set<String>) {
        if let index = reads.firstIndex(where: { $0.after == after && $0.kinds == kinds }) { reads.remove(at: index) }
    }

    /// Of one reading: small where many read at different places, so that what is read is still held when they come for it.
    var bytesToRead: Int { min(max(feed.readBytes / max(1, count), 32 << 10), 256 << 10) }
}
