// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Ledger

/// One entry of the journal in one line: when, number, kind, and every field of its own as `name=value`. Kinds of later versions too.
enum EntryText {
    /// Said in the columns in front, or of use to `verify` only.
    private static let envelope: Set<String> = ["v", "seq", "at", "boot", "mono", "kind", "salt", "digest", "chain"]

    static func line(_ entry: JSONValue, shown: (String) -> String) -> String {
        var parts = [when(entry["at"]?.stringValue ?? "?"), entry["seq"]?.text ?? "?", entry["kind"]?.stringValue ?? "?"]
        for (key, value) in entry.objectValue?.members ?? [] where !envelope.contains(key) { describe(key, value, &parts) }
        return shown(parts.joined(separator: " "))
    }

    /// Local time to the second.
    private static func when(_ text: String) -> String {
        guard let instant = WallTime(rfc3339: text) else { return text }
        let civil = LocalTime.clock.civil(instant)
        return civil.date.text + " " + [civil.hour, civil.minute, civil.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private static func describe(_ name: String, _ value: JSONValue, _ parts: inout [String]) {
        if let short = short(name, value) {
            parts += short
            return
        }
        switch value {
        case .object(let object):
            for (key, value) in object.members { describe(name + "." + key, value, &parts) }
        case .array(let values):
            if values.contains(where: { $0.objectValue != nil || $0.arrayValue != nil }) {
                for (index, value) in values.enumerated() { describe("\(name)[\(index)]", value, &parts) }
            } else {
                parts.append(name + "=" + values.map(scalar).joined(separator: ","))
            }
        default: parts.append(name + "=" + scalar(value))
        }
    }

    /// What people would say of the objects that stand in most entries; `--json` has every member of them. Nil for all else.
    private static func short(_ name: String, _ value: JSONValue) -> [String]? {
        switch name {
        case "person": return value["login"].map { ["person=" + scalar($0)] }
        case "document": return value["path"].map { ["document=" + scalar($0)] }
        case "rule", "ruleBefore": return value["name"].map { ["\(name)=" + scalar($0)] }
        case "items":
            return value.arrayValue?.map { item in
                let name = item["identifier"]?.stringValue ?? "?"
                if let score = item["score"], let most = item["maxScore"] { return "\(name)=\(score.text)/\(most.text)" }
                return "\(name)=\(item["value"]?.text ?? "?")"
            }
        case "notes":
            let missing = value.arrayValue?.compactMap { $0["identifier"]?.stringValue } ?? []
            return missing.isEmpty ? [] : ["missing=" + missing.joined(separator: ",")]
        case "students", "excused":
            return value.arrayValue.map { people in ["\(name)=" + people.compactMap { $0["login"]?.stringValue }.joined(separator: ",")] }
        default: return nil
        }
    }

    /// Quoted where a space would make two words of it.
    private static func scalar(_ value: JSONValue) -> String {
        guard case .string(let text) = value else { return value.text }
        return text.isEmpty || text.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) ? value.text : text
    }
}
