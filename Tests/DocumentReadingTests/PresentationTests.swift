// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("A presentation")
struct PresentationTests {
    @Test("has the slides of its list, not the parts in its package")
    func slides() {
        let notes =
            "<p:notes \(slideSpaces)><p:cSld><p:spTree>\(shape(words(32), placeholder: "body"))\(shape("7", placeholder: "sldNum"))</p:spTree></p:cSld></p:notes>"
        let table =
            "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>\(words(4))</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
        let either =
            "<mc:AlternateContent><mc:Choice>\(shape(words(8)))</mc:Choice><mc:Fallback>\(shape(words(8)))</mc:Fallback></mc:AlternateContent>"
        let deck = pptx(
            [
                (
                    slide(shape(words(1), placeholder: "title") + shape(words(2), placeholder: "body") + shape("3", placeholder: "sldNum")),
                    notes
                ),
                (slide(table + "<p:grpSp>\(either)</p:grpSp>", attributes: #"show="0""#), nil),
                (slide(shape("an orphan")), nil),
                (slide(shape(words(16)) + shape("foot", placeholder: "ftr")), nil),
            ], listed: [0, 1, 3])
        let measured = measure(deck, "talk.pptx")
        #expect(measured.error == nil)
        #expect(measured.figure("slide_count") == 3)
        #expect(measured.figure("hidden_slide_count") == 1)
        #expect(measured.words == 31)
        #expect(measured.figure("notes_word_count") == 32)
        #expect(measured.figure("header_footer_word_count") == 2)
    }

    @Test("without a listed slide's part is damaged, not shorter")
    func missing() {
        let measured = measure(pptx([(slide(shape("one")), nil)], listed: [0, 5]), "talk.pptx")
        #expect(measured.error?.contains("slide 2 is missing") == true)
        #expect(measured.items.isEmpty)
    }

    @Test("with one slide more than the limit is refused")
    func limit() {
        var limits = ReadingLimits.standard
        limits.slides = 2
        #expect(measure(pptx([(slide(""), nil), (slide(""), nil)]), "a.pptx", limits: limits).figure("slide_count") == 2)
        let three = pptx([(slide(""), nil), (slide(""), nil), (slide(""), nil)])
        #expect(measure(three, "a.pptx", limits: limits).error?.contains("more than 2 slides") == true)
    }
}

@Suite("An OpenDocument")
struct OpenDocumentTests {
    @Test("text counts each place where it belongs")
    func text() {
        let hidden =
            "<style:style style:name=\"T1\" style:family=\"text\"><style:text-properties text:display=\"none\"/></style:style>"
        let body =
            "<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>N N</dc:creator></office:change-info>"
            + "<text:p>\(words(128))</text:p></text:deletion></text:changed-region></text:tracked-changes>"
            + "<text:h>\(words(1))</text:h><text:p>\(words(2))<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>\(words(3))</text:p></text:note-body></text:note></text:p>"
            + "<table:table><table:table-row><table:table-cell><text:p>\(words(4))</text:p></table:table-cell></table:table-row></table:table>"
            + "<text:p><draw:frame><draw:text-box><text:p>\(words(8))</text:p></draw:text-box></draw:frame></text:p>"
            + "<text:list><text:list-item><text:p>\(words(16))</text:p></text:list-item></text:list>"
            + "<text:p><text:span text:style-name=\"T1\">\(words(64))</text:span></text:p>"
            + "<text:section text:display=\"none\"><text:p>\(words(256))</text:p></text:section>"
            + "<text:p>by<text:s text:c=\"2\"/>a<text:tab/>b<office:annotation><dc:creator>N N</dc:creator><text:p>\(words(5))</text:p></office:annotation><text:line-break/>c</text:p>"
            + "<text:p><text:ruby><text:ruby-base>base</text:ruby-base><text:ruby-text>apart</text:ruby-text></text:ruby></text:p>"
        let masters =
            "<style:master-page><style:header><text:p>\(words(7))</text:p></style:header><style:footer style:display=\"false\"><text:p>off</text:p></style:footer></style:master-page>"
        let styles =
            "<style:default-style style:family=\"paragraph\"><style:text-properties fo:language=\"fr\"/></style:default-style>"
        let measured = measure(odt(body, automatic: hidden, styles: styles, masters: masters), "a.odt")
        #expect(measured.error == nil)
        #expect(measured.format == "odt")
        #expect(measured.words == 31 + 4 + 1)
        #expect(measured.figure("footnote_word_count") == 3)
        #expect(measured.figure("comment_word_count") == 5)
        #expect(measured.figure("header_footer_word_count") == 7)
        #expect(measured.figure("deleted_word_count") == 128)
        #expect(measured.figure("hidden_word_count") == 64 + 256)
        #expect(measured.language == "fr")
    }

    @Test("presentation counts slides, hidden ones, and notes apart")
    func presentation() {
        let automatic =
            "<style:style style:name=\"dp1\" style:family=\"drawing-page\"><style:drawing-page-properties presentation:visibility=\"hidden\"/></style:style>"
        let frame = { (text: String, kind: String) in
            "<draw:frame presentation:class=\"\(kind)\"><draw:text-box><text:p>\(text)</text:p></draw:text-box></draw:frame>"
        }
        let body =
            "<office:presentation><draw:page>\(frame(words(1), "title"))\(frame("9", "page-number"))"
            + "<presentation:notes>\(frame(words(4), "notes"))</presentation:notes></draw:page>"
            + "<draw:page draw:style-name=\"dp1\">\(frame(words(2), "outline"))</draw:page></office:presentation>"
        let measured = measure(openDocument("presentation", body: body, automatic: automatic), "a.odp")
        #expect(measured.figure("slide_count") == 2)
        #expect(measured.figure("hidden_slide_count") == 1)
        #expect(measured.words == 3)
        #expect(measured.figure("notes_word_count") == 4)
    }

    @Test("under a password says so")
    func encrypted() {
        let bytes = zipped([
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml":
                "<manifest:manifest \(openSpaces)><manifest:file-entry manifest:full-path=\"content.xml\"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>",
            "content.xml": "\u{1}\u{2}\u{3}",
        ])
        #expect(measure(bytes, "a.odt").error?.contains("password") == true)
    }
}
