// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

extension Recorder {
    /// A teacher makes an assignment.
    package mutating func assign(
        _ request: AssignmentRequest, by editor: AssignmentPlan.Editor, mayAssignTo isAllowed: (String) -> Bool, wall: WallTime,
        at now: BootTime
    ) throws(AssignmentRefusal) -> (id: AssignmentID, entries: [EntryBody]) {
        let (facts, isNew) = try policy.assignment(
            request, by: editor, mayAssignTo: isAllowed, shares: shares, rule: rule, clock: clock, at: wall, in: ahead)
        return (
            facts.id,
            introduce(studentsOf: facts, at: now) + noted([isNew ? .assignmentCreated(facts) : .assignmentChanged(facts)], at: now)
                + decideAll(at: now)
        )
    }

    /// Somebody changes one; nothing where it is so already.
    package mutating func change(
        _ id: AssignmentID, _ change: AssignmentChange, by editor: AssignmentPlan.Editor, wall: WallTime, at now: BootTime
    ) throws(AssignmentRefusal) -> [EntryBody] {
        guard let record = ahead.assignment(id) else { return [] }
        let facts = try policy.changed(record, by: change, editor: editor, clock: clock, at: wall)
        guard facts != record.facts else { return [] }
        if record.facts.plan.stage != .active, facts.plan.stage == .active { begun[id] = now }
        // Sessions that are withdrawn end before the change that ends them.
        return noted([.assignmentChanged(facts)], at: now) + introduce(studentsOf: facts, at: now) + decideAll(at: now)
    }

    /// Somebody ends one: completed, or deleted with all that was recorded in it.
    package mutating func close(
        _ id: AssignmentID, deletes: Bool, edition: Int?, by editor: AssignmentPlan.Editor, at now: BootTime
    ) throws(AssignmentRefusal) -> [EntryBody] {
        guard let record = ahead.assignment(id) else { return [] }
        var facts = record.facts
        try policy.check(edition: edition, of: facts)
        let reason = deletes ? AssignmentRecord.Ended.deleted : AssignmentRecord.Ended.completed
        if record.ended?.reason == reason { return [] }
        if record.ended != nil, !deletes { throw .other("'\(facts.title)' has ended already") }
        policy.edit(&facts, by: editor)
        return noted([.assignmentChanged(facts)], at: now) + end([id], reason: reason, at: now)
    }

    /// One that somebody ended goes on.
    package mutating func reopen(
        _ id: AssignmentID, edition: Int?, by editor: AssignmentPlan.Editor, wall: WallTime, at now: BootTime
    ) throws(AssignmentRefusal) -> [EntryBody] {
        guard let record = ahead.assignment(id) else { return [] }
        var facts = record.facts
        try policy.check(edition: edition, of: facts)
        switch record.state {
        case .draft, .scheduled, .active: throw .other("'\(facts.title)' goes on already")
        case .deleted: throw .other("'\(facts.title)' was deleted, and what was recorded in it is gone; make a new one")
        case .ended: throw .other("the folder of '\(facts.title)' is gone; it goes on when the folder is there again")
        case .completed: break
        }
        policy.edit(&facts, by: editor)
        facts.plan.stage = .active
        begun[id] = now
        if let school = policy.roster.schoolClass(named: facts.className) {
            facts.students = school.pupils.filter { facts.plan.chosen?.contains($0) ?? true }
        }
        return introduce(studentsOf: facts, at: now) + noted([.assignmentCreated(facts)], at: now) + decideAll(at: now)
    }

    /// Scheduled ones whose time has come.
    package mutating func openScheduled(wall: WallTime, at now: BootTime) -> [EntryBody] {
        let opened = policy.opened(at: wall, in: ahead)
        guard !opened.isEmpty else { return [] }
        for facts in opened { begun[facts.id] = now }
        return opened.flatMap { introduce(studentsOf: $0, at: now) } + noted(opened.map { .assignmentChanged($0) }, at: now)
            + decideAll(at: now)
    }

    /// When the next scheduled one begins; nil where none is.
    package var nextOpening: WallTime? {
        ahead.allAssignments.filter { $0.state == .scheduled }.compactMap(\.facts.plan.opens).min()
    }

    /// A bookmark's number: above every one there ever was.
    package var nextBookmark: UInt64 { ahead.lastBookmark + 1 }
}
