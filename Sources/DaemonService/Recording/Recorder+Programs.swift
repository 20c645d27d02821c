// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference
package import Ledger

extension Recorder {
    /// What is to be journaled of a program's save. `known` is what stands on the disk.
    package mutating func save(
        _ changes: [ProgramChange], program: ReportFacts.Program, by user: ProgramUser, known: Ledger, at now: BootTime
    ) -> (save: ProgramSave, entries: [EntryBody]) {
        let save = ProgramSave(changes, program: program, by: user, decided: ahead, known: known) { subject in
            standing(of: subject, app: program.app, person: user.person)
        }
        let introduced = save.reports.isEmpty ? [] : introduce(user.person, at: now)
        return (save, introduced + noted(save.entries, at: now))
    }

    /// A timer stands although its program did not say so, `more` after its last save; no later where it would not be recorded any more.
    package func stopped(_ facts: ReportFacts, _ stop: ReportFacts.Stop, after more: Duration, wall: WallTime) -> ReportFacts {
        var facts = facts
        if case .counts(let assignments) = standing(of: facts.subject, app: facts.program.app, person: facts.person),
            assignments.contains(facts.assignment), more > .zero
        {
            facts.attempt.duration = min(ProgramLimits.duration, facts.attempt.duration + more)
            facts.attempt.modified = max(facts.attempt.modified, wall)
        }
        facts.attempt.isRunning = false
        facts.stop = stop
        return facts
    }

    package func standing(of subject: ReportFacts.Subject, app: String, person: PersonID?) -> ProgramSave.Standing {
        switch subject {
        case .context(let path):
            let (assignments, why) = policy.decide(person: person, context: ContextRef(app: app, path: path), in: ahead)
            return why.map { .dropped(why: $0.rawValue) } ?? .counts(in: assignments)
        case .document(let document):
            switch policy.decide(person: person, document: document, placement: placement(of: document), in: ahead) {
            case .record(let assignment): return .counts(in: [assignment])
            case .drop(let reason): return .dropped(why: reason.rawValue)
            case .wait: return .dropped(why: RecordingPolicy.Reason.notAStudent.rawValue)
            }
        }
    }

    /// The assignment that goes on, has this document, and was set this student; whether or not anything is recorded just now.
    package func assigned(_ document: DocumentRef, to person: PersonID) -> AssignmentID? {
        guard let placement = placement(of: document) else { return nil }
        return policy.assigned(document, placement: placement, to: person, in: ahead)
    }
}
