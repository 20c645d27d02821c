// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// Hides in an entry whatever names a person or their work: each gets a number that holds for one call only.
///
/// Also the salt, the digest and the chain go: with them, somebody who knows the form of a line could find the name by trying.
package struct EntryMask: Sendable {
    /// More different names than this in one call share the number 0.
    package static let limit = 100_000

    package init() {}

    private var people: [String: Int] = [:]
    private var documents: [String: Int] = [:]
    private var folders: [String: Int] = [:]

    package mutating func masked(_ entry: JSONObject) -> JSONObject {
        var result = JSONObject()
        for (key, value) in entry.members {
            switch key {
            case "salt", "digest", "chain": break
            default: result[key] = masked(key, value)
            }
        }
        return result
    }

    /// Fields that say nothing of whom or which. Whatever is not among them is hidden, so also what a later version adds.
    private static let plain: Set<String> = [
        "v", "seq", "at", "boot", "mono", "kind", "version", "reason", "rule", "shares", "classes", "state", "share", "source", "folders",
        "cause", "from", "to", "lost", "shift", "role", "activity", "identity", "presence", "openedAt", "notBefore", "notAfter", "what",
        "when", "first", "last", "count", "continuous", "ended", "closedAt", "confidence", "class", "due", "target", "savedAt", "size",
        "format", "language", "items", "notes", "error", "lastGoodSeq", "bytes",
    ]

    private mutating func masked(_ key: String, _ value: JSONValue) -> JSONValue {
        if Self.plain.contains(key) { return value }
        switch (key, value) {
        case ("person", .object(let person)), ("by", .object(let person)): return .string(number(person))
        case ("by", .integer(let uid)): return .string(uid == 0 ? "root" : number(&people, String(uid), "person"))
        case ("students", .array(let list)), ("excused", .array(let list)):
            return .array(list.map { $0.objectValue.map { .string(number($0)) } ?? .string(Self.hidden) })
        case ("document", .object(let document)):
            var shown = JSONObject()
            shown["share"] = document["share"]
            let path = document["path"]?.stringValue ?? ""
            shown["path"] = .string(number(&documents, path, "document") + ending(of: path))
            return .object(shown)
        case ("folder", .string(let path)): return .string(number(&folders, path, "folder"))
        case ("assignment", .string(let text)), ("title", .string(let text)): return .string(number(&folders, text, "assignment"))
        default: return .string(Self.hidden)
        }
    }

    private static let hidden = "(hidden)"

    private mutating func number(_ person: JSONObject) -> String {
        // By uid, as entries that know no login name only that.
        number(&people, person["uid"]?.integerValue.map(String.init) ?? person["login"]?.stringValue ?? "", "person")
    }

    private func number(_ table: inout [String: Int], _ name: String, _ what: String) -> String {
        if let known = table[name] { return "\(what)-\(known)" }
        guard table.count < Self.limit else { return "\(what)-0" }
        table[name] = table.count + 1
        return "\(what)-\(table.count)"
    }

    /// `.odt`: what kind of document it is says nothing of whose. Only short endings of letters and digits.
    private func ending(of path: String) -> String {
        guard let dot = path.lastIndex(of: "."), dot != path.startIndex else { return "" }
        let ending = path[path.index(after: dot)...]
        let isPlain = ending.utf8.count <= 5 && ending.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0 | 0x20) }
        return isPlain && !ending.isEmpty ? "." + ending : ""
    }
}
