// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference

/// Turns recorded fanotify events into changes, as the live watcher does: directory noise and reads dropped, renames paired, merged masks told
/// as what they are.
///
/// The live watcher gets both names of a rename in one event; a trace has two halves, which belong together by their thread.
struct FanotifyTraceReader {
    private(set) var inputs: [InferenceInput] = []
    private(set) var end = BootTime(microseconds: 0)
    private let names: TraceNames
    private var owners: TraceOwners
    private let processes: TraceProcesses

    private struct Half {
        var path: PathBytes
        var isFolder: Bool
        var thread: Int64
        var actor: Actor?
        var at: BootTime
    }

    /// Longer apart, two halves are not of one rename.
    private static let renameWindow = Duration.milliseconds(100)
    private var left: [Half] = []
    private var arrived: [Half] = []

    init(names: TraceNames, owners: TraceOwners, processes: TraceProcesses) {
        self.names = names
        self.owners = owners
        self.processes = processes
    }

    mutating func take(_ line: JSONValue) {
        guard line["src"]?.stringValue == "fanotify", let seconds = line["t"]?.doubleValue, let at = BootTime(traceSeconds: seconds) else {
            return
        }
        expire(at)
        let mask = Set((line["mask"]?.arrayValue ?? []).compactMap(\.stringValue))
        if mask.contains("Q_OVERFLOW") {
            inputs.append(.gap(share: nil, from: end, at: at))
            end = max(end, at)
            return
        }
        end = max(end, at)
        guard let text = line["path"]?.stringValue, !text.isEmpty else { return }
        let path = PathBytes(text)
        let isFolder = mask.contains("ISDIR")
        let actor = actor(line)
        let kinds = Self.kinds.filter { mask.contains($0.0) && (!isFolder || $0.1 == .created || $0.1 == .deleted) }.map(\.1)
        let isMerged = kinds.count + (mask.contains("MOVED_FROM") ? 1 : 0) + (mask.contains("MOVED_TO") ? 1 : 0) > 1
        let isThere = names.isThere(path, at: at)
        let half = Half(path: path, isFolder: isFolder, thread: line["tid"]?.integerValue ?? 0, actor: actor, at: at)
        // What is there again was renamed away before; what is not, after all else.
        if mask.contains("MOVED_FROM"), isThere ?? false { leave(half) }
        for kind in kinds { add(half, kind, isThere: isThere, isMerged: isMerged) }
        if mask.contains("MOVED_FROM"), !(isThere ?? false) { leave(half) }
        if mask.contains("MOVED_TO") { arrive(half) }
    }

    /// Halves without a partner left the tree, or came in.
    mutating func finish() { expire(end + .seconds(3600)) }

    // MARK: Renames

    private mutating func leave(_ half: Half) {
        if let index = arrived.firstIndex(where: { $0.thread == half.thread }) {
            rename(from: half, to: arrived.remove(at: index))
        } else {
            left.append(half)
        }
    }

    private mutating func arrive(_ half: Half) {
        if let index = left.firstIndex(where: { $0.thread == half.thread }) {
            rename(from: left.remove(at: index), to: half)
        } else {
            arrived.append(half)
        }
    }

    private mutating func rename(from old: Half, to new: Half) {
        owners.renamed(from: old.path, to: new.path)
        var half = new
        half.at = max(old.at, new.at)
        add(half, .renamed(from: old.path), isThere: true, isMerged: false)
    }

    private mutating func expire(_ now: BootTime) {
        while let half = left.first, now - half.at > Self.renameWindow {
            left.removeFirst()
            add(half, .movedOut, isThere: false, isMerged: false)
        }
        while let half = arrived.first, now - half.at > Self.renameWindow {
            arrived.removeFirst()
            add(half, .movedIn, isThere: true, isMerged: false)
        }
    }

    // MARK: Changes

    /// ACCESS is not in the live mask, so it does not count here either.
    private static let kinds: [(String, Change.Kind)] = [
        ("CREATE", .created), ("OPEN", .opened), ("MODIFY", .modified), ("ATTRIB", .attributesChanged),
        ("CLOSE_WRITE", .closedAfterWriting), ("CLOSE_NOWRITE", .closedWithoutWriting), ("DELETE", .deleted),
    ]

    private mutating func add(_ half: Half, _ kind: Change.Kind, isThere: Bool?, isMerged: Bool) {
        if kind == .created, !half.isFolder { owners.created(half.path, at: half.at) }
        if kind == .deleted, isThere != true { owners.deleted(half.path) }
        let owner = half.isFolder ? nil : owners.owner(of: half.path) ?? (kind == .created ? half.actor?.uid : nil)
        // 65534 is nobody: a file that is there, but whose owner the trace does not show.
        let facts = isThere == true && !half.isFolder ? FileFacts(type: .file, owner: owner ?? 65534) : nil
        inputs.append(
            .change(
                Change(
                    at: half.at, share: 0, path: half.path, isFolder: half.isFolder, kind: kind, facts: facts, actor: half.actor,
                    isMerged: isMerged)))
    }

    /// Of a process that had gone when the event was read, the live watcher knows only the number.
    private func actor(_ line: JSONValue) -> Actor? {
        func number(_ name: String) -> Int32? { line[name]?.integerValue.flatMap(Int32.init(exactly:)).flatMap { $0 > 0 ? $0 : nil } }
        guard let pid = number("pid") ?? number("tid") else { return nil }
        if line["gone"]?.boolValue ?? false || number("pid") == nil { return Actor(pid: pid, uid: nil, program: nil) }
        return Actor(
            pid: pid, uid: line["fsuid"]?.integerValue.flatMap(UInt32.init(exactly:)),
            program: processes.name(of: pid) ?? line["comm"]?.stringValue, startedAt: processes.start(of: pid))
    }
}
