// SPDX-License-Identifier: Apache-2.0

/// One figure of readability: what it is called, for which languages it was made, and its formula.
package struct ReadabilityFormula: Sendable {
    package let identifier: String
    package let title: String
    /// Two-letter codes; empty for formulas that need no syllables and serve any language of the list in `Readability.languages`.
    package let languages: Set<String>
    /// Fewer sentences than this give no figure.
    package let leastSentences: Int
    package let value: @Sendable (Ratios) -> Double

    init(
        _ identifier: String, _ title: String, _ languages: Set<String>, leastSentences: Int = Readability.leastSentences,
        _ value: @escaping @Sendable (Ratios) -> Double
    ) {
        self.identifier = identifier
        self.title = title
        self.languages = languages
        self.leastSentences = leastSentences
        self.value = value
    }

    package func value(_ counts: ProseCounts) -> Double { value(Ratios(counts)) }
}

/// The averages that the formulas are made of.
package struct Ratios: Sendable {
    let wordsPerSentence: Double
    let syllablesPerWord: Double
    let lettersPerWord: Double
    let charactersPerWord: Double
    let sentencesPerWord: Double
    let polysyllables: Double
    let sentences: Double
    /// Percentages of the words.
    let hard: Double
    let long: Double
    let many: Double
    let one: Double
    let longWords: Double

    init(_ counts: ProseCounts) {
        let words = Double(max(1, counts.words))
        sentences = Double(max(1, counts.sentences))
        wordsPerSentence = words / sentences
        sentencesPerWord = sentences / words
        syllablesPerWord = Double(counts.syllables) / words
        lettersPerWord = Double(counts.letters) / words
        charactersPerWord = Double(counts.letters + counts.digits) / words
        polysyllables = Double(counts.polysyllables)
        hard = 100 * Double(counts.hardWords) / words
        long = 100 * Double(counts.longWords) / words
        many = 100 * Double(counts.polysyllables) / words
        one = 100 * Double(counts.monosyllables) / words
        longWords = Double(counts.longWords)
    }
}

/// When figures of readability may be given, and which there are.
package enum Readability {
    /// Below these a grade is noise.
    package static let leastWords = 100
    package static let leastSentences = 5
    /// SMOG was made for thirty sentences and more.
    package static let leastSentencesForSMOG = 30
    /// Longer sentences on average are no prose, but text without full stops.
    package static let mostWordsPerSentence = 100

    /// Languages whose prose is measured at all: written with spaces, and with full stops that we know.
    package static let languages: Set<String> = ["en", "de", "fr", "es", "it", "nl", "pt", "sv", "da", "nb", "no", "fi", "pl"]

    /// Why no figure can be given; nil where one can.
    package static func reasonAgainst(_ counts: ProseCounts) -> String? {
        if counts.words < leastWords { return "too short: \(counts.words) words of running text, at least \(leastWords) are needed" }
        if counts.sentences < leastSentences {
            return "too short: \(counts.sentences) sentences, at least \(leastSentences) are needed"
        }
        if counts.words / counts.sentences > mostWordsPerSentence {
            return "not prose: \(counts.words) words have only \(counts.sentences) ends of sentences"
        }
        return nil
    }

    package static func formula(_ identifier: String) -> ReadabilityFormula? { formulas.first { $0.identifier == identifier } }

    /// Sources: reference works of each author, as their coefficients are given in `Documentation/Metrics.md`.
    package static let formulas: [ReadabilityFormula] = [
        ReadabilityFormula("readability_grade_level", "Flesch-Kincaid Grade", ["en"]) {
            0.39 * $0.wordsPerSentence + 11.8 * $0.syllablesPerWord - 15.59
        },
        ReadabilityFormula("flesch_reading_ease", "Flesch Reading Ease", ["en"]) {
            206.835 - 1.015 * $0.wordsPerSentence - 84.6 * $0.syllablesPerWord
        },
        ReadabilityFormula("gunning_fog", "Gunning Fog", ["en"]) { 0.4 * ($0.wordsPerSentence + $0.hard) },
        ReadabilityFormula("smog_index", "SMOG", ["en"], leastSentences: leastSentencesForSMOG) {
            1.0430 * (30 * $0.polysyllables / $0.sentences).squareRoot() + 3.1291
        },
        ReadabilityFormula("automated_readability_index", "Automated Readability Index", ["en"]) {
            4.71 * $0.charactersPerWord + 0.5 * $0.wordsPerSentence - 21.43
        },
        ReadabilityFormula("coleman_liau_index", "Coleman-Liau", ["en"]) {
            0.0588 * 100 * $0.lettersPerWord - 0.296 * 100 * $0.sentencesPerWord - 15.8
        },
        ReadabilityFormula("amstad", "Reading Ease (Amstad)", ["de"]) { 180 - $0.wordsPerSentence - 58.5 * $0.syllablesPerWord },
        ReadabilityFormula("wiener_sachtextformel", "Wiener Sachtextformel 1", ["de"]) {
            0.1935 * $0.many + 0.1672 * $0.wordsPerSentence + 0.1297 * $0.long - 0.0327 * $0.one - 0.875
        },
        ReadabilityFormula("kandel_moles", "Reading Ease (Kandel-Moles)", ["fr"]) {
            207 - 1.015 * $0.wordsPerSentence - 73.6 * $0.syllablesPerWord
        },
        ReadabilityFormula("fernandez_huerta", "Reading Ease (Fernández-Huerta)", ["es"]) {
            206.84 - 60 * $0.syllablesPerWord - 1.02 * $0.wordsPerSentence
        },
        ReadabilityFormula("szigriszt_pazos", "Perspicuity (Szigriszt-Pazos)", ["es"]) {
            206.835 - 62.3 * $0.syllablesPerWord - $0.wordsPerSentence
        },
        ReadabilityFormula("gutierrez_polini", "Comprehensibility (Gutiérrez de Polini)", ["es"]) {
            95.2 - 9.7 * $0.lettersPerWord - 0.35 * $0.wordsPerSentence
        },
        ReadabilityFormula("gulpease", "Gulpease", ["it"]) { 89 + 300 * $0.sentencesPerWord - 10 * $0.lettersPerWord },
        ReadabilityFormula("flesch_vacca", "Reading Ease (Flesch-Vacca)", ["it"]) {
            217 - 1.3 * $0.wordsPerSentence - 60 * $0.syllablesPerWord
        },
        ReadabilityFormula("douma", "Reading Ease (Douma)", ["nl"]) { 206.835 - 0.93 * $0.wordsPerSentence - 77 * $0.syllablesPerWord },
        ReadabilityFormula("lix", "LIX", []) { $0.wordsPerSentence + $0.long },
        ReadabilityFormula("rix", "RIX", []) { $0.longWords / $0.sentences },
    ]
}
