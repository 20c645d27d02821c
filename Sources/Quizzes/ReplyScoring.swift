// SPDX-License-Identifier: Apache-2.0

/// What share of a question's points a reply gives, from 0 to 1; nil where it says nothing.
struct ReplyScoring {
    let text: ReplyText

    func share(of reply: String, _ question: QuizQuestion) -> Double? {
        let reply = Lines.trimmed(reply)
        guard !reply.isEmpty else { return nil }
        switch question.kind {
        case .choice(let options, let several):
            let chosen = places(reply, options)
            guard several || chosen.count == 1 else { return 0 }
            return min(1, max(0, Set(chosen).reduce(0) { $0 + options[$1].weight }))
        case .trueFalse(let right):
            let words = text.folded(reply)
            return Self.trueWords.contains(words) ? (right ? 1 : 0) : Self.falseWords.contains(words) ? (right ? 0 : 1) : 0
        case .text(let accepted):
            return accepted.first { text.matches(reply, $0.pieces) }.map { min(1, max(0, $0.weight)) } ?? 0
        case .numbers(let accepted):
            let numbers = ReplyText.numbers(reply)
            return accepted.first { wanted in numbers.contains { wanted.range.holds($0) } }.map { min(1, max(0, $0.weight)) } ?? 0
        case .pairs(let pairs): return share(of: reply, pairs)
        case .cells(let right): return right.contains { isSame(reply, $0) } ? 1 : 0
        case .essay: return nil
        }
    }

    // MARK: Choosing

    /// The options that a reply names: by their text, by letters, or by a letter and the text.
    private func places(_ reply: String, _ options: [QuizQuestion.Option]) -> [Int] {
        let texts = options.map { text.folded($0.text) }
        func place(_ part: String) -> Int? {
            if let place = texts.firstIndex(of: text.folded(part)) { return place }
            // `B`, or `B) Paris`: what the letter names.
            let part = text.fold(part)
            let letter = ReplyText.letter(part) ?? AikenOption(part.prefix(1).uppercased() + part.dropFirst())?.letter
            return letter.flatMap { options.indices.contains($0) ? $0 : nil }
        }
        func places(_ separators: String) -> [Int]? {
            let parts = reply.split { separators.contains($0) }.map { Lines.trimmed($0) }.filter { !$0.isEmpty }
            let known = parts.compactMap(place)
            return known.count == parts.count && known.count > 1 ? known : nil
        }
        if let several = places("\n;") ?? places("\n;,") { return several }
        if let one = place(reply) { return [one] }
        if let several = places("\n;,/+& ") { return several }
        // `AC`
        let letters = reply.utf8.map { Int($0) - 65 }
        if letters.count > 1, letters.allSatisfy(options.indices.contains), Set(letters).count == letters.count { return letters }
        return []
    }

    // MARK: Pairs

    private static let arrows = ["->", "\u{2192}", "\u{21d2}", "=>", "=", " \u{2013} ", " - ", ":"]

    private func share(of reply: String, _ pairs: [QuizQuestion.Pair]) -> Double {
        let asked = pairs.filter { !$0.left.isEmpty }
        let lefts = asked.map { text.folded($0.left) }
        var answers: [Int: String] = [:]
        for separators in ["\n;", "\n;,"] {
            for part in reply.split(whereSeparator: { separators.contains($0) }) {
                for arrow in Self.arrows {
                    guard let found = part.firstRange(of: arrow) else { continue }
                    let left = text.folded(String(part[..<found.lowerBound]))
                    guard let place = lefts.firstIndex(of: left) else { continue }
                    answers[place] = text.folded(String(part[found.upperBound...]))
                    break
                }
            }
            if answers.count > 1 { break }
        }
        // Two that read the same may have each other's partner.
        let right = asked.enumerated().count { index, pair in
            answers[index].map { answer in
                asked.contains { text.folded($0.left) == lefts[index] && text.folded($0.right) == answer }
            } ?? false
        }
        return asked.isEmpty ? 0 : Double(right) / Double(asked.count)
    }

    // MARK: Cells

    private func isSame(_ reply: String, _ right: String) -> Bool {
        if text.folded(reply) == text.folded(right) { return true }
        let wanted = ReplyText.numbers(right)
        if !wanted.isEmpty { return ReplyText.numbers(reply).contains { number in wanted.contains { ($0...$0).holds(number) } } }
        if let letter = ReplyText.letter(right) { return ReplyText.letter(reply) == letter || AikenOption(reply)?.letter == letter }
        guard let letters = Self.letters(right) else { return false }
        return Self.letters(reply) == letters
    }

    /// `A, C` in any order; nil where these are no letters.
    private static func letters(_ text: String) -> Set<Int>? {
        let parts = text.split { " ,;/+&".contains($0) }
        let letters = parts.map { ReplyText.letter(String($0)) }
        let known = letters.compactMap { $0 }
        return known.count == parts.count && known.count > 1 ? Set(known) : nil
    }

    private static let trueWords: Set<String> = [
        "t", "true", "yes", "right", "wahr", "richtig", "ja", "vrai", "oui", "verdadero", "vero", "waar", "juist",
    ]
    private static let falseWords: Set<String> = [
        "f", "false", "no", "wrong", "falsch", "nein", "faux", "non", "falso", "onwaar", "onjuist", "nee",
    ]
}

extension ClosedRange<Double> {
    /// As people count: a number that differs by the last bits is the same.
    func holds(_ number: Double) -> Bool {
        let slack = 1e-9 * Swift.max(1, Swift.max(abs(lowerBound), abs(upperBound)))
        return number >= lowerBound - slack && number <= upperBound + slack
    }
}
