// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

extension RecordingPolicy {
    /// To which assignments a student's attempt at a context counts: those that go on, name exactly this context, and were set them. Empty,
    /// with the reason, where none does.
    package func decide(person: PersonID?, context: ContextRef, in ledger: Ledger) -> (assignments: [AssignmentID], reason: Reason?) {
        switch ledger.recording.state {
        case .off: return ([], .recordingOff)
        case .paused: return ([], .recordingPaused)
        case .on: break
        }
        let set = ledger.assignments(naming: context.material).filter { $0.state == .active }
        guard !set.isEmpty else { return ([], .notAssigned) }
        guard let person else { return ([], .notAStudent) }
        let theirs = set.filter { isStudent(person, of: $0) }
        guard !theirs.isEmpty else { return ([], .notAStudent) }
        switch ledger.recording.personState(person) {
        case .off: return ([], .personOff)
        case .paused: return ([], .personPaused)
        case .on: return (theirs.map(\.id), nil)
        }
    }

    /// The assignment that goes on, has this document by its place, and was set this student; whether or not anything is recorded.
    package func assigned(
        _ document: DocumentRef, placement: Placement, to person: PersonID, in ledger: Ledger
    ) -> AssignmentID? {
        guard let id = assignmentID(document: document, placement: placement, in: ledger), ledger.assignment(id)?.state == .active,
            isStudent(person, of: id, placement, in: ledger)
        else { return nil }
        return id
    }

    /// Those that go on, name exactly this context, and were set this student; whether or not anything is recorded.
    package func assigned(_ context: ContextRef, to person: PersonID, in ledger: Ledger) -> [AssignmentID] {
        ledger.assignments(naming: context.material).filter { $0.state == .active && isStudent(person, of: $0) }.map(\.id)
    }

    private func isStudent(_ person: PersonID, of record: AssignmentRecord) -> Bool {
        let className = record.facts.className.isEmpty ? nil : record.facts.className
        return (roster.role(of: person, in: className) == .student || roster.isTrial) && record.facts.isFor(person)
    }

}

extension Ledger {
    /// The assignments that begin from this, ended ones too.
    package func assignments(naming material: Material) -> [AssignmentRecord] {
        assignments.values.filter { $0.facts.plan.materials.contains(material) }.sorted { $0.id < $1.id }
    }
}
