// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation

/// Activities as they stand in the interface `org.daybook.ClassKit`.
enum ActivityForm {
    private static let valueTypes: [(CLSBinaryValueType, String)] = [
        (.trueFalse, "trueFalse"), (.passFail, "passFail"), (.yesNo, "yesNo"), (.correctIncorrect, "correctIncorrect"),
    ]

    /// Why an item cannot be saved; nil where it can. For whoever holds the lock.
    static func problem(of item: CLSActivityItem) -> CLSError? {
        func bad(_ code: CLSError.Code, _ reason: String) -> CLSError {
            CLSError(code, "the item '\(item.identifier)' \(reason)", object: item)
        }
        if item.identifier.isEmpty { return CLSError(.invalidArgument, "an item has an empty identifier", object: item) }
        if item.identifier.utf16.count > ClassKitLimits.identifier {
            return bad(.limits, "has an identifier of more than \(ClassKitLimits.identifier) characters")
        }
        if item.title.utf16.count > ClassKitLimits.title {
            return bad(.limits, "has a title of more than \(ClassKitLimits.title) characters")
        }
        switch item {
        case let item as CLSQuantityItem where !item.quantity.isFinite: return bad(.invalidArgument, "has a quantity that is no number")
        case let item as CLSScoreItem
        where !(item.maxScore > 0 && item.maxScore.isFinite && item.score >= 0 && item.score <= item.maxScore):
            return bad(.invalidArgument, "has \(item.score) points of \(item.maxScore); points go from 0 to the maximum, which is above 0")
        default: return nil
        }
    }

    /// What an activity is of; nil where that was taken out of the tree, as then it reports no more. For whoever holds the lock.
    static func subject(of activity: CLSActivity) -> JSONValue? {
        switch activity.subject {
        case .document(let path): ["document": .string(path)]
        case .context(let place):
            if let context = place.context, context.root.isMain { ["context": ContextForm.list(context.path)] } else { nil }
        }
    }

    static func value(of item: CLSActivityItem) -> JSONValue {
        var object: JSONObject = ["identifier": .string(item.identifier), "title": .string(item.title)]
        switch item {
        case let item as CLSBinaryItem:
            object["kind"] = "binary"
            object["value"] = .bool(item.value)
            object["valueType"] = .string(valueTypes.first { $0.0 == item.valueType }?.1 ?? "trueFalse")
        case let item as CLSQuantityItem:
            object["kind"] = "quantity"
            object["quantity"] = .number(item.quantity)
        case let item as CLSScoreItem:
            object["kind"] = "score"
            object["score"] = .number(item.score)
            object["maxScore"] = .number(item.maxScore)
        default: break
        }
        return .object(object)
    }

    /// The activity with those of its items that are good; what is wrong with the others. For whoever holds the lock.
    static func value(of activity: CLSActivity) -> (value: JSONValue, problems: [CLSError]) {
        var problems: [CLSError] = []
        func good(_ item: CLSActivityItem) -> Bool {
            guard let problem = problem(of: item) else { return true }
            problems.append(problem)
            return false
        }
        let primary = activity.primary.flatMap { good($0) ? $0 : nil }
        // An identifier is unique in its activity, so the primary item is not among the others.
        let additional = activity.additional.filter { $0.identifier != primary?.identifier && good($0) }
        let value: JSONValue = [
            "id": .string(activity.id),
            "created": .string(Instants.text(activity.created)),
            "modified": .string(Instants.text(activity.modified)),
            "running": .bool(activity.timer.isRunning),
            "duration": .number(activity.timer.seconds()),
            "ranges": .array(activity.ranges.pieces.map { ["from": .number($0.start), "to": .number($0.end)] }),
            "primary": primary.map(Self.value(of:)) ?? .null,
            "additional": .array(additional.map(Self.value(of:))),
        ]
        return (value, problems)
    }

    /// Nil for what is no item that this module knows.
    static func item(_ value: JSONValue?) -> CLSActivityItem? {
        guard let value, let identifier = value["identifier"]?.stringValue, let title = value["title"]?.stringValue else { return nil }
        switch value["kind"]?.stringValue {
        case "binary":
            let name = value["valueType"]?.stringValue
            let item = CLSBinaryItem(identifier: identifier, title: title, type: valueTypes.first { $0.1 == name }?.0 ?? .trueFalse)
            item.value = value["value"]?.boolValue ?? false
            return item
        case "quantity":
            let item = CLSQuantityItem(identifier: identifier, title: title)
            item.quantity = value["quantity"]?.doubleValue ?? 0
            return item
        case "score":
            let (score, maximum) = (value["score"]?.doubleValue ?? 0, value["maxScore"]?.doubleValue ?? 1)
            return CLSScoreItem(identifier: identifier, title: title, score: score, maxScore: maximum)
        default: return nil
        }
    }

    /// Takes over what the daemon has of an activity. It does not count here, whoever else lets it count. For whoever holds the lock.
    static func update(_ activity: CLSActivity, from value: JSONValue) {
        activity.timer = ActivityTimer(seconds: value["duration"]?.doubleValue ?? 0)
        var ranges = ProgressRanges()
        for range in value["ranges"]?.arrayValue ?? [] {
            if let from = range["from"]?.doubleValue, let to = range["to"]?.doubleValue { _ = ranges.add(from: from, to: to) }
        }
        activity.ranges = ranges
        activity.primary = item(value["primary"])
        activity.additional = (value["additional"]?.arrayValue ?? []).compactMap(item)
        activity.modified = value["modified"]?.stringValue.flatMap(Instants.date) ?? activity.created
        activity.savedRevision = activity.lastChange
    }

    /// Nil where the value is no activity.
    static func activity(_ value: JSONValue?, subject: CLSActivity.Subject, store: CLSDataStore) -> CLSActivity? {
        guard let value, let id = value["id"]?.stringValue, let created = value["created"]?.stringValue.flatMap(Instants.date) else {
            return nil
        }
        let activity = CLSActivity(id: id, subject: subject, store: store, created: created)
        update(activity, from: value)
        return activity
    }
}
