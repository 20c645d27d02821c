// SPDX-License-Identifier: Apache-2.0
import ClassLists

/// A table with the columns `id`, `answer` and, where questions count differently, `weight`. A further row with the same id is a further
/// answer that is right.
enum CSVKey {
    static func read(_ bytes: [UInt8], file: String, _ mistakes: inout [ListMistake]) -> [QuizQuestion] {
        var questions: [QuizQuestion] = []
        var columns: (id: Int, answer: Int, weight: Int?)?
        var width = 0
        var scanner = CSVScanner(bytes[...], separator: CSVScanner.separator(bytes[...]))
        func wrong(_ line: Int, _ message: String) { mistakes.append(ListMistake(file: file, line: line, message: message)) }
        while let record = scanner.next() {
            if let problem = record.problem {
                wrong(record.line, problem)
                if record.isLast { break }
                continue
            }
            let fields = record.fields.map { Lines.trimmed($0) }
            guard let places = columns else {
                let names = fields.map { $0.lowercased() }
                guard let id = names.firstIndex(of: "id"), let answer = names.firstIndex(of: "answer") else {
                    wrong(record.line, "the first line names the columns: id,answer or id,answer,weight")
                    return []
                }
                columns = (id, answer, names.firstIndex(of: "weight"))
                width = names.count
                continue
            }
            if fields.allSatisfy(\.isEmpty) { continue }
            guard fields.count == width else {
                wrong(
                    record.line, "has \(fields.count) fields, and the first line has \(width); is a quote missing, or a separator too many?"
                )
                continue
            }
            add(fields, places, at: record.line, to: &questions, wrong)
        }
        return questions
    }

    private static func add(
        _ fields: [String], _ places: (id: Int, answer: Int, weight: Int?), at line: Int, to questions: inout [QuizQuestion],
        _ wrong: (Int, String) -> Void
    ) {
        let id = fields[places.id]
        let answer = fields[places.answer]
        guard isID(id) else {
            return wrong(line, "an id has 1 to \(QuizKey.longestID) letters, digits, '.', '-' or '_', not '\(id.prefix(40))'")
        }
        guard !answer.isEmpty else { return wrong(line, "question \(id) has no answer") }
        var points: Double?
        if let place = places.weight, !fields[place].isEmpty {
            guard let number = Double(fields[place].replacing(",", with: ".")), number > 0, number <= 1000 else {
                return wrong(line, "a weight is a number above 0 and at most 1000, not '\(fields[place].prefix(20))'")
            }
            points = number
        }
        if let old = questions.firstIndex(where: { $0.id.lowercased() == id.lowercased() }) {
            guard points == nil || points == questions[old].points else {
                return wrong(line, "question \(id) has another weight in line \(questions[old].line)")
            }
            if case .cells(let known) = questions[old].kind { questions[old].kind = .cells(known + [answer]) }
            return
        }
        questions.append(QuizQuestion(id: id, kind: .cells([answer]), points: points ?? 1, line: line))
    }

    static func isID(_ text: String) -> Bool {
        (1...QuizKey.longestID).contains(text.count)
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || "._-".unicodeScalars.contains($0)
            }
    }
}
