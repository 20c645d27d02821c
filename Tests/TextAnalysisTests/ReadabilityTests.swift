// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import TextAnalysis
import Testing

@Suite("Readability")
struct ReadabilityTests {
    /// Counts from which each formula was computed by hand.
    private static let counts: ProseCounts = {
        var counts = ProseCounts(words: 200, sentences: 40, syllables: 300)
        counts.letters = 900
        counts.digits = 20
        counts.polysyllables = 24
        counts.hardWords = 20
        counts.longWords = 30
        counts.monosyllables = 120
        return counts
    }()

    @Test(
        "is what each author's formula gives",
        arguments: [
            ("readability_grade_level", 4.06), ("flesch_reading_ease", 74.86), ("gunning_fog", 6.0), ("smog_index", 7.5542),
            ("automated_readability_index", 2.736), ("coleman_liau_index", 4.74), ("amstad", 87.25), ("wiener_sachtextformel", 2.2668),
            ("kandel_moles", 91.525), ("fernandez_huerta", 111.74), ("szigriszt_pazos", 108.385), ("gutierrez_polini", 49.8),
            ("gulpease", 104),
            ("flesch_vacca", 120.5), ("douma", 86.685), ("lix", 20), ("rix", 0.75),
        ])
    func formulas(identifier: String, value: Double) throws {
        let formula = try #require(Readability.formula(identifier))
        #expect(abs(formula.value(Self.counts) - value) < 0.0005, "\(formula.value(Self.counts))")
    }

    private func metrics(_ text: String, times: Int = 6, declared: String? = nil) -> TextMetrics {
        let blocks = (0..<times).map { _ in Block(text: text, place: .paragraph) }
        return TextMetrics(Outline(blocks: blocks, language: declared))
    }

    private static let texts = [
        "de": "Das Haus steht an der Straße und ist sehr alt. Die Kinder gehen heute nicht in die Schule, weil sie krank sind. "
            + "Der Hund wird von einem Mann gerufen, aber er kommt nicht.",
        "fr": "Le chat est dans la maison et il dort sur une chaise. Les enfants ne sont pas à l'école, mais ils lisent des livres. "
            + "Elle a mis du pain sur la table pour nous.",
        "es": "El perro está en la casa y no quiere salir porque llueve. Los niños leen un libro con su madre en la cocina. "
            + "La ciudad es muy grande, pero las calles son para todos.",
        "it": "Il gatto è nella casa e non vuole uscire perché piove. I bambini leggono un libro con la madre nella cucina. "
            + "La città è molto grande, ma le strade sono di tutti.",
        "nl": "De kat zit in het huis en wil niet naar buiten omdat het regent. De kinderen lezen een boek met hun moeder in de keuken. "
            + "Het is een grote stad, maar er zijn ook kleine straten.",
    ]

    @Test(
        "of other languages has their own formulas and no English one",
        arguments: [
            ("de", ["amstad", "wiener_sachtextformel"]), ("fr", ["kandel_moles"]),
            ("es", ["fernandez_huerta", "szigriszt_pazos", "gutierrez_polini"]), ("it", ["gulpease", "flesch_vacca"]), ("nl", ["douma"]),
        ])
    func languages(language: String, formulas: [String]) throws {
        let metrics = metrics(try #require(Self.texts[language]), declared: "en-US")
        #expect(metrics.language == language)
        let given = metrics.items.map(\.identifier)
        #expect(given.filter { Readability.formula($0) != nil } == formulas + ["lix", "rix"])
        #expect(metrics.notes.contains { $0.identifier == "readability_grade_level" && $0.reason.contains("(\(language))") })
    }

    @Test("of a list, of a text without full stops, of Chinese is none, with the reason")
    func reasons() {
        let list = Outline(blocks: (0..<80).map { Block(text: "the item number \($0)", place: $0 % 2 == 0 ? .tableCell : .heading) })
        #expect(TextMetrics(list).notes.contains { $0.identifier == "readability_grade_level" && $0.reason.contains("too short: 0 words") })
        let endless = metrics(Array(repeating: "and then the people went to the house with a dog", count: 20).joined(separator: " "))
        #expect(endless.notes.contains { $0.identifier == "readability_grade_level" && $0.reason.contains("not prose") })
        let chinese = metrics(String(repeating: "\u{6211}\u{4eec}\u{5b66}\u{4e60}\u{3002}", count: 30))
        #expect(chinese.notes.contains { $0.identifier == "readability_grade_level" && $0.reason.contains("(zh)") })
        #expect(!chinese.items.contains { Readability.formula($0.identifier) != nil })
    }

    @Test("of a long document is that of its first 200,000 words, and its sentences are estimated")
    func long() {
        let sentence = "The people went to the old house with a dog and a cat. "
        let meter = TextMeter()
        for _ in 0..<6000 { meter.add(String(repeating: sentence, count: 4), at: .paragraph) }
        let metrics = TextMetrics(meter, DocumentFacts())
        func item(_ identifier: String) -> Item? { metrics.items.first { $0.identifier == identifier } }
        #expect(item("total_word_count")?.value == .quantity(312_000))
        #expect(item("total_word_count")?.method == .counted)
        #expect(item("prose_word_count")?.value == .quantity(200_044))
        #expect(item("sentence_count")?.value == .quantity(24_000))
        #expect(item("sentence_count")?.method == .estimated)
    }

    @Test("of Gunning leaves out names, compounds of easy words, and endings")
    func hardWords() {
        func hard(_ text: String) -> Item.Value? {
            let filler = " The dog and the cat ran to the house with me. It was not far from here to there."
            let blocks = [Block(text: text, place: .paragraph)] + (0..<8).map { _ in Block(text: filler, place: .paragraph) }
            return TextMetrics(Outline(blocks: blocks)).items.first { $0.identifier == "hard_word_count" }?.value
        }
        #expect(hard("We saw an animal.") == .quantity(1))
        #expect(hard("We saw Victoria.") == .quantity(0))
        #expect(hard("Animals are here.") == .quantity(1))
        #expect(hard("We are bookkeeper-like and up-to-date.") == .quantity(1))
        #expect(hard("We created it, and are deciding on boxes.") == .quantity(0))
        #expect(hard("We are considering it.") == .quantity(1))
    }
}
