// SPDX-License-Identifier: Apache-2.0

/// The beginning of a line that says which question it answers: `1. B`, `1) B`, `Q1: B`, `Question 1 - B`, `1 B`.
struct ReplyLabel {
    var id: String
    /// What stands after it.
    var rest: String
    /// A mark stood after the number, so it is meant as one even where the key does not have it.
    private var isMarked: Bool

    /// Where the key does not have this id: worth a word to the reader.
    var markedID: String? { isMarked && id.allSatisfy(\.isNumber) ? id : nil }

    init?(_ line: String) {
        var view = Substring(line)
        let word = view.prefix { $0.isLetter }
        var hasWord = false
        if !word.isEmpty, Self.words.contains(word.lowercased()) {
            let after = view.dropFirst(word.count).drop { $0 == " " || $0 == "." || $0 == "#" || $0 == "\u{a0}" }
            if after.first?.isNumber == true {
                view = after
                hasWord = true
            }
        }
        let id = view.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        guard !id.isEmpty, id.count <= QuizKey.longestID else { return nil }
        var rest = view.dropFirst(id.count)
        let isNumber = id.allSatisfy(\.isNumber)
        if rest.isEmpty {
            // A bare number is a label whose answer stands below; a bare word is an answer.
            guard isNumber else { return nil }
            self.id = String(id)
            self.rest = ""
            isMarked = hasWord
            return
        }
        let mark = rest.removeFirst()
        switch mark {
        case ".", ")", ":", "=", "\u{ff1a}", "\u{ff09}", "\u{ff0e}":
            // `3.14` is a number, `3.B` an answer.
            if mark == ".", rest.first?.isNumber == true { return nil }
            while let next = rest.first, ".):-".contains(next) { rest.removeFirst() }
            isMarked = true
        case "\t": isMarked = isNumber
        case " ", "\u{a0}":
            // `a friend` begins with no id.
            guard isNumber else { return nil }
            rest = rest.drop { $0.isWhitespace }
            isMarked = false
            if let dash = rest.first, "-\u{2013}:".contains(dash), rest.dropFirst().first?.isWhitespace == true {
                rest.removeFirst()
                isMarked = true
            }
        default: return nil
        }
        self.id = String(id)
        self.rest = Lines.trimmed(rest)
    }

    /// `q1`, `1.`, `(1)`, `question 1` as `1`; nil where it is something else.
    static func bareID(_ folded: String) -> String? {
        var view = Substring(folded)
        let word = view.prefix { $0.isLetter }
        if words.contains(String(word)) { view = view.dropFirst(word.count) }
        let bare = view.filter { !" .):(#".contains($0) }
        return bare.isEmpty ? nil : String(bare)
    }

    private static let words: Set<String> = [
        "q", "question", "no", "nr", "number", "answer", "a", "frage", "aufgabe", "antwort", "f", "pregunta", "respuesta", "p", "domanda",
        "risposta", "d", "r", "vraag", "antwoord", "v", "exercise", "task",
    ]
}
