// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Reports

/// The questions of `daybook setup`, by the names under which a file of answers has them.
enum SetupQuestion: String, CaseIterable, Sendable {
    case shares, layout, classes, students, teachers, administrators, source, hours, holidays, retention, pages, start, prove
    case smallGroup = "small-group"
    case sharedAccount = "shared-account"
}

/// What was answered: one `question = answer` a line, `#` begins a comment.
struct SetupAnswers: Equatable, Sendable {
    struct Mistake: Error, Equatable, CustomStringConvertible {
        var line: Int
        var what: String
        var description: String { "line \(line): \(what)" }
    }

    private var answers: [SetupQuestion: String] = [:]

    init() {}

    /// A longer file is none of ours.
    static let sizeLimit = 65_536

    init(parsing text: String) throws(Mistake) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw Mistake(line: index + 1, what: "'question = answer' is wanted here, not '\(line)'")
            }
            let name = Self.trimmed(line[..<equals])
            guard let question = SetupQuestion(rawValue: name) else {
                let near = nearest(name, among: SetupQuestion.allCases.map(\.rawValue))
                throw Mistake(line: index + 1, what: "no question is called '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
            }
            guard answers[question] == nil else { throw Mistake(line: index + 1, what: "'\(name)' is answered twice") }
            answers[question] = Self.trimmed(line[line.index(after: equals)...])
        }
    }

    subscript(question: SetupQuestion) -> String? {
        get { answers[question] }
        set { answers[question] = newValue }
    }

    /// As a file.
    var text: String {
        "# What was answered to 'daybook setup'; the same again with: daybook setup --answers FILE\n"
            + SetupQuestion.allCases.compactMap { question in answers[question].map { "\(question.rawValue) = \($0)\n" } }.joined()
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    private static func trimmed(_ text: String) -> String { trimmed(text[...]) }
}

/// Several words in one answer.
func listed(_ answer: String) -> [String] {
    answer.split(separator: ",").map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }.filter { !$0.isEmpty }
}
