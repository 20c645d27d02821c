// SPDX-License-Identifier: Apache-2.0
package import TextAnalysis

extension AnalyzerRegistry {
    /// Measures two small documents of our own, so that processes that are forked afterwards find made what every reader needs: tables,
    /// ICU's data, the libraries' functions.
    package func warmUp(_ choice: MetricChoice) {
        let spaces = ["office", "text", "meta"].map { "xmlns:\($0)=\"urn:oasis:names:tc:opendocument:xmlns:\($0):1.0\"" }.joined(
            separator: " ")
        let flat =
            "<office:document \(spaces) office:mimetype=\"application/vnd.oasis.opendocument.text\"><office:body><office:text>"
            + "<text:p>One sentence of our own \u{2014} it is short. And this is a second one for those who like to read it again.</text:p>"
            + "</office:text></office:body></office:document>"
        _ = measure(Document(Array(flat.utf8), name: "a.fodt"), choice)
        // An empty container, and text that is none.
        let container: [UInt8] = [0x50, 0x4b, 5, 6] + [UInt8](repeating: 0, count: 18)
        _ = measure(Document(container, name: "a.docx"), choice)
        _ = EnglishSyllables.count("syllables")
    }
}
