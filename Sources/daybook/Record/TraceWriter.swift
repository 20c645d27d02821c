// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import Settings

/// Turns what was recorded into the files of a trace, with masked names or with the real ones.
struct TraceWriter {
    let trace: RecordedTrace
    let share: Settings.Share
    let rule: Rule
    /// Everybody who is somebody in it.
    let people: [PersonID]
    private var mask: NameMask?

    init(_ trace: RecordedTrace, _ share: Settings.Share, rule: Rule, people: [PersonID], keepsNames: Bool) {
        self.trace = trace
        self.share = share
        self.rule = rule
        self.people = people
        if !keepsNames {
            mask = NameMask(
                layouts: share.layouts, logins: Set(people.map(\.login)), paths: trace.paths.filter { !$0.isFolder }.map(\.path))
        }
    }

    /// Names and contents, in the order in which they are written.
    mutating func files() -> [(name: String, bytes: [UInt8])] {
        // First, so that people have the first numbers.
        let directory = JSONValue.object(peopleByNumber())
        var files = [("events.jsonl", lines(trace.lines.map { line($0) })), ("holders.jsonl", lines(trace.holds.map { hold($0) }))]
        if trace.withoutProcesses == nil {
            files += [
                ("fanotify.jsonl", lines(trace.processEvents.map { processEvent($0) })),
                ("procs.jsonl", lines(trace.processes.map { process($0) })),
            ]
        }
        return files + [
            ("final_tree.txt", Array(tree().utf8)), ("people.json", Array((directory.text + "\n").utf8)),
            ("config.toml", Array(configuration().utf8)),
        ]
    }

    /// As they stand in the files.
    mutating func documents() -> [String] {
        var found: Set<PathBytes> = []
        for (path, isFolder) in trace.paths where !isFolder && FileName(path.name) == .document { found.insert(path) }
        return found.sorted().map { text($0, isFolder: false) }
    }

    // MARK: Names

    private mutating func text(_ path: PathBytes, isFolder: Bool) -> String { (mask?.path(path, isFolder: isFolder) ?? path).text }

    private mutating func number(_ uid: UInt32) -> JSONValue { .integer(Int64(mask?.uid(uid) ?? uid)) }

    private mutating func peopleByNumber() -> JSONObject {
        var object = JSONObject()
        for person in people {
            object[String(mask?.uid(person.uid) ?? person.uid)] = .string(mask?.login(person.login) ?? person.login)
        }
        return object
    }

    // MARK: Lines

    private func lines(_ values: [JSONValue]) -> [UInt8] { Array(values.map { $0.text + "\n" }.joined().utf8) }

    private static func seconds(_ at: Int64) -> JSONValue { .number(Double(at) / 1_000_000) }

    private mutating func line(_ line: RecordedTrace.Line) -> JSONValue {
        switch line {
        case .note(let at, let note):
            return ["t": Self.seconds(at), "src": "tracer", "note": .string(note), "wd": -1, "path": ""]
        case .watch(let at, let watch, let path):
            return [
                "t": Self.seconds(at), "src": "tracer", "note": "watch", "wd": .integer(Int64(watch)),
                "path": .string(text(path, isFolder: true)),
            ]
        case .event(let event): return .object(self.event(event))
        }
    }

    private mutating func event(_ event: RecordedTrace.Event) -> JSONObject {
        let isFolder = event.isOfFolderItself || event.mask.contains(.isFolder)
        let path = mask?.path(event.path, isFolder: isFolder) ?? event.path
        var object: JSONObject = [
            "t": Self.seconds(event.at), "src": "inotify", "wd": .integer(Int64(event.watch)), "mask": .array(Self.names(event.mask)),
            "cookie": .integer(Int64(event.cookie)), "dir": .string((event.isOfFolderItself ? path : path.folder).text),
            "name": .string(event.isOfFolderItself ? "" : escapedText(path.name)), "path": .string(path.text),
        ]
        if let owner = event.owner { object["owner"] = number(owner) }
        return object
    }

    private mutating func hold(_ hold: RecordedTrace.Hold) -> JSONValue {
        let path = text(hold.path, isFolder: false)
        var object: JSONObject = [
            "t": Self.seconds(hold.at), "ev": hold.isHeld ? "hold" : "release", "pid": .integer(Int64(hold.pid)), "path": .string(path),
            "comm": .string(hold.program),
        ]
        if hold.isHeld {
            object["ruid"] = number(hold.realUID)
            object["euid"] = number(hold.effectiveUID)
            object["fsuid"] = number(hold.fileUID)
            object["mode"] = hold.canWrite ? "rw" : "r"
        }
        return .object(object)
    }

    private mutating func processEvent(_ event: RecordedTrace.ProcessEvent) -> JSONValue {
        var object: JSONObject = [
            "t": Self.seconds(event.at), "src": "fanotify", "mask": .array(event.mask.map { .string($0) }),
            "path": .string(text(event.path, isFolder: event.isFolder)), "tid": .integer(Int64(event.pid)),
            "pid": .integer(Int64(event.pid)),
        ]
        if let program = event.program { object["comm"] = .string(program) }
        for (key, uid) in [("uid", event.realUID), ("euid", event.effectiveUID), ("fsuid", event.fileUID)] {
            if let uid { object[key] = number(uid) }
        }
        if event.isGone { object["gone"] = true }
        return .object(object)
    }

    private mutating func process(_ process: RecordedTrace.Process) -> JSONValue {
        var object: JSONObject = [
            "t": Self.seconds(process.at), "ev": process.hasEnded ? "exit" : "seen", "pid": .integer(Int64(process.pid)),
            "comm": .string(process.program),
        ]
        if !process.hasEnded {
            object["uid"] = number(process.realUID)
            object["euid"] = number(process.effectiveUID)
            if let start = process.startedAt { object["started"] = Self.seconds(start) }
        }
        return .object(object)
    }

    private mutating func tree() -> String {
        var text = "# type inode owner mode size path\n"
        for node in trace.tree {
            let login = people.first { $0.uid == node.owner }.map { mask?.login($0.login) ?? $0.login }
            let owner = login ?? (node.owner == 0 ? "root" : "\(mask?.uid(node.owner) ?? node.owner)")
            let path = node.path.isRoot ? "." : "./" + self.text(node.path, isFolder: node.type == "d")
            text += "\(node.type) \(node.inode) \(owner):- \(String(node.mode, radix: 8)) \(node.size) \(path)\n"
        }
        return text
    }

    private static func names(_ mask: InotifyMask) -> [JSONValue] {
        let known: [(InotifyMask, JSONValue)] = [
            (.create, "CREATE"), (.open, "OPEN"), (.access, "ACCESS"), (.modify, "MODIFY"), (.attributes, "ATTRIB"),
            (.closeWrite, "CLOSE_WRITE"), (.closeNoWrite, "CLOSE_NOWRITE"), (.movedFrom, "MOVED_FROM"), (.movedTo, "MOVED_TO"),
            (.delete, "DELETE"), (.deleteSelf, "DELETE_SELF"), (.moveSelf, "MOVE_SELF"), (.unmount, "UNMOUNT"),
            (.queueOverflow, "Q_OVERFLOW"), (.isFolder, "ISDIR"),
        ]
        return known.filter { mask.contains($0.0) }.map(\.1)
    }

    // MARK: Configuration

    /// What `replay` needs of the server's configuration, and no more.
    private func configuration() -> String {
        var text = """
            # Of the server on which this was recorded: layouts and limits.
            [sessions]
            idle-continuous = "\(Rule.text(rule.idleContinuous))"
            idle-saves-only = "\(Rule.text(rule.idleSavesOnly))"
            at-least = "\(Rule.text(rule.atLeast))"
            at-most = "\(Rule.text(rule.atMost))"
            [watch]
            excluded = [\(share.layouts.excludedNames.map { Self.quoted(String(decoding: $0, as: UTF8.self)) }.joined(separator: ", "))]
            [[share]]
            path = "."

            """
        for layout in share.layouts.layouts { text += "[[share.layout]]\npattern = \(Self.quoted(layout.text))\n" }
        return text
    }

    private static func quoted(_ text: String) -> String {
        // JSON's strings are TOML's, but for DEL, which no configuration can hold unescaped either.
        JSONValue.string(text).text.replacing("\u{7f}", with: "\\u007f")
    }
}
