// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension Samples {
    static let context = ContextFacts(
        ref: ContextRef(app: "org.example.Quiz", path: ["chapter 1"]), title: "", created: wall(0), modified: wall(1), by: 1500,
        byLogin: "teach")

    static let fullContext: ContextFacts = {
        var facts = ContextFacts(
            ref: ContextRef(app: "org.example.Quiz", path: ["chapter 1", "\u{1f600} \"2\"\n"]), title: "Chapter \u{e9}", created: wall(0),
            modified: wall(1), by: 4_294_967_294, byLogin: "o'hara")
        facts.kind = .custom
        facts.customKind = "riddle"
        facts.displayOrder = -3
        facts.topic = "math"
        facts.universalLink = "https://school.example/1"
        facts.summary = "s"
        facts.isAssignable = false
        facts.suggestedAge = ContextFacts.Span(from: 0, to: nil)
        facts.suggestedTime = ContextFacts.Span(from: 5, to: 20)
        facts.capabilities = [
            ContextFacts.Capability(kind: .score, details: "points"), ContextFacts.Capability(kind: .duration, details: nil),
        ]
        facts.navigation = [["chapter 1"], ["a", "b"]]
        return facts
    }()

    static let report = ReportFacts(
        assignment: hamlet, person: mia, program: ReportFacts.Program(app: "quiz", executable: nil, isListed: false),
        subject: .document(strange), attempt: Attempt(id: "1", created: wall(0), modified: wall(9), duration: .zero))

    static let fullReport = ReportFacts(
        assignment: hamlet, person: mia,
        program: ReportFacts.Program(app: "org.example.Quiz", executable: "/usr/bin/quiz", isListed: true),
        subject: .context(["chapter 1", "2"]),
        attempt: Attempt(
            id: "6F1C-9", created: wall(0), modified: wall(9), duration: .microseconds(61_500_001), isRunning: true,
            ranges: [ProgressRange(from: 0, to: 0.1), ProgressRange(from: 0.3, to: 0.75)],
            primary: Item(identifier: "score", title: "Score", value: .score(2, max: 3), method: .declared),
            additional: [
                Item(identifier: "q1", title: "One", value: .binary(true, type: .correctIncorrect), method: .declared),
                Item(identifier: "hints", title: "Hints", value: .quantity(2.5), method: .declared),
            ]), stop: .programGone)
}
