// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import TextAnalysis
import Testing

@Suite("A sentence")
struct SentencesTests {
    @Test(
        "ends where a reader stops",
        arguments: [
            ("Sentence one. Sentence two.", 2),
            ("The rod is 3.14 metres long and 2.5 wide.", 1),
            ("Dr. Smith met Mrs. Jones at 7 a.m. on Monday in the U.S. capital.", 1),
            ("Use fruit, e.g. apples and pears, i.e. healthy food.", 1),
            ("This is the first one.This is the second one.", 2),
            ("I don't know what they've done and it's late.", 1),
            ("\u{201c}Stop!\u{201d} he said. She did not.", 2),
            ("He said \u{201c}No.\u{201d} Then he left.", 2),
            ("The book is by J. R. R. Tolkien. It is long.", 2),
            ("She is older than I. Besides, she is taller.", 2),
            ("He works for the U.S. Senate. She does not.", 2),
            ("See www.example.org for more. Mail John.Smith@example.org now.", 2),
            ("Look at Fig. 3 and p. 12. Then answer no. 5.", 2),
            ("He said no. She said yes.", 2),
            ("1. The dog barks.", 1),
            ("What? Really! Yes.", 3),
            ("wrapped by hand\nover two lines.", 1),
            ("no stop at all", 1),
            ("...", 0),
            ("\u{e9}.Ab", 1),
            ("\u{e9}\u{e9}.Ab", 2),
            ("", 0),
            ("\u{6211}\u{4eec}\u{5b66}\u{4e60}\u{3002}\u{4ed6}\u{4eec}\u{4e0d}\u{5b66}\u{4e60}\u{3002}", 2),
            ("The end. ***", 1),
        ])
    func sentences(text: String, count: Int) {
        #expect(SentenceFinder().sentences(in: text).count == count, "\(text)")
    }

    @Test("may end at an ellipsis or go on after it, but is not made three of")
    func ellipsis() {
        #expect((1...2).contains(SentenceFinder().sentences(in: "Wait... I am not sure about that... really.").count))
    }

    @Test("ends with its block: a heading stays apart, short bullets are no sentences")
    func blocks() {
        let outline = Outline(blocks: [
            Block(text: "About dogs", place: .heading),
            Block(text: "Dogs bark. Cats do not.", place: .paragraph),
            Block(text: "milk", place: .listItem),
            Block(text: "a walk in the morning", place: .listItem),
            Block(text: "Cell one. Cell two.", place: .tableCell),
        ])
        let metrics = TextMetrics(outline)
        #expect(metrics.items.first { $0.identifier == "sentence_count" }?.value == .quantity(3))
        #expect(metrics.items.first { $0.identifier == "total_word_count" }?.value == .quantity(17))
        #expect(metrics.items.first { $0.identifier == "paragraph_count" }?.value == .quantity(5))
    }
}
