// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference

/// Facts about an assignment whose own entries were emptied, until the entry that takes their place has come.
struct Orphans: Equatable, Sendable {
    var ended: AssignmentRecord.Ended?
    var marks: [PersonID: Mark] = [:]
    var views: [View] = []
    var totals: [Totals] = []
    var reports: [PersonID: [ReportRecord]] = [:]
    /// There are sessions or saves in it.
    var hasWork = false
}

extension Ledger {
    /// Takes a person out, as if the journal had no entry of theirs: what `PersonalEntries` selects.
    package mutating func forget(_ person: PersonID) {
        var theirs = PersonalEntries(of: person)
        if let known = self.person(person) { theirs.learn(displayName: known.displayName) }
        for (id, record) in assignments where theirs.isInFolder(record.facts.folder ?? .root) { remove(id) }
        for session in work.heads(where: { theirs.isTheirs($0.document, $0.attribution) }) { remove(session) }
        for document in work.savedDocuments { work.removeSaves(of: document) { theirs.isTheirs(document, $0.attribution) } }
        work.forgetLockWords(of: theirs.names)
        forgetInClassroom(theirs)
        for id in assignments.keys {
            assignments[id]?.marks[person] = nil
            assignments[id]?.documents[person] = nil
            assignments[id]?.totals[person] = nil
            forgetReports(of: theirs, in: id)
            for (other, totals) in assignments[id]?.totals ?? [:] {
                let kept = totals.filter {
                    !($0.facts.document.map { theirs.isTheirs($0, Attribution(person: other, source: .event)) } ?? false)
                }
                if kept.count != totals.count { assignments[id]?.totals[other] = kept }
            }
            for (other, documents) in assignments[id]?.documents ?? [:] where documents.contains(where: { theirs.isInFolder($0.path) }) {
                guard other.login != person.login else { continue }
                let kept = documents.filter { !theirs.isInFolder($0.path) }
                assignments[id]?.documents[other] = kept.isEmpty ? nil : kept
            }
        }
        for id in orphans.keys {
            orphans[id]?.marks[person] = nil
            orphans[id]?.totals.removeAll { $0.facts.person == person }
            orphans[id]?.reports[person] = nil
        }
        assignmentsByStudent[person] = nil
        sessionsByPerson[person] = nil
        forgetAccount(person)
        work.dropUnused()
    }

    mutating func remove(_ id: AssignmentID) {
        for session in work.heads(where: { $0.assignment == id }) { remove(session) }
        for (place, other) in assignmentsByFolder where other == id { assignmentsByFolder[place] = nil }
        for student in assignmentsByStudent.keys { assignmentsByStudent[student]?.removeAll { $0 == id } }
        assignments[id] = nil
        forgetClosed(id)
    }

    mutating func remove(_ session: SessionHead) {
        let id = session.id
        work.remove(id)
        open.remove(id)
        removeNotes(on: id)
        sessionsByDocument[session.document]?.removeAll { $0 == id }
        if sessionsByDocument[session.document]?.isEmpty == true { sessionsByDocument[session.document] = nil }
        if let person = session.person { sessionsByPerson[person]?.removeAll { $0 == id } }
        guard let assignment = session.assignment else { return }
        guard let person = session.person else {
            assignments[assignment]?.unattributed.removeAll { $0 == id }
            return
        }
        assignments[assignment]?.sessions[person]?.removeAll { $0 == id }
        if assignments[assignment]?.sessions[person]?.isEmpty == true { assignments[assignment]?.sessions[person] = nil }
    }

    /// An assignment that is new here takes what came before it: the entries that told of it first were emptied.
    mutating func adopt(_ id: AssignmentID) {
        guard let waiting = orphans.removeValue(forKey: id) else { return }
        assignments[id]?.ended = waiting.ended
        assignments[id]?.marks = waiting.marks
        assignments[id]?.views = waiting.views
        for (person, reports) in waiting.reports { for report in reports { take(report, of: person, in: id) } }
        defer { for totals in waiting.totals { take(totals) } }
        guard waiting.hasWork else { return }
        var documents: [(seq: UInt64, document: DocumentRef, person: PersonID)] = []
        for session in work.heads(where: { $0.assignment == id }).sorted(by: { $0.seq < $1.seq }) {
            if let person = session.person {
                assignments[id]?.sessions[person, default: []].append(session.id)
                documents.append((session.seq, session.document, person))
            } else {
                assignments[id]?.unattributed.append(session.id)
            }
        }
        for document in work.savedDocuments {
            for save in work.saveHeads(of: document) where save.assignment == id {
                if let person = save.attribution.person { documents.append((save.seq, document, person)) }
            }
        }
        for (_, document, person) in documents.sorted(by: { $0.seq < $1.seq }) { note(document, of: person, in: id) }
    }

    /// Replacements say again what may still be known.
    mutating func note(_ change: AssignmentRecord.Recomputed, of id: AssignmentID, isReplacement: Bool) {
        if isReplacement, assignments[id]?.ruleChanges.contains(change) == true { return }
        assignments[id]?.ruleChanges.append(change)
    }

    mutating func apply(_ facts: DoneFacts, entry: Entry) {
        let mark = Mark(facts: facts, at: entry.at)
        if assignments[facts.assignment] == nil {
            orphans[facts.assignment, default: Orphans()].marks[facts.person] = mark
        } else {
            assignments[facts.assignment]?.marks[facts.person] = mark
        }
    }
}
