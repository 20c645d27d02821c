// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// A session as the journal tells it, with what its own events do not say.
package struct SessionRecord: Equatable, Sendable {
    package var work: WorkSession
    /// Nil where it belongs to none; reports leave such sessions out.
    package var assignment: AssignmentID?
    /// The run of the machine that its instants belong to.
    package var boot: BootID
    /// The entry that started it.
    package var seq: UInt64

    package var id: ActivityID { work.id }
    package var person: PersonID? { work.attribution.person }
    package var isOpen: Bool { work.end == nil }
}

/// A save that was measured.
package struct SavePoint: Equatable, Sendable {
    package var seq: UInt64
    package var at: WallTime
    /// The run of the machine that `facts.savedAt` belongs to.
    package var boot: BootID
    package var facts: MetricsFacts

    package func item(_ identifier: String) -> Item? { facts.items.first { $0.identifier == identifier } }
}

/// What a student said of an assignment, and when.
package struct Mark: Equatable, Sendable {
    package var facts: DoneFacts
    package var at: WallTime
}

/// Who looked, and when.
package struct View: Equatable, Sendable {
    package var facts: ViewedFacts
    package var at: WallTime
    package var seq: UInt64
}

/// A gap, and the entry that told of it.
package struct Gap: Equatable, Sendable {
    package var facts: GapFacts
    package var seq: UInt64
}

/// How a share is watched, and since when.
package struct Watching: Equatable, Sendable {
    package var facts: WatchingFacts
    package var since: WallTime
}

/// An assignment and what belongs to it.
package struct AssignmentRecord: Equatable, Sendable {
    package struct Ended: Equatable, Sendable {
        package var at: WallTime
        package var reason: String
    }

    /// Its rule was changed for good, by whom and when.
    package struct Recomputed: Equatable, Sendable {
        package var change: RuleChange
        package var at: WallTime
    }

    package var facts: AssignmentFacts
    package var createdAt: WallTime
    package var createdSeq: UInt64
    package var ended: Ended?
    /// Changes of its rule since it was created, oldest first.
    package internal(set) var ruleChanges: [Recomputed] = []
    package internal(set) var marks: [PersonID: Mark] = [:]
    /// Looks at the whole table.
    package internal(set) var views: [View] = []
    var sessions: [PersonID: [ActivityID]] = [:]
    /// What programs reported, the first attempt first.
    var reports: [PersonID: [ReportRecord]] = [:]
    /// Sessions of nobody who could be named.
    var unattributed: [ActivityID] = []
    /// Documents that a person worked on or saved, in the order of their first appearance.
    var documents: [PersonID: [DocumentRef]] = [:]
    /// What took the place of evidence that has aged out.
    var totals: [PersonID: [Totals]] = [:]
    /// The disk may still have what totals stand for.
    var hasRemains = false

    package var id: AssignmentID { facts.id }

    /// Whether it is over where its folder is not there. Work at a program's content needs none.
    package var needsFolder: Bool {
        facts.folder != nil && !facts.plan.materials.contains { if case .context = $0 { true } else { false } }
    }

    /// Who a row is made for: the students it was set for; where it names none (a trial without classes), whoever worked.
    package var students: [PersonID] {
        facts.students.isEmpty ? Set(sessions.keys).union(documents.keys).union(reports.keys).sorted() : facts.students
    }
}
