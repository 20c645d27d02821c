// SPDX-License-Identifier: Apache-2.0

/// How large a JSON text from elsewhere may be. One more than a limit is an error, never a cut.
package struct JSONLimits: Equatable, Sendable {
    package var bytes: Int
    /// Nested arrays and objects; at most `deepest` whatever is asked.
    package var depth: Int
    /// All values of the text together, the members of its objects and the elements of its arrays included.
    package var members: Int

    package static let standard = JSONLimits(bytes: 16 << 20, depth: 64, members: 1 << 20)

    /// What the walk over the tree can take on the smallest thread stack.
    package static let deepest = 512

    package init(bytes: Int, depth: Int, members: Int) {
        self.bytes = bytes
        self.depth = depth
        self.members = members
    }
}

/// Why bytes are no JSON that we accept. It never repeats what the bytes say: they may name people.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Problem: Equatable, Sendable {
        case empty
        case tooLong(limit: Int)
        case tooDeep(limit: Int)
        case tooManyMembers(limit: Int)
        /// Two members of one object have the same key, so that nobody can say which counts.
        case duplicateKey
        case notUTF8
        case loneSurrogate
        case unfinished
        case unexpectedByte
        case badEscape
        case controlCharacter
        case badNumber
        /// An integer beyond 64 bits, or a number beyond what a double holds.
        case numberOutOfRange
        case afterTheEnd
        case noMemory
    }

    package var problem: Problem
    /// Bytes before the place; nil where the text as a whole is meant.
    package var position: Int?

    package init(_ problem: Problem, position: Int? = nil) {
        self.problem = problem
        self.position = position
    }

    package var description: String {
        let what =
            switch problem {
            case .empty: "there is no JSON value"
            case .tooLong(let limit): "the JSON text is longer than \(limit) bytes"
            case .tooDeep(let limit): "the JSON text nests deeper than \(limit) levels"
            case .tooManyMembers(let limit): "the JSON text has more than \(limit) values"
            case .duplicateKey: "an object of the JSON text has a key twice"
            case .notUTF8: "the JSON text is not UTF-8"
            case .loneSurrogate: "the JSON text has half of a surrogate pair"
            case .unfinished: "the JSON text ends too early"
            case .unexpectedByte: "the JSON text has a byte that does not belong there"
            case .badEscape: "the JSON text has an unknown escape"
            case .controlCharacter: "a string of the JSON text has a bare control character"
            case .badNumber: "the JSON text has a malformed number"
            case .numberOutOfRange: "the JSON text has a number that is too large"
            case .afterTheEnd: "something follows the JSON value"
            case .noMemory: "there is no memory for the JSON text"
            }
        return position.map { "\(what), at byte \($0)" } ?? what
    }
}
