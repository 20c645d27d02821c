// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What a teacher asks for when an assignment is made.
package struct AssignmentRequest: Equatable, Sendable {
    package var title: String?
    package var className: String?
    /// A folder at `{assignment}`, there or to be made; nil: named by due day and title, in the class's folder.
    package var folder: DocumentRef?
    package var due: WallTime?
    package var opens: WallTime?
    package var isDraft = false
    package var instructions: String?
    /// Nil for the whole class.
    package var chosen: [PersonID]?
    package var excused: [PersonID] = []
    package var deadlines: [Deadline] = []
    package var target: Target?
    package var materials: [Material] = []
    package var key: KeyFacts?
    package var analyzers: [String] = []
    /// A due time in the past is meant.
    package var allowsPastDue = false

    package init() {}
}

/// What is to be changed of an assignment; what is not named stays.
package struct AssignmentChange: Equatable, Sendable {
    /// What can be taken away. The raw values stand in the interface.
    package enum Part: String, Sendable, CaseIterable {
        case due, opens, instructions, target, chosen, deadlines, excused, materials, key, analyzers
    }

    package var title: String?
    package var due: WallTime?
    package var opens: WallTime?
    package var instructions: String?
    package var chosen: [PersonID]?
    package var excuse: [PersonID] = []
    package var unexcuse: [PersonID] = []
    /// One each; another due time of a student is replaced.
    package var deadlines: [Deadline] = []
    package var target: Target?
    package var materials: [Material]?
    package var key: KeyFacts?
    package var analyzers: [String]?
    /// A draft is to be set.
    package var publishes = false
    package var clears: Set<Part> = []
    package var allowsPastDue = false
    /// The edition that was looked at; nil: whatever it is now.
    package var edition: Int?

    package init() {}
}

/// Why an assignment cannot be made or changed so, in words for a teacher.
package enum AssignmentRefusal: Error, Equatable, CustomStringConvertible {
    case noSuchClass(String, candidates: [String])
    case notTheirClass
    case changedMeanwhile(by: String, edition: Int)
    /// A sentence that says what and what to do.
    case other(String)

    package var description: String {
        switch self {
        case .noSuchClass(let name, let candidates):
            "no class '\(name)'" + (candidates.isEmpty ? "" : "; there are \(candidates.joined(separator: ", "))")
        case .notTheirClass: "the class is not yours"
        case .changedMeanwhile(let login, let edition):
            "\(login) has changed it meanwhile (edition \(edition)); look at it again and repeat what is still wanted"
        case .other(let text): text
        }
    }
}

/// How much an assignment may hold.
package enum AssignmentLimits {
    package static let title = 256
    package static let instructions = 4000
    package static let reason = 500
    package static let materials = 50
    package static let analyzers = 16
    /// Those that go on, of one class.
    package static let perClass = 200
    /// The item that stands for time instead of a document's figure.
    package static let minutes = "worked_minutes"
    /// What a target may be of, by the word for it.
    package static let targets: [(word: String, identifier: String)] = [
        ("words", "total_word_count"), ("slides", "slide_count"), ("score", "quiz_score"),
        ("questions", "questions_answered"), ("minutes", minutes),
    ]
}
