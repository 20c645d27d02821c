// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Quizzes
package import TextAnalysis

/// The analyzers that a document is offered to, in this order; the first that accepts it measures it.
package struct AnalyzerRegistry: Sendable {
    package var analyzers: [any Analyzer]
    /// The quiz that documents may answer.
    package var key: Key?

    package static let builtIn = AnalyzerRegistry(analyzers: [
        WordAnalyzer(),
        PresentationAnalyzer(),
        OpenTextAnalyzer(),
        OpenPresentationAnalyzer(),
        SpreadsheetAnalyzer(),
        OpenSpreadsheetAnalyzer(),
        EPUBAnalyzer(),
        IWorkAnalyzer(),
        LegacyOfficeAnalyzer(),
        PDFAnalyzer(),
        RTFAnalyzer(),
        HTMLAnalyzer(),
        MediaAnalyzer(),
        MarkdownAnalyzer(),
        CSVAnalyzer(),
        LaTeXAnalyzer(),
        SourceCodeAnalyzer(),
        PlainTextAnalyzer(),
    ])

    package init(analyzers: [any Analyzer]) { self.analyzers = analyzers }

    /// Measures a document with the analyzers of these names, or with any where the list is empty. Whatever goes wrong is the measurement's `error`.
    package func measure(_ document: Document, only names: [String] = [], _ choice: MetricChoice = .standard) -> Measurement {
        guard document.size <= document.limits.documentBytes else {
            return Measurement(error: "\(ReadingError.tooLarge(what: "more than \(document.limits.documentBytes) bytes"))")
        }
        var format: String?
        do throws(ReadingError) {
            for analyzer in analyzers where names.isEmpty || names.contains(analyzer.identifier) {
                guard try analyzer.accepts(document) else { continue }
                format = analyzer.identifier
                var measurement = try analyzer.measure(document, choice)
                if let key, choice.wants(QuizResult.score) { key.score(document, by: analyzer, into: &measurement) }
                return measurement
            }
            if document.size == 0 { throw .empty }
            throw .noAnalyzer(kind: FormatSniffer.describe(document))
        } catch {
            return Measurement(format: format, error: error.description)
        }
    }
}
