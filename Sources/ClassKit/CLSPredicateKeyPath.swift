// SPDX-License-Identifier: Apache-2.0

/// What contexts can be searched by.
public struct CLSPredicateKeyPath: RawRepresentable, Hashable, Sendable {
    /// The property's name, as it stands in a format.
    public let rawValue: String

    /// A key path by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A key path by its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// When the context was made.
    public static let dateCreated = CLSPredicateKeyPath("dateCreated")
    /// The identifier.
    public static let identifier = CLSPredicateKeyPath("identifier")
    /// The title.
    public static let title = CLSPredicateKeyPath("title")
    /// The universal link.
    public static let universalLinkURL = CLSPredicateKeyPath("universalLinkURL")
    /// The topic.
    public static let topic = CLSPredicateKeyPath("topic")
    /// The context above.
    public static let parent = CLSPredicateKeyPath("parent")
}

extension CLSPredicateKeyPath: CVarArg {
    /// Only for lists of arguments of `NSPredicate(format:_:)`, which takes the key path itself.
    public var _cVarArgEncoding: [Int] { [] }
}
