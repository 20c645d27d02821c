// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import JournalFormat
import JournalStore
import Ledger

extension Daemon {
    func tail(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) {
        let viewer = viewer(of: client.client)
        guard viewer.isAdministrator else { return fail(client, id, .permissionDenied) }
        let parameters = call.parameters
        let follows = parameters["follow"]?.boolValue ?? false
        guard call.more || !follows else { return fail(client, id, .expectedMore) }
        let after = parameters["after"]?.integerValue
        let count = parameters["count"]?.integerValue
        if let after, after < 0 { return fail(client, id, .invalidParameter("after")) }
        if let count, count < 0 || count > 1_000_000 { return fail(client, id, .invalidParameter("count")) }
        let kinds = Set((parameters["kinds"]?.arrayValue ?? []).compactMap(\.stringValue))
        let names = parameters["names"]?.boolValue ?? false
        if names {
            submit([
                .viewed(
                    ViewedFacts(
                        by: viewer.uid, byLogin: viewer.person?.login ?? String(viewer.uid), person: nil, assignment: nil, what: "Tail"))
            ])
        }
        let through = ledger.lastSeq
        var follower = Follower(
            call: id, after: after.map { UInt64($0) }, kinds: kinds, follows: follows, takesMore: call.more, through: through,
            mask: following.join(client.client, names: names))
        let wanted = Int(count ?? 10)
        if after != nil {
            // Whoever follows gets everything behind it in any case.
            follower.count = follows ? nil : count.map { Int($0) }
        } else if kinds.isEmpty || wanted == 0 {
            // Numbers have no holes.
            follower.after = through - min(through, UInt64(wanted))
        }
        client.follower = follower
        guard follower.after == nil else { return feed(client) }
        client.follower?.waitsForDisk = true
        ask(.beginning(count: wanted, client.client.id, id), through: through, kinds: kinds)
    }

    func endFollowing(_ client: ClientState) {
        guard client.follower != nil else { return }
        client.follower = nil
        following.leave(client.client)
    }

    /// Gives somebody what they have room for; the rest follows when they have read it.
    func feed(_ client: ClientState) {
        guard var follower = client.follower, !follower.waitsForDisk, let after = follower.after, let server,
            let user = following.users[client.client.credentials.uid]
        else { return }
        let limits = server.limits
        let share = user.share(limits)
        let pending = server.pendingBytes(of: client.client.id) ?? 0
        guard pending <= share / 2 else { return }
        let ofUser = server.pendingBytes(ofUser: client.client.credentials.uid)
        // Nobody fills more than three quarters, since the rest is for answers; whoever has nothing yet gets a little in any case.
        let most = limits.outputBytesPerUser * 3 / 4 - ofUser
        let least = pending == 0 ? min(UserFollowers.leastBytes, most) : 0
        let room = min(share - pending, UserFollowers.replyBytes, max(UserFollowers.budget(limits) - ofUser, least))
        guard room >= min(UserFollowers.leastBytes, share - pending) else { return user.wait(client.client.id) }
        var meal = Meal(follower, after: after, room: room, newest: ledger.lastSeq)
        // Where nothing waits, a single entry may be longer than that.
        if pending == 0 { meal.roomForOne = min(limits.outputBytes, most) - UserFollowers.frameBytes }
        meal.longest = min(limits.outputBytes, limits.outputBytesPerUser * 3 / 4) - UserFollowers.frameBytes
        meal.fill(from: &following.feed)
        follower.after = meal.seen
        follower.missed += meal.missed
        if let count = follower.count { follower.count = count - meal.entries.count }
        let looksEmpty = meal.entries.isEmpty && !meal.isDone
        if !looksEmpty || (!follower.hasReply && follower.takesMore && (meal.isAtNewest || meal.seen > after)) {
            let isLast = meal.isDone || !follower.takesMore
            let told = meal.told(behind: follower.behind, missed: follower.missed)
            follower.behind = nil
            follower.missed = 0
            follower.hasReply = true
            client.follower = follower
            if isLast { endFollowing(client) }
            let bytes = client.connection.reply(follower.call, continues: !isLast, capacity: meal.bytes) { meal.write(to: &$0, told) }
            if !bytes.isEmpty { _ = server.send(bytes, to: client.client.id) }
            if isLast { return serve(client) }
        }
        switch meal.end {
        case .crowded:
            client.follower = follower
            user.wait(client.client.id)
        case .full, .done:
            client.follower = follower
        case .newest:
            follower.isLive = true
            client.follower = follower
        case .disk:
            if follower.isLive {
                follower.isLive = false
                follower.behind = ledger.lastSeq - min(meal.seen, ledger.lastSeq)
                log.notice("somebody who follows the journal reads too slowly", id: Messages.slowFollower)
            }
            follower.waitsForDisk = true
            client.follower = follower
            if following.mustRead(after: meal.seen, kinds: follower.kinds) {
                ask(.entries(after: meal.seen, bytes: following.bytesToRead), through: ledger.lastSeq, kinds: follower.kinds)
            }
        }
    }

    /// The queue has room for what `mustRead` allows, and for one beginning of each client.
    private func ask(_ question: HistoryRequest.Question, through: UInt64, kinds: Set<String>) {
        _ = history?.requests.put(
            HistoryRequest(question: question, through: through, kinds: kinds, generation: following.feed.generation))
    }

    func handle(_ answer: HistoryAnswer) {
        let request = answer.request
        switch request.question {
        case .beginning(_, let id, let call):
            guard let client = clients[id], client.follower?.call == call else { return }
            if let failure = answer.failure {
                endFollowing(client)
                return fail(client, call, storeFailing(failure, "org.daybook.Journal"))
            }
            client.follower?.after = answer.last
            client.follower?.waitsForDisk = false
            feed(client)
        case .entries(let after, _):
            following.answered(after: after, kinds: request.kinds)
            let waiting = clients.values.filter { $0.follower?.waitsForDisk ?? false && $0.follower?.after != nil }
            if let failure = answer.failure {
                for client in waiting where client.follower?.after == after && client.follower?.kinds == request.kinds {
                    guard let call = client.follower?.call else { continue }
                    endFollowing(client)
                    fail(client, call, storeFailing(failure, "org.daybook.Journal"))
                }
            } else if request.generation == following.feed.generation {
                following.feed.keep(FeedPiece(after: after, last: answer.last, kinds: request.kinds, lines: answer.lines))
            }
            for client in waiting.sorted(by: { $0.client.id < $1.client.id }) {
                client.follower?.waitsForDisk = false
                feed(client)
            }
        }
    }

    /// Room has come, for this client and perhaps for others of the same user.
    func followerDrained(_ client: ClientState) {
        feedCrowded(uid: client.client.credentials.uid)
        feed(client)
    }

    func feedCrowded(uid: UInt32) {
        guard let user = following.users[uid] else { return }
        for id in user.takeWaiting() {
            if let client = clients[id] { feed(client) }
        }
    }

    /// New entries to everybody who follows; who has no room gets them later, from memory or from the disk.
    func publish(_ entries: [DurableEntry]) {
        guard !following.isEmpty, let first = entries.first?.entry.seq, let last = entries.last?.entry.seq else { return }
        let lines = entries.map { FeedPiece.Line(seq: $0.entry.seq, kind: $0.entry.body.kind, bytes: $0.line) }
        following.feed.add(FeedPiece(after: first - 1, last: last, lines: lines))
        for client in clients.values where client.follower != nil { feed(client) }
    }
}
