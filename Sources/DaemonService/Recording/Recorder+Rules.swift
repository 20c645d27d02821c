// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Ledger

extension Recorder {
    /// The rule of an assignment is changed for good; nothing where it has it already. `change.before` is its rule now.
    package mutating func recompute(_ id: AssignmentID, by change: RuleChange, to rule: Rule, at now: BootTime) -> [EntryBody] {
        guard var facts = ahead.assignment(id)?.facts, facts.rule != rule else { return [] }
        facts.ruleChange = change
        facts.rule = rule
        return noted([.assignmentChanged(facts)], at: now)
    }
}
