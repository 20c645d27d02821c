// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("Text that another program made of a document")
struct ConvertedTextTests {
    private func measured(_ text: String, limits: ReadingLimits = .standard) -> Measurement {
        AnalyzerRegistry.convertedText.measure(Document(Array(text.utf8), name: "a.pdf", limits: limits))
    }

    @Test(
        "counts a word once that is parted at a line's end, and joins no others",
        arguments: [
            ("a con-\ntinent", 2), ("a con-\n   tinent", 2), ("a con\u{ad}\ntinent", 2), ("a con\u{2010}\ntinent", 2), ("pages 10-\n20", 3),
            ("he said -\nnothing", 3), ("one\ntwo\u{c}three", 3), ("ends in a hyphen-\n", 4), ("ends in a hyphen-", 4),
            ("well-\nknown things", 2),
            ("-\n-\n-", 0), ("été-\némile", 1), ("", 0),
        ])
    func lines(text: String, words: Int) {
        #expect(measured(text).words == words, "\(text)")
        // The same in whatever pieces it is read: a long beginning moves the borders of the pieces into it.
        for before in (64 << 10) - 8..<(64 << 10) {
            let filled = String(repeating: "w ", count: before / 2) + (before % 2 == 1 ? " " : "")
            if text.isEmpty { continue }
            #expect(measured(filled + text).words == before / 2 + words, "\(text) after \(before)")
        }
    }

    @Test("is estimated, whatever it is, and goes no further than its limit")
    func estimated() {
        #expect(measured("three little words").items.allSatisfy { $0.method == .estimated })
        #expect(measured("three little words").items.count > 1)
        var limits = ReadingLimits.standard
        limits.textBytes = 10
        #expect(measured("1234567890", limits: limits).words == 1)
        #expect(measured("12345678901", limits: limits).error?.contains("10 bytes of text") == true)
    }
}
