// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What an entry changes of what is published.
package struct TouchedPages: Equatable, Sendable {
    package var assignments: Set<AssignmentID> = []
    package var people: Set<PersonID> = []
    /// All of them.
    package var everything = false
    /// Not only when a page's time has come: somebody decided what may be shown.
    package var atOnce = false
    /// Which pages there are, or whose, may be different now.
    package var newPages = false

    package init() {}
}

extension Ledger {
    /// Asked right after the entry was taken in.
    package func pagesTouched(by entry: Entry) -> TouchedPages {
        var touched = TouchedPages()
        func touch(_ assignment: AssignmentID?, _ person: PersonID?) {
            if let assignment { touched.assignments.insert(assignment) }
            if let person { touched.people.insert(person) }
        }
        switch entry.body {
        case .recording(let change):
            guard let person = change.person else {
                touched.everything = true
                break
            }
            touched.atOnce = true
            touch(nil, person)
            for record in assignments(for: person) { touch(record.id, nil) }
        case .person(let facts):
            touched.newPages = true
            touch(nil, facts.person)
            for record in assignments(for: facts.person) { touch(record.id, nil) }
        case .session(let event, _):
            let session = session(event.id)
            touch(session?.assignment, session?.person)
        case .metrics(let facts): touch(facts.assignment, facts.attribution.person)
        case .reported(let facts): touch(facts.assignment, facts.person)
        case .totals(let facts): touch(facts.assignment, facts.person)
        case .done(let facts): touch(facts.assignment, facts.person)
        case .assignmentCreated(let facts), .assignmentChanged(let facts):
            touched.newPages = true
            touch(facts.id, nil)
            touched.people.formUnion(facts.students)
        case .assignmentEnded(let id, _):
            // One that was deleted has no page any more.
            touched.newPages = true
            touch(id, nil)
            touched.people.formUnion(assignment(id)?.students ?? [])
        case .viewed(let facts):
            // Only who was looked at sees that.
            if let person = facts.person {
                touch(nil, person)
            } else if let assignment = facts.assignment {
                touched.people.formUnion(self.assignment(assignment)?.students ?? [])
            } else {
                touched.people.formUnion(people.keys)
            }
        case .note(let facts):
            // What is left out of the figures, or stands beside them, is not to wait.
            touched.atOnce = true
            let session = session(facts.activity)
            touch(session?.assignment, session?.person)
        case .imported: touched.newPages = true
        case .bookmarkCreated, .bookmarkRemoved, .contextSaved, .contextRemoved: break
        case .gap: touched.everything = true
        case .started, .stopped, .settings, .watching, .clock, .repaired, .checkpoint, .erasure, .erased, .base, .unknown: break
        }
        return touched
    }
}
