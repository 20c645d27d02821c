// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// What a client asks.
package struct VarlinkCall: Equatable, Sendable {
    /// Qualified, e.g. `org.daybook.Reports.Status`.
    package var method: String
    package var parameters: JSONObject
    /// The client takes several replies.
    package var more: Bool
    /// The client wants no reply.
    package var oneway: Bool
    /// The client wants to speak another protocol afterwards.
    package var upgrade: Bool

    package init(_ method: String, _ parameters: JSONObject = [:], more: Bool = false, oneway: Bool = false, upgrade: Bool = false) {
        self.method = method
        self.parameters = parameters
        self.more = more
        self.oneway = oneway
        self.upgrade = upgrade
    }

    /// Nil where the message is no call.
    package init?(_ message: JSONValue) {
        guard case .object(let object) = message, let method = object["method"]?.stringValue,
            let parameters = optionalObject(object["parameters"]), let more = optionalFlag(object["more"]),
            let oneway = optionalFlag(object["oneway"]), let upgrade = optionalFlag(object["upgrade"])
        else { return nil }
        self.init(method, parameters, more: more, oneway: oneway, upgrade: upgrade)
    }

    package var message: JSONObject {
        var object: JSONObject = ["method": .string(method), "parameters": .object(parameters)]
        if more { object["more"] = true }
        if oneway { object["oneway"] = true }
        if upgrade { object["upgrade"] = true }
        return object
    }

    /// The part before the last dot; empty where there is no dot.
    package var interface: String { method.lastIndex(of: ".").map { String(method[..<$0]) } ?? "" }

    /// The part after the last dot.
    package var name: String { method.lastIndex(of: ".").map { String(method[method.index(after: $0)...]) } ?? method }
}

/// What a server answers.
package struct VarlinkReply: Equatable, Sendable {
    package var parameters: JSONObject
    /// More replies to the same call follow.
    package var continues: Bool
    /// The qualified name of the error; `parameters` are then its own.
    package var error: String?

    package init(_ parameters: JSONObject, continues: Bool = false, error: String? = nil) {
        self.parameters = parameters
        self.continues = continues
        self.error = error
    }

    /// Nil where the message is no reply.
    package init?(_ message: JSONValue) {
        guard case .object(let object) = message, let parameters = optionalObject(object["parameters"]),
            let continues = optionalFlag(object["continues"])
        else { return nil }
        switch object["error"] {
        case nil, .null: self.init(parameters, continues: continues)
        case .string(let error): self.init(parameters, continues: false, error: error)
        default: return nil
        }
    }

    package var message: JSONObject {
        var object = JSONObject()
        if let error { object["error"] = .string(error) }
        object["parameters"] = .object(parameters)
        if continues { object["continues"] = true }
        return object
    }
}

private func optionalObject(_ value: JSONValue?) -> JSONObject? {
    switch value {
    case nil, .null: [:]
    case .object(let object): object
    default: nil
    }
}

private func optionalFlag(_ value: JSONValue?) -> Bool? {
    switch value {
    case nil, .null: false
    case .bool(let flag): flag
    default: nil
    }
}
