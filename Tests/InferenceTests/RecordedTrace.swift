// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Glibc
import Inference
import Testing

/// A small recording of what an editor did, and the sessions that it shall give. One change a line: seconds, what, the owner where known,
/// a tab, the path, and for a rename a tab and the old path. Where the kernel named the process: `pid=`, `uid=` (its file-system uid),
/// `program=`, `started=`, and `merged` for one of several that came as one event; then also `exit PID`, and `hold PID DESCRIPTOR r|w` and
/// `release PID DESCRIPTOR` as `/proc` showed them each 0.4 s. `session` lines: opened, closed, person, saves, confidence, ending, tab, path.
struct RecordedTrace: CustomStringConvertible {
    var name: String
    var changes: [Change] = []
    var end = BootTime(microseconds: 0)
    var expected: [String] = []
    var exits: [Int32: BootTime] = [:]
    var holds: [Hold] = []

    struct Hold {
        var at: BootTime
        var pid: Int32
        var descriptor: Int
        var isDeleted = false
        /// Nil where it was let go.
        var mode: Holder.Mode?
        var path: PathBytes
    }

    var description: String { name }

    static let all = inFolder("Traces")
    /// Those in which the kernel named processes.
    static let withProcesses = inFolder("ProcessTraces")

    private static func inFolder(_ folder: String) -> [RecordedTrace] {
        let folder = #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + folder
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { raw in
                raw.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".trace") { names.append(name) }
        }
        return names.sorted().map { RecordedTrace(name: $0, text: read(folder + "/" + $0)) }
    }

    init(name: String, text: String) {
        self.name = name
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("session ") {
                expected.append(String(line))
                continue
            }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let words = fields[0].split(separator: " ")
            let at = BootTime(microseconds: Int64(((Double(words[0]) ?? 0) * 1_000_000).rounded()))
            end = max(end, at)
            guard words.count > 1, words[1] != "end", !takeProcess(words, fields, at: at), fields.count > 1 else { continue }
            let isFolder = words[1].hasSuffix("-folder")
            guard let kind = Self.kind(isFolder ? words[1].dropLast(7) : words[1], fields.count > 2 ? String(fields[2]) : nil) else {
                Issue.record("\(name): unknown change '\(words[1])'")
                continue
            }
            let owner = words.count > 2 ? UInt32(words[2]) : nil
            func value(_ name: String) -> String? { words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) } }
            let actor = value("pid").flatMap(Int32.init).map {
                Actor(
                    pid: $0, uid: value("uid").flatMap(UInt32.init), program: value("program"),
                    startedAt: value("started").flatMap(Double.init).map { BootTime(seconds: $0) })
            }
            changes.append(
                Change(
                    at: at, share: 0, path: PathBytes(String(fields[1])), isFolder: isFolder, kind: kind,
                    facts: owner.map { FileFacts(type: .file, owner: $0) }, actor: actor, isMerged: words.contains("merged")))
        }
    }

    /// What `/proc` and a descriptor of the process told, rather than the kernel's events.
    private mutating func takeProcess(_ words: [Substring], _ fields: [Substring], at: BootTime) -> Bool {
        switch words[1] {
        case "exit": if words.count > 2, let pid = Int32(words[2]) { exits[pid] = at }
        case "hold", "release":
            if words.count > 3, fields.count > 1, let pid = Int32(words[2]), let descriptor = Int(words[3]) {
                let mode: Holder.Mode? = words.last == "r" ? .reading : words.last == "w" ? .writing : nil
                holds.append(
                    Hold(
                        at: at, pid: pid, descriptor: descriptor, isDeleted: fields[1].hasSuffix(" (deleted)"), mode: mode,
                        path: PathBytes(Self.undeleted(fields[1]))))
            }
        default: return false
        }
        return true
    }

    /// A file that was replaced while it is held counts under the name that it had.
    private static func undeleted(_ path: Substring) -> String {
        path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : String(path)
    }

    /// What each process held at an instant.
    func held(at: BootTime) -> [(pid: Int32, path: PathBytes, mode: Holder.Mode)] {
        var open: [String: Hold] = [:]
        for hold in holds where hold.at <= at { open["\(hold.pid) \(hold.descriptor) \(hold.isDeleted)"] = hold.mode == nil ? nil : hold }
        return open.sorted { $0.key < $1.key }.compactMap { entry in entry.value.mode.map { (entry.value.pid, entry.value.path, $0) } }
    }

    private static func kind(_ word: Substring, _ from: String?) -> Change.Kind? {
        switch word {
        case "created": .created
        case "opened": .opened
        case "modified": .modified
        case "attributes": .attributesChanged
        case "closed-writing": .closedAfterWriting
        case "closed-reading": .closedWithoutWriting
        case "deleted": .deleted
        case "moved-in": .movedIn
        case "moved-out": .movedOut
        case "renamed": from.map { .renamed(from: PathBytes($0)) }
        default: nil
        }
    }

    private static func read(_ path: String) -> String { String(decoding: contents(path), as: UTF8.self) }

    /// A file beside the tests; empty where it is missing.
    static func bytes(_ path: String) -> [UInt8] {
        contents(#filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + path)
    }

    private static func contents(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}

/// The tree of the recordings: students' own folders, a group folder, media.
enum School {
    static let people = PeopleDirectory([
        PersonID(uid: 2001, login: "alice"), PersonID(uid: 2002, login: "bob"), PersonID(uid: 2003, login: "teach"),
    ])

    static func engine(
        _ limits: InferenceLimits = InferenceLimits(), rule: Rule = Rule(), firstID: ActivityID = ActivityID(1)
    ) throws -> InferenceEngine {
        let layouts = LayoutSet([
            try LayoutPattern("students/{person}/{document}"), try LayoutPattern("shared/{document}"),
            try LayoutPattern("media/{document}"),
        ])
        return InferenceEngine(
            shares: [ShareLayout(path: "/srv/school", layouts: layouts)], rule: rule, limits: limits, firstID: firstID,
            directory: people)
    }
}

/// The sessions that a run of effects adds up to.
struct Gathered {
    var sessions: [ActivityID: WorkSession] = [:]
    var saved: [(document: DocumentRef, attribution: Attribution, at: BootTime)] = []
    /// Of each of them, when it was at the earliest.
    var since: [BootTime] = []
    var others: [InferenceEffect] = []
    /// All of sessions that was said, in order.
    var events: [SessionEvent] = []
    /// Locks that were to be looked at.
    var inspected: [PathBytes] = []
    /// Events that break the promised order: a second start, or anything after the stop or before the start.
    var outOfOrder: [SessionEvent] = []
    /// How often a session's document was said to have another name.
    var moves = 0

    init(_ effects: [InferenceEffect] = []) { add(effects) }

    mutating func add(_ effects: [InferenceEffect]) {
        for effect in effects {
            if case .session(let event) = effect { events.append(event) }
            switch effect {
            case .session(.started(let start)):
                if sessions[start.id] != nil { outOfOrder.append(.started(start)) }
                sessions[start.id] = WorkSession(start)
            case .session(let event):
                if sessions[event.id] == nil || sessions[event.id]?.end != nil { outOfOrder.append(event) }
                if case .moved = event { moves += 1 }
                sessions[event.id]?.apply(event)
            case .saved(_, let document, _, let attribution, let since, let at):
                saved.append((document, attribution, at))
                self.since.append(since)
            case .inspect(_, let path): inspected.append(path)
            default: others.append(effect)
            }
        }
    }

    var inOrder: [WorkSession] { sessions.values.sorted { ($0.openedAt, $0.id) < ($1.openedAt, $1.id) } }

    /// As in the recordings; mere touches are left out.
    var lines: [String] {
        inOrder.filter { TimeOnTask.confidence(of: $0) > .none }.map { session in
            "session \(seconds(session.openedAt)) \(session.end.map { seconds($0.closedAt) } ?? "-") "
                + "\(session.attribution.person?.login ?? "-") \(session.saves) \(TimeOnTask.confidence(of: session).rawValue) "
                + "\(session.end?.ending.rawValue ?? "-")\t\(session.document.path.text)"
        }
    }

    private func seconds(_ at: BootTime) -> String {
        let thousandths = (at.microseconds + 500) / 1000
        let rest = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

/// Changes of a test, on a clock of seconds.
struct Script {
    var engine: InferenceEngine
    var gathered = Gathered()

    init(_ limits: InferenceLimits = InferenceLimits(), rule: Rule = Rule()) throws { engine = try School.engine(limits, rule: rule) }

    mutating func give(_ input: InferenceInput) { gathered.add(engine.handle(input)) }

    mutating func at(_ seconds: Double, _ kind: Change.Kind, _ path: String, owner: UInt32? = nil, folder: Bool = false) {
        give(
            .change(
                Change(
                    at: BootTime(seconds: seconds), share: 0, path: PathBytes(path), isFolder: folder, kind: kind,
                    facts: owner.map { FileFacts(type: folder ? .folder : .file, owner: $0) })))
    }

    mutating func timer(_ seconds: Double) { give(.timer(BootTime(seconds: seconds))) }
}

extension BootTime {
    init(seconds: Double) { self.init(microseconds: Int64((seconds * 1_000_000).rounded())) }
}
