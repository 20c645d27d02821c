// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

/// A report that cannot be read back, in words for the person at the command line.
package struct MalformedReport: Error, Equatable, CustomStringConvertible {
    /// Which value, e.g. `class report`.
    package var what: String
    /// Which member of it.
    package var member: String

    package init(what: String, member: String) {
        self.what = what
        self.member = member
    }

    package var description: String {
        "the daemon's answer is no \(what) that this program can read: '\(member)' is missing or of another kind; do both have the same version?"
    }
}

/// Reads the members of one object, and says which one is missing.
struct Members {
    let object: JSONObject
    let what: String

    init(_ json: JSONValue?, of what: String) throws(MalformedReport) {
        guard let object = json?.objectValue else { throw MalformedReport(what: what, member: what) }
        self.object = object
        self.what = what
    }

    func missing(_ key: String) -> MalformedReport { MalformedReport(what: what, member: key) }

    /// Nil where the member is absent or null.
    subscript(key: String) -> JSONValue? {
        let value = object[key]
        return value == .null ? nil : value
    }

    func string(_ key: String) throws(MalformedReport) -> String { try need(key) { $0.stringValue } }
    func bool(_ key: String) throws(MalformedReport) -> Bool { try need(key) { $0.boolValue } }
    func double(_ key: String) throws(MalformedReport) -> Double { try need(key) { $0.doubleValue } }
    func int(_ key: String) throws(MalformedReport) -> Int { try need(key) { $0.integerValue.flatMap { Int(exactly: $0) } } }
    func time(_ key: String) throws(MalformedReport) -> WallTime { try need(key) { $0.stringValue.flatMap { WallTime(rfc3339: $0) } } }
    func span(_ key: String) throws(MalformedReport) -> Duration { try need(key, Duration.init(json:)) }
    func uid(_ key: String) throws(MalformedReport) -> UInt32 { try need(key) { $0.integerValue.flatMap { UInt32(exactly: $0) } } }
    func date(_ key: String) throws(MalformedReport) -> CivilDate { try need(key) { $0.stringValue.flatMap { CivilDate(prefixOf: $0) } } }

    func choice<T: RawRepresentable<String>>(_ key: String, _ type: T.Type) throws(MalformedReport) -> T {
        try need(key) { $0.stringValue.flatMap { T(rawValue: $0) } }
    }

    func strings(_ key: String) throws(MalformedReport) -> [String] {
        try list(key) { value throws(MalformedReport) in
            guard let text = value.stringValue else { throw missing(key) }
            return text
        }
    }

    func optional<T>(_ read: (String) throws(MalformedReport) -> T, _ key: String) throws(MalformedReport) -> T? {
        self[key] == nil ? nil : try read(key)
    }

    func list<T>(_ key: String, _ read: (JSONValue) throws(MalformedReport) -> T) throws(MalformedReport) -> [T] {
        guard let values = self[key]?.arrayValue else { throw missing(key) }
        var result: [T] = []
        result.reserveCapacity(values.count)
        for value in values { result.append(try read(value)) }
        return result
    }

    private func need<T>(_ key: String, _ read: (JSONValue) -> T?) throws(MalformedReport) -> T {
        guard let value = self[key].flatMap(read) else { throw missing(key) }
        return value
    }
}

extension Duration {
    /// Seconds, to the microsecond.
    var json: JSONValue { .number(seconds) }

    /// Nil for what is no span that the clock can hold.
    init?(json: JSONValue) {
        guard let seconds = json.doubleValue, seconds.isFinite, abs(seconds) < 1e12 else { return nil }
        self = .microseconds(nearest(seconds * 1_000_000))
    }
}

extension WallTime {
    var json: JSONValue { .string(rfc3339) }
}

/// Null where there is nothing: a figure that is not known is named, and is not 0.
func orNull<T>(_ value: T?, _ json: (T) -> JSONValue) -> JSONValue { value.map(json) ?? .null }

/// An item as `analyze --json` has it.
func itemJSON(_ item: Item) -> JSONValue {
    var object: JSONObject = ["identifier": .string(item.identifier), "title": .string(item.title)]
    switch item.value {
    case .quantity(let value):
        object["kind"] = "quantity"
        object["value"] = .number(value)
    case .score(let score, let max):
        object["kind"] = "score"
        object["score"] = .number(score)
        object["maxScore"] = .number(max)
    case .binary(let value, let type):
        object["kind"] = "binary"
        object["value"] = .bool(value)
        object["valueType"] = .string(type.rawValue)
    }
    object["method"] = .string(item.method.rawValue)
    return .object(object)
}

func item(json: JSONValue) throws(MalformedReport) -> Item {
    let members = try Members(json, of: "item")
    let value: Item.Value
    switch try members.string("kind") {
    case "quantity": value = .quantity(try members.double("value"))
    case "score": value = .score(try members.double("score"), max: try members.double("maxScore"))
    case "binary": value = .binary(try members.bool("value"), type: try members.choice("valueType", Item.BinaryType.self))
    default: throw members.missing("kind")
    }
    return Item(
        identifier: try members.string("identifier"), title: try members.string("title"), value: value,
        method: try members.choice("method", Item.Method.self))
}

func ruleJSON(_ rule: Rule) -> JSONValue {
    [
        "name": .string(rule.name), "idleContinuousSeconds": rule.idleContinuous.json, "idleSavesOnlySeconds": rule.idleSavesOnly.json,
        "atLeastSeconds": rule.atLeast.json, "atMostSeconds": rule.atMost.json,
    ]
}

func rule(json: JSONValue?) throws(MalformedReport) -> Rule {
    let members = try Members(json, of: "rule")
    return Rule(
        name: try members.string("name"), idleContinuous: try members.span("idleContinuousSeconds"),
        idleSavesOnly: try members.span("idleSavesOnlySeconds"), atLeast: try members.span("atLeastSeconds"),
        atMost: try members.span("atMostSeconds"))
}
