// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import TextAnalysis

/// Measures one kind of document.
///
/// To add one: write a type in a file of its own in this folder, named after the format, and add one line to `AnalyzerRegistry.builtIn`.
/// Whoever has text makes an `Outline` and gets every figure of text from it (`OutlineAnalyzer`); others make their items themselves.
/// Add a test with a small document made in the test, one that is damaged, and one that is something else under this one's name.
package protocol Analyzer: Sendable {
    /// A short name that stays once released: the `format` in replies, e.g. `docx`.
    var identifier: String { get }

    /// True where the bytes are of this format, whatever the name says. An error ends the search: it is of this format, but unreadable.
    func accepts(_ document: Document) throws(ReadingError) -> Bool

    /// The figures. Runs in a process without file system, network or time to lose; limits are the document's.
    func measure(_ document: Document) throws(ReadingError) -> Measurement
}

/// An analyzer of documents that are text in places.
package protocol OutlineAnalyzer: Analyzer {
    func outline(of document: Document) throws(ReadingError) -> Outline
}

extension OutlineAnalyzer {
    package func measure(_ document: Document) throws(ReadingError) -> Measurement {
        let metrics = TextMetrics(try outline(of: document))
        return Measurement(format: identifier, language: metrics.language, items: metrics.items, notes: metrics.notes)
    }
}
