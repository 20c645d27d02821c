// SPDX-License-Identifier: Apache-2.0

/// What a teacher said of an assignment beyond what its folder says; everything has a value that means "nothing was said".
package struct AssignmentPlan: Equatable, Sendable {
    /// How far it is before it ends. Only an active one is recorded. The raw values stand in the journal.
    package enum Stage: String, Sendable, CaseIterable {
        /// Only teachers see it.
        case draft
        /// Becomes active at `opens`.
        case scheduled
        case active
    }

    package var stage = Stage.active
    /// When a scheduled one becomes active.
    package var opens: WallTime?
    package var instructions: String?
    /// Those it was set for by name; nil for the whole class. Who is in the class and among them gets a row.
    package var chosen: [PersonID]?
    /// Students who have another due time, one each.
    package var deadlines: [Deadline] = []
    /// What the work begins from.
    package var materials: [Material] = []
    /// What answers are scored by; nil where it is no quiz.
    package var key: KeyFacts?
    /// The analyzers that measure its documents, by name; empty for all that fit.
    package var analyzers: [String] = []
    /// Rises with each edit by a person, so that two who edit at once notice. 0 where nobody has edited it.
    package var edition: Int = 0
    /// Who edited it last.
    package var editor: Editor?

    package init() {}

    /// Somebody who changed it.
    package struct Editor: Equatable, Sendable {
        package var uid: UInt32
        package var login: String

        package init(uid: UInt32, login: String) {
            self.uid = uid
            self.login = login
        }
    }
}

/// What may be known of a quiz key; what is right is never here.
package struct KeyFacts: Equatable, Sendable {
    /// 64 hexadecimal digits: of the file as the daemon keeps it, which has random bytes in it, so that no guess of the key can be checked by it.
    package var sha256: String
    /// `gift`, `aiken` or `csv`.
    package var form: String
    /// Those that can be scored.
    package var questions: Int
    /// The best score.
    package var points: Double

    package init(sha256: String, form: String, questions: Int, points: Double) {
        self.sha256 = sha256
        self.form = form
        self.questions = questions
        self.points = points
    }
}

/// The analyzers that come with Daybook, by the names under which an assignment may choose them.
package enum BuiltInAnalyzers {
    package static let names = [
        "docx", "pptx", "odt", "odp", "xlsx", "ods", "epub", "iwork", "legacy-office", "pdf", "rtf", "html", "media", "md", "csv", "tex",
        "source", "txt",
    ]
}

/// Another due time for one student.
package struct Deadline: Equatable, Sendable {
    package var person: PersonID
    package var due: WallTime
    /// For teachers and the student; never for the class.
    package var reason: String

    package init(person: PersonID, due: WallTime, reason: String) {
        self.person = person
        self.due = due
        self.reason = reason
    }
}

/// What an assignment or a bookmark points at.
package enum Material: Hashable, Sendable {
    case document(DocumentRef)
    /// A program's own name for a piece of its content, from the top down (ClassKit's identifier path).
    case context([String])
}

extension AssignmentFacts {
    /// When a student's work is due.
    package func due(for person: PersonID) -> WallTime? { plan.deadlines.last { $0.person == person }?.due ?? due }

    /// Whether it is for this student, as far as it names students.
    package func isFor(_ person: PersonID) -> Bool {
        plan.chosen.map { $0.contains(person) } ?? (students.isEmpty || students.contains(person))
    }
}
