// SPDX-License-Identifier: Apache-2.0
import DaybookVarlink
import EventLoop

/// Somebody who reads the journal's entries.
struct Follower {
    var call: VarlinkConnection.CallID
    /// The last entry that was looked at for them; nil until it is known where the last `count` of their kinds begin.
    var after: UInt64?
    var kinds: Set<String>
    var follows: Bool
    /// The call takes several replies.
    var takesMore: Bool
    /// How many are still wanted before the call ends or following begins; nil: all.
    var count: Int?
    /// Where the call ends that does not follow: what was on the disk when it came.
    var through: UInt64
    /// Nil: entries as they are stored.
    var mask: SharedMask?
    /// Once they have had all there was: whoever needs the disk then reads too slowly.
    var isLive = false
    /// How many they were behind when that was noticed; told with the next reply.
    var behind: UInt64?
    /// Entries that are too long to be sent at all.
    var missed: UInt64 = 0
    /// The first reply comes at once, also without entries.
    var hasReply = false
    /// Nothing more can be said until the disk has answered.
    var waitsForDisk = false

    func wants(_ kind: String) -> Bool { kinds.isEmpty || kinds.contains { HistoryThread.matches($0, kind) } }
}

/// Everybody of one user who reads the journal's entries.
final class UserFollowers {
    private(set) var members: Set<ClientID> = []
    /// Those who had room of their own but not of their user's, in the order in which they wait.
    private var crowded: [ClientID] = []
    /// Made for the first who sees no names.
    var mask: SharedMask?

    func join(_ id: ClientID) { members.insert(id) }

    func leave(_ id: ClientID) {
        members.remove(id)
        crowded.removeAll { $0 == id }
    }

    /// Until there is more room for all of them.
    func wait(_ id: ClientID) {
        if !crowded.contains(id) { crowded.append(id) }
    }

    func takeWaiting() -> [ClientID] {
        defer { crowded = [] }
        return crowded
    }

    // MARK: How much may wait to be read

    /// By one of them at most: more do not make a fast reader faster.
    static let mostBytes = 512 << 10
    /// By one of them at least, however many they are.
    static let leastBytes = 8 << 10
    /// One reply.
    static let replyBytes = 256 << 10
    /// Of these, what is not entries.
    static let frameBytes = 1024

    /// By all of them together: half of what the server grants to their user, so that the other half is left for answers.
    static func budget(_ limits: ClientLimits) -> Int { limits.outputBytesPerUser / 2 }

    /// By each: the more they are the less.
    func share(_ limits: ClientLimits) -> Int {
        let each = Self.budget(limits) / max(1, members.count)
        return min(max(each, Self.leastBytes), Self.mostBytes, limits.outputBytes / 2)
    }
}
