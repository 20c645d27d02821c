// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Inference

/// Who is behind the events of one read: asked of `/proc` once for each process of a batch, before anything else is done with it.
///
/// What was known before is used again only for the same process (its pidfd tells), only for a while, since it may have become another
/// program, and only where it works for one person: smbd changes its uid from one request to the next.
final class Actors {
    private struct Known {
        var process: ForeignProcess
        var actor: Actor
        var isSteady: Bool
        var readAt: BootTime
    }

    /// How many processes are remembered, each with a descriptor.
    static let capacity = 512
    static let validity = Duration.seconds(1)

    private let reader: ProcessReader?
    private var known: [Int32: Known] = [:]
    private var batch: [Int32: Actor] = [:]

    init() {
        // Without /proc nobody is named; the self-test at the start says so.
        reader = try? ProcessReader()
    }

    /// From here on everybody is looked at anew.
    func beginBatch() { batch.removeAll(keepingCapacity: true) }

    /// Nil for what is no process that we may know.
    func actor(_ pid: Int32, at now: BootTime) -> Actor? {
        guard pid > 0, let reader else { return nil }
        if let actor = batch[pid] { return actor }
        let actor = ask(reader, pid, now)
        batch[pid] = actor
        return actor
    }

    private func ask(_ reader: ProcessReader, _ pid: Int32, _ now: BootTime) -> Actor {
        guard var before = known[pid] else { return meet(reader, pid, now) }
        if before.process.hasEnded {
            // It did this and ended, which stays as it is; or another one has its number by now.
            if let start = reader.start(of: pid), before.actor.startedAt != BootTime(microseconds: start) { return meet(reader, pid, now) }
            if !before.isSteady { before.actor.uid = nil }
            return before.actor
        }
        if before.isSteady, now - before.readAt < Self.validity { return before.actor }
        guard let identity = reader.identity(of: pid) else { return Actor(pid: pid, uid: nil, program: nil) }  // it ends just now
        take(identity, into: &before, now)
        known[pid] = before
        return before.actor
    }

    private func meet(_ reader: ProcessReader, _ pid: Int32, _ now: BootTime) -> Actor {
        let unknown = Actor(pid: pid, uid: nil, program: nil)
        // The handle first: what is read while it has not ended is of this process.
        guard let process = try? ForeignProcess.open(pid), let identity = reader.identity(of: pid) else { return unknown }  // gone
        var fresh = Known(process: process, actor: unknown, isSteady: false, readAt: now)
        take(identity, into: &fresh, now)
        fresh.actor.startedAt = reader.start(of: pid).map { BootTime(microseconds: $0) }
        if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
        known[pid] = fresh
        return fresh.actor
    }

    private func take(_ identity: ProcessIdentity, into known: inout Known, _ now: BootTime) {
        known.actor.uid = identity.fileUID
        known.actor.program = identity.command
        known.isSteady = identity.isSteady
        known.readAt = now
    }
}
