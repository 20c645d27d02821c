// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Which of the journal's entries are one person's: those that name them, and the whole of each session that is theirs or that was in a
/// document of their folder. First every entry is learnt, then each can be asked about.
///
/// What somebody did in an office (set an assignment, switched recording, looked at others) is not theirs: it is kept for those it concerned.
package struct PersonalEntries: Sendable {
    package let person: PersonID
    private let folder: [UInt8]
    /// What lock files call them, in lower case: the login, and every name they were known by.
    private(set) var names: Set<String>
    private var sessions: Set<ActivityID> = []
    /// Assignments in a folder of theirs.
    private var assignments: Set<AssignmentID> = []
    private var told: [AssignmentID: Told] = [:]

    /// What is to be said again of an assignment that names them among others.
    private struct Told {
        var facts: AssignmentFacts
        var createdAt: WallTime
        var namesThem = false
        /// Changes of the rule that only emptied entries tell.
        var changes: [(change: RuleChange, at: WallTime)] = []
    }

    package init(of person: PersonID) {
        self.person = person
        folder = Array(person.login.utf8)
        names = [person.login.lowercased()]
    }

    package mutating func learn(_ entry: Entry) {
        switch entry.body {
        case .session(let event, _): if names(event) { sessions.insert(event.id) }
        case .assignmentCreated(let facts), .assignmentChanged(let facts):
            if isInFolder(facts.folder ?? .root) { assignments.insert(facts.id) }
            tell(facts, at: facts.asOf ?? entry.at)
        case .person(let facts): if facts.person == person { learn(displayName: facts.displayName) }
        default: break
        }
    }

    mutating func learn(displayName: String) { names.insert(displayName.lowercased()) }

    private mutating func tell(_ facts: AssignmentFacts, at: WallTime) {
        var told = told[facts.id] ?? Told(facts: facts, createdAt: at)
        told.createdAt = min(told.createdAt, at)
        told.facts = facts
        if Self.names(person, in: facts) || isInMaterials(of: facts) {
            told.namesThem = true
            if let change = facts.ruleChange { told.changes.append((change, at)) }
        }
        self.told[facts.id] = told
    }

    /// What is to be journaled in the place of entries that name them among others, without them.
    package func replacements() -> [EntryBody] {
        told.values.filter { $0.namesThem && !assignments.contains($0.facts.id) }.sorted { $0.facts.id < $1.facts.id }.flatMap { told in
            var facts = without(told.facts)
            facts.ruleChange = nil
            facts.asOf = told.createdAt
            let changes = told.changes.map { change, at in
                var facts = facts
                facts.ruleChange = change
                facts.asOf = at
                return EntryBody.assignmentChanged(facts)
            }
            return [.assignmentChanged(facts)] + changes
        }
    }

    /// Whether an entry is theirs, or names them among others.
    package func isTheirs(_ entry: Entry) -> Bool {
        switch entry.body {
        case .person(let facts): facts.person == person
        case .recording(let change): change.person == person
        case .session(let event, let assignment):
            sessions.contains(event.id) || assignment.map(assignments.contains) ?? false || isSaidOfThem(event)
        case .metrics(let facts):
            facts.attribution.person == person || isTheirs(facts.document, facts.attribution)
                || facts.assignment.map(assignments.contains) ?? false
        case .assignmentCreated(let facts), .assignmentChanged(let facts):
            assignments.contains(facts.id) || Self.names(person, in: facts) || isInMaterials(of: facts)
        case .note(let facts): sessions.contains(facts.activity)
        case .bookmarkCreated(let facts): isTheirs(facts.material)
        case .assignmentEnded(let id, _): assignments.contains(id)
        case .done(let facts):
            facts.person == person || assignments.contains(facts.assignment)
                || facts.document.map { isTheirs($0, Attribution(person: facts.person, source: .event)) } ?? false
        case .totals(let facts):
            facts.person == person || assignments.contains(facts.assignment)
                || facts.document.map { isTheirs($0, Attribution(person: facts.person, source: .event)) } ?? false
        case .reported(let facts):
            facts.person == person || assignments.contains(facts.assignment)
                || facts.document.map { isTheirs($0, Attribution(person: facts.person, source: .event)) } ?? false
        case .viewed(let facts): facts.person == person || facts.assignment.map(assignments.contains) ?? false
        case .started, .stopped, .settings, .watching, .gap, .clock, .bookmarkRemoved, .imported, .contextSaved, .contextRemoved,
            .repaired, .checkpoint, .erasure, .erased,
            .base, .unknown:
            false
        }
    }

    /// Whether an assignment is in a folder of theirs, so that nothing of it stays.
    package func isTheirs(_ assignment: AssignmentID) -> Bool { assignments.contains(assignment) }

    package static func names(_ person: PersonID, in facts: AssignmentFacts) -> Bool {
        facts.students.contains(person) || facts.excused.contains(person) || facts.plan.chosen?.contains(person) == true
            || facts.plan.deadlines.contains { $0.person == person }
    }

    /// Whether a session is theirs by what is known of it last.
    package func isTheirs(_ document: DocumentRef, _ attribution: Attribution) -> Bool {
        if attribution.person == person { return true }
        // The folder may have been given on with the login.
        if attribution.person?.login == person.login { return false }
        return isInFolder(document.path)
    }

    private func names(_ event: SessionEvent) -> Bool {
        switch event {
        case .started(let start): isTheirs(start.document, start.attribution)
        case .attributed(_, let attribution): attribution.person == person
        // Who moves their document out of a folder, or into it, was in it.
        case .moved(_, let document): isInFolder(document.path)
        case .evidence, .paused, .resumed, .stopped, .lockSays, .delivered: false
        }
    }

    /// A lock beside another's document names them.
    private func isSaidOfThem(_ event: SessionEvent) -> Bool {
        if case .lockSays(_, let words, _) = event { words.names(names) } else { false }
    }

    func isInFolder(_ path: PathBytes) -> Bool { path.components.contains { $0.elementsEqual(folder) } }
}
