// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

extension InterfaceDescription {
    /// Compares parameters with the members that a method, reply or error declares.
    ///
    /// Returns them with every null of an optional member left out, so that a handler finds either a value of the declared type or
    /// nothing. Throws the path of the first member that is missing, unknown or of another type.
    package func checked(_ parameters: JSONObject, as fields: [Field]) throws(ParameterMistake) -> JSONObject {
        try checked(parameters, as: fields, path: "", depth: 0)
    }

    private func checked(_ object: JSONObject, as fields: [Field], path: String, depth: Int) throws(ParameterMistake) -> JSONObject {
        for member in object.members where !fields.contains(where: { $0.name == member.key }) {
            throw ParameterMistake(path: join(path, member.key), expected: nil)
        }
        var result = JSONObject()
        for field in fields {
            let value = try checked(object[field.name] ?? .null, as: field.type, path: join(path, field.name), depth: depth)
            if value != .null { result[field.name] = value }
        }
        return result
    }

    /// Null stands for "absent", which only an optional member may be.
    private func checked(_ value: JSONValue, as type: TypeExpression, path: String, depth: Int) throws(ParameterMistake) -> JSONValue {
        // A type may contain itself; the value ends the walk, and a hostile value is not followed for ever.
        guard depth < Self.valueNestingLimit else { throw ParameterMistake(path: path, expected: type) }
        switch (type, value) {
        case (.optional, .null): return .null
        case (.optional(let inner), _): return try checked(value, as: inner, path: path, depth: depth)
        case (.bool, .bool), (.int, .integer), (.float, .integer), (.float, .number), (.string, .string), (.object, .object):
            return value
        case (.array(let element), .array(let values)):
            var result: [JSONValue] = []
            result.reserveCapacity(values.count)
            for (index, value) in values.enumerated() {
                result.append(try checked(value, as: element, path: "\(path)[\(index)]", depth: depth + 1))
            }
            return .array(result)
        case (.map(let element), .object(let object)):
            var result = JSONObject()
            for (key, value) in object.members {
                result[key] = try checked(value, as: element, path: join(path, key), depth: depth + 1)
            }
            return .object(result)
        case (.structure(let fields), .object(let object)):
            return .object(try checked(object, as: fields, path: path, depth: depth + 1))
        case (.enumeration(let cases), .string(let name)) where cases.contains(name): return value
        case (.named(let name), _):
            // The parser has seen to it that every name is defined.
            guard let definition = types[name] else { break }
            return try checked(value, as: definition, path: path, depth: depth)
        default: break
        }
        throw ParameterMistake(path: path, expected: type)
    }

    /// Arrays, maps and structures within each other, in a value.
    package static let valueNestingLimit = 32

    private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : path + "." + name }
}

/// A member that is not as the interface says.
package struct ParameterMistake: Error, Equatable {
    /// From the parameters down, e.g. `entries[3].kind`.
    package var path: String
    /// Nil where the interface knows no such member.
    package var expected: InterfaceDescription.TypeExpression?
}
