// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("An iWork document")
struct IWorkTests {
    private func varint(_ value: Int) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f | 0x80)] + varint(value >> 7)
    }

    private func field(_ number: Int, _ value: Int) -> [UInt8] { varint(number << 3) + varint(value) }
    private func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] { varint(number << 3 | 2) + varint(bytes.count) + bytes }

    /// A message of this type behind its header.
    private func message(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
        let header = field(1, 7) + field(2, field(1, type) + field(3, payload.count))
        return varint(header.count) + header + payload
    }

    private func chunk(_ snappy: [UInt8]) -> [UInt8] {
        [0, UInt8(snappy.count & 0xff), UInt8(snappy.count >> 8 & 0xff), UInt8(snappy.count >> 16)] + snappy
    }

    private func literal(_ bytes: [UInt8]) -> [UInt8] {
        varint(bytes.count) + [61 << 2, UInt8((bytes.count - 1) & 0xff), UInt8((bytes.count - 1) >> 8)] + bytes
    }

    @Test("of Pages has the words of its body, as an estimate")
    func pages() {
        let body = message(2001, field(1, 0) + field(3, Array("one two\nthree".utf8)))
        let other = message(2001, field(1, 1) + field(3, Array("a header".utf8))) + message(5, field(3, Array("no text".utf8)))
        let bytes = zipped([("Index/Document.iwa", chunk(literal(body + other)))], stored: true)
        let measured = measure(bytes, "a.pages")
        #expect(measured.error == nil)
        #expect(measured.format == "pages")
        #expect(measured.words == 3)
        #expect(measured.items.first?.method == .estimated)
        // A copy that overlaps itself: "word " three times.
        let text = field(1, 0) + field(3, Array("word word word ".utf8))
        let whole = message(2001, text)
        let start = whole.count - 15
        let packed = varint(whole.count) + [UInt8((start + 5 - 1) << 2)] + whole[..<(start + 5)] + [UInt8((10 - 1) << 2 | 2), 5, 0]
        #expect(measure(zipped([("Index/Document.iwa", chunk(packed))], stored: true), "a.pages").words == 3)
    }

    @Test("of Keynote has slides, and says why it has no words")
    func keynote() {
        let parts = ["Index/Document.iwa", "Index/Slide.iwa", "Index/Slide-2.iwa", "Index/MasterSlide.iwa", "Index/MasterSlide-3.iwa"]
        let measured = measure(zipped(parts.map { ($0, [0]) }, stored: true), "a.key")
        #expect(measured.error == nil)
        #expect(measured.figure("slide_count") == 2)
        #expect(measured.figure("hidden_slide_count") == nil)
        #expect(measured.words == nil)
        #expect(measured.notes.contains { $0.identifier == "total_word_count" })
    }

    @Test("that is cut or lies about its sizes is refused")
    func damage() {
        let whole = chunk(literal(message(2001, field(1, 0) + field(3, Array("one two three".utf8)))))
        for length in 1..<whole.count {
            #expect(
                measure(zipped([("Index/Document.iwa", Array(whole.prefix(length)))], stored: true), "a.pages").error != nil,
                "cut at \(length)")
        }
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x80
            _ = measure(zipped([("Index/Document.iwa", damaged)], stored: true), "a.pages")
        }
        let bomb = chunk(varint(1 << 30) + [0, 0x61] + [UInt8](repeating: 0xfe, count: 300))
        #expect(measure(zipped([("Index/Document.iwa", bomb)], stored: true), "a.pages").error != nil)
        let old = measure(zipped(["index.apxl": "<x/>"]), "a.key")
        #expect(old.format == "key")
        #expect(old.notes.first?.reason.contains("before 2013") == true)
    }
}
