// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

extension ContextFacts {
    /// As `org.daybook.ClassKit` has it.
    var programJSON: JSONValue {
        [
            "path": .texts(ref.path), "type": .string(kind.rawValue), "customTypeName": .optional(customKind), "title": .string(title),
            "displayOrder": .integer(displayOrder), "topic": .optional(topic), "universalLink": .optional(universalLink),
            "summary": .optional(summary), "assignable": .bool(isAssignable), "suggestedAge": suggestedAge?.programJSON ?? .null,
            "suggestedCompletionTime": suggestedTime?.programJSON ?? .null,
            "capabilities": .array(
                capabilities.map { ["kind": .string($0.kind.rawValue), "details": .optional($0.details)] }),
            "navigationChildren": .array(navigation.map { ["path": .texts($0)] }), "created": .string(created.rfc3339),
            "modified": .string(modified.rfc3339),
        ]
    }
}

extension ContextFacts.Span {
    fileprivate var programJSON: JSONValue { ["from": .integer(from), "to": to.map { .integer($0) } ?? .null] }
}

extension Attempt {
    var programJSON: JSONValue {
        [
            "id": .string(id), "created": .string(created.rfc3339), "modified": .string(modified.rfc3339), "running": .bool(isRunning),
            "duration": .number(duration.seconds),
            "ranges": .array(ranges.map { ["from": .number($0.from), "to": .number($0.to)] }),
            "primary": primary?.programJSON ?? .null, "additional": .array(additional.map(\.programJSON)),
        ]
    }
}

extension Item {
    fileprivate var programJSON: JSONValue {
        var object: JSONObject = ["identifier": .string(identifier), "title": .string(title)]
        switch value {
        case .binary(let value, let type):
            object["kind"] = "binary"
            object["value"] = .bool(value)
            object["valueType"] = .string(type.rawValue)
        case .quantity(let value):
            object["kind"] = "quantity"
            object["quantity"] = .number(value)
        case .score(let score, let max):
            object["kind"] = "score"
            object["score"] = .number(score)
            object["maxScore"] = .number(max)
        }
        return .object(object)
    }
}

extension JSONValue {
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
