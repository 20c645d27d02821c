// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation

/// Contexts as they stand in the interface `org.daybook.ClassKit`.
enum ContextForm {
    private static let types: [(CLSContextType, String)] = [
        (.none, "none"), (.chapter, "chapter"), (.section, "section"), (.level, "level"), (.page, "page"), (.task, "task"),
        (.challenge, "challenge"), (.quiz, "quiz"), (.exercise, "exercise"), (.lesson, "lesson"), (.book, "book"), (.game, "game"),
        (.document, "document"), (.audio, "audio"), (.video, "video"), (.course, "course"), (.custom, "custom"),
    ]

    private static let kinds: [(CLSProgressReportingCapability.Kind, String)] = [
        (.duration, "duration"), (.percent, "percent"), (.binary, "binary"), (.quantity, "quantity"), (.score, "score"),
    ]

    /// Why the context cannot be saved; nil where it can. For whoever holds the lock.
    static func problem(of context: CLSContext) -> CLSError? {
        let (fields, path) = (context.fields, context.path)
        func tooLong(_ what: String, _ text: String?, _ limit: Int) -> CLSError? {
            guard let count = text?.utf16.count, count > limit else { return nil }
            return CLSError(.limits, "the \(what) of a context has \(count) characters; at most \(limit) may be", object: context)
        }
        if path.count > ClassKitLimits.depth {
            let levels = "\(path.count) levels below the main context; at most \(ClassKitLimits.depth) may be"
            return CLSError(.limits, "'\(context.identifier)' is \(levels)", object: context)
        }
        if context.identifier.isEmpty { return CLSError(.invalidArgument, "a context has an empty identifier", object: context) }
        if fields.type == .app {
            return CLSError(.invalidArgument, "'\(context.identifier)' has the type app, which is for the main context", object: context)
        }
        for range in [fields.suggestedAge, fields.suggestedCompletionTime] where range.location < 0 || range.length < 0 {
            return CLSError(.invalidArgument, "'\(context.identifier)' has a range below 0", object: context)
        }
        return tooLong("identifier", context.identifier, ClassKitLimits.identifier) ?? tooLong("title", fields.title, ClassKitLimits.title)
            ?? tooLong("summary", fields.summary, ClassKitLimits.summary)
            ?? tooLong("custom type name", fields.customTypeName, ClassKitLimits.title)
            ?? tooLong("topic", fields.topic?.rawValue, ClassKitLimits.topic)
            ?? tooLong("universal link", fields.universalLinkURL?.absoluteString, ClassKitLimits.link)
    }

    /// For whoever holds the lock.
    static func value(of context: CLSContext) -> JSONValue {
        let fields = context.fields
        let navigation = fields.navigation.compactMap { entry -> [String]? in
            switch entry {
            case .context(let context): context.root.isMain ? context.path : nil
            case .path(let path): path
            }
        }
        let capabilities = fields.capabilities.values.sorted { $0.kind.rawValue < $1.kind.rawValue }.map { capability -> JSONValue in
            let kind = kinds.first { $0.0 == capability.kind }?.1 ?? "duration"
            return ["kind": .string(kind), "details": text(capability.details)]
        }
        return [
            "path": list(context.path),
            "type": .string(types.first { $0.0 == fields.type }?.1 ?? "none"),
            "customTypeName": text(fields.customTypeName),
            "title": .string(fields.title),
            "displayOrder": .integer(Int64(fields.displayOrder)),
            "topic": text(fields.topic?.rawValue),
            "universalLink": text(fields.universalLinkURL?.absoluteString),
            "summary": text(fields.summary),
            "assignable": .bool(fields.isAssignable),
            "suggestedAge": span(fields.suggestedAge),
            "suggestedCompletionTime": span(fields.suggestedCompletionTime),
            "capabilities": .array(capabilities),
            "navigationChildren": .array(navigation.map { ["path": list($0)] }),
            "created": .string(Instants.text(context.created)),
            "modified": .string(Instants.text(context.modified)),
        ]
    }

    static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    static func texts(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

    private static func span(_ range: NSRange) -> JSONValue {
        let (end, overflow) = range.location.addingReportingOverflow(range.length)
        let hasEnd = !overflow && end < Int.max
        if range.location == 0, !hasEnd { return .null }
        return ["from": .integer(Int64(range.location)), "to": hasEnd ? .integer(Int64(max(range.location, end - 1))) : .null]
    }

    private static func range(_ value: JSONValue?) -> NSRange {
        guard let from = value?["from"]?.integerValue, from >= 0 else { return ContextFields.noLimits }
        let start = Int(from)
        guard let to = value?["to"]?.integerValue, to >= from, to < Int.max - 1 else {
            return NSRange(location: start, length: Int.max - start)
        }
        return NSRange(location: start, length: Int(to) - start + 1)
    }

    /// A context as it came: its path and what is said of it.
    struct Received {
        var path: [String]
        var fields: ContextFields
        var created: Date
        var modified: Date

        init?(_ value: JSONValue) {
            path = texts(value["path"])
            guard !path.isEmpty, let title = value["title"]?.stringValue, let created = value["created"]?.stringValue.flatMap(Instants.date)
            else { return nil }
            let name = value["type"]?.stringValue
            fields = ContextFields(type: types.first { $0.1 == name }?.0 ?? .none, title: title)
            self.created = created
            modified = value["modified"]?.stringValue.flatMap(Instants.date) ?? created
            fields.customTypeName = value["customTypeName"]?.stringValue
            fields.displayOrder = Int(value["displayOrder"]?.integerValue ?? 0)
            fields.topic = value["topic"]?.stringValue.map(CLSContextTopic.init(rawValue:))
            fields.universalLinkURL = value["universalLink"]?.stringValue.flatMap(URL.init(string:))
            fields.summary = value["summary"]?.stringValue
            fields.isAssignable = value["assignable"]?.boolValue ?? true
            fields.suggestedAge = range(value["suggestedAge"])
            fields.suggestedCompletionTime = range(value["suggestedCompletionTime"])
            for capability in value["capabilities"]?.arrayValue ?? [] {
                let name = capability["kind"]?.stringValue
                guard let kind = kinds.first(where: { $0.1 == name })?.0 else { continue }
                fields.capabilities[kind] = CLSProgressReportingCapability(kind: kind, details: capability["details"]?.stringValue)
            }
            fields.navigation = (value["navigationChildren"]?.arrayValue ?? []).map { .path(texts($0["path"])) }
        }
    }
}
