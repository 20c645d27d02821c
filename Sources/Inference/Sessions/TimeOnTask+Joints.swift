// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension TimeOnTask {
    /// The pauses between sessions of one person on one document that are no pauses by this rule.
    ///
    /// The live timer ends a session by the limit that is configured. An assignment with a longer limit of its own sees one stretch of work
    /// where the timer saw two; without this, a rule could only ever make less of what was recorded.
    static func joints(between sessions: [WorkSession], rule: Rule) -> (active: IntervalSet, atLeast: IntervalSet) {
        struct Key: Hashable {
            var document: DocumentRef
            var person: PersonID
        }
        var groups: [Key: [WorkSession]] = [:]
        for session in sessions {
            guard let person = session.attribution.person else { continue }
            groups[Key(document: session.document, person: person), default: []].append(session)
        }
        var active: [Range<BootTime>] = []
        var atLeast: [Range<BootTime>] = []
        for group in groups.values where group.count > 1 {
            let sorted = group.sorted { ($0.openedAt, $0.id) < ($1.openedAt, $1.id) }
            for (earlier, later) in zip(sorted, sorted.dropFirst()) {
                // Only what ended because nothing was heard: a closed document is not worked on.
                guard let end = earlier.end, end.ending == .idle else { continue }
                let closed = max(end.closedAt, earlier.openedAt)
                guard closed < later.openedAt else { continue }
                let pause = later.openedAt - closed
                let limit = earlier.isContinuous || later.isContinuous ? rule.idleContinuous : rule.idleSavesOnly
                if pause <= limit { active.append(closed..<later.openedAt) }
                if pause <= min(limit, rule.atLeast) { atLeast.append(closed..<later.openedAt) }
            }
        }
        return (IntervalSet(active), IntervalSet(atLeast))
    }
}
