// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// Takes the names out of journal entries, for `Tail` without `names`.
///
/// What is not known to be harmless does not pass: of a kind that this version does not know only the frame is left. People, documents,
/// assignments and classes get numbers, the same one each time, as long as the value lives: one `Tail` call. Salt, digest and chain go,
/// since they would let names be confirmed by trying.
package struct EntryMask: Sendable {
    /// Names that are remembered; beyond it they get new numbers, never those of others.
    package static let rememberedNames = 100_000

    private var numbers: [String: Int] = [:]
    private var lastNumbers: [String: Int] = [:]

    package init() {}

    /// The entry as somebody may see it who is not to see names.
    package mutating func masked(_ entry: JSONObject) -> JSONObject {
        var result = JSONObject()
        let kind = entry["kind"]?.stringValue
        let isKnown = kind.map(Self.kinds.contains) ?? false
        for (key, value) in entry.members {
            if Self.frame.contains(key) {
                result[key] = value
            } else if kind == "activity.saved", key == "items" {
                // Programs call their results whatever they like.
                continue
            } else if isKnown {
                result[key] = masked(key, value)
            }
        }
        return result
    }

    private static let frame: Set<String> = ["v", "seq", "at", "boot", "mono", "kind"]

    /// Kinds whose members are known, those of later versions of the journal's page too.
    package static let kinds: Set<String> = [
        "started", "stopped", "settings", "recording", "watching", "gap", "clock", "person", "evidence", "activity.started",
        "activity.attributed", "activity.moved", "activity.paused", "activity.resumed", "activity.stopped", "metrics",
        "assignment.created", "assignment.changed", "assignment.ended", "done", "excused", "target", "viewed", "repaired", "erased",
        "base", "forgotten", "retention", "checkpoint", "totals", "note", "bookmark.created", "bookmark.removed", "imported",
        "context.saved", "context.removed", "activity.saved",
    ]

    /// Members that name nobody, in any of the known kinds. Shares are configured by the administrator and stand above all classes.
    private static let harmless: Set<String> = [
        "version", "state", "source", "folders", "cause", "share", "shares", "from", "to", "lost", "shift", "role", "rule", "activity",
        "presence", "identity", "openedAt", "opening", "closedAt", "notBefore", "notAfter", "when", "first", "last", "count", "continuous",
        "what", "again",
        "ended", "ruleBefore", "confidence", "savedAt", "position", "size", "format", "language", "due", "target", "lastGoodSeq",
        "lastGoodChain",
        "setAside", "ranges", "digests", "base", "asOf", "open", "active", "atLeast",
        "atMost", "leftOpen", "saves", "broughtIn", "sessions", "measured", "seen", "day",
        "bytes", "reason", "at", "item", "value", "stage", "opens", "edition", "excludes", "bookmark", "classCount",
        "type", "trusted", "created", "modified", "duration", "running", "displayOrder", "assignable",
    ]

    private mutating func masked(_ key: String, _ value: JSONValue) -> JSONValue? {
        if Self.harmless.contains(key) { return value }
        switch key {
        case "person": return person(value)
        case "students", "excused", "chosen": return value.arrayValue.map { .array($0.map { person($0) ?? .null }) }
        // A uid.
        case "by", "changedBy", "editedBy": return value.integerValue.map { .string(number("person", String($0))) }
        case "document": return document(value)
        case "app": return value.stringValue.map { .string(number("app", $0)) }
        case "assignment": return value.stringValue.map { .string(number("assignment", $0)) }
        case "class": return value.stringValue.map { .string($0.isEmpty ? "" : number("class", $0)) }
        case "classes": return value.arrayValue.map { .array($0.compactMap(\.stringValue).map { .string(number("class", $0)) }) }
        // Titles and reasons are free text.
        case "items": return value.arrayValue.map { .array($0.map { Self.without("title", $0) }) }
        case "notes": return value.arrayValue.map { .array($0.map { Self.without("reason", $0) }) }
        // Why somebody has another due time is nobody's business.
        case "deadlines":
            return value.arrayValue.map {
                .array($0.map { ["person": person($0["person"] ?? .null) ?? .null, "due": $0["due"] ?? .null] })
            }
        // What a lock file says is whatever somebody typed; only whose form it has is ours.
        case "says": return value["program"].map { ["program": $0] }
        // Whatever an analyzer says may quote the document.
        case "error": return "hidden"
        default: return nil
        }
    }

    private static func without(_ key: String, _ value: JSONValue) -> JSONValue {
        guard var object = value.objectValue else { return .null }
        object[key] = nil
        return .object(object)
    }

    private mutating func person(_ value: JSONValue) -> JSONValue? {
        value["uid"]?.integerValue.map { ["login": .string(number("person", String($0)))] }
    }

    private mutating func document(_ value: JSONValue) -> JSONValue? {
        guard let share = value["share"]?.stringValue, let path = value["path"]?.stringValue else { return nil }
        return ["share": .string(share), "path": .string(number("document", share + "\0" + path) + Self.ending(path))]
    }

    /// `.odt` says what it is; anything longer or stranger may be part of a name.
    private static func ending(_ path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? [][...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
        let ending = String(decoding: name[name.index(after: dot)...], as: UTF8.self).lowercased()
        return knownEndings.contains(ending) ? "." + ending : ""
    }

    private static let knownEndings: Set<String> = [
        "txt", "md", "odt", "odp", "ods", "doc", "docx", "ppt", "pptx", "xls", "xlsx", "rtf", "pdf", "html", "htm", "tex", "csv", "pages",
        "key", "png", "jpg", "jpeg", "mp3", "mp4", "py", "c", "h", "cpp", "java", "js", "css", "swift", "xml", "json", "svg", "epub",
    ]

    private mutating func number(_ kind: String, _ name: String) -> String {
        let key = kind + "\0" + name
        if let number = numbers[key] { return "\(kind)-\(number)" }
        if numbers.count >= Self.rememberedNames { numbers = [:] }
        let number = lastNumbers[kind, default: 0] + 1
        lastNumbers[kind] = number
        numbers[key] = number
        return "\(kind)-\(number)"
    }
}
