// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import TextAnalysis

/// Measures one kind of document.
///
/// To add one: write a type in a file of its own in this folder, named after the format, and add one line to `AnalyzerRegistry.builtIn`.
/// Whoever has text hands over its blocks and gets every figure of text from them (`OutlineAnalyzer`); others make their items themselves.
/// Add a test with a small document made in the test, one that is damaged, and one that is something else under this one's name.
package protocol Analyzer: Sendable {
    /// A short name that stays once released: the `format` in replies, e.g. `docx`.
    var identifier: String { get }

    /// True where the bytes are of this format, whatever the name says. An error ends the search: it is of this format, but unreadable.
    func accepts(_ document: Document) throws(ReadingError) -> Bool

    /// The figures that are wanted. Runs in a process without file system, network or time to lose; limits are the document's.
    func measure(_ document: Document, _ choice: MetricChoice) throws(ReadingError) -> Measurement
}

/// An analyzer of documents that are text in places.
package protocol OutlineAnalyzer: Analyzer {
    /// Hands over every block of the document in its order, and what it is besides (`builder.facts`).
    func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError)

    /// The format of this document, where one analyzer reads several.
    func format(of document: Document) -> String
}

extension OutlineAnalyzer {
    package func format(of document: Document) -> String { identifier }

    package func measure(_ document: Document, _ choice: MetricChoice) throws(ReadingError) -> Measurement {
        let builder = OutlineBuilder(document, measuring: choice)
        try read(document, into: builder)
        let metrics = builder.metrics()
        return Measurement(
            format: format(of: document), language: metrics.language, items: metrics.items, notes: metrics.notes,
            encoding: builder.facts.encoding)
    }

    /// The whole document as a value, for whoever looks at what it says.
    package func outline(of document: Document) throws(ReadingError) -> Outline {
        let builder = OutlineBuilder(document)
        try read(document, into: builder)
        return builder.outline()
    }
}
