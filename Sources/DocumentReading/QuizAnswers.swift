// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookICU
import Quizzes
import TextAnalysis

extension AnalyzerRegistry {
    /// A quiz key, as its file has it: read here, where its text can do no harm.
    package struct Key: Sendable {
        package var name: String
        package var text: String

        package init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }
}

extension AnalyzerRegistry.Key {
    /// Bytes of text that are looked through for answers.
    static let textBytes = 1 << 20

    /// Puts the score first, before what else was measured. Says why there is none, and nothing of the key.
    func score(_ document: Document, by analyzer: any Analyzer, into measurement: inout Measurement) {
        let key: QuizKey
        do throws(UnusableKey) {
            key = try QuizKey(Array(text.utf8), file: name)
        } catch {
            measurement.notes.insert(MissingItem(identifier: QuizResult.score, reason: "the quiz key cannot be read"), at: 0)
            return
        }
        var source: ReplySource?
        // What could be measured once can be read again, but for limits; then there is too much of it.
        if let analyzer = analyzer as? any OutlineAnalyzer { source = try? self.source(document, analyzer) }
        guard let source else {
            let reason = "answers are looked for in documents of text of at most \(Self.textBytes >> 20) MB"
            measurement.notes.insert(MissingItem(identifier: QuizResult.score, reason: reason), at: 0)
            return
        }
        let result = QuizResult(source, to: key, fold: Self.folded)
        measurement.items.insert(contentsOf: result.items, at: 0)
        measurement.notes.insert(contentsOf: result.notes, at: 0)
    }

    /// Nil where there is too much of it.
    private func source(_ document: Document, _ analyzer: any OutlineAnalyzer) throws(ReadingError) -> ReplySource? {
        document.refundText()
        switch analyzer.identifier {
        case "txt", "md", "csv":
            // As it was typed: Markdown's lists would lose the numbers, a table its rows.
            guard document.size <= Self.textBytes else { return nil }
            var bytes: [UInt8] = []
            try TextDecoder.read(document, into: OutlineBuilder(document)) { text throws(ReadingError) in bytes = text.all() }
            return analyzer.identifier == "csv" ? .table(bytes) : .pieces([ReplySource.Piece(String(decoding: bytes, as: UTF8.self))])
        default:
            let blocks = try analyzer.outline(of: document).blocks.filter(\.place.isBody)
            guard blocks.reduce(0, { $0 + $1.text.utf8.count }) <= Self.textBytes else { return nil }
            return .pieces(
                blocks.map { block in
                    ReplySource.Piece(block.text, at: block.place == .tableCell ? .cell : block.place == .listItem ? .listItem : .text)
                })
        }
    }

    /// Capitals and compatibility forms made one.
    static func folded(_ text: String) -> String {
        var text = text
        return text.withUTF8 { source in
            guard let base = source.baseAddress else { return "" }
            func attempt(_ capacity: Int) -> (needed: Int, text: [UInt8]) {
                var needed = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                    needed = daybook_icu_fold(base, source.count, buffer.baseAddress, capacity)
                    count = max(0, min(needed, capacity))
                }
                return (needed, bytes)
            }
            var result = attempt(source.count + 64)
            if result.needed > source.count + 64 { result = attempt(result.needed) }
            return String(decoding: result.needed < 0 ? Array(source) : result.text, as: UTF8.self)
        }
    }
}
