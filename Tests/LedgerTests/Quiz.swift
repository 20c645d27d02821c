// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A program that reports, for tests.
let quiz = "org.example.Quiz"

func quizContext(_ path: [String], title: String = "Chapter", link: String? = nil, minute: Double = 0) -> ContextFacts {
    var facts = ContextFacts(
        ref: ContextRef(app: quiz, path: path), title: title, created: Book().start + minutes(minute),
        modified: Book().start + minutes(minute),
        by: 900, byLogin: "keller")
    facts.kind = .quiz
    facts.universalLink = link
    facts.capabilities = [.init(kind: .score, details: "points")]
    facts.suggestedAge = .init(from: 8, to: nil)
    facts.navigation = [["a"]]
    return facts
}

/// Two of three questions right.
func quizReport(
    _ person: PersonID, attempt: String = "1", context: [String] = ["a"], created minute: Double = 0, seconds: Int64 = 90,
    in assignment: AssignmentID = homework, isListed: Bool = false, isRunning: Bool = false
) -> ReportFacts {
    ReportFacts(
        assignment: assignment, person: person,
        program: ReportFacts.Program(app: quiz, executable: "/usr/bin/quiz", isListed: isListed), subject: .context(context),
        attempt: Attempt(
            id: attempt, created: Book().start + minutes(minute), modified: Book().start + minutes(minute), duration: .seconds(seconds),
            isRunning: isRunning, ranges: [ProgressRange(from: 0, to: 0.75)],
            primary: Item(identifier: "score", title: "Score", value: .score(2, max: 3), method: .declared),
            additional: [Item(identifier: "q1", title: "One", value: .binary(true, type: .correctIncorrect), method: .declared)]))
}
