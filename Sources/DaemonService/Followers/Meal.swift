// SPDX-License-Identifier: Apache-2.0
import DaybookJSON

/// What goes to one of those who follow in one reply.
struct Meal {
    enum End: Equatable {
        /// All that was asked for has been given.
        case done
        /// There is nothing more yet.
        case newest
        /// What comes next has no room in this reply.
        case full
        /// It is longer than any reply of the usual length, and others of the user have to read first.
        case crowded
        /// It must be read from the disk.
        case disk
    }

    private(set) var entries: [[UInt8]] = []
    private(set) var bytes = 0
    /// The last entry that was looked at.
    private(set) var seen: UInt64
    private(set) var missed: UInt64 = 0
    private(set) var end = End.full

    /// For a single entry that is longer than `room`.
    var roomForOne = 0
    /// What is longer can never be sent.
    var longest = Int.max

    private let follower: Follower
    private let room: Int
    private let newest: UInt64
    /// The last entry that is wanted.
    private let limit: UInt64

    init(_ follower: Follower, after: UInt64, room: Int, newest: UInt64) {
        self.follower = follower
        self.room = room
        self.newest = newest
        seen = after
        limit = follower.follows ? .max : follower.through
    }

    var isDone: Bool { end == .done }
    var isAtNewest: Bool { end == .newest }

    mutating func fill(from feed: inout FollowerFeed) {
        while true {
            if seen >= limit || entries.count >= follower.count ?? .max {
                end = .done
                return
            }
            if seen >= newest {
                end = .newest
                return
            }
            guard let piece = feed.piece(after: seen, kinds: follower.kinds) else {
                end = .disk
                return
            }
            if let stop = take(from: piece) {
                end = stop
                return
            }
        }
    }

    /// Nil where the piece has been taken to its end.
    private mutating func take(from piece: FeedPiece) -> End? {
        var index = piece.index(after: seen)
        while index < piece.lines.count, piece.lines[index].seq <= limit {
            defer { index += 1 }
            guard !piece.kinds.isEmpty || follower.wants(piece.lines[index].kind) else {
                seen = piece.lines[index].seq
                continue
            }
            if entries.count >= follower.count ?? .max { return .done }
            let shown = piece.shown(index, follower.mask)
            if shown.count > longest {
                missed += 1
            } else if bytes + shown.count <= room || (entries.isEmpty && shown.count <= roomForOne) {
                entries.append(shown)
                bytes += shown.count + 1
            } else {
                return entries.isEmpty && roomForOne > 0 ? .crowded : .full
            }
            seen = piece.lines[index].seq
        }
        seen = max(seen, min(piece.last, limit))
        return nil
    }

    /// The members of the reply behind `entries`.
    func told(behind: UInt64?, missed: UInt64) -> JSONObject {
        var told: JSONObject = ["last": .integer(Int64(clamping: seen))]
        if missed > 0 { told["missed"] = .integer(Int64(clamping: missed)) }
        if let behind, behind > 0 { told["behind"] = .integer(Int64(clamping: behind)) }
        return told
    }

    /// The parameters of the reply, as `JSONObject` would write them.
    func write(to out: inout [UInt8], _ told: JSONObject) {
        out.append(contentsOf: #"{"entries":["#.utf8)
        for (index, entry) in entries.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out.append(contentsOf: entry)
        }
        out.append(UInt8(ascii: "]"))
        for (key, value) in told.members {
            out.append(UInt8(ascii: ","))
            JSONValue.string(key).encode(into: &out)
            out.append(UInt8(ascii: ":"))
            value.encode(into: &out)
        }
        out.append(UInt8(ascii: "}"))
    }
}
