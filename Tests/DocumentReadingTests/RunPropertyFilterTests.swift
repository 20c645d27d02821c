// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DocumentReading

@Suite("Looks of runs")
struct RunPropertyFilterTests {
    private func filtered(_ pieces: [String]) throws -> String {
        let filter = RunPropertyFilter()
        var all: [UInt8] = []
        for piece in pieces {
            let bytes = Array(piece.utf8)
            var failure: ReadingError?
            bytes.withUnsafeBytes { buffer in
                do throws(ReadingError) {
                    try filter.pass(buffer) { all.append(contentsOf: $0) }
                } catch { failure = error }
            }
            if let failure { throw failure }
        }
        try filter.finish { all.append(contentsOf: $0) }
        return String(decoding: all, as: UTF8.self)
    }

    private let looks = #"<w:rPr><w:rFonts w:ascii="Times New Roman" w:cs="X"/><w:b/><w:sz w:val="24"/></w:rPr>"#

    @Test("go before the XML is read, and nothing else does")
    func dropped() throws {
        #expect(try filtered(["<w:p><w:r>\(looks)<w:t>x</w:t></w:r>\(looks)</w:p>"]) == "<w:p><w:r><w:t>x</w:t></w:r></w:p>")
        #expect(try filtered(["<w:r><w:rPr></w:rPr><w:t>rest of it</w:t></w:r>"]) == "<w:r><w:t>rest of it</w:t></w:r>")
    }

    @Test(
        "stay with whatever else stands beside them, and where they are not written as Word writes them",
        arguments: [
            "<w:vanish/>", "<w:b/><w:vanish/>", #"<w:rStyle w:val="a"/>"#, #"<w:lang w:val="de-DE"/>"#, "<w:del/>", "text", "<w:b></w:b>",
            "<w:b>text</w:b>", "<w:b w:val='0'/>", #"<w:b w:val="&amp;"/>"#, #"<w:b w:val="ü"/>"#, #"<w:b val="0"/>"#, "<w:b / >",
            "<w:bold/>",
            "<a:b/>", #"<w:b w:val="0"w:x="1"/>"#, #"<w:b w:="0"/>"#, "<!-- c -->", "<w:rPrChange/>", "<w:",
        ])
    func kept(inner: String) throws {
        let text = "<w:r><w:rPr>\(inner)</w:rPr><w:t>something</w:t></w:r>"
        #expect(try filtered([text]) == text)
    }

    @Test("stay where they are text, and behind that")
    func cdata() throws {
        let text = "<w:t><![CDATA[\(looks)]]></w:t><w:r>\(looks)<w:t>more of it</w:t></w:r>"
        #expect(try filtered([text]) == text)
        for cut in 1..<text.utf8.count {
            let pieces = [String(text.utf8.prefix(cut)) ?? "", String(text.utf8.dropFirst(cut)) ?? ""]
            #expect(try filtered(pieces) == text, "cut at \(cut)")
        }
    }

    @Test("lose nothing wherever the pieces are cut")
    func cuts() throws {
        let text = "<w:p><w:r>\(looks)<w:t>one two</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>three</w:t></w:r>\(looks)</w:p>"
        let whole = try filtered([text])
        for cut in 2..<text.utf8.count {
            let pieces = [String(text.utf8.prefix(cut)) ?? "", String(text.utf8.dropFirst(cut)) ?? ""]
            // One that is cut may stay: it goes when it comes whole.
            #expect(try filtered([try filtered(pieces)]) == whole, "cut at \(cut)")
        }
        let long = String(repeating: "a", count: 64 << 10)
        #expect(try filtered(["<w:t>", long, long + looks, "</w:t>"]) == "<w:t>" + long + long + looks + "</w:t>")
    }

    @Test("in other encodings than ASCII's stay")
    func encodings() throws {
        for text in ["\u{feff}<w:r>\(looks)</w:r>", "<w:r>\(looks)</w:r>"] { #expect(!(try filtered([text])).contains("Fonts")) }
        let wide = Array("<w:r>\(looks)</w:r>".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        var all: [UInt8] = []
        let filter = RunPropertyFilter()
        try wide.withUnsafeBytes { try filter.pass($0) { all.append(contentsOf: $0) } }
        try filter.finish { all.append(contentsOf: $0) }
        #expect(all == wide)
    }
}
