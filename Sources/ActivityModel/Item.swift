// SPDX-License-Identifier: Apache-2.0

/// One result of a document or of an activity (ClassKit's three kinds).
package struct Item: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case binary(Bool, type: BinaryType)
        case quantity(Double)
        case score(Double, max: Double)
    }

    /// How a binary item reads (ClassKit's `CLSBinaryValueType`).
    package enum BinaryType: String, Sendable { case trueFalse, passFail, yesNo, correctIncorrect }

    /// How a figure came about.
    package enum Method: String, Sendable { case counted, declared, estimated }

    /// A name that stays once released, e.g. `total_word_count`.
    package var identifier: String
    /// What people read, e.g. `Word Count`.
    package var title: String
    package var value: Value
    package var method: Method

    package init(identifier: String, title: String, value: Value, method: Method) {
        self.identifier = identifier
        self.title = title
        self.value = value
        self.method = method
    }
}

/// A figure that could not honestly be given, and why.
package struct MissingItem: Equatable, Sendable {
    package var identifier: String
    package var reason: String

    package init(identifier: String, reason: String) {
        self.identifier = identifier
        self.reason = reason
    }
}
