// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension ClassReport {
    /// The table of some of its students, with figures over these.
    package func part(of logins: Set<String>) -> ClassReport {
        var copy = self
        copy.rows = rows.filter { logins.contains($0.person.login) }
        copy.studentCount = copy.rows.count
        copy.started = copy.rows.count { $0.state.hasStarted }
        copy.finished = copy.rows.count { [.handedIn, .done, .returned].contains($0.state) }
        copy.median = nil
        copy.average = nil
        copy.summarize()
        return copy
    }
}

extension AssignmentSummary {
    /// For somebody who sees no rows: no median over a small group.
    package func withoutSmallGroups(minimum: Int) -> AssignmentSummary {
        guard withTime < minimum else { return self }
        var copy = self
        copy.median = nil
        copy.withTime = 0
        return copy
    }
}
