// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON

/// Version 1 of what is spoken with the analyzer service: JSON objects, each ended by a zero byte, on a stream socket. A request brings
/// exactly one descriptor, the document in sealed memory. Requests may be sent ahead; replies come as they are ready and are told apart by
/// `id`. Members that a reader does not know are ignored.
///
///     {"version":1,"id":7,"name":"essay.odt","analyzers":[],"external":[],"seconds":20,"megabytes":512}
/// `key`, where answers are to be scored, is the file of a quiz key: `{"name":"key.gift","text":"…"}`. `owner`, a number that means nothing
/// to the service, says whose the document is: documents of one owner may be read by one process, one after the other; without it, or with a
/// key, a document has its own.
///
///     {"version":1,"id":7,"format":"odt","language":"en","items":[…],"notes":[…],"error":null}
package enum AnalyzerMessages {
    package static let version: Int64 = 1
    /// A longer request ends the connection.
    package static let requestLimit = 512 << 10
    /// A longer reply is an error.
    package static let replyLimit = 1 << 20
}

/// What is asked of the analyzer service.
package struct AnalyzerRequest: Equatable, Sendable {
    package var id: Int64
    /// The document's name without folders: a hint only, the bytes decide.
    package var name: String
    /// The analyzers wanted, by identifier; empty means all that fit.
    package var analyzers: [String]
    /// Programs that measure it too.
    package var external: [ExternalAnalyzer]
    /// What the document may cost; nil: as the service has it.
    package var seconds: Int?
    package var megabytes: Int?
    /// Whose it is, as a number of the asker's; nil: it is nobody's like another's.
    package var owner: Int64?

    /// A quiz key that the document may answer.
    package var key: AnswerKey?

    /// Programs beyond that are left out.
    package static let externalLimit = 16

    package init(
        id: Int64, name: String, analyzers: [String] = [], external: [ExternalAnalyzer] = [], seconds: Int? = nil, megabytes: Int? = nil,
        owner: Int64? = nil, key: AnswerKey? = nil
    ) {
        self.id = id
        self.name = name
        self.analyzers = analyzers
        self.external = external
        self.seconds = seconds
        self.megabytes = megabytes
        self.owner = owner
        self.key = key
    }

    package var json: JSONObject {
        var object: JSONObject = [
            "version": .integer(AnalyzerMessages.version), "id": .integer(id), "name": .string(name),
            "analyzers": .array(analyzers.map(JSONValue.string)),
        ]
        if !external.isEmpty { object["external"] = .array(external.map { .object($0.json) }) }
        if let seconds { object["seconds"] = .integer(Int64(seconds)) }
        if let megabytes { object["megabytes"] = .integer(Int64(megabytes)) }
        if let owner { object["owner"] = .integer(owner) }
        if let key { object["key"] = .object(key.json) }
        return object
    }

    /// Nil where it is no request of this version.
    package init?(json: JSONValue) {
        guard json["version"]?.integerValue == AnalyzerMessages.version, let id = json["id"]?.integerValue else { return nil }
        self.id = id
        name = json["name"]?.stringValue ?? ""
        analyzers = json["analyzers"]?.arrayValue?.compactMap(\.stringValue) ?? []
        external = (json["external"]?.arrayValue ?? []).prefix(Self.externalLimit).compactMap(ExternalAnalyzer.init(json:))
        seconds = json["seconds"]?.integerValue.flatMap { (1...3600).contains($0) ? Int($0) : nil }
        megabytes = json["megabytes"]?.integerValue.flatMap { (64...65_536).contains($0) ? Int($0) : nil }
        owner = json["owner"]?.integerValue
        key = json["key"].flatMap(AnswerKey.init(json:))
    }
}

extension Measurement {
    /// The members of a reply, of a line of `daybook analyze --json`, and of nothing else.
    package var jsonMembers: JSONObject {
        var members: JSONObject = [
            "format": format.map(JSONValue.string) ?? .null,
            "language": language.map(JSONValue.string) ?? .null,
            "items": .array(items.map { .object($0.json) }),
            "notes": .array(notes.map { ["identifier": .string($0.identifier), "reason": .string($0.reason)] }),
            "error": error.map(JSONValue.string) ?? .null,
        ]
        // Nearly every text is in UTF-8, so only another character set is said.
        if let encoding { members["encoding"] = .string(encoding) }
        return members
    }

    /// The same after some members that come first, e.g. `file`.
    package func json(after first: JSONObject) -> JSONObject {
        var all = first
        for (key, value) in jsonMembers.members { all[key] = value }
        return all
    }

    /// Nil where the members are not of this form. An item of a kind that we do not know is left out.
    package init?(json: JSONValue) {
        guard let items = json["items"]?.arrayValue else { return nil }
        var notes: [MissingItem] = []
        for note in json["notes"]?.arrayValue ?? [] {
            guard let identifier = note["identifier"]?.stringValue, let reason = note["reason"]?.stringValue else { return nil }
            notes.append(MissingItem(identifier: identifier, reason: reason))
        }
        self.init(
            format: json["format"]?.stringValue, language: json["language"]?.stringValue, items: items.compactMap(Item.init(json:)),
            notes: notes, error: json["error"]?.stringValue, encoding: json["encoding"]?.stringValue)
    }
}

extension Item {
    /// One item for programs: keys and order stay once released.
    package var json: JSONObject {
        var object: JSONObject = ["identifier": .string(identifier), "title": .string(title)]
        switch value {
        case .binary(let value, let type):
            object["kind"] = "binary"
            object["value"] = .bool(value)
            object["valueType"] = .string(type.rawValue)
        case .quantity(let value):
            object["kind"] = "quantity"
            object["value"] = .number(value)
        case .score(let score, let max):
            object["kind"] = "score"
            object["score"] = .number(score)
            object["maxScore"] = .number(max)
        }
        object["method"] = .string(method.rawValue)
        return object
    }

    /// Nil where it is none that we know.
    package init?(json: JSONValue) {
        guard let identifier = json["identifier"]?.stringValue, let title = json["title"]?.stringValue,
            let method = json["method"]?.stringValue.flatMap(Method.init(rawValue:))
        else { return nil }
        let value: Value
        switch json["kind"]?.stringValue {
        case "binary":
            guard let flag = json["value"]?.boolValue, let type = json["valueType"]?.stringValue.flatMap(BinaryType.init(rawValue:)) else {
                return nil
            }
            value = .binary(flag, type: type)
        case "quantity":
            guard let number = json["value"]?.doubleValue else { return nil }
            value = .quantity(number)
        case "score":
            guard let score = json["score"]?.doubleValue, let max = json["maxScore"]?.doubleValue else { return nil }
            value = .score(score, max: max)
        default: return nil
        }
        self.init(identifier: identifier, title: title, value: value, method: method)
    }
}
