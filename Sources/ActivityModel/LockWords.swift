// SPDX-License-Identifier: Apache-2.0

/// What a lock, owner or swap file says of who made it. Whoever may write in the folder can write anything there: it is shown beside who it
/// is, and never decides that.
package struct LockWords: Hashable, Sendable {
    /// The program whose form of lock it is, e.g. `libreoffice`; a later version may know more of them.
    package let program: String
    /// The account name on the person's own machine, which need not be the server's.
    package let login: String?
    /// The name for people, as it was typed into the program.
    package let name: String?
    package let host: String?

    /// A text has at most so many scalars.
    package static let longestText = 120
    /// Of one session so many are kept; a lock that says something else each time fills nothing.
    package static let limitOfSession = 4
    /// So many marks on one letter stay: more are no writing, but towers over the lines above.
    static let marksOnLetter = 4

    /// Nil where nothing is left that names anybody.
    package init?(program: String, login: String?, name: String?, host: String?) {
        self.program = Self.harmless(program) ?? ""
        self.login = login.flatMap(Self.harmless)
        self.name = name.flatMap(Self.harmless)
        self.host = host.flatMap(Self.harmless)
        if self.login == nil, self.name == nil, self.host == nil { return nil }
    }

    /// True where they name a person by one of these, in whatever case.
    package func names(_ names: Set<String>) -> Bool {
        [login, name].contains { $0.map { names.contains($0.lowercased()) } ?? false }
    }

    /// Without what terminals and text directions act on, on one line, of bounded length; nil where nothing is left. What is harmless stays as
    /// it is.
    package static func harmless(_ text: String) -> String? {
        var kept = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars.prefix(longestText) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: continue
            case .nonspacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            if marks <= marksOnLetter { kept.append(scalar) }
        }
        return kept.allSatisfy { $0.properties.isWhitespace } ? nil : String(kept)
    }
}
