// SPDX-License-Identifier: Apache-2.0
package import TextAnalysis

/// Takes the blocks of one document, keeps their text within the document's limit, and either measures or keeps them.
package final class OutlineBuilder {
    private let document: Document
    private var meter: TextMeter?
    private var blocks: [Block] = []
    private var open: (place: Place, bytes: [UInt8])?
    /// Bytes of body text by the language that is declared for them.
    private var languages: [String: Int] = [:]
    private var lastLanguage: String?
    private var lastBytes = 0
    /// What the document is besides its text. The language is that of text of which nothing else is declared.
    package var facts = DocumentFacts()

    /// Keeps the blocks.
    package init(_ document: Document) { self.document = document }

    /// Measures the blocks and forgets them.
    package init(_ document: Document, measuring choice: MetricChoice) {
        self.document = document
        meter = TextMeter(choice)
    }

    /// False where nobody looks at blocks one by one, so a reader need not find where they end.
    var needsBlocks: Bool { meter?.choice.needsBlocks ?? true }

    /// What has been counted so far; nil where blocks are kept.
    var tally: TextTally? { meter?.body }

    func append(_ bytes: [UInt8], at place: Place) throws(ReadingError) {
        guard !bytes.isEmpty else { return }
        begin(place)
        try more(bytes)
        end()
    }

    func append(_ text: String, at place: Place) throws(ReadingError) { try append(Array(text.utf8), at: place) }

    func begin(_ place: Place) {
        if let meter { meter.begin(place) } else { open = (place, []) }
    }

    func more(_ bytes: [UInt8]) throws(ReadingError) {
        try document.spendText(bytes.count)
        if let meter { bytes.withUnsafeBytes { meter.more($0) } } else { open?.bytes.append(contentsOf: bytes) }
    }

    func more(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {
        try document.spendText(bytes.count)
        if let meter { meter.more(bytes) } else { open?.bytes.append(contentsOf: bytes) }
    }

    func end() {
        if let meter { return meter.end() }
        guard let done = open else { return }
        open = nil
        let text = String(decoding: done.bytes, as: UTF8.self)
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return }
        blocks.append(Block(text: text, place: done.place))
    }

    func count(language: String?, bytes: Int) {
        // Most text is in the language of the text before it.
        if language != lastLanguage {
            addLastLanguage()
            lastLanguage = language
        }
        lastBytes += bytes
    }

    private func addLastLanguage() {
        if let lastLanguage, languages.count < 64 || languages[lastLanguage] != nil { languages[lastLanguage, default: 0] += lastBytes }
        lastBytes = 0
    }

    /// Forgets what came, for a reader that found out it was wrong.
    func startAgain() {
        if let choice = meter?.choice { meter = TextMeter(choice) }
        blocks = []
        open = nil
        languages = [:]
        lastBytes = 0
        document.refundText()
    }

    private func finalFacts() -> DocumentFacts {
        addLastLanguage()
        var result = facts
        // The language most of it is declared to be in. Equal shares are settled by name, so that the answer never depends on the order of a
        // dictionary.
        result.language = languages.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? facts.language
        return result
    }

    /// Of a builder that keeps the blocks.
    package func outline() -> Outline { Outline(blocks: blocks, facts: finalFacts()) }

    /// Of a builder that measures.
    package func metrics() -> TextMetrics {
        if let meter { return TextMetrics(meter, finalFacts()) }
        return TextMetrics(outline())
    }
}
