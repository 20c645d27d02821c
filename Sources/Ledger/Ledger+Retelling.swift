// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

extension Ledger {
    /// After `forget` and its like, which take out whatever a person or an assignment has: takes in again what entries tell that came while
    /// the journal was being emptied, and which it therefore still has. `later` are all of those, in order.
    package mutating func retell(_ later: [Entry]) {
        var sessions: Set<ActivityID> = []
        var people: Set<PersonID> = []
        for entry in later {
            switch entry.body {
            case .session(.started(let start), _): if session(start.id) == nil { sessions.insert(start.id) }
            case .person(let facts): if person(facts.person) == nil { people.insert(facts.person) }
            default: break
            }
        }
        sessionsByDay.remove(sessions)
        for var entry in later {
            switch entry.body {
            case .session(let event, _): guard sessions.contains(event.id) else { continue }
            case .person(let facts): guard people.contains(facts.person) else { continue }
            case .recording(let change): guard let person = change.person, people.contains(person) else { continue }
            case .metrics(let facts): guard !saves(of: facts.document).contains(where: { $0.seq == entry.seq }) else { continue }
            case .viewed(let facts):
                guard let person = facts.person, !views(of: person).contains(where: { $0.seq == entry.seq }) else { continue }
            case .totals(let facts):
                guard !totals(of: facts.person, in: facts.assignment).contains(where: { $0.seq == entry.seq }) else { continue }
            case .assignmentCreated(var facts):
                // What was said once is not said again of one that is still known.
                if assignment(facts.id) != nil { facts.ruleChange = nil }
                entry.body = .assignmentCreated(facts)
            case .assignmentChanged(var facts):
                if assignment(facts.id) != nil { facts.ruleChange = nil }
                entry.body = .assignmentChanged(facts)
            case .assignmentEnded, .done: break
            default: continue
            }
            apply(entry)
        }
    }
}
