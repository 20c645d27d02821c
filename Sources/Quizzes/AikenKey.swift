// SPDX-License-Identifier: Apache-2.0
import ClassLists

/// Aiken, as Moodle imports it: a question on one line, options `A) text` or `A. text`, then `ANSWER: B`. One answer is right.
enum AikenKey {
    static func read(_ lines: [Substring], file: String, _ mistakes: inout [ListMistake]) -> [QuizQuestion] {
        var questions: [QuizQuestion] = []
        var stem: (text: String, line: Int)?
        var options: [String] = []
        func wrong(_ line: Int, _ message: String) { mistakes.append(ListMistake(file: file, line: line, message: message)) }
        for (index, raw) in lines.enumerated() {
            let line = Lines.trimmed(raw)
            let number = index + 1
            // As Moodle does: too short to be anything.
            guard line.utf8.count >= 2 else { continue }
            if let option = AikenOption(line) {
                guard stem != nil else {
                    wrong(number, "an option without a question before it")
                    continue
                }
                if option.letter != options.count {
                    wrong(
                        number, "options go on from A in order: this is \(letter(option.letter)), and \(letter(options.count)) was to come")
                }
                options.append(option.text)
                continue
            }
            guard line.hasPrefix("ANSWER:") else {
                if line.lowercased().hasPrefix("answer") {
                    wrong(number, "the right answer is written 'ANSWER: B', in capitals and with a colon")
                } else if let begun = stem {
                    wrong(
                        number,
                        options.isEmpty
                            ? "a question stands on one line, and that of line \(begun.line) goes on here; or is this an option? It is written 'A) text' or 'A. text'"
                            : "the question of line \(begun.line) has no line 'ANSWER:' yet; an option is written 'A) text' or 'A. text'")
                } else {
                    stem = (line, number)
                }
                continue
            }
            guard let begun = stem else {
                wrong(number, "'ANSWER:' without a question before it")
                continue
            }
            let answer = Lines.trimmed(line.dropFirst("ANSWER:".count))
            let place = answer.utf8.count == 1 ? answer.utf8.first.map { Int($0) - 65 } : nil
            if options.count < 2 {
                wrong(begun.line, "a question has at least two options")
            } else if let place, options.indices.contains(place) {
                let weighted = options.enumerated().map { QuizQuestion.Option($1, weight: $0 == place ? 1 : 0) }
                questions.append(
                    QuizQuestion(
                        id: String(questions.count + 1), stem: begun.text, kind: .choice(weighted, several: false), line: begun.line))
            } else {
                wrong(number, "'ANSWER:' names one of the letters A to \(letter(options.count - 1)), not '\(answer.prefix(20))'")
            }
            stem = nil
            options = []
        }
        if let begun = stem { wrong(begun.line, "the question has no line 'ANSWER:'") }
        return questions
    }

    static func letter(_ index: Int) -> String {
        String(Character(Unicode.Scalar(UInt8(truncatingIfNeeded: 65 + min(max(0, index), 25)))))
    }
}

/// One line `A) text` or `A. text`: a capital, the mark, a space or tab.
struct AikenOption {
    var letter: Int
    var text: String

    init?(_ line: String) {
        let bytes = Array(line.utf8.prefix(3))
        guard bytes.count == 3, (65...90).contains(bytes[0]), bytes[1] == UInt8(ascii: ")") || bytes[1] == UInt8(ascii: "."),
            bytes[2] == 0x20 || bytes[2] == 0x09
        else { return nil }
        letter = Int(bytes[0]) - 65
        text = Lines.trimmed(line.dropFirst(2))
    }
}
