// SPDX-License-Identifier: Apache-2.0

/// Names a piece of a program's content: whose tree, and the identifiers from below its main context down.
package struct ContextRef: Hashable, Comparable, Sendable {
    /// The identifier of the main context, e.g. `org.example.Quiz`.
    package var app: String
    package var path: [String]

    package init(app: String, path: [String]) {
        self.app = app
        self.path = path
    }

    /// As assignments and bookmarks name it: the app first.
    package var material: Material { .context([app] + path) }

    package static func < (left: ContextRef, right: ContextRef) -> Bool {
        left.app == right.app ? left.path.lexicographicallyPrecedes(right.path) : left.app < right.app
    }
}

/// A context as a program saved it (ClassKit's `CLSContext`).
package struct ContextFacts: Equatable, Sendable {
    /// What it is called for teachers; no behaviour hangs on it. The raw values stand in the journal and in the interface.
    package enum Kind: String, Sendable, CaseIterable {
        case none, chapter, section, level, page, task, challenge, quiz, exercise, lesson, book, game, document, audio, video, course
        case custom
    }

    /// Both ends count; nil is no upper limit.
    package struct Span: Equatable, Sendable {
        package var from: Int64
        package var to: Int64?

        package init(from: Int64, to: Int64?) {
            self.from = from
            self.to = to
        }
    }

    /// What a program can tell of a context.
    package struct Capability: Equatable, Sendable {
        package enum Kind: String, Sendable, CaseIterable { case duration, percent, binary, quantity, score }

        package var kind: Kind
        package var details: String?

        package init(kind: Kind, details: String?) {
            self.kind = kind
            self.details = details
        }
    }

    package var ref: ContextRef
    package var kind = Kind.none
    package var customKind: String?
    package var title: String
    package var displayOrder: Int64 = 0
    package var topic: String?
    /// Opened instead of the program.
    package var universalLink: String?
    package var summary: String?
    package var isAssignable = true
    /// Years.
    package var suggestedAge: Span?
    /// Minutes.
    package var suggestedTime: Span?
    package var capabilities: [Capability] = []
    /// Identifier paths.
    package var navigation: [[String]] = []
    package var created: WallTime
    package var modified: WallTime
    /// Whose program saved it.
    package var by: UInt32
    package var byLogin: String

    package init(ref: ContextRef, title: String, created: WallTime, modified: WallTime, by: UInt32, byLogin: String) {
        self.ref = ref
        self.title = title
        self.created = created
        self.modified = modified
        self.by = by
        self.byLogin = byLogin
    }
}
