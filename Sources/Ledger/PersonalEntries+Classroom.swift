// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference

extension PersonalEntries {
    /// An assignment's facts without them.
    package func without(_ facts: AssignmentFacts) -> AssignmentFacts {
        var facts = facts
        facts.students.removeAll { $0 == person }
        facts.excused.removeAll { $0 == person }
        facts.plan.chosen?.removeAll { $0 == person }
        facts.plan.deadlines.removeAll { $0.person == person }
        facts.plan.materials.removeAll(where: isTheirs)
        return facts
    }

    func isInMaterials(of facts: AssignmentFacts) -> Bool { facts.plan.materials.contains(where: isTheirs) }

    /// A document in their folder.
    func isTheirs(_ material: Material) -> Bool {
        if case .document(let document) = material { isInFolder(document.path) } else { false }
    }
}

/// The entries that tell of one person's work: all but who they are, how recording stands for them and who looked. For when recording is
/// switched off for them for good.
package struct WorkEntries: Sendable {
    private var entries: PersonalEntries
    /// What came later was decided by the switch itself.
    private let last: UInt64

    package init(of person: PersonID, through last: UInt64) {
        entries = PersonalEntries(of: person)
        self.last = last
    }

    package mutating func learn(_ entry: Entry) { entries.learn(entry) }

    package func isTheirs(_ entry: Entry) -> Bool {
        guard entry.seq <= last else { return false }
        switch entry.body {
        case .session, .metrics, .totals, .done, .note, .reported: return entries.isTheirs(entry)
        default: return false
        }
    }
}

extension Ledger {
    /// Nothing of the work in a deleted assignment is kept any more; that there was one is.
    package mutating func workOfDeletedWent(_ id: AssignmentID) {
        defer { work.dropUnused() }
        for session in work.heads(where: { $0.assignment == id }) { remove(session) }
        for document in work.savedDocuments { work.removeSaves(of: document) { $0.assignment == id } }
        assignments[id]?.reports = [:]
        assignments[id]?.totals = [:]
        assignments[id]?.marks = [:]
        assignments[id]?.documents = [:]
        assignments[id]?.hasRemains = false
    }

    /// Takes a person's work out, and leaves who they are and which assignments they were set.
    package mutating func forgetWork(of person: PersonID) {
        let theirs = PersonalEntries(of: person)
        defer { work.dropUnused() }
        for session in work.heads(where: { theirs.isTheirs($0.document, $0.attribution) }) { remove(session) }
        for document in work.savedDocuments { work.removeSaves(of: document) { theirs.isTheirs(document, $0.attribution) } }
        for id in assignments.keys {
            assignments[id]?.marks[person] = nil
            assignments[id]?.documents[person] = nil
            assignments[id]?.totals[person] = nil
            assignments[id]?.reports[person] = nil
        }
        // Those that they only worked in.
        assignmentsByStudent[person]?.removeAll { id in assignments[id]?.facts.students.contains(person) != true }
    }
}
