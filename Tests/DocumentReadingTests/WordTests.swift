// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("A Word document")
struct WordTests {
    /// 2^i words in the i-th place: the totals show which places they hold.
    @Test("counts each place where it belongs, and the same text once")
    func places() {
        let box = { (text: String) in "<w:txbxContent>\(paragraph(text))</w:txbxContent>" }
        let body = [
            paragraph(words(1)),
            "<w:tbl><w:tr><w:tc>\(paragraph(words(2)))<w:tbl><w:tr><w:tc>\(paragraph(words(4)))</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>",
            "<w:p><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\">\(box(words(8)))</mc:Choice>"
                + "<mc:Fallback><w:pict><v:textbox>\(box(words(8)))</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
            "<w:p><w:ins><w:r><w:t>\(words(16))</w:t></w:r></w:ins><w:del><w:r><w:delText>\(words(2048))</w:delText></w:r></w:del></w:p>",
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>\(words(4096))</w:t></w:r>"
                + "<w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>\(words(32))</w:t></w:r></w:p>",
            "<w:sdt><w:sdtPr><w:alias w:val=\"name\"/></w:sdtPr><w:sdtContent>\(paragraph(words(64)))</w:sdtContent></w:sdt>",
            "<w:p><w:smartTag><w:r><w:t>\(words(128))</w:t></w:r></w:smartTag></w:p>",
            "<w:p><w:hyperlink><w:r><w:t>\(words(256))</w:t></w:r></w:hyperlink></w:p>",
            "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>NOT A WORD OF IT</w:instrText></w:r>"
                + "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>\(words(512))</w:t></w:r>"
                + "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>",
            "<w:p><w:r><w:ruby><w:rt><w:r><w:t>apart</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>\(words(1024))</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
        ].joined()
        let part = { (element: String, inner: String) in "<w:\(element) \(wordSpaces)>\(inner)</w:\(element)>" }
        let measured = measure(
            docx(
                body,
                more: [
                    (
                        "footnotes",
                        part(
                            "footnotes",
                            "<w:footnote w:type=\"separator\">\(paragraph("x"))</w:footnote><w:footnote>\(paragraph(words(3)))</w:footnote>"
                        )
                    ),
                    ("endnotes", part("endnotes", "<w:endnote>\(paragraph(words(5)))</w:endnote>")),
                    ("header", part("hdr", paragraph(words(7)))), ("footer", part("ftr", paragraph(words(11)))),
                    ("comments", part("comments", "<w:comment>\(paragraph(words(13)))</w:comment>")),
                ]), "a.docx")
        #expect(measured.error == nil)
        #expect(measured.format == "docx")
        #expect(measured.words == 2047)
        #expect(measured.figure("deleted_word_count") == 2048)
        #expect(measured.figure("hidden_word_count") == 4096)
        #expect(measured.figure("footnote_word_count") == 8)
        #expect(measured.figure("header_footer_word_count") == 18)
        #expect(measured.figure("comment_word_count") == 13)
    }

    @Test("hides what its styles hide, joins what is split into runs, parts what tabs and breaks part")
    func runs() {
        let styles =
            "<w:styles \(wordSpaces)><w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val=\"de-DE\"/></w:rPr></w:rPrDefault></w:docDefaults>"
            + "<w:style w:type=\"paragraph\" w:styleId=\"H\"><w:name w:val=\"hush\"/><w:rPr><w:vanish/></w:rPr></w:style>"
            + "<w:style w:type=\"paragraph\" w:styleId=\"I\"><w:name w:val=\"more\"/><w:basedOn w:val=\"H\"/></w:style>"
            + "<w:style w:type=\"paragraph\" w:styleId=\"C\"><w:name w:val=\"circle\"/><w:basedOn w:val=\"C\"/></w:style></w:styles>"
        let body =
            "<w:p><w:pPr><w:pStyle w:val=\"I\"/></w:pPr><w:r><w:t>not seen</w:t></w:r></w:p>"
            + "<w:p><w:pPr><w:pStyle w:val=\"C\"/></w:pPr><w:r><w:t>fall</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>en</w:t></w:r></w:p>"
            + "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>"
            + "<w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>"
        let measured = measure(docx(body, more: [("styles", styles)]), "a.docx")
        #expect(measured.words == 4)
        #expect(measured.figure("hidden_word_count") == 2)
        #expect(measured.language == "de")
    }

    @Test("joins two paragraphs whose mark was deleted, also at the very end")
    func deletedMark() {
        let mark = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
        let measured = measure(
            docx("<w:p>\(mark)<w:r><w:t>one wo</w:t></w:r></w:p>\(paragraph("rd"))<w:p>\(mark)<w:r><w:t>last words</w:t></w:r></w:p>"),
            "a.docx")
        #expect(measured.words == 4)
        #expect(measured.figure("paragraph_count") == 2)
    }

    @Test("is read in the strict form of the standard and by whatever name")
    func strict() {
        let space = "http://purl.oclc.org/ooxml/wordprocessingml/main"
        let bytes = zipped([
            "[Content_Types].xml": contentTypes(
                "x/y.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"),
            "_rels/.rels":
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"a\" "
                + "Type=\"http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument\" Target=\"x/y.xml\"/></Relationships>",
            "x/y.xml": "<d xmlns=\"\(space)\"><body><p><r><t>three little words</t></r></p></body></d>",
        ])
        #expect(measure(bytes, "essay.odt").words == 3)
        #expect(measure(bytes, "essay.odt").format == "docx")
    }

    @Test("is counted or refused in words, wherever it is cut")
    func cuts() {
        let whole = docx(paragraph("five words and no more") + paragraph("two more"), stored: false)
        #expect(measure(whole, "a.docx").words == 7)
        for length in 0..<whole.count {
            let measured = measure(Array(whole.prefix(length)), "a.docx")
            #expect(measured.error != nil && measured.items.isEmpty, "cut at \(length)")
        }
    }

    @Test("never gives a wrong number, whichever bit has flipped")
    func flips() {
        let whole = docx(paragraph("five words and no more") + paragraph("two more"))
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= UInt8(1 << (index % 8))
            let measured = measure(damaged, "a.docx")
            // Either the flip is in a byte that nobody needs (a time, say) or it is noticed.
            #expect(measured.error != nil || measured.words == 7, "flipped at \(index)")
        }
    }
}
