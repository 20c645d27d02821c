// SPDX-License-Identifier: Apache-2.0
import ClassLists

/// GIFT, as Moodle imports it.
enum GIFTKey {
    static func read(_ lines: [Substring], file: String, _ mistakes: inout [ListMistake]) -> [QuizQuestion] {
        var questions: [QuizQuestion] = []
        for block in blocks(lines) {
            do throws(GIFTMistake) {
                guard let parts = try GIFTParts(block.text) else { continue }
                let kind = try GIFTAnswers.kind(parts.answers)
                questions.append(
                    QuizQuestion(
                        id: String(questions.count + 1), name: parts.name, stem: parts.stem, kind: kind, line: block.line))
            } catch {
                mistakes.append(ListMistake(file: file, line: block.line, message: error.message))
            }
        }
        return questions
    }

    /// Questions are parted by blank lines; lines that begin with `//` are comments, and a `$CATEGORY:` line is none of a question.
    static func blocks(_ lines: [Substring]) -> [(line: Int, text: String)] {
        var blocks: [(line: Int, text: String)] = []
        var current: [Substring] = []
        var start = 0
        func end() {
            if !current.isEmpty { blocks.append((start, current.joined(separator: "\n"))) }
            current = []
        }
        for (index, line) in lines.enumerated() {
            let bare = Lines.trimmed(line)
            if bare.isEmpty {
                end()
            } else if !bare.hasPrefix("//"), !(current.isEmpty && bare.hasPrefix("$CATEGORY:")) {
                if current.isEmpty { start = index + 1 }
                current.append(line)
            }
        }
        end()
        return blocks
    }
}

struct GIFTMistake: Error {
    var message: String
    init(_ message: String) { self.message = message }
}

/// A question's name, text and answers, before anybody looks what kind it is.
struct GIFTParts {
    var name: String?
    /// With a gap where the answers stood inside the text.
    var stem: String
    var answers: GIFTText

    /// Nil for a description: text without answers asks nothing.
    init?(_ block: String) throws(GIFTMistake) {
        var text = GIFTText(block).trimmed
        if text.first("::") == text.indices.lowerBound, let end = text.first("::", from: text.indices.lowerBound + 2) {
            let name = text[(text.indices.lowerBound + 2)..<end].text
            self.name = name.isEmpty ? nil : name
            text = text[(end + 2)..<text.indices.upperBound].trimmed
        }
        let open = text.first("{")
        let close = text.first("}")
        guard open != nil || close != nil else { return nil }
        guard let open, let close, open < close else {
            throw GIFTMistake(
                open == nil || close != nil
                    ? "a '}' without a '{' before it; a question has no blank line in it, and a brace that is text is written \\}"
                    : "a '{' without a '}'; a question has no blank line in it, and a brace that is text is written \\{")
        }
        if text.first("{", from: close) != nil {
            throw GIFTMistake("a second '{' in one question; between two questions there is a blank line")
        }
        let after = text[(close + 1)..<text.indices.upperBound].trimmed
        let before = text[text.indices.lowerBound..<open].trimmed.withoutFormat
        stem = after.isEmpty ? before.text : before.text + " _____ " + after.text
        let inside = text[(open + 1)..<close].trimmed
        answers = inside.last("####").map { inside[inside.indices.lowerBound..<$0].trimmed } ?? inside
    }
}
