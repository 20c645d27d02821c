// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookICU
import TextAnalysis
import Testing

@Suite("A word")
struct WordsTests {
    @Test(
        "is what people who count by hand call one",
        arguments: [
            ("well-known mother-in-law", 2),
            ("don't it\u{2019}s rock 'n' roll", 5),
            ("be\u{2014}one two\u{2014}three think\u{2014}ten four five", 8),
            ("be \u{2014} one two \u{2014} three think \u{2014} ten four five", 8),
            ("10\u{2013}20 of 2019\u{2013}20 with", 6),
            ("wait--what happened", 3),
            ("and/or he/she", 2),
            ("3.14 1,000,000 50% $4.50 1st", 5),
            ("see https://example.org/a-b/c.html?d=e&f=g#h now", 3),
            ("mail a.b@c.org today", 3),
            ("\u{6f22}\u{5b57}\u{6f22}\u{5b57}\u{6f22}\u{5b57}", 6),
            ("\u{6211}\u{7231} Swift \u{7f16}\u{7a0b}\u{3002}", 5),
            ("これはコーヒーのカップ。", 11),
            ("나는 학교에 간다", 3),
            ("10\u{a0}km one\u{a0}two", 4),
            ("one\u{200b}two", 2),
            ("hyphen\u{ad}ated word", 2),
            ("hello 😀 world", 2),
            ("yes . no ! & *", 2),
            ("wait...what and so\u{2026}on", 5),
            ("\u{1d400}\u{1d401} \u{1d402}\u{1d403} x \u{20000}\u{20001}", 5),
            ("", 0),
            (" \n\t\u{3000} -- ... \u{2014} ", 0),
            ("\u{2460} \u{bd} \u{b2}", 3),
            ("na\u{308}ive cafe\u{301}", 2),
        ])
    func words(text: String, count: Int) {
        #expect(WordTally(text).words == count, "\(text)")
    }

    @Test("has the same letters whether ASCII is looked up in Unicode's tables or not")
    func ascii() {
        for character in UInt8(0)..<0x80 {
            #expect(
                ClassifiedText(bytes: [character]).classOf(0).rawValue == daybook_icu_class_by_unicode(UInt32(character)), "\(character)")
        }
    }

    @Test("is found in any bytes at all, and never beyond them")
    func anyBytes() {
        var state: UInt64 = 88_172_645_463_325_252
        for length in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<length {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                bytes.append(UInt8(truncatingIfNeeded: state))
            }
            let text = ClassifiedText(bytes: bytes)
            var scanner = WordScanner(text)
            var last = 0
            while let word = scanner.next() {
                #expect(word.lowerBound >= last && word.upperBound > word.lowerBound && word.upperBound <= length)
                last = word.upperBound
            }
        }
    }

    @Test("cannot be told in scripts without spaces, so no number is given for them")
    func unspaced() {
        let thai = "\u{e2a}\u{e27}\u{e31}\u{e2a}\u{e14}\u{e35}\u{e0a}\u{e32}\u{e27}\u{e42}\u{e25}\u{e01}"
        let metrics = TextMetrics(Outline(blocks: [Block(text: thai, place: .paragraph)]))
        #expect(!metrics.items.contains { $0.identifier == "total_word_count" })
        #expect(metrics.notes.contains { $0.identifier == "total_word_count" && $0.reason.contains("without spaces") })
        #expect(metrics.items.contains { $0.identifier == "character_count" })
        // A loan word in English text is no reason to give up.
        let english = String(repeating: "We learned a word of another language in school today. ", count: 5)
        let mixed = TextMetrics(Outline(blocks: [Block(text: english + thai, place: .paragraph)]))
        let words = mixed.items.first { $0.identifier == "total_word_count" }
        #expect(words?.value == .quantity(51))
        #expect(words?.method == .estimated)
    }
}
