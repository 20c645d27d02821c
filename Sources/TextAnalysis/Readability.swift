// SPDX-License-Identifier: Apache-2.0

/// What readability formulas are computed from: the running prose of a document.
package struct ProseCounts: Equatable, Sendable {
    package var words = 0
    package var sentences = 0
    package var syllables = 0

    package init(words: Int = 0, sentences: Int = 0, syllables: Int = 0) {
        self.words = words
        self.sentences = sentences
        self.syllables = syllables
    }
}

/// Formulas for English prose.
package enum Readability {
    /// Below these a grade is noise.
    package static let leastWords = 100
    package static let leastSentences = 5

    /// Why no grade can be given; nil where one can.
    package static func reasonAgainst(_ counts: ProseCounts) -> String? {
        if counts.words < leastWords { return "too short: \(counts.words) words of running text, at least \(leastWords) are needed" }
        if counts.sentences < leastSentences {
            return "too short: \(counts.sentences) sentences, at least \(leastSentences) are needed"
        }
        return nil
    }

    /// The American school grade that reads this with ease (Flesch and Kincaid).
    package static func fleschKincaidGrade(_ counts: ProseCounts) -> Double {
        let (words, sentences, syllables) = doubles(counts)
        return 0.39 * words / sentences + 11.8 * syllables / words - 15.59
    }

    /// From about 0 (hard) to 100 (easy); may go beyond both.
    package static func fleschReadingEase(_ counts: ProseCounts) -> Double {
        let (words, sentences, syllables) = doubles(counts)
        return 206.835 - 1.015 * words / sentences - 84.6 * syllables / words
    }

    private static func doubles(_ counts: ProseCounts) -> (Double, Double, Double) {
        (Double(max(1, counts.words)), Double(max(1, counts.sentences)), Double(counts.syllables))
    }
}
