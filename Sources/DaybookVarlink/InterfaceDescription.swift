// SPDX-License-Identifier: Apache-2.0

/// What a Varlink interface text says: its types, methods and errors, in their order.
package struct InterfaceDescription: Equatable, Sendable {
    /// A type as it is written, with the names of other types unresolved.
    package indirect enum TypeExpression: Equatable, Sendable {
        case bool, int, float, string, object
        /// `?T`: may be absent or null.
        case optional(TypeExpression)
        /// `[]T`
        case array(TypeExpression)
        /// `[string]T`
        case map(TypeExpression)
        case structure([Field])
        case enumeration([String])
        case named(String)
    }

    package struct Field: Equatable, Sendable {
        package var name: String
        package var type: TypeExpression

        package init(_ name: String, _ type: TypeExpression) {
            self.name = name
            self.type = type
        }
    }

    package struct Method: Equatable, Sendable {
        package var name: String
        package var input: [Field]
        package var output: [Field]
        /// The comment lines right above it, without `#`.
        package var comment: String
    }

    /// E.g. `org.daybook.Reports`.
    package let name: String
    /// The text itself, which `GetInterfaceDescription` returns byte for byte.
    package let text: String
    package let methods: [Method]
    package let types: [String: TypeExpression]
    package let errors: [String: [Field]]

    /// Reads an interface text; throws at the first mistake, with its line.
    package init(parsing text: String) throws(InterfaceProblem) {
        var parser = InterfaceParser(text)
        let members = try parser.parse()
        name = members.name
        methods = members.methods
        types = members.types
        errors = members.errors
        self.text = text
    }

    package func method(_ name: String) -> Method? { methods.first { $0.name == name } }
}

/// What is wrong with an interface text, and where.
package struct InterfaceProblem: Error, Equatable, CustomStringConvertible {
    package var line: Int
    package var what: String

    package var description: String { "line \(line): \(what)" }
}
