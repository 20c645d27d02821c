// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// How a student's answers compare with a key.
package struct QuizResult: Equatable, Sendable {
    package static let score = "quiz_score"
    package static let answered = "questions_answered"

    package struct Question: Equatable, Sendable {
        package var id: String
        package var points: Double
        /// From 0 to 1; nil where it was not answered.
        package var share: Double?
        package var isRepeated: Bool
    }

    /// Those that a program can score, in the key's order.
    package private(set) var questions: [Question]
    /// Ids of answers that the key does not have.
    package private(set) var unknown: [String]
    /// Nothing said which question the answers belong to.
    package private(set) var areByOrder: Bool

    /// `fold` makes compatibility forms and capitals one (NFKC, case folding).
    package init(_ source: ReplySource, to key: QuizKey, fold: @escaping (String) -> String) {
        let text = ReplyText(fold: fold)
        let replies = Replies(source, to: key, text)
        let scoring = ReplyScoring(text: text)
        questions = key.questions.enumerated().filter { $1.isScorable }.map { place, question in
            Question(
                id: question.id, points: question.points,
                share: replies.texts[place].flatMap { scoring.share(of: String($0.prefix(4000)), question) },
                isRepeated: replies.repeated.contains(place))
        }
        unknown = replies.unknown
        areByOrder = replies.areByOrder
    }

    package var answeredCount: Int { questions.count { $0.share != nil } }

    /// The score first, then each question. A question that was not answered has no item; neither has a document without any answer.
    package var items: [Item] {
        guard answeredCount > 0 else { return [] }
        let score = questions.reduce(0) { $0 + ($1.share ?? 0) * $1.points }
        var items = [
            Item(
                identifier: Self.score, title: "Score", value: .score(rounded(score), max: questions.reduce(0) { $0 + $1.points }),
                method: .counted),
            Item(identifier: Self.answered, title: "Questions Answered", value: .quantity(Double(answeredCount)), method: .counted),
        ]
        for question in questions {
            guard let share = question.share else { continue }
            items.append(
                Item(
                    identifier: "question_\(question.id)", title: "Question \(question.id)",
                    value: .binary(share > 0.999, type: .correctIncorrect), method: .counted))
            if share > 0.001, share <= 0.999 {
                items.append(
                    Item(
                        identifier: "question_\(question.id)_points", title: "Question \(question.id), Points",
                        value: .score(rounded(share * question.points), max: question.points), method: .counted))
            }
        }
        return items
    }

    /// What a reader of the figures has to know. Nothing of the key, and of the student's text only numbers of questions.
    package var notes: [MissingItem] {
        guard answeredCount > 0 else {
            return [
                MissingItem(
                    identifier: Self.score,
                    reason: "no answers to the key's questions were found; each is written on a line of its own, such as '1. B'")
            ]
        }
        var notes: [MissingItem] = []
        func note(_ identifier: String, _ reason: String) { notes.append(MissingItem(identifier: identifier, reason: reason)) }
        let open = questions.filter { $0.share == nil }
        if open.count == 1 { note("question_\(open[0].id)", "not answered") }
        if open.count > 1 { note(Self.score, "not answered: \(Self.list(open.map(\.id)))") }
        let repeated = questions.filter(\.isRepeated)
        if !repeated.isEmpty { note(Self.score, "answered more than once, where the last answer counts: \(Self.list(repeated.map(\.id)))") }
        if !unknown.isEmpty { note(Self.score, "answers to questions that the key does not have: \(Self.list(unknown))") }
        if areByOrder { note(Self.score, "no answer says to which question it belongs, so they were taken in their order") }
        return notes
    }

    private static func list(_ ids: [String]) -> String {
        ids.prefix(20).joined(separator: ", ") + (ids.count > 20 ? " and \(ids.count - 20) more" : "")
    }

    /// To hundredths: a third of a point is 0.33.
    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
