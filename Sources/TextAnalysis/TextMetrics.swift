// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// The figures of a document, computed from its outline alone.
package struct TextMetrics: Equatable, Sendable {
    /// The language by which the figures were made: what the text shows, else what the document declares; nil where neither is known.
    package var language: String?
    /// The first is what people look at first: words, or slides for a presentation.
    package var items: [Item]
    /// Figures that cannot honestly be given.
    package var notes: [MissingItem]

    package init(_ outline: Outline) {
        var count = Count()
        for block in outline.blocks { count.add(block) }
        language = count.language(declared: outline.language)
        items = []
        notes = []
        if let slides = outline.slides {
            add("slide_count", "Slides", slides.count)
            add("hidden_slide_count", "Hidden Slides", slides.count(where: \.isHidden))
        }
        addWords(count)
        add("character_count", "Characters", count.characters)
        let prose = count.prose(language: language)
        add("sentence_count", "Sentences", prose.sentences)
        add("paragraph_count", "Paragraphs", count.paragraphs)
        addApart(count, isPresentation: outline.slides != nil)
        addReadability(prose, count)
    }

    private mutating func add(_ identifier: String, _ title: String, _ value: Int, _ method: Item.Method = .counted) {
        items.append(Item(identifier: identifier, title: title, value: .quantity(Double(value)), method: method))
    }

    private mutating func addWords(_ count: Count) {
        let body = count.body
        if body.unspacedLetters * 10 > body.letters {
            let reason = "the text is in a script without spaces between words, so words cannot be told apart; see the characters"
            notes.append(MissingItem(identifier: "total_word_count", reason: reason))
        } else {
            // A few words of such a script in other text count as one each run.
            add("total_word_count", "Word Count", body.words, body.unspacedLetters == 0 ? .counted : .estimated)
        }
    }

    /// Places that are not the body: given where there is something to give.
    private mutating func addApart(_ count: Count, isPresentation: Bool) {
        let places: [(Place, String, String)] = [
            (.speakerNotes, "notes_word_count", "Words in Speaker Notes"),
            (.note, "footnote_word_count", "Words in Footnotes and Endnotes"),
            (.headerFooter, "header_footer_word_count", "Words in Headers and Footers"),
            (.comment, "comment_word_count", "Words in Comments"),
            (.deleted, "deleted_word_count", "Words Deleted with Tracking"),
            (.hidden, "hidden_word_count", "Words in Hidden Text"),
        ]
        for (place, identifier, title) in places {
            let words = count.apart[place]?.words ?? 0
            if words > 0 || (place == .speakerNotes && isPresentation) { add(identifier, title, words) }
        }
    }

    private mutating func addReadability(_ prose: ProseCounts, _ count: Count) {
        let identifiers = ["readability_grade_level", "flesch_reading_ease"]
        func refuse(_ reason: String) {
            for identifier in identifiers { notes.append(MissingItem(identifier: identifier, reason: reason)) }
        }
        guard let language else { return refuse("the language is not known, and the formulas are for English") }
        guard language == "en" else { return refuse("the formulas are for English, and the text is in another language (\(language))") }
        add("syllable_count", "Syllables", prose.syllables, .estimated)
        if let reason = Readability.reasonAgainst(prose) { return refuse(reason) }
        for (identifier, title, value) in [
            ("readability_grade_level", "Flesch-Kincaid Grade", Readability.fleschKincaidGrade(prose)),
            ("flesch_reading_ease", "Flesch Reading Ease", Readability.fleschReadingEase(prose)),
        ] {
            // Two places are more than the formula can promise and enough to compare with other programs.
            let rounded = (value * 100).rounded() / 100
            items.append(Item(identifier: identifier, title: title, value: .quantity(rounded), method: .estimated))
        }
    }
}

/// One pass over the blocks.
private struct Count {
    var body = WordTally()
    var apart: [Place: WordTally] = [:]
    var characters = 0
    var paragraphs = 0
    /// Blocks that may be running prose, with the words of each.
    private var candidates: [(text: String, words: Int)] = []
    private var sample: [UInt8] = []

    mutating func add(_ block: Block) {
        let text = ClassifiedText(block.text)
        guard block.place.isBody else {
            apart[block.place, default: WordTally()].add(text)
            return
        }
        let before = body.words
        body.add(text)
        characters += block.text.count { !$0.isNewline }
        paragraphs += 1
        if sample.count < 100_000 {
            sample.append(contentsOf: text.bytes)
            sample.append(0x0a)
        }
        let words = body.words - before
        if words > 0, Self.isProse(block.place, words: words) { candidates.append((block.text, words)) }
    }

    /// Headings, captions, tables, code and short list items are no sentences.
    private static func isProse(_ place: Place, words: Int) -> Bool {
        switch place {
        case .paragraph: true
        case .listItem: words >= 4
        default: false
        }
    }

    func language(declared: String?) -> String? {
        let text = ClassifiedText(bytes: sample)
        if let guess = LanguageGuess.guess(text) { return guess }
        guard let declared = declared?.split(whereSeparator: { $0 == "-" || $0 == "_" }).first?.lowercased(), declared.count >= 2,
            declared != "zxx", declared != "und", declared != "none"
        else { return nil }
        // Templates declare English for whatever is typed into them.
        return declared == "en" && !LanguageGuess.couldBeEnglish(text) ? nil : declared
    }

    func prose(language: String?) -> ProseCounts {
        let finder = SentenceFinder(language: language)
        var counts = ProseCounts()
        // Most words of a text come again and again.
        var known: [String: Int] = [:]
        for candidate in candidates {
            counts.words += candidate.words
            let text = ClassifiedText(bytes: SentenceFinder.unwrapped(candidate.text))
            counts.sentences += finder.sentences(in: text).count
            guard language == "en" else { continue }
            var scanner = WordScanner(text)
            while let range = scanner.next() {
                let word = text.text(range)
                let syllables = known[word] ?? EnglishSyllables.count(word)
                if known.count < 20_000 { known[word] = syllables }
                counts.syllables += syllables
            }
        }
        return counts
    }
}
