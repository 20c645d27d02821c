// SPDX-License-Identifier: Apache-2.0
import ActivityModel
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
        #expect(TextTally(text).words == count, "\(text)")
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

    @Test(
        "by the standard annex, on request, parts at hyphens and slashes",
        arguments: [
            ("well-known mother-in-law", 5), ("don't it\u{2019}s rock 'n' roll", 5), ("10\u{2013}20 of 2019\u{2013}20 with", 6),
            ("wait--what happened", 3), ("and/or he/she", 4), ("3.14 1,000,000 50% $4.50 1st", 5), ("mail a.b@c.org today", 4),
            ("\u{6f22}\u{5b57}\u{6f22}\u{5b57}\u{6f22}\u{5b57}", 6), ("나는 학교에 간다", 3), ("one\u{200b}two", 2), ("hyphen\u{ad}ated word", 2),
            ("hello 😀 world", 2), ("yes . no ! & *", 2), ("wait...what and so\u{2026}on", 5), ("カタカナ", 1), ("snake_case x", 2),
            ("\u{5d0}\"\u{5d1} x", 2), ("a:b c.d 1.a", 4), ("\r\n", 0), ("", 0),
        ])
    func standard(text: String, count: Int) {
        let outline = Outline(blocks: [Block(text: text, place: .paragraph)])
        let metrics = TextMetrics(outline, choice: MetricChoice(only: ["uax29_word_count"]))
        #expect(metrics.items.map(\.value) == [.quantity(Double(count))], "\(text)")
        #expect(!TextMetrics(outline).items.contains { $0.identifier == "uax29_word_count" })
    }

    @Test("of a script without spaces is found by dictionary, and the figure says that it is an estimate")
    func unspaced() {
        // "Hello, world": two words.
        let thai = "\u{e2a}\u{e27}\u{e31}\u{e2a}\u{e14}\u{e35}\u{e0a}\u{e32}\u{e27}\u{e42}\u{e25}\u{e01}"
        let metrics = TextMetrics(Outline(blocks: [Block(text: thai, place: .paragraph)]))
        let words = metrics.items.first { $0.identifier == "total_word_count" }
        #expect(words?.value == .quantity(3))
        #expect(words?.method == .estimated)
        let english = String(repeating: "We learned a word of another language in school today. ", count: 5)
        let mixed = TextMetrics(Outline(blocks: [Block(text: english + thai, place: .paragraph)]))
        #expect(mixed.items.first { $0.identifier == "total_word_count" }?.value == .quantity(53))
    }

    @Test("cannot be told in scripts without spaces and without a dictionary, so no number is given for them")
    func undivided() {
        let javanese = String(repeating: "\u{a984}\u{a98f}\u{a992}", count: 4)
        let metrics = TextMetrics(Outline(blocks: [Block(text: javanese, place: .paragraph)]))
        #expect(!metrics.items.contains { $0.identifier == "total_word_count" })
        #expect(metrics.notes.contains { $0.identifier == "total_word_count" && $0.reason.contains("without spaces") })
        #expect(metrics.items.contains { $0.identifier == "character_count" })
    }

    @Test("and every other sum is the same however the text is cut into pieces")
    func pieces() {
        let parts = [
            "a", "word", " ", "-", "--", ".", "...", "\n", "\r\n", "é", "e\u{301}", "\u{6f22}", "か", "한", "ก", "สวัสดี", "👨‍👩‍👧", "🇩🇪🇫", "—", "…",
            "\u{2028}", "\u{1}", "5", "½", "नि", "\u{1100}\u{1161}\u{11a8}",
            "plain words of English, many of them in a row, so that blocks are whole ",
        ]
        var state: UInt64 = 42
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<300 {
            var text = ""
            for _ in 0..<random(120) { text += parts[random(4) == 0 ? random(parts.count) : parts.count - 1 - random(3)] }
            var whole = TextTally()
            let bytes = Array(text.utf8)
            let one = TextMeter(MetricChoice(only: ["total_word_count"]))
            bytes.withUnsafeBytes { one.add($0, at: .paragraph) }
            let many = TextMeter(MetricChoice(only: ["total_word_count"]))
            many.begin(.paragraph)
            bytes.withUnsafeBytes { buffer in
                var index = 0
                while index < buffer.count {
                    let end = min(buffer.count, index + 1 + random(7))
                    many.more(UnsafeRawBufferPointer(rebasing: buffer[index..<end]))
                    index = end
                }
            }
            many.end()
            whole = one.body
            #expect(whole == many.body)
            #expect(whole.characters == (whole.visible == 0 ? 0 : text.count { !$0.isNewline }))
        }
    }
}
