// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// The figures of a document, computed from its blocks and facts alone.
package struct TextMetrics: Equatable, Sendable {
    /// The language by which the figures were made: what the text shows, else what the document declares; nil where neither is known.
    package var language: String?
    /// The first is what people look at first: words, or slides for a presentation.
    package var items: [Item]
    /// Figures that cannot honestly be given.
    package var notes: [MissingItem]

    private let choice: MetricChoice
    /// Where the character set or the layout is guessed, so are all words.
    private let isEstimated: Bool

    package init(_ outline: Outline, choice: MetricChoice = .standard) {
        let meter = TextMeter(choice)
        for block in outline.blocks { meter.add(block.text, at: block.place) }
        self.init(meter, outline.facts)
    }

    /// After the last block went in.
    package init(_ meter: TextMeter, _ facts: DocumentFacts) {
        choice = meter.choice
        language = LanguageGuess.language(sample: meter.sample, declared: facts.language)
        isEstimated = facts.areWordsEstimated || facts.isEncodingGuessed
        items = []
        notes = []
        if let slides = facts.slides {
            add("slide_count", "Slides", slides.count)
            add("hidden_slide_count", "Hidden Slides", slides.count(where: \.isHidden))
        }
        if let sheets = facts.sheets { add("sheet_count", "Sheets", sheets) }
        if let reason = facts.noWordsBecause {
            miss(["total_word_count", "character_count"], reason)
            addStructure(meter, facts)
            return
        }
        addWords(meter)
        add("character_count", "Characters", meter.body.characters, isEstimated ? .estimated : .counted)
        add("paragraph_count", "Paragraphs", meter.paragraphs, isEstimated ? .estimated : .counted)
        addStructure(meter, facts)
        addApart(meter, isPresentation: facts.slides != nil)
        if choice.needsProse { addProse(meter) }
    }

    private mutating func add(_ identifier: String, _ title: String, _ value: Int, _ method: Item.Method = .counted) {
        guard choice.wants(identifier) else { return }
        items.append(Item(identifier: identifier, title: title, value: .quantity(Double(value)), method: method))
    }

    private mutating func miss(_ identifiers: [String], _ reason: String) {
        for identifier in identifiers where choice.wants(identifier) {
            notes.append(MissingItem(identifier: identifier, reason: reason))
        }
    }

    private mutating func addWords(_ meter: TextMeter) {
        let body = meter.body
        if body.undivided * 10 > body.letters {
            let reason = "the text is in a script without spaces between words, for which there is no dictionary; see the characters"
            miss(["total_word_count"], reason)
        } else {
            // Dictionaries part such scripts nearly as a reader would.
            add("total_word_count", "Word Count", body.words, body.unspaced == 0 && !isEstimated ? .counted : .estimated)
        }
        add("uax29_word_count", "Word Count (UAX 29)", meter.standardWords, isEstimated ? .estimated : .counted)
    }

    private mutating func addStructure(_ meter: TextMeter, _ facts: DocumentFacts) {
        if let cells = facts.cells { add("cell_count", "Cells", cells) }
        if let chapters = facts.chapters { add("chapter_count", "Chapters", chapters) }
        if let lines = facts.lines {
            add("code_line_count", "Lines of Code", lines.code)
            add("comment_line_count", "Lines of Comment", lines.comment)
            add("blank_line_count", "Blank Lines", lines.blank)
        }
        addPages(facts.pages, words: meter.body.words)
    }

    /// Without layout a page is what the program that saved the document says, where that is plausible, else 500 words.
    private mutating func addPages(_ pages: Pages?, words: Int) {
        switch pages {
        case nil: break
        case .counted(let count): add("page_count", "Pages", count)
        case .flowing(let breaks, let declared):
            if let declared, declared > breaks, declared * 1200 >= words, declared <= words / 50 + 1 + breaks {
                add("page_count", "Pages", declared, .declared)
            } else {
                add("page_count", "Pages", max(1, breaks + (words + 499) / 500), .estimated)
            }
        }
    }

    /// Places that are not the body: given where there is something to give.
    private mutating func addApart(_ meter: TextMeter, isPresentation: Bool) {
        let places: [(Place, String, String)] = [
            (.speakerNotes, "notes_word_count", "Words in Speaker Notes"),
            (.note, "footnote_word_count", "Words in Footnotes and Endnotes"),
            (.headerFooter, "header_footer_word_count", "Words in Headers and Footers"),
            (.comment, "comment_word_count", "Words in Comments"),
            (.deleted, "deleted_word_count", "Words Deleted with Tracking"),
            (.hidden, "hidden_word_count", "Words in Hidden Text"),
        ]
        for (place, identifier, title) in places {
            let words = meter.apart[place]?.words ?? 0
            if words > 0 || (place == .speakerNotes && isPresentation) {
                add(identifier, title, words, isEstimated ? .estimated : .counted)
            }
        }
    }

    private mutating func addProse(_ meter: TextMeter) {
        let counts = meter.prose.counts(language: language)
        let isWhole = meter.prose.readWords == meter.prose.words
        // Of a longer document the beginning stands for the rest.
        let sentences =
            isWhole ? counts.sentences : Int((Double(counts.sentences) * Double(meter.prose.words) / Double(counts.words)).rounded())
        add("sentence_count", "Sentences", sentences, isWhole && !isEstimated ? .counted : .estimated)
        addReadability(counts)
    }

    private mutating func addReadability(_ counts: ProseCounts) {
        let english = Readability.formulas.filter { $0.languages.contains("en") }.map(\.identifier)
        guard let language else { return miss(english, "the language is not known, and each formula is for one") }
        guard Readability.languages.contains(language) else {
            return miss(english, "the formulas are for English, and the text is in another language (\(language))")
        }
        let fitting = Readability.formulas.filter { $0.languages.isEmpty || $0.languages.contains(language) }
        if language != "en" {
            miss(english, "the formulas are for English, and the text is in another language (\(language))")
        }
        if Syllables.rules(for: language) != nil { add("syllable_count", "Syllables", counts.syllables, .estimated) }
        if let reason = Readability.reasonAgainst(counts) { return miss(fitting.map(\.identifier), reason) }
        addIngredients(counts)
        for formula in fitting {
            guard counts.sentences >= formula.leastSentences else {
                miss([formula.identifier], "too short: \(counts.sentences) sentences, at least \(formula.leastSentences) are needed")
                continue
            }
            guard choice.wants(formula.identifier) else { continue }
            // Two places are more than a formula can promise and enough to compare with other programs.
            let rounded = (formula.value(counts) * 100).rounded() / 100
            items.append(Item(identifier: formula.identifier, title: formula.title, value: .quantity(rounded), method: .estimated))
        }
        if language == "en" { miss(["dale_chall"], "its list of 3,000 easy words may not be passed on, so it is not part of Daybook") }
    }

    /// What the grades are made of, so that everybody can see why.
    private mutating func addIngredients(_ counts: ProseCounts) {
        add("prose_word_count", "Words of Running Text", counts.words)
        add("prose_sentence_count", "Sentences of Running Text", counts.sentences)
        add("long_word_count", "Words of More than 6 Letters", counts.longWords)
        if counts.syllables > 0 { add("polysyllable_count", "Words of 3 Syllables and More", counts.polysyllables, .estimated) }
        if language == "en" { add("hard_word_count", "Hard Words (Gunning)", counts.hardWords, .estimated) }
    }
}
