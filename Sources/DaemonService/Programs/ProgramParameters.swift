// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Ledger

/// Reads what programs send, and writes what they get. The interface's text has been checked already; what it cannot say is checked here, object by
/// object.
struct ProgramParameters {
    /// Whose file an absolute path is; nil where no share has it.
    let place: (String) -> DocumentRef?
    /// Nothing was made or changed later than that.
    var latest = WallTime(microseconds: .max)

    struct Store: Equatable {
        var app: String
        var isDevelopment: Bool
    }

    func store(_ parameters: JSONObject) throws(VarlinkError) -> Store {
        let app = parameters["store"]?["app"]?.stringValue ?? ""
        guard ContextRef.isApp(app) else { throw .invalidArgument("an app is 1 to \(ProgramLimits.identifier) characters without '/'") }
        return Store(app: app, isDevelopment: parameters["store"]?["environment"]?.stringValue == "development")
    }

    func path(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

    /// One object of a save.
    func change(_ value: JSONValue, app: String) -> ProgramChange {
        do throws(ProgramRefusal) {
            let (context, removed, activity) = (value["context"], value["remove"], value["activity"])
            guard [context, removed, activity].count(where: { $0 != nil }) == 1, (activity != nil) == (value["subject"] != nil) else {
                throw ProgramRefusal(.invalidArgument, "a change has one of context, remove, or activity with its subject")
            }
            if let context { return .context(try self.context(context, app: app)) }
            if removed != nil { return .remove(path(removed)) }
            guard let activity, let subject = value["subject"] else { throw ProgramRefusal(.invalidArgument, "nothing is changed") }
            return .attempt(try attempt(activity), of: try self.subject(subject))
        } catch {
            return .mistake(error)
        }
    }

    func subject(_ value: JSONValue) throws(ProgramRefusal) -> ProgramChange.Subject {
        switch (value["context"], value["document"]?.stringValue) {
        case (let context?, nil): return .context(path(context))
        case (nil, let path?): return .document(place(path), path: path)
        default: throw ProgramRefusal(.invalidArgument, "a subject is a context or a document")
        }
    }

    private func context(_ value: JSONValue, app: String) throws(ProgramRefusal) -> ContextFacts {
        var facts = ContextFacts(
            ref: ContextRef(app: app, path: path(value["path"])), title: value["title"]?.stringValue ?? "",
            created: try instant(value, "created"), modified: try instant(value, "modified"), by: 0, byLogin: "")
        facts.kind = value["type"]?.stringValue.flatMap(ContextFacts.Kind.init(rawValue:)) ?? .none
        facts.customKind = value["customTypeName"]?.stringValue
        facts.displayOrder = value["displayOrder"]?.integerValue ?? 0
        facts.topic = value["topic"]?.stringValue
        facts.universalLink = value["universalLink"]?.stringValue
        facts.summary = value["summary"]?.stringValue
        facts.isAssignable = value["assignable"]?.boolValue ?? true
        facts.suggestedAge = span(value["suggestedAge"])
        facts.suggestedTime = span(value["suggestedCompletionTime"])
        facts.capabilities = (value["capabilities"]?.arrayValue ?? []).compactMap { value in
            value["kind"]?.stringValue.flatMap(ContextFacts.Capability.Kind.init(rawValue:))
                .map { ContextFacts.Capability(kind: $0, details: value["details"]?.stringValue) }
        }
        facts.navigation = (value["navigationChildren"]?.arrayValue ?? []).map { path($0["path"]) }
        return facts
    }

    private func span(_ value: JSONValue?) -> ContextFacts.Span? {
        value?["from"]?.integerValue.map { ContextFacts.Span(from: $0, to: value?["to"]?.integerValue) }
    }

    private func attempt(_ value: JSONValue) throws(ProgramRefusal) -> Attempt {
        let seconds = value["duration"]?.doubleValue ?? -1
        // Checked in seconds: what no clock can count is no duration.
        guard seconds >= 0, seconds <= ProgramLimits.duration.seconds else {
            throw ProgramRefusal(.invalidArgument, "a duration is below 0 or longer than ten years")
        }
        var additional: [Item] = []
        for item in value["additional"]?.arrayValue ?? [] { additional.append(try self.item(item)) }
        return Attempt(
            id: value["id"]?.stringValue ?? "", created: try instant(value, "created"), modified: try instant(value, "modified"),
            duration: .microseconds(Int64((seconds * 1_000_000).rounded())), isRunning: value["running"]?.boolValue ?? false,
            ranges: (value["ranges"]?.arrayValue ?? []).map {
                ProgressRange(from: $0["from"]?.doubleValue ?? -1, to: $0["to"]?.doubleValue ?? -1)
            }, primary: try value["primary"].map { (item) throws(ProgramRefusal) in try self.item(item) }, additional: additional)
    }

    private func item(_ value: JSONValue) throws(ProgramRefusal) -> Item {
        let identifier = value["identifier"]?.stringValue ?? ""
        let content: Item.Value
        switch value["kind"]?.stringValue {
        case "binary":
            guard let flag = value["value"]?.boolValue,
                let type = value["valueType"]?.stringValue.flatMap(Item.BinaryType.init(rawValue:))
            else { throw ProgramRefusal(.invalidArgument, "the binary item '\(identifier)' has no value or valueType") }
            content = .binary(flag, type: type)
        case "quantity":
            guard let quantity = value["quantity"]?.doubleValue else {
                throw ProgramRefusal(.invalidArgument, "the quantity item '\(identifier)' has no quantity")
            }
            content = .quantity(quantity)
        default:
            guard let score = value["score"]?.doubleValue, let max = value["maxScore"]?.doubleValue else {
                throw ProgramRefusal(.invalidArgument, "the score item '\(identifier)' has no score or maxScore")
            }
            content = .score(score, max: max)
        }
        return Item(identifier: identifier, title: value["title"]?.stringValue ?? "", value: content, method: .declared)
    }

    private func instant(_ value: JSONValue, _ key: String) throws(ProgramRefusal) -> WallTime {
        guard let time = value[key]?.stringValue.flatMap(WallTime.init(rfc3339:)) else {
            throw ProgramRefusal(.invalidArgument, "\(key) is no RFC 3339 time")
        }
        guard time <= latest else { throw ProgramRefusal(.invalidArgument, "\(key) is in the future, by this server's clock") }
        return time
    }
}

extension ProgramRefusal {
    var json: JSONValue { ["error": .string(code.rawValue), "reason": .string(reason)] }
}

extension VarlinkError {
    static func invalidArgument(_ reason: String) -> VarlinkError {
        VarlinkError("org.daybook.ClassKit.InvalidArgument", ["reason": .string(reason)])
    }

    static func limitReached(_ reason: String) -> VarlinkError {
        VarlinkError("org.daybook.ClassKit.LimitReached", ["reason": .string(reason)])
    }

    static func notOnShare(_ path: String) -> VarlinkError {
        VarlinkError("org.daybook.ClassKit.NotOnShare", ["path": .string(path)])
    }
}
