// SPDX-License-Identifier: Apache-2.0

/// A question of a copy of the key's file, as the student filled it in.
struct CopiedAnswer: Equatable {
    var name: String?
    var stem: String
    var reply: String

    /// Questions of an Aiken file whose `ANSWER:` line is filled in, or of whose options one is marked.
    static func aiken(_ lines: [String]) -> [CopiedAnswer] {
        var answers: [CopiedAnswer] = []
        var stem: String?
        var options = 0
        var marked: [String] = []
        func end() {
            if let stem, options >= 2, marked.count == 1 { answers.append(CopiedAnswer(stem: stem, reply: marked[0])) }
            stem = nil
            options = 0
            marked = []
        }
        for line in lines where line.utf8.count >= 2 {
            if line.lowercased().hasPrefix("answer:") {
                if let stem, options >= 2 {
                    let reply = Lines.trimmed(line.dropFirst("answer:".count))
                    // An empty line is no answer, but the mark at an option may be one.
                    if !reply.isEmpty { marked = [reply] }
                    if marked.count != 1 { answers.append(CopiedAnswer(stem: stem, reply: "")) }
                }
                end()
            } else if AikenOption(line) != nil {
                options += 1
            } else if let option = markedOption(line), stem != nil {
                options += 1
                marked.append(AikenKey.letter(option.letter))
            } else {
                end()
                stem = line
            }
        }
        end()
        return answers.contains { !$0.reply.isEmpty } ? answers : []
    }

    private static let marks = ["[x]", "[X]", "(x)", "(X)", "\u{2612}", "\u{2611}", "\u{2713}", "\u{2714}", "*", "x ", "X ", "->", ">"]

    private static func markedOption(_ line: String) -> AikenOption? {
        for mark in marks where line.hasPrefix(mark) { return AikenOption(Lines.trimmed(line.dropFirst(mark.count))) }
        return nil
    }

    /// Questions of a GIFT file: what stands between the braces, where one answer is marked with `=` or only one was left.
    static func gift(_ lines: [String]) -> [CopiedAnswer] {
        let text = GIFTText(lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n"))
        var answers: [CopiedAnswer] = []
        var start = text.indices.lowerBound
        while answers.count < QuizKey.mostQuestions, let open = text.first("{", from: start), let close = text.first("}", from: open) {
            var stem = text[start..<open].trimmed
            var name: String?
            if stem.first("::") == stem.indices.lowerBound, let end = stem.first("::", from: stem.indices.lowerBound + 2) {
                name = stem[(stem.indices.lowerBound + 2)..<end].text
                stem = stem[(end + 2)..<stem.indices.upperBound].trimmed
            }
            answers.append(CopiedAnswer(name: name, stem: stem.withoutFormat.text, reply: reply(text[(open + 1)..<close].trimmed)))
            // The text after a gap ends with its line.
            start = text.first("\n", from: close) ?? close + 1
        }
        return answers.contains { !$0.reply.isEmpty } ? answers : []
    }

    private static func reply(_ inside: GIFTText) -> String {
        var inside = inside
        if inside.first("#") == inside.indices.lowerBound { inside = inside[(inside.indices.lowerBound + 1)..<inside.indices.upperBound] }
        let parts = inside.split(at: ["~", "="])
        if inside.first("->") != nil { return parts.map(\.text.text).joined(separator: "\n") }
        let marked = parts.filter { $0.mark == "=" }
        // Several may be right; they are told apart by lines.
        let chosen = marked.isEmpty && parts.count == 1 ? parts : marked
        return chosen.map(\.text.withoutFeedback.text).joined(separator: "\n")
    }
}
