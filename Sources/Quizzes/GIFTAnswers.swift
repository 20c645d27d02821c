// SPDX-License-Identifier: Apache-2.0

/// What stands between the braces, by its content.
enum GIFTAnswers {
    static func kind(_ answers: GIFTText) throws(GIFTMistake) -> QuizQuestion.Kind {
        if answers.isEmpty { return .essay }
        if answers.first("#") == answers.indices.lowerBound {
            return .numbers(try numbers(answers[(answers.indices.lowerBound + 1)..<answers.indices.upperBound]))
        }
        if answers.first("~") != nil { return try choice(answers) }
        if answers.first("=") != nil, answers.first("->") != nil { return .pairs(try pairs(answers)) }
        switch answers.withoutFeedback.text {
        case "T", "TRUE": return .trueFalse(true)
        case "F", "FALSE": return .trueFalse(false)
        default: return .text(try texts(answers))
        }
    }

    private static func choice(_ answers: GIFTText) throws(GIFTMistake) -> QuizQuestion.Kind {
        var options: [QuizQuestion.Option] = []
        var hasRight = false
        for part in answers.split(at: ["~", "="]) {
            let (weight, text) = try weighted(part.text, else: part.mark == "=" ? 1 : 0)
            if part.mark == "=" { hasRight = true }
            options.append(QuizQuestion.Option(text.withoutFeedback.withoutFormat.text, weight: weight))
        }
        guard options.count >= 2 else { throw GIFTMistake("a question to choose from has at least two answers") }
        let best = hasRight ? options.map(\.weight).max() ?? 0 : options.map(\.weight).filter { $0 > 0 }.reduce(0, +)
        guard best > 0 else { throw GIFTMistake("no answer is right: mark one with '=', or give shares such as ~%50%") }
        // Shares of thirds and sevenths are written with few digits.
        guard abs(best - 1) <= 0.01 else {
            let percent = Int((best * 100).rounded())
            throw GIFTMistake("the shares of right answers add up to \(percent) %, not 100 %, so full points cannot be had")
        }
        return .choice(options, several: !hasRight)
    }

    private static func texts(_ answers: GIFTText) throws(GIFTMistake) -> [QuizQuestion.Accepted] {
        var accepted: [QuizQuestion.Accepted] = []
        for part in answers.split(at: ["="]) {
            let (weight, text) = try weighted(part.text, else: 1)
            let bare = text.withoutFeedback.withoutFormat.text
            guard !bare.isEmpty else { throw GIFTMistake("an accepted answer is empty") }
            accepted.append(QuizQuestion.Accepted(pieces(bare), weight: weight))
        }
        guard accepted.contains(where: { $0.weight > 0.99 }) else { throw GIFTMistake("no answer gives full points") }
        return accepted
    }

    /// Anything may stand where there is a `*` without a backslash.
    static func pieces(_ text: String) -> [String] {
        var pieces = [""]
        var isEscaped = false
        for character in text {
            if character == "*", !isEscaped {
                pieces.append("")
            } else {
                if character == "*" { pieces[pieces.count - 1].removeLast() }
                pieces[pieces.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        return pieces
    }

    private static func numbers(_ answers: GIFTText) throws(GIFTMistake) -> [QuizQuestion.Numbers] {
        // What follows `~` is said of every other answer.
        let answers = answers.first("~").map { answers[answers.indices.lowerBound..<$0] } ?? answers
        var numbers: [QuizQuestion.Numbers] = []
        for part in answers.split(at: ["="]) {
            let (weight, text) = try weighted(part.text, else: 1)
            numbers.append(QuizQuestion.Numbers(try range(text.withoutFeedback.withoutFormat.text), weight: weight))
        }
        guard numbers.contains(where: { $0.weight > 0.99 }) else {
            throw GIFTMistake(numbers.isEmpty ? "no number stands after '#'" : "no number gives full points")
        }
        return numbers
    }

    private static func range(_ text: String) throws(GIFTMistake) -> ClosedRange<Double> {
        func number(_ text: some StringProtocol) throws(GIFTMistake) -> Double {
            let bare = Lines.trimmed(text)
            guard let number = Double(bare), number.isFinite else { throw GIFTMistake("'\(bare.prefix(40))' is no number") }
            return number
        }
        if let dots = text.firstRange(of: "..") {
            let low = try number(text[..<dots.lowerBound])
            let high = try number(text[dots.upperBound...])
            guard low <= high else { throw GIFTMistake("the range '\(text.prefix(40))' begins above its end") }
            return low...high
        }
        if let colon = text.firstIndex(of: ":") {
            let value = try number(text[..<colon])
            let tolerance = try number(text[text.index(after: colon)...])
            guard tolerance >= 0 else { throw GIFTMistake("the tolerance in '\(text.prefix(40))' is below zero") }
            return (value - tolerance)...(value + tolerance)
        }
        let value = try number(text)
        return value...value
    }

    private static func pairs(_ answers: GIFTText) throws(GIFTMistake) -> [QuizQuestion.Pair] {
        var pairs: [QuizQuestion.Pair] = []
        for part in answers.split(at: ["="]) {
            guard let arrow = part.text.first("->") else {
                throw GIFTMistake("'\(part.text.text.prefix(40))' has no '->'; pairs are written =left -> right")
            }
            let range = part.text.indices
            // Feedback is not for pairs, but some write it.
            let right = part.text[(arrow + 2)..<range.upperBound].trimmed.withoutFeedback.text
            guard !right.isEmpty else { throw GIFTMistake("a pair has nothing after '->'") }
            pairs.append(QuizQuestion.Pair(part.text[range.lowerBound..<arrow].trimmed.withoutFormat.text, right))
        }
        guard pairs.count >= 2, pairs.contains(where: { !$0.left.isEmpty }) else {
            throw GIFTMistake("a question of pairs has at least two")
        }
        return pairs
    }

    private static func weighted(_ text: GIFTText, else standard: Double) throws(GIFTMistake) -> (Double, GIFTText) {
        if text.hasBrokenWeight {
            throw GIFTMistake("'\(text.text.prefix(20))' begins like a share; one is written %50%, from -100 to 100")
        }
        guard let (percent, rest) = text.weight else { return (standard, text) }
        return (percent / 100, rest)
    }
}
