// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Collects the blocks of one part and keeps the text within the document's limit.
final class OutlineBuilder {
    private let document: Document
    private(set) var outline = Outline()
    /// Bytes of body text by the language that is declared for them.
    private var languages: [String: Int] = [:]

    init(_ document: Document) { self.document = document }

    func append(_ bytes: [UInt8], at place: Place) throws(ReadingError) {
        guard !bytes.isEmpty else { return }
        try document.spendText(bytes.count)
        outline.append(String(decoding: bytes, as: UTF8.self), at: place)
    }

    func count(language: String?, bytes: Int) {
        guard let language, languages.count < 64 || languages[language] != nil else { return }
        languages[language, default: 0] += bytes
    }

    /// The outline, in the language most of it is declared to be in, else in this one.
    func finish(language: String?, slides: [Slide]? = nil) -> Outline {
        var result = outline
        // Equal shares are settled by name, so that the answer never depends on the order of a dictionary.
        result.language = languages.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? language
        result.slides = slides
        return result
    }
}
