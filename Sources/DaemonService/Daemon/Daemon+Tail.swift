// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import JournalStore
import Ledger

/// Somebody who reads the journal's entries.
struct Follower {
    var call: VarlinkConnection.CallID
    /// The last entry that was looked at for them.
    var after: UInt64
    var kinds: Set<String>
    /// How many are still wanted before the call ends; nil where it follows.
    var follows: Bool
    /// Nil: entries as they are stored.
    var mask: EntryMask?
    /// True while they get new entries as they become durable; false while the disk is read for them.
    var isLive = false
    /// A request to the history thread is under way.
    var isReading = false
    /// The last entry that they were sent as it came, where others have come since that must be read from the disk.
    var behindSince: UInt64?
}

extension Daemon {
    /// With more than this waiting to be read, a follower is fed from the disk, at its own pace.
    static let followerBytes = 512 << 10

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
        client.follower = Follower(
            call: id, after: after.map { UInt64($0) } ?? 0, kinds: kinds, follows: follows, mask: names ? nil : EntryMask())
        readHistory(
            client, after: after.map { UInt64($0) }, count: after == nil ? Int(count ?? 10) : count.map { Int($0) })
    }

    private func readHistory(_ client: ClientState, after: UInt64?, count: Int?) {
        guard let follower = client.follower, !follower.isReading, let history else { return }
        let request = HistoryRequest(
            client: client.client.id, call: follower.call, after: after, count: count, through: ledger.lastSeq, kinds: follower.kinds)
        if history.requests.put(request) {
            client.follower?.isReading = true
        } else {
            client.follower = nil
            fail(client, follower.call, storeFailing("too many followers wait for the disk", "org.daybook.Journal"))
        }
    }

    func handle(_ answer: HistoryAnswer) {
        guard let client = clients[answer.client], client.follower?.call == answer.call, var follower = client.follower.take() else {
            return
        }
        follower.isReading = false
        follower.after = max(follower.after, answer.last)
        if let failure = answer.failure {
            return fail(client, follower.call, storeFailing(failure, "org.daybook.Journal"))
        }
        let entries = answer.lines.compactMap { line in Self.parsed(line.line).flatMap { Self.shown($0, &follower) } }
        client.follower = follower
        var reply: JSONObject = ["entries": .array(entries), "last": .integer(Int64(clamping: follower.after))]
        if let since = follower.behindSince {
            reply["behind"] = .integer(Int64(clamping: ledger.lastSeq - min(since, ledger.lastSeq)))
            client.follower?.behindSince = nil
        }
        guard follower.follows else {
            client.follower = nil
            return self.reply(client, follower.call, reply)
        }
        self.reply(client, follower.call, reply, continues: true)
        continueFollowing(client)
    }

    /// What became durable while the disk was read is on the disk too; once nothing is left there, new entries come directly.
    private func continueFollowing(_ client: ClientState) {
        guard let follower = client.follower, follower.follows, !follower.isLive, !follower.isReading else { return }
        if follower.after >= ledger.lastSeq {
            client.follower?.isLive = true
        } else if (server?.pendingBytes(of: client.client.id) ?? 0) < Self.followerBytes {
            readHistory(client, after: follower.after, count: nil)
        }
    }

    func followerDrained(_ client: ClientState) { continueFollowing(client) }

    /// New entries to everybody who follows; who does not keep up gets them from the disk later.
    func publish(_ entries: [DurableEntry]) {
        // Read once, for all who follow.
        lazy var parsed = entries.map { Self.parsed($0.line) }
        for client in clients.values {
            guard client.follower?.isLive ?? false else { continue }
            guard (server?.pendingBytes(of: client.client.id) ?? 0) < Self.followerBytes else {
                client.follower?.isLive = false
                let last = client.follower?.after
                client.follower?.behindSince = last
                log.notice("somebody who follows the journal reads too slowly", id: Messages.slowFollower)
                continue
            }
            // Taken out and put back: a copy would make each new number copy all that were given.
            guard var follower = client.follower.take() else { continue }
            var shown: [JSONValue] = []
            for (index, durable) in entries.enumerated() where durable.entry.seq > follower.after {
                follower.after = durable.entry.seq
                if let entry = parsed[index].flatMap({ Self.shown($0, &follower) }) { shown.append(entry) }
            }
            client.follower = follower
            guard !shown.isEmpty else { continue }
            reply(
                client, follower.call, ["entries": .array(shown), "last": .integer(Int64(clamping: follower.after))], continues: true)
        }
    }

    /// Nil for no object; these are our own lines, which the writer or the reader has checked.
    private static func parsed(_ line: [UInt8]) -> JSONObject? {
        (try? JSONValue(parsing: line))?.objectValue
    }

    private static func shown(_ entry: JSONObject, _ follower: inout Follower) -> JSONValue? {
        let kind = entry["kind"]?.stringValue ?? ""
        if !follower.kinds.isEmpty, !follower.kinds.contains(where: { HistoryThread.matches($0, kind) }) { return nil }
        // In place, for the same reason.
        guard let masked = follower.mask?.masked(entry) else { return .object(entry) }
        return .object(masked)
    }
}
