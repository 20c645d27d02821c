// SPDX-License-Identifier: Apache-2.0

/// What a teacher says is right, question by question.
package struct QuizKey: Equatable, Sendable {
    /// How it was written. The raw values stand in the journal.
    package enum Form: String, Sendable, CaseIterable { case gift, aiken, csv }

    /// Bytes of a key's file. A hundred questions with feedback have about 40,000.
    package static let longestFile = 64 << 10
    /// Each question becomes an item of each measured save.
    package static let mostQuestions = 200
    /// Characters of a question's id.
    package static let longestID = 32

    package var form: Form
    /// In the key's order; what asks nothing is left out.
    package var questions: [QuizQuestion]

    package init(form: Form, questions: [QuizQuestion]) {
        self.form = form
        self.questions = questions
    }

    /// Those that a program can score.
    package var scorable: [QuizQuestion] { questions.filter(\.isScorable) }

    /// The best score.
    package var maxScore: Double { scorable.reduce(0) { $0 + $1.points } }
}

/// One question, and what is right.
package struct QuizQuestion: Equatable, Sendable {
    /// One answer to choose, and what share of the points it gives; below zero where it takes away.
    package struct Option: Equatable, Sendable {
        package var text: String
        package var weight: Double

        package init(_ text: String, weight: Double) {
            self.text = text
            self.weight = weight
        }
    }

    /// A text that is accepted: pieces between which anything may stand.
    package struct Accepted: Equatable, Sendable {
        package var pieces: [String]
        package var weight: Double

        package init(_ pieces: [String], weight: Double) {
            self.pieces = pieces
            self.weight = weight
        }
    }

    /// Numbers that are accepted.
    package struct Numbers: Equatable, Sendable {
        package var range: ClosedRange<Double>
        package var weight: Double

        package init(_ range: ClosedRange<Double>, weight: Double) {
            self.range = range
            self.weight = weight
        }
    }

    package struct Pair: Equatable, Sendable {
        /// Empty for an answer that belongs to nothing.
        package var left: String
        package var right: String

        package init(_ left: String, _ right: String) {
            self.left = left
            self.right = right
        }
    }

    package enum Kind: Equatable, Sendable {
        /// `several`: all that are right are to be named, and weights add up.
        case choice([Option], several: Bool)
        case trueFalse(Bool)
        case text([Accepted])
        case numbers([Numbers])
        case pairs([Pair])
        /// Exactly one of these: a letter, letters, a number or a text.
        case cells([String])
        /// Only a person can judge it.
        case essay
    }

    /// Its number, from 1, or the id that the key gives it.
    package var id: String
    package var name: String?
    /// What is asked; empty where the key does not say.
    package var stem: String
    package var kind: Kind
    package var points: Double
    /// Where it begins in the key's file, from 1.
    package var line: Int

    package init(id: String, name: String? = nil, stem: String = "", kind: Kind, points: Double = 1, line: Int = 1) {
        self.id = id
        self.name = name
        self.stem = stem
        self.kind = kind
        self.points = points
        self.line = line
    }

    package var isScorable: Bool { kind != .essay }
}
