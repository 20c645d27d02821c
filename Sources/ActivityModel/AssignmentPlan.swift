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
