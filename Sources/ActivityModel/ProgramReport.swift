// SPDX-License-Identifier: Apache-2.0

/// A part of what there was to do, from 0 to 1.
package struct ProgressRange: Equatable, Sendable {
    package var from: Double
    package var to: Double

    package init(from: Double, to: Double) {
        self.from = from
        self.to = to
    }

    /// In order, with those that touch made one.
    package static func merged(_ ranges: [ProgressRange]) -> [ProgressRange] {
        var result: [ProgressRange] = []
        for range in ranges.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) }) {
            if let last = result.last, range.from <= last.to {
                result[result.count - 1].to = max(last.to, range.to)
            } else {
                result.append(range)
            }
        }
        return result
    }
}

/// One attempt of a person at a context or a document, as their program tells it (ClassKit's `CLSActivity`).
package struct Attempt: Equatable, Sendable {
    /// Chosen by the program.
    package var id: String
    package var created: WallTime
    package var modified: WallTime
    /// Of all its stretches together, at `modified`.
    package var duration: Duration
    package var isRunning: Bool
    /// Merged.
    package var ranges: [ProgressRange]
    package var primary: Item?
    package var additional: [Item]

    package init(
        id: String, created: WallTime, modified: WallTime, duration: Duration, isRunning: Bool = false, ranges: [ProgressRange] = [],
        primary: Item? = nil, additional: [Item] = []
    ) {
        self.id = id
        self.created = created
        self.modified = modified
        self.duration = duration
        self.isRunning = isRunning
        self.ranges = ranges
        self.primary = primary
        self.additional = additional
    }

    /// From 0 to 1.
    package var progress: Double { min(1, ranges.reduce(0) { $0 + ($1.to - $1.from) }) }

    /// The primary one first.
    package var items: [Item] { (primary.map { [$0] } ?? []) + additional }
}

/// What a program reported of a student's work: its word, which stands beside what Daybook saw.
package struct ReportFacts: Equatable, Sendable {
    package enum Subject: Hashable, Sendable {
        /// Of the program's tree.
        case context([String])
        case document(DocumentRef)
    }

    /// Who reported.
    package struct Program: Hashable, Sendable {
        package var app: String
        /// The file that ran; nil where it could not be seen.
        package var executable: String?
        /// An administrator had listed the executable as one whose word counts.
        package var isListed: Bool

        package init(app: String, executable: String?, isListed: Bool) {
            self.app = app
            self.executable = executable
            self.isListed = isListed
        }
    }

    /// Why its timer stands although the program did not say so. The raw values stand in the journal.
    package enum Stop: String, Sendable, CaseIterable {
        /// The program's connection ended: that was its last sign of life.
        case programGone = "program-gone"
        /// Daybook stopped in good order.
        case serviceStopped = "service-stopped"
        /// Found running when Daybook started: what came after the last save is not known.
        case serviceGone = "service-gone"
    }

    package var assignment: AssignmentID
    package var person: PersonID
    package var program: Program
    package var subject: Subject
    package var attempt: Attempt
    package var stop: Stop?

    package init(
        assignment: AssignmentID, person: PersonID, program: Program, subject: Subject, attempt: Attempt, stop: Stop? = nil
    ) {
        self.assignment = assignment
        self.person = person
        self.program = program
        self.subject = subject
        self.attempt = attempt
        self.stop = stop
    }

    package var document: DocumentRef? { if case .document(let document) = subject { document } else { nil } }
}
