// SPDX-License-Identifier: Apache-2.0

/// What subject a context belongs to.
public struct CLSContextTopic: RawRepresentable, Hashable, Sendable {
    /// The subject's name.
    public let rawValue: String

    /// A subject by its name, also one that is not among those below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Mathematics.
    public static let math = CLSContextTopic(rawValue: "math")
    /// Natural sciences.
    public static let science = CLSContextTopic(rawValue: "science")
    /// Reading and writing.
    public static let literacyAndWriting = CLSContextTopic(rawValue: "literacyAndWriting")
    /// Foreign languages.
    public static let worldLanguage = CLSContextTopic(rawValue: "worldLanguage")
    /// Social sciences.
    public static let socialScience = CLSContextTopic(rawValue: "socialScience")
    /// Computer science and engineering.
    public static let computerScienceAndEngineering = CLSContextTopic(rawValue: "computerScienceAndEngineering")
    /// Arts and music.
    public static let artsAndMusic = CLSContextTopic(rawValue: "artsAndMusic")
    /// Health and sports.
    public static let healthAndFitness = CLSContextTopic(rawValue: "healthAndFitness")
}

extension CLSContextTopic: CVarArg {
    /// Only for lists of arguments of `NSPredicate(format:_:)`, which takes the topic itself.
    public var _cVarArgEncoding: [Int] { [] }
}
