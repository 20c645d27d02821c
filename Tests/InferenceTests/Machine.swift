// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

/// A recording played as a live daemon would see it: inputs one by one, timers exactly when they are due, and answers to what the engine asks,
/// never earlier than they could be had. It can be stopped and started again.
struct Machine {
    /// `/proc` was sampled each 0.4 s.
    static let latency = Duration.milliseconds(500)

    let trace: RecordedTrace
    private(set) var engine: InferenceEngine
    private(set) var gathered = Gathered()
    private var answers: [(at: BootTime, input: InferenceInput)] = []
    private(set) var watched: Set<Int32> = []
    private var now = BootTime(microseconds: 0)

    init(_ trace: RecordedTrace) throws {
        self.trace = trace
        engine = try School.engine()
    }

    mutating func play(_ changes: some Sequence<Change>) {
        for change in changes {
            goOn(to: change.at)
            give(.change(change), at: change.at)
        }
    }

    mutating func end() {
        goOn(to: trace.end)
        give(.end(at: trace.end), at: trace.end)
    }

    mutating func give(_ input: InferenceInput, at: BootTime) {
        now = max(now, at)
        let effects = engine.handle(input)
        gathered.add(effects)
        for effect in effects {
            switch effect {
            case .watchProcess(let pid, _):
                watched.insert(pid)
                if let exit = trace.exits[pid] { answer(.processEnded(pid: pid, at: max(exit, now)), at: max(exit, now)) }
            case .forgetProcess(let pid): watched.remove(pid)
            case .lookAtHandle(let pid, let share, let path):
                let at = now + Self.latency
                let mode = trace.held(at: at).filter { $0.pid == pid && $0.path == path }.map(\.mode).max {
                    $0 == .reading && $1 == .writing
                }
                answer(.handle(pid: pid, share: share, path: path, mode: mode, at: at), at: at)
            default: break
            }
        }
    }

    private mutating func answer(_ input: InferenceInput, at: BootTime) {
        answers.insert((at, input), at: answers.firstIndex { $0.at > at } ?? answers.endIndex)
    }

    mutating func goOn(to end: BootTime) {
        while true {
            let deadline = engine.deadline
            if let answer = answers.first, answer.at <= end, deadline.map({ answer.at <= $0 }) ?? true {
                answers.removeFirst()
                if case .processEnded(let pid, _) = answer.input, watched.remove(pid) == nil { continue }
                give(answer.input, at: answer.at)
            } else if let deadline, deadline <= end {
                give(.timer(deadline), at: deadline)
            } else {
                return
            }
        }
    }

    /// The daemon stops at one instant and starts again at a later one, and learns what it can of the time between: from the journal, from a
    /// listing, and from `/proc`.
    mutating func restart(from stop: BootTime, to start: BootTime, afterCrash: Bool = false) throws {
        goOn(to: stop)
        if !afterCrash { give(.shutdown(at: stop), at: stop) }
        answers = []
        watched = []
        let next = engine.nextID
        engine = try School.engine(firstID: next)
        now = start
        give(.resume(gathered.inOrder.filter { $0.end == nil }, at: start), at: start)
        give(.gap(share: nil, from: stop, at: start), at: start)
        for (path, owner) in companions(at: start) {
            give(
                .change(
                    Change(
                        at: start, share: 0, path: path, isFolder: false, kind: .found(since: nil),
                        facts: FileFacts(type: .file, owner: owner))), at: start)
        }
        for (path, owner) in written(stop, start) {
            let facts = FileFacts(type: .file, owner: owner)
            give(.change(Change(at: start, share: 0, path: path, isFolder: false, kind: .found(since: stop), facts: facts)), at: start)
        }
        let uids = Dictionary(trace.changes.compactMap { change in change.actor.flatMap { a in a.uid.map { (a.pid, $0) } } }) { first, _ in
            first
        }
        let holders = trace.held(at: start).compactMap { held in
            uids[held.pid].map { Holder(pid: held.pid, uid: $0, share: 0, path: held.path, mode: held.mode) }
        }
        give(.holders(holders, at: start), at: start)
    }

    /// Lock and swap files that are there at an instant, and whose they are.
    private func companions(at: BootTime) -> [(PathBytes, UInt32)] {
        var there: [PathBytes: UInt32] = [:]
        for change in trace.changes where change.at <= at && CompanionKind.isPresenceMark(change.path.name) {
            switch change.kind {
            case .created where !change.isMerged || change.facts != nil: there[change.path] = change.facts?.owner ?? change.actor?.uid ?? 0
            case .deleted where !change.isMerged || change.facts == nil: there[change.path] = nil
            default: break
            }
        }
        return there.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Documents whose times a listing finds changed, and who would own them.
    private func written(_ from: BootTime, _ to: BootTime) -> [(PathBytes, UInt32)] {
        var owners: [PathBytes: UInt32] = [:]
        for change in trace.changes where change.at > from && change.at <= to && FileName(change.path.name) == .document && !change.isFolder
        {
            if change.kind == .modified { owners[change.path] = change.actor?.uid ?? 0 }
            if case .renamed = change.kind { owners[change.path] = change.actor?.uid ?? 0 }
        }
        return owners.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
