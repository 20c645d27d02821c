// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

extension Ledger {
    /// Every measured save of a document, oldest first.
    package func saves(of document: DocumentRef) -> [SavePoint] { work.saves(of: document) }

    /// The latest measured save of a document, whoever made it.
    package func latestSave(of document: DocumentRef) -> SavePoint? { work.save(work.saveCount(of: document) - 1, of: document) }

    /// What one student of an assignment saved, over all their documents, oldest first. A teacher's save is none of theirs.
    package func saves(in assignment: AssignmentID, by person: PersonID) -> [SavePoint] {
        documents(in: assignment, of: person)
            .flatMap { work.saves(of: $0) { $0.attribution.person == person && $0.assignment == assignment } }
            .sorted { $0.seq < $1.seq }
    }

    /// The documents that a person worked on in an assignment, in the order of their first appearance.
    package func documents(in assignment: AssignmentID, of person: PersonID) -> [DocumentRef] {
        assignments[assignment]?.documents[person] ?? []
    }

    mutating func apply(_ facts: MetricsFacts, entry: Entry) {
        if let again = facts.again, saves(of: facts.document).contains(where: { $0.seq == again }) {
            return measureAgain(again, facts)
        }
        // Where the entry that it belongs to was emptied as evidence, the later one speaks for the save.
        work.add(SavePoint(seq: entry.seq, at: entry.wallTime(of: facts.savedAt), boot: entry.boot, facts: facts))
        if let assignment = facts.assignment, assignments[assignment] == nil { orphans[assignment, default: Orphans()].hasWork = true }
        guard let assignment = facts.assignment, let person = facts.attribution.person else { return }
        note(facts.document, of: person, in: assignment)
    }

    /// The save stays what it was, of the person and the moment that it had: only what was measured of it is another. A later save has been
    /// measured by what is asked for now anyway.
    private mutating func measureAgain(_ seq: UInt64, _ facts: MetricsFacts) {
        guard let old = latestSave(of: facts.document), old.seq == seq else { return }
        var point = old
        point.facts.format = facts.format
        point.facts.language = facts.language
        point.facts.items = facts.items
        point.facts.notes = facts.notes
        point.facts.error = facts.error
        work.removeSaves(of: facts.document) { $0.seq == seq }
        work.add(point)
    }
}
