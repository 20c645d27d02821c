// SPDX-License-Identifier: Apache-2.0

/// A file as it was handed in, so that a later change shows.
package struct HandedInFile: Equatable, Sendable {
    /// Bytes.
    package var size: Int64
    /// 64 hexadecimal digits.
    package var sha256: String

    package init(size: Int64, sha256: String) {
        self.size = size
        self.sha256 = sha256
    }
}

/// What somebody said of a session: it stays beside the figure.
package struct NoteFacts: Equatable, Sendable {
    package var activity: ActivityID
    package var text: String
    /// The session is left out of figures from here on (true), or counts again (false); nil says nothing of it.
    package var excludes: Bool?
    package var by: UInt32
    package var byLogin: String

    package init(activity: ActivityID, text: String, excludes: Bool?, by: UInt32, byLogin: String) {
        self.activity = activity
        self.text = text
        self.excludes = excludes
        self.by = by
        self.byLogin = byLogin
    }
}

/// A teacher's own mark at something to assign later.
package struct BookmarkFacts: Equatable, Sendable {
    /// Rises from 1.
    package var number: UInt64
    package var by: UInt32
    package var byLogin: String
    package var title: String
    package var material: Material

    package init(number: UInt64, by: UInt32, byLogin: String, title: String, material: Material) {
        self.number = number
        self.by = by
        self.byLogin = byLogin
        self.title = title
        self.material = material
    }
}

/// Class lists were imported; they took the place of all that were imported before. Names nobody but who did it.
package struct ImportFacts: Equatable, Sendable {
    /// E.g. `OneRoster 1.1`.
    package var source: String
    package var classes: Int
    package var people: Int
    /// Of the list as it is kept.
    package var sha256: String
    package var by: UInt32
    package var byLogin: String

    package init(source: String, classes: Int, people: Int, sha256: String, by: UInt32, byLogin: String) {
        self.source = source
        self.classes = classes
        self.people = people
        self.sha256 = sha256
        self.by = by
        self.byLogin = byLogin
    }
}
