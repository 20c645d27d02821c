// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import TextAnalysis
import Testing

/// A speech of 1863, in the public domain: a text whose figures are known from counting by hand.
private let gettysburg = [
    "Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated to the "
        + "proposition that all men are created equal.",
    "Now we are engaged in a great civil war, testing whether that nation, or any nation so conceived and so dedicated, can long endure. "
        + "We are met on a great battle-field of that war. We have come to dedicate a portion of that field, as a final resting place for "
        + "those who here gave their lives that that nation might live. It is altogether fitting and proper that we should do this.",
    "But, in a larger sense, we can not dedicate \u{2014} we can not consecrate \u{2014} we can not hallow \u{2014} this ground. The brave "
        + "men, living and dead, who struggled here, have consecrated it, far above our poor power to add or detract. The world will little "
        + "note, nor long remember what we say here, but it can never forget what they did here. It is for us the living, rather, to be "
        + "dedicated here to the unfinished work which they who fought here have thus far so nobly advanced. It is rather for us to be here "
        + "dedicated to the great task remaining before us \u{2014} that from these honored dead we take increased devotion to that cause for "
        + "which they gave the last full measure of devotion \u{2014} that we here highly resolve that these dead shall not have died in "
        + "vain \u{2014} that this nation, under God, shall have a new birth of freedom \u{2014} and that government of the people, by the "
        + "people, for the people, shall not perish from the earth.",
]

private func value(_ metrics: TextMetrics, _ identifier: String) -> Item.Value? {
    metrics.items.first { $0.identifier == identifier }?.value
}

@Suite("The figures of a text")
struct MetricsTests {
    @Test("agree with a speech that was counted by hand")
    func anchor() throws {
        let metrics = TextMetrics(Outline(blocks: gettysburg.map { Block(text: $0, place: .paragraph) }))
        #expect(metrics.language == "en")
        #expect(value(metrics, "total_word_count") == .quantity(271))
        #expect(value(metrics, "sentence_count") == .quantity(10))
        #expect(value(metrics, "syllable_count") == .quantity(369))
        #expect(value(metrics, "readability_grade_level") == .quantity(11.05))
        #expect(value(metrics, "flesch_reading_ease") == .quantity(64.14))
        #expect(value(metrics, "prose_word_count") == .quantity(271))
        #expect(value(metrics, "prose_sentence_count") == .quantity(10))
        // SMOG was made for thirty sentences.
        #expect(value(metrics, "smog_index") == nil)
        #expect(metrics.notes.contains { $0.identifier == "smog_index" && $0.reason.contains("10 sentences, at least 30") })
        #expect(metrics.notes.contains { $0.identifier == "dale_chall" })
    }

    @Test("come from the published formulas")
    func formulas() {
        let counts = ProseCounts(words: 271, sentences: 10, syllables: 369)
        func value(_ identifier: String) -> Double { Readability.formula(identifier)?.value(counts) ?? .nan }
        #expect(abs(value("flesch_reading_ease") - 64.1) < 0.05)
        #expect(abs(value("readability_grade_level") - 11.05) < 0.005)
    }

    @Test("hold no grade for what is too short, by one word or one sentence, and say why")
    func tooShort() {
        #expect(Readability.reasonAgainst(ProseCounts(words: 100, sentences: 5, syllables: 130)) == nil)
        #expect(Readability.reasonAgainst(ProseCounts(words: 99, sentences: 5, syllables: 130))?.contains("99 words") == true)
        #expect(Readability.reasonAgainst(ProseCounts(words: 100, sentences: 4, syllables: 130))?.contains("4 sentences") == true)
        let metrics = TextMetrics(Outline(blocks: [Block(text: "A short text.", place: .paragraph)], language: "en-GB"))
        #expect(metrics.notes.map(\.identifier).prefix(3) == ["readability_grade_level", "flesch_reading_ease", "gunning_fog"])
        #expect(metrics.notes.allSatisfy { $0.reason.contains("too short") })
    }

    @Test("hold no English grade for another language, whatever the template declares")
    func otherLanguage() {
        let german =
            "Das Haus ist sehr alt und es steht an der Straße. Die Kinder gehen nicht in die Schule, weil sie krank sind. "
            + "Der Hund ist auch da und wird von einem Mann gerufen. "
        let metrics = TextMetrics(
            Outline(blocks: [Block(text: String(repeating: german, count: 5), place: .paragraph)], language: "en-US"))
        #expect(metrics.language == "de")
        #expect(value(metrics, "readability_grade_level") == nil)
        #expect(metrics.notes.first?.reason.contains("(de)") == true)
        let greek = TextMetrics(Outline(blocks: [Block(text: "Καλημέρα κόσμε", place: .paragraph)], language: "en-US"))
        #expect(greek.language == nil)
        let chinese = "\u{6211}\u{4eec}\u{5b66}\u{4e60}\u{3002}\u{4ed6}\u{4eec}\u{4e0d}\u{5b66}\u{4e60}\u{3002}"
        let han = TextMetrics(Outline(blocks: [Block(text: chinese, place: .paragraph)]))
        #expect(han.language == "zh")
        #expect(value(han, "total_word_count") == .quantity(9))
        #expect(value(han, "sentence_count") == .quantity(2))
    }

    @Test("keep every place apart that is not the body")
    func places() {
        // 2^i words in the i-th place, so that a total shows which places it holds.
        var outline = Outline()
        for (index, place) in Place.allCases.enumerated() {
            outline.append(Array(repeating: "word", count: 1 << index).joined(separator: " "), at: place)
        }
        let metrics = TextMetrics(outline)
        #expect(value(metrics, "total_word_count") == .quantity(63))
        let apart = [
            "footnote_word_count", "header_footer_word_count", "comment_word_count", "hidden_word_count", "deleted_word_count",
            "notes_word_count",
        ]
        #expect(apart.map { value(metrics, $0) } == (6..<12).map { .quantity(Double(1 << $0)) })
    }

    @Test("of a presentation begin with its slides")
    func slides() {
        let outline = Outline(
            blocks: [Block(text: "Dogs", place: .heading)], slides: [Slide(isHidden: false), Slide(isHidden: true), Slide(isHidden: false)])
        let metrics = TextMetrics(outline)
        #expect(metrics.items.prefix(3).map(\.identifier) == ["slide_count", "hidden_slide_count", "total_word_count"])
        #expect(metrics.items.prefix(3).map(\.value) == [.quantity(3), .quantity(1), .quantity(1)])
        #expect(value(metrics, "notes_word_count") == .quantity(0))
    }

    @Test("of nothing are nothing")
    func empty() {
        let metrics = TextMetrics(Outline())
        #expect(metrics.items.map(\.identifier) == ["total_word_count", "character_count", "paragraph_count", "sentence_count"])
        #expect(metrics.items.allSatisfy { $0.value == .quantity(0) })
    }
}
