// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import EventLoop
import Testing

@testable import DaemonService
@testable import DaybookVarlink

@Suite("What followers of the journal are fed")
struct FollowerFeedTests {
    private static func line(_ seq: UInt64, padding: Int = 40) -> FeedPiece.Line {
        let kind = seq % 7 == 0 ? "gap" : "evidence"
        let text = #"{"v":1,"seq":\#(seq),"kind":"\#(kind)","activity":1,"what":"\#(String(repeating: "x", count: padding))","salt":"s"}"#
        return FeedPiece.Line(seq: seq, kind: kind, bytes: Array(text.utf8))
    }

    private static func follower(
        kinds: Set<String> = [], follows: Bool = true, through: UInt64 = 0, mask: SharedMask? = nil
    ) -> Follower {
        Follower(
            call: VarlinkConnection.CallID(rawValue: 1), after: 0, kinds: kinds, follows: follows, takesMore: true, through: through,
            mask: mask)
    }

    /// The numbers in the reply that a meal makes.
    private static func numbers(_ meal: Meal) throws -> [UInt64] {
        var bytes: [UInt8] = []
        meal.write(to: &bytes, meal.told(behind: nil, missed: 0))
        let reply = try JSONValue(parsing: bytes)
        #expect(reply["last"]?.integerValue == Int64(meal.seen))
        return (reply["entries"]?.arrayValue ?? []).compactMap { $0["seq"]?.integerValue.map(UInt64.init) }
    }

    /// Entries come, followers of all sorts take as much as they have room for, and the disk is asked for what is not held any more.
    @Test("is every entry once and in order, whatever their room and whenever they come", arguments: 1...12 as ClosedRange<UInt64>)
    func model(seed: UInt64) throws {
        var random = SplitMix(seed)
        var feed = FollowerFeed(recentBytes: 20_000, readBytes: 20_000)
        var newest: UInt64 = 0
        let mask = SharedMask(number: 1)
        var followers = (0..<8).map { index in
            Self.follower(kinds: index % 3 == 0 ? ["gap"] : [], mask: index % 2 == 0 ? mask : nil)
        }
        var got: [[UInt64]] = Array(repeating: [], count: 8)
        var reads = 0
        func eat(_ index: Int, room: Int) throws {
            var meal = Meal(followers[index], after: try #require(followers[index].after), room: room, newest: newest)
            meal.roomForOne = 1 << 20
            meal.fill(from: &feed)
            got[index] += try Self.numbers(meal)
            followers[index].after = meal.seen
            guard meal.end == .disk else { return }
            reads += 1
            let last = min(newest, meal.seen + random.next(in: 1...60))
            let kinds = followers[index].kinds
            let lines = (meal.seen + 1...last).map { Self.line($0) }.filter { kinds.isEmpty || kinds.contains($0.kind) }
            feed.keep(FeedPiece(after: meal.seen, last: last, kinds: kinds, lines: lines))
        }
        for _ in 0..<600 {
            switch random.next(in: 0...9) {
            case 0...2:
                let count = random.next(in: 1...40)
                let lines = (newest + 1...newest + count).map { Self.line($0) }
                feed.add(FeedPiece(after: newest, last: newest + count, lines: lines))
                newest += count
            case 3 where random.next(in: 0...9) == 0: feed.drop()
            default: try eat(Int(random.next(in: 0...5)), room: Int(random.next(in: 100...4000)))
            }
        }
        // The last two have read nothing so far.
        for index in followers.indices { while followers[index].after ?? 0 < newest { try eat(index, room: 100_000) } }
        for index in followers.indices {
            #expect(got[index] == (1...newest).filter { index % 3 != 0 || $0 % 7 == 0 }, "follower \(index)")
        }
        #expect(reads > 0)
    }

    @Test("without names is one mask for all of a user, and goes with the last of them")
    func masks() {
        func client(_ number: UInt64, uid: UInt32) -> Client {
            Client(id: ClientID(number: number), credentials: .init(pid: 1, uid: uid, gid: uid), groups: [])
        }
        var following = Following()
        let first = following.join(client(1, uid: 7), names: false)
        #expect(following.join(client(2, uid: 7), names: false) === first)
        #expect(following.join(client(3, uid: 8), names: false) !== first)
        #expect(following.join(client(4, uid: 7), names: true) == nil)
        following.leave(client(1, uid: 7))
        following.leave(client(2, uid: 7))
        #expect(following.join(client(5, uid: 7), names: false) === first)
        following.leave(client(4, uid: 7))
        following.leave(client(5, uid: 7))
        #expect(following.join(client(6, uid: 7), names: false) !== first)
    }

    @Test("is held within bounds, and nothing of it after an erasure")
    func bounds() {
        var feed = FollowerFeed()
        for seq in 1...100 as ClosedRange<UInt64> {
            feed.add(FeedPiece(after: seq - 1, last: seq, lines: [Self.line(seq, padding: 100_000)]))
            feed.keep(FeedPiece(after: seq - 1, last: seq, kinds: ["evidence"], lines: [Self.line(seq, padding: 100_000)]))
        }
        #expect((0..<100).filter { feed.piece(after: $0, kinds: []) != nil } == Array(59..<100), "4 MiB of the newest")
        #expect((0..<59).filter { feed.piece(after: $0, kinds: ["evidence"]) != nil }.count == 0)
        #expect(feed.piece(after: 100, kinds: []) == nil)
        let generation = feed.generation
        feed.drop()
        #expect((0..<100).allSatisfy { feed.piece(after: $0, kinds: []) == nil && feed.piece(after: $0, kinds: ["evidence"]) == nil })
        #expect(feed.generation == generation + 1, "what is being read meanwhile does not count")
    }

    @Test("has a share of what may wait that shrinks with their number, and never takes more than half of it in all")
    func shares() {
        let limits = ClientLimits()
        let user = UserFollowers()
        for number in 1...300 as ClosedRange<UInt64> {
            user.join(ClientID(number: number))
            #expect(user.share(limits) * Int(number) <= limits.outputBytesPerUser / 2)
            if number == 1 { #expect(user.share(limits) == UserFollowers.mostBytes) }
        }
        #expect(user.share(limits) == limits.outputBytesPerUser / 2 / 300)
        for number in 1...200 as ClosedRange<UInt64> { user.leave(ClientID(number: number)) }
        #expect(user.share(limits) == limits.outputBytesPerUser / 2 / 100)
    }

    @Test("is an entry longer than the share where it has room alone, and the count of those that never have")
    func longEntries() throws {
        var feed = FollowerFeed()
        let lines = [Self.line(1, padding: 5000), Self.line(2), Self.line(3, padding: 50_000), Self.line(4)]
        feed.add(FeedPiece(after: 0, last: 4, lines: lines))
        func meal(after: UInt64, roomForOne: Int) throws -> (Meal, [UInt64]) {
            var meal = Meal(Self.follower(), after: after, room: 1000, newest: 4)
            meal.longest = 20_000
            meal.roomForOne = roomForOne
            meal.fill(from: &feed)
            return (meal, try Self.numbers(meal))
        }
        let waiting = try meal(after: 0, roomForOne: 4000)
        #expect(waiting.0.end == .crowded && waiting.1 == [] && waiting.0.seen == 0)
        let alone = try meal(after: 0, roomForOne: 6000)
        #expect(alone.0.end == .full && alone.1 == [1])
        let rest = try meal(after: 1, roomForOne: 6000)
        #expect(rest.0.end == .newest && rest.1 == [2, 4] && rest.0.missed == 1)
    }

    @Test("ends where it was asked to, or where the journal stood")
    func ends() throws {
        var feed = FollowerFeed()
        feed.add(FeedPiece(after: 0, last: 100, lines: (1...100).map { Self.line($0) }))
        for (count, through, expected) in [(3, 90, 3), (nil, 90, 90), (95, 90, 90), (0, 90, 0)] as [(Int?, UInt64, UInt64)] {
            var follower = Self.follower(follows: false, through: through)
            follower.count = count
            var meal = Meal(follower, after: 0, room: 1 << 20, newest: 100)
            meal.fill(from: &feed)
            #expect(meal.end == .done)
            #expect(try Self.numbers(meal) == Array(1..<expected + 1))
        }
    }
}

/// The same numbers for the same seed.
private struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next(in range: ClosedRange<UInt64>) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return range.lowerBound + (mixed ^ (mixed >> 31)) % (range.upperBound - range.lowerBound + 1)
    }
}
