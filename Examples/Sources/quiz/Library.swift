// SPDX-License-Identifier: Apache-2.0
import ClassKit

/// A question with its answer.
struct Question {
    var identifier: String
    var text: String
    var answer: String
}

/// A quiz, and where it stands in the tree of what can be assigned.
struct Quiz {
    var identifier: String
    var title: String
    var questions: [Question]
}

/// All quizzes of this program, in one chapter.
enum Library {
    static let chapter = "geography"

    static let quizzes = [
        Quiz(
            identifier: "capitals", title: "Capitals",
            questions: [
                Question(identifier: "france", text: "The capital of France?", answer: "Paris"),
                Question(identifier: "poland", text: "The capital of Poland?", answer: "Warsaw"),
                Question(identifier: "kenya", text: "The capital of Kenya?", answer: "Nairobi"),
            ]),
        Quiz(
            identifier: "rivers", title: "Rivers",
            questions: [Question(identifier: "cairo", text: "Which river flows through Cairo?", answer: "Nile")]),
    ]

    /// Tells the store what there is, so that teachers can assign it. Only what is missing is made: the tree outlives the program.
    static func setUp() async throws {
        let store = CLSDataStore.shared
        let known = try await store.contexts(
            matching: NSPredicate(format: "%K = %@", CLSPredicateKeyPath.parent as CVarArg, store.mainAppContext))
        let geography: CLSContext
        if let found = known.first(where: { $0.identifier == chapter }) {
            geography = found
        } else {
            geography = CLSContext(type: .chapter, identifier: chapter, title: "Geography")
            geography.isAssignable = false
            store.mainAppContext.addChildContext(geography)
        }
        let children = try await store.contexts(matching: NSPredicate(format: "parent = %@", geography))
        for (order, quiz) in quizzes.enumerated() where !children.contains(where: { $0.identifier == quiz.identifier }) {
            let context = CLSContext(type: .quiz, identifier: quiz.identifier, title: quiz.title)
            context.topic = .socialScience
            context.displayOrder = order
            context.suggestedCompletionTime = NSRange(1...5)
            context.addProgressReportingCapabilities([CLSProgressReportingCapability(kind: .score, details: "Right answers")])
            geography.addChildContext(context)
        }
        try await store.save()
    }
}
