// SPDX-License-Identifier: Apache-2.0
import Glibc
import Reports

/// Asks whoever sits there, or takes what a file answers. What was answered is kept, so that it can be written down.
final class SetupDialog {
    private let invocation: Invocation
    private let given: SetupAnswers?
    private let file: String
    private(set) var answers = SetupAnswers()
    private var steps = 0

    /// `given` is nil where people are asked.
    init(_ invocation: Invocation, given: SetupAnswers?, file: String) {
        self.invocation = invocation
        self.given = given
        self.file = file
    }

    var isAsking: Bool { given == nil }

    static let stepCount = 10

    func step(_ title: String) {
        steps += 1
        if steps > 1 { say("") }
        say("\(steps) of \(Self.stepCount)  \(title)")
    }

    /// One paragraph, wrapped.
    func say(_ text: String, indent: String = "") {
        for line in wrapped(invocation.shown(text), to: max(invocation.style.width - 1 - indent.count, 20)) {
            invocation.output.line(indent + line)
        }
    }

    /// A line that stays as it is, e.g. of a file.
    func show(_ line: String) { invocation.output.line("    " + invocation.shown(line)) }

    /// The answer, once `check` says nothing against it. A nil `usual` must be answered.
    func ask(_ question: SetupQuestion, _ text: String, usual: String?, check: (String) -> String? = { _ in nil }) throws(CommandFailure)
        -> String
    {
        if let given {
            guard let answer = given[question] ?? usual else {
                throw CommandFailure("\(file) does not answer '\(question.rawValue)': \(text)")
            }
            if let problem = check(answer) { throw CommandFailure("\(file): \(question.rawValue) = \(answer): \(problem)") }
            if given[question] != nil { say("\(text): \(answer)") } else { say("\(text): \(answer) (not answered, as usual)") }
            answers[question] = answer
            return answer
        }
        while true {
            say(text + (usual.map { $0.isEmpty ? " [nothing]" : " [\($0)]" } ?? ""))
            invocation.output.write("> ")
            invocation.output.flush()
            guard let line = readLine() else { throw CommandFailure("ended before the last question; nothing was written") }
            let answer = line.isEmpty ? usual : line
            guard let answer else {
                say("This needs an answer.")
                continue
            }
            if let problem = check(answer) {
                say("\(problem).")
                continue
            }
            answers[question] = answer
            return answer
        }
    }

    func yes(_ question: SetupQuestion, _ text: String, usual: Bool) throws(CommandFailure) -> Bool {
        try ask(question, text, usual: usual ? "yes" : "no") { ["yes", "no", "y", "n"].contains($0) ? nil : "yes or no is wanted" }
            .hasPrefix("y")
    }
}
