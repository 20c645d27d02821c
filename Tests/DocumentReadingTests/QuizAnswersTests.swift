// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("Answers to a quiz")
struct QuizAnswersTests {
    private let key = AnalyzerRegistry.Key(
        name: "key.gift", text: "Capital of France?{~Lyon =Paris}\n\nTwo and two?{#4}\n\nWho wrote it?{=Goethe}\n\nSun?{T}\n\nWhy?{}")

    private func measure(_ bytes: [UInt8], _ name: String) -> Measurement {
        var registry = AnalyzerRegistry.builtIn
        registry.key = key
        return registry.measure(Document(bytes, name: name))
    }

    /// Two right, one wrong, one open.
    private static let answers = [("1", "B"), ("2", "4,0"), ("3", "Schiller")]

    private static func document(_ name: String) -> [UInt8] {
        let lines = answers.map { "\($0). \($1)" }
        func cells(_ row: String, _ cell: (String) -> String, _ end: String) -> String {
            answers.map { row + cell($0) + cell($1) + end }.joined()
        }
        switch name {
        case "text.docx": return docx(lines.map(paragraph).joined())
        case "table.docx":
            return docx("<w:tbl>" + cells("<w:tr>", { "<w:tc>\(paragraph($0))</w:tc>" }, "</w:tr>") + "</w:tbl>")
        case "text.odt": return odt(lines.map { "<text:p>\($0)</text:p>" }.joined())
        case "table.odt":
            return odt(
                "<table:table>"
                    + cells("<table:table-row>", { "<table:table-cell><text:p>\($0)</text:p></table:table-cell>" }, "</table:table-row>")
                    + "</table:table>")
        case "table.csv": return Array("id;answer\n1;B\n2;4,0\n3;Schiller\n".utf8)
        case "utf16.txt":
            return [0xff, 0xfe] + lines.joined(separator: "\r\n").utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        default: return Array(lines.joined(separator: "\n").utf8)
        }
    }

    @Test(
        "give the same score in every format",
        arguments: ["a.txt", "a.md", "utf16.txt", "text.docx", "table.docx", "text.odt", "table.odt", "table.csv"])
    func formats(name: String) {
        let measured = measure(Self.document(name), name)
        #expect(measured.error == nil)
        #expect(
            measured.items.prefix(5).map(\.identifier) == ["quiz_score", "questions_answered", "question_1", "question_2", "question_3"])
        #expect(measured.items.first?.value == .score(2, max: 4))
        #expect(
            measured.items.dropFirst(2).prefix(3).map(\.value)
                == [true, true, false].map { .binary($0, type: .correctIncorrect) })
        #expect(measured.items.contains { $0.identifier == "total_word_count" })
        #expect(measured.notes.contains(MissingItem(identifier: "question_4", reason: "not answered")))
    }

    @Test("are the same in full-width letters, ligatures and whatever capitals")
    func folding() {
        let text = "1. \u{ff22}\n2. \u{ff14}\n3. GOETHE\n4. \u{ff34}\u{ff32}\u{ff35}\u{ff25}"
        #expect(measure(Array(text.utf8), "a.txt").items.first?.value == .score(4, max: 4))
        var registry = AnalyzerRegistry.builtIn
        registry.key = AnalyzerRegistry.Key(name: "k.gift", text: "Shoe?{=Stra\u{df}e}\n\nPaper?{=fi}")
        let measured = registry.measure(Document(Array("1. STRASSE\n2. \u{fb01}".utf8), name: "a.txt"))
        #expect(measured.items.first?.value == .score(2, max: 2))
    }

    @Test("an assignment may choose exactly the analyzers that there are")
    func names() { #expect(BuiltInAnalyzers.names == AnalyzerRegistry.builtIn.analyzers.map(\.identifier)) }

    @Test("are not looked for in what is no text, and a document without any has no score")
    func none() {
        let prose = measure(Array("I could not do it, since I was ill.".utf8), "a.txt")
        #expect(prose.items.first?.identifier == "total_word_count")
        #expect(prose.notes.first?.identifier == "quiz_score")
        let long = measure(Array(String(repeating: "1. B\n", count: 220_000).utf8), "a.txt")
        #expect(long.notes.first?.reason.contains("at most 1 MB") == true)
        #expect(long.items.first?.identifier == "total_word_count")
    }

    @Test("nothing of the key goes out, also of one with mistakes")
    func secret() {
        var registry = AnalyzerRegistry.builtIn
        registry.key = AnalyzerRegistry.Key(name: "key.gift", text: "Capital{=Paris")
        let measured = registry.measure(Document(Array("1. Lyon".utf8), name: "a.txt"))
        #expect(measured.notes.first == MissingItem(identifier: "quiz_score", reason: "the quiz key cannot be read"))
        let scored = measure(Array("1. A\n7. x".utf8), "a.txt")
        let words = (scored.notes.map(\.reason) + scored.items.map(\.title)).joined(separator: " ")
        for word in ["Paris", "Goethe", "Capital", "key.gift"] { #expect(!words.contains(word)) }
    }
}
