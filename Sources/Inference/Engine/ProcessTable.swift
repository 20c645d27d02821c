// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The processes behind recent changes: who they are, what they opened last, and which documents wait for their end.
///
/// Bounded: what nobody waits for is forgotten first. Where all are waited for, new ones are not remembered, and their end says nothing.
struct ProcessTable: Sendable {
    typealias Key = InferenceEngine.Key

    struct Process: Sendable {
        var startedAt: BootTime?
        var uid: UInt32?
        var program: String?
        var role = ProgramRole.program
        var seenAt: BootTime
        var endedAt: BootTime?
        /// Documents that want to know when it ends.
        var waiting: Set<Key> = []
        /// The first document that it took up, and whether there were others.
        var first: Key?
        var isShared = false
        var burst: Burst?
        var writes: SweepDetector<Key>?
    }

    /// Documents opened with less than a second between: the one that somebody wants, and its neighbours, which the program only sniffs at.
    struct Burst: Sendable {
        var first: Key
        var uid: UInt32?
        var last: BootTime
        var timesFirst = 1
        var others: Set<Key> = []
        var hasOtherFolders = false
        var isCancelled = false
    }

    enum Opening: Equatable {
        case own
        /// One of several; `cancelled` is the burst's first document where that is no person's opening either.
        case neighbour(cancelled: Key?)
    }

    static let burstPause = Duration.seconds(1)
    /// More than these in one burst are not kept apart.
    static let burstLimit = 64

    private var processes: [Int32: Process] = [:]
    /// When it was last found full of processes that are waited for.
    private(set) var fullAt: BootTime?
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { processes.count }

    subscript(pid: Int32) -> Process? { processes[pid] }

    /// True where the number belongs to another process now than when it was last seen.
    func isAnother(_ actor: Actor, at: BootTime) -> Bool {
        guard let known = processes[actor.pid], actor.uid != nil else { return false }
        if let old = known.startedAt, let new = actor.startedAt { return old != new }
        return known.endedAt.map { at - $0 > .seconds(1) } ?? false
    }

    /// Notes what an event shows of its process; what it does not show is as it was last seen.
    mutating func meet(_ actor: Actor, names: ProgramNames, at: BootTime) -> Process {
        var process = processes[actor.pid] ?? Process(seenAt: at)
        let isKnown = processes[actor.pid] != nil
        process.seenAt = at
        if let uid = actor.uid { process.uid = uid }
        if let startedAt = actor.startedAt { process.startedAt = startedAt }
        if let program = actor.program, program != process.program {
            process.program = program
            process.role = names.role(program)
        }
        if isKnown || makeRoom(at: at) { processes[actor.pid] = process }
        return process
    }

    private mutating func makeRoom(at: BootTime) -> Bool {
        if processes.count < limit { return true }
        // Full of those that are waited for: a look at all of them for each new one would cost too much.
        if let fullAt, at - fullAt < .seconds(1) { return false }
        processes = processes.filter { !$0.value.waiting.isEmpty || at - $0.value.seenAt < .seconds(10) }
        if processes.count < limit { return true }
        processes = processes.filter { !$0.value.waiting.isEmpty }
        if processes.count < limit { return true }
        fullAt = at
        return false
    }

    /// Notes that it opened a document.
    mutating func opened(_ pid: Int32, _ key: Key, uid: UInt32?, at: BootTime) -> Opening {
        guard let process = processes[pid] else { return .own }
        // A file server that is seen between two of its requests names nobody, and is still in the middle of what it does.
        let isSame = process.burst.map { $0.uid == uid || process.role == .fileServer && ($0.uid == nil || uid == nil) } ?? false
        guard var burst = process.burst, isSame, at - burst.last <= Self.burstPause else {
            processes[pid]?.burst = Burst(first: key, uid: uid, last: at)
            return .own
        }
        burst.last = max(burst.last, at)
        burst.uid = burst.uid ?? uid
        if key == burst.first {
            burst.timesFirst &+= 1
            processes[pid]?.burst = burst
            return burst.isCancelled ? .neighbour(cancelled: nil) : .own
        }
        if burst.others.count < Self.burstLimit { burst.others.insert(key) }
        if key.path.folder != burst.first.path.folder { burst.hasOtherFolders = true }
        // A connection's burst is a list with previews; a program's is an editor that looks at what else is there, or a search.
        let isNobodys =
            process.role != .program
            || burst.others.count >= 3 && (burst.timesFirst < 3 || burst.hasOtherFolders)
        let cancelled = isNobodys && !burst.isCancelled ? burst.first : nil
        if isNobodys { burst.isCancelled = true }
        processes[pid]?.burst = burst
        return .neighbour(cancelled: cancelled)
    }

    /// True while it goes through so many documents that not even their names are worth keeping.
    func isSweeping(_ pid: Int32, big: Int) -> Bool { processes[pid]?.burst.map { $0.others.count >= big } ?? false }

    /// Notes that it wrote a document. Several within a second are no person's saves: with `begun`, those before were none either.
    mutating func wrote(_ pid: Int32, _ key: Key, threshold: Int, big: Int, at: BootTime) -> (
        verdict: SweepDetector<Key>.Verdict, keys: [Key]
    ) {
        guard var process = processes[pid] else { return (.none, []) }
        var writes = process.writes ?? SweepDetector(threshold: threshold, big: big)
        let verdict = writes.opened(key, at: at)
        process.writes = writes
        processes[pid] = process
        return (verdict, verdict == .begun ? writes.keys.map(\.key) : [key])
    }

    enum Waiting: Equatable {
        /// The first one to wait for this process.
        case first
        case another
        /// There is no room, or it has ended: its end will not be told.
        case refused
    }

    /// A document waits for its end.
    mutating func wait(_ pid: Int32, _ key: Key, startedAt: BootTime?, at: BootTime) -> Waiting {
        if processes[pid] == nil {
            guard makeRoom(at: at) else { return .refused }
            processes[pid] = Process(startedAt: startedAt, seenAt: at)
        }
        guard var process = processes[pid], process.endedAt == nil else { return .refused }
        let isFirst = process.waiting.isEmpty
        process.waiting.insert(key)
        if let first = process.first { if first != key { process.isShared = true } } else { process.first = key }
        processes[pid] = process
        return isFirst ? .first : .another
    }

    /// It waits no more. True where nobody does now.
    mutating func leave(_ pid: Int32, _ key: Key) -> Bool {
        guard processes[pid]?.waiting.remove(key) != nil else { return false }
        return processes[pid]?.waiting.isEmpty ?? false
    }

    /// It has ended. What it was is kept for a while, since events are read after it.
    mutating func ended(_ pid: Int32, at: BootTime) -> (waiting: [Key], isShared: Bool) {
        guard let process = processes[pid] else { return ([], false) }
        processes[pid]?.endedAt = at
        processes[pid]?.waiting = []
        return (process.waiting.sorted(), process.isShared)
    }

    /// Its number is another process's from now on.
    mutating func forget(_ pid: Int32) { processes[pid] = nil }
}
