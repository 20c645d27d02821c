// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

/// What is known between two looks at shares on network file systems, whose changes by other machines the kernel does not report.
struct NetworkPoll {
    /// When the next look is due; nil while no share is on a network.
    var due: BootTime?
    /// The last look, on both clocks.
    var last: (boot: BootTime, wall: Int64)?
    /// Since when by the wall clock changes count at all.
    var start: Int64?
    /// What this machine changed lately, and when by its wall clock: the kernel has told of it.
    private var local: [WatchLoop.NameKey: Int64] = [:]
    /// What was told of lately, by its time of change: servers' clocks differ, so looks overlap.
    private var told: [WatchLoop.NameKey: Int64] = [:]
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func changedHere(_ key: WatchLoop.NameKey, wall: Int64) {
        if local.count < limit || local[key] != nil { local[key] = wall }
    }

    /// What changed less than this before, in microseconds, is left to the next look: the kernel may be about to tell that it was done here.
    static let settling: Int64 = 1_000_000

    /// Whether a name that changed at this time is to be told of now.
    mutating func isNews(_ key: WatchLoop.NameKey, changed: Int64, wall: Int64) -> Bool {
        if changed > wall - Self.settling { return false }
        if local[key] != nil || told[key] == changed { return false }
        if told.count < limit || told[key] != nil { told[key] = changed }
        return true
    }

    /// The next look begins, for what changed since then.
    mutating func begin(changedSince: Int64) {
        local = local.filter { $0.value >= changedSince }
        told = told.filter { $0.value >= changedSince }
    }
}

extension WatchLoop {
    /// How far the clock of a file server may be behind ours, in microseconds.
    static let serverClockLag: Int64 = 5_000_000

    func isOnNetwork(_ slot: Int) -> Bool { slots[slot]?.root != nil && slots[slot]?.network != nil }

    /// Arms or disarms the timer; called whenever a share was attached or lost.
    func planPoll() {
        guard slots.indices.contains(where: { isOnNetwork($0) }) else {
            poll.due = nil
            return
        }
        let now = Self.now()
        if poll.last == nil {
            poll.last = now
            poll.start = now.wall - Self.fileClockLag
        }
        if poll.due == nil { poll.due = now.boot + options.pollInterval }
    }

    /// Looks at every share on a network for what changed since the last look.
    func startPoll(_ now: (boot: BootTime, wall: Int64)) {
        poll.due = nil
        guard let last = poll.last else { return planPoll() }
        // What changed right before the first look began to count was told by nobody, and is nobody's.
        let changedSince = max(fileTime(last, now) - Self.serverClockLag, poll.start ?? .min)
        poll.last = now
        poll.begin(changedSince: changedSince)
        planPoll()
        for slot in slots.indices where isOnNetwork(slot) {
            // A first crawl tells of nothing that has to be told again.
            guard let root = slots[slot]?.root, !scans.contains(where: { $0.slot == slot }) else { continue }
            let scan = Scan(.poll, slot: slot, since: last.boot, changedSince: changedSince)
            scan.stack = [Scan.Visit(folder: root, weight: 1, since: last.boot, telling: .changed, tellsFolder: false, again: true)]
            scans.append(scan)
        }
    }
}
