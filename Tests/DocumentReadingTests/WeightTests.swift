// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

/// The i-th place of a document holds 2^i words, so that every total shows which places it counts.
private enum Weight: Int, CaseIterable {
    case paragraph, cell, nestedCell, box, footnote, endnote, header, comment, insertion, deletion, hidden, control, tag, link, field

    var count: Int { 1 << rawValue }
    var words: String { DocumentReadingTests.words(count) }
}

private func sum(_ weights: Weight...) -> Int { weights.reduce(0) { $0 + $1.count } }

@Suite("Every place of a document with a weight of its own is counted where it belongs")
struct WeightTests {
    private func w(_ weight: Weight) -> String { weight.words }

    private func figures(_ measurement: Measurement) -> [String: Int] {
        #expect(measurement.error == nil)
        var figures: [String: Int] = [:]
        for item in measurement.items
        where item.identifier.hasSuffix("word_count") && !item.identifier.hasPrefix("prose") && item.identifier != "hard_word_count"
            && item.identifier != "long_word_count"
        {
            figures[item.identifier] = measurement.figure(item.identifier)
        }
        return figures
    }

    private static let body = sum(.paragraph, .cell, .nestedCell, .box, .insertion, .control, .tag, .link, .field)

    @Test("docx")
    func word() {
        func run(_ text: String, _ properties: String = "") -> String { "<w:r><w:rPr>\(properties)</w:rPr><w:t>\(text)</w:t></w:r>" }
        func cell(_ content: String) -> String { "<w:tbl><w:tr><w:tc>\(content)</w:tc></w:tr></w:tbl>" }
        let box = "<w:txbxContent>\(paragraph(w(.box)))</w:txbxContent>"
        let body =
            paragraph(w(.paragraph)) + cell(paragraph(w(.cell)) + cell(paragraph(w(.nestedCell))))
            + "<w:p><w:r><mc:AlternateContent><mc:Choice>\(box)</mc:Choice><mc:Fallback><v:textbox>\(box)</v:textbox></mc:Fallback></mc:AlternateContent></w:r></w:p>"
            + "<w:p><w:r><w:footnoteReference w:id=\"2\"/></w:r><w:ins>\(run(w(.insertion)))</w:ins></w:p>"
            + "<w:p><w:del><w:r><w:delText>\(w(.deletion))</w:delText></w:r></w:del></w:p>"
            + "<w:p>\(run(w(.hidden), "<w:vanish/>"))</w:p>"
            + "<w:sdt><w:sdtPr><w:alias w:val=\"not counted\"/></w:sdtPr><w:sdtContent>\(paragraph(w(.control)))</w:sdtContent></w:sdt>"
            + "<w:p><w:smartTag>\(run(w(.tag)))</w:smartTag></w:p><w:p><w:hyperlink>\(run(w(.link)))</w:hyperlink></w:p>"
            + "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>NOT COUNTED</w:instrText></w:r>"
            + "<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>\(run(w(.field)))<w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>"
        let bytes = docx(
            body,
            more: [
                ("footnotes", "<w:footnotes \(wordSpaces)><w:footnote w:id=\"2\">\(paragraph(w(.footnote)))</w:footnote></w:footnotes>"),
                ("endnotes", "<w:endnotes \(wordSpaces)><w:endnote w:id=\"2\">\(paragraph(w(.endnote)))</w:endnote></w:endnotes>"),
                ("header", "<w:hdr \(wordSpaces)>\(paragraph(w(.header)))</w:hdr>"),
                ("comments", "<w:comments \(wordSpaces)><w:comment w:id=\"1\">\(paragraph(w(.comment)))</w:comment></w:comments>"),
            ])
        #expect(
            figures(measure(bytes, "a.docx")) == [
                "total_word_count": Self.body, "footnote_word_count": sum(.footnote, .endnote), "header_footer_word_count": sum(.header),
                "comment_word_count": sum(.comment), "deleted_word_count": sum(.deletion), "hidden_word_count": sum(.hidden),
            ])
    }

    @Test("odt")
    func openText() {
        func p(_ text: String) -> String { "<text:p>\(text)</text:p>" }
        func cell(_ content: String) -> String {
            "<table:table><table:table-row><table:table-cell>\(content)</table:table-cell></table:table-row></table:table>"
        }
        func note(_ kind: String, _ text: String) -> String {
            "<text:note text:note-class=\"\(kind)\"><text:note-citation>1</text:note-citation><text:note-body>\(p(text))</text:note-body></text:note>"
        }
        let body =
            "<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>not counted</dc:creator></office:change-info>\(p(w(.deletion)))</text:deletion></text:changed-region></text:tracked-changes>"
            + p(w(.paragraph)) + cell(p(w(.cell)) + cell(p(w(.nestedCell))))
            + p("<draw:frame><draw:text-box>\(p(w(.box)))</draw:text-box></draw:frame>")
            + p(note("footnote", w(.footnote)) + note("endnote", w(.endnote)))
            + p("<office:annotation><dc:creator>not counted</dc:creator>\(p(w(.comment)))</office:annotation>")
            + p("<text:change-start/>\(w(.insertion))<text:change-end/>") + p("<text:span text:style-name=\"H\">\(w(.hidden))</text:span>")
            + "<text:section>\(p(w(.control)))</text:section>" + p("<text:span>\(w(.tag))</text:span>") + p("<text:a>\(w(.link))</text:a>")
            + p("<text:user-defined>\(w(.field))</text:user-defined>")
        let bytes = odt(
            body,
            automatic: "<style:style style:name=\"H\" style:family=\"text\"><style:text-properties text:display=\"none\"/></style:style>",
            masters: "<style:master-page><style:header>\(p(w(.header)))</style:header></style:master-page>")
        #expect(
            figures(measure(bytes, "a.odt")) == [
                "total_word_count": Self.body, "footnote_word_count": sum(.footnote, .endnote), "header_footer_word_count": sum(.header),
                "comment_word_count": sum(.comment), "deleted_word_count": sum(.deletion), "hidden_word_count": sum(.hidden),
            ])
    }

    /// Of a presentation: the insertion stands on a hidden slide, the deletion on one that is no longer listed, the footnote in the notes.
    @Test("pptx")
    func presentation() {
        let table =
            "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>\(w(.cell))</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
        let shapes =
            shape(w(.paragraph), placeholder: "title") + table + "<p:grpSp>\(shape(w(.nestedCell)))</p:grpSp>"
            + "<mc:AlternateContent><mc:Choice>\(shape(w(.box)))</mc:Choice><mc:Fallback>\(shape(w(.box)))</mc:Fallback></mc:AlternateContent>"
            + shape(w(.header), placeholder: "ftr")
            + "<p:sp><p:txBody><a:p><a:r><a:rPr><a:hlinkClick/></a:rPr><a:t>\(w(.link))</a:t></a:r></a:p><a:p><a:fld type=\"datetime\"><a:t>\(w(.field))</a:t></a:fld></a:p></p:txBody></p:sp>"
        let notes =
            "<p:notes \(slideSpaces)><p:cSld><p:spTree>\(shape(w(.footnote), placeholder: "body"))\(shape("7", placeholder: "sldNum"))</p:spTree></p:cSld></p:notes>"
        let bytes = pptx(
            [(slide(shapes), notes), (slide(shape(w(.insertion)), attributes: "show=\"0\""), nil), (slide(shape(w(.deletion))), nil)],
            listed: [0, 1])
        let measured = measure(bytes, "a.pptx")
        #expect(
            figures(measured) == [
                "total_word_count": sum(.paragraph, .cell, .nestedCell, .box, .insertion, .link, .field),
                "notes_word_count": sum(.footnote),
                "header_footer_word_count": sum(.header),
            ])
        #expect(measured.figure("slide_count") == 2)
        #expect(measured.figure("hidden_slide_count") == 1)
    }

    @Test("odp")
    func openPresentation() {
        func frame(_ text: String, _ kind: String = "outline") -> String {
            "<draw:frame presentation:class=\"\(kind)\"><draw:text-box><text:p>\(text)</text:p></draw:text-box></draw:frame>"
        }
        let table =
            "<draw:frame><table:table><table:table-row><table:table-cell><text:p>\(w(.cell))</text:p></table:table-cell></table:table-row></table:table></draw:frame>"
        let body =
            "<office:presentation><draw:page>\(frame(w(.paragraph), "title"))\(table)<draw:g>\(frame(w(.nestedCell)))</draw:g>"
            + "<draw:custom-shape><text:p>\(w(.box))</text:p></draw:custom-shape>\(frame(w(.header), "footer"))"
            + "<office:annotation><text:p>\(w(.comment))</text:p></office:annotation>\(frame("<text:a>\(w(.link))</text:a>"))"
            + "<presentation:notes><draw:frame><draw:text-box><text:p>\(w(.footnote))</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"
            + "<draw:page draw:style-name=\"H\">\(frame(w(.insertion)))</draw:page></office:presentation>"
        let hidden =
            "<style:style style:name=\"H\" style:family=\"drawing-page\"><style:drawing-page-properties presentation:visibility=\"hidden\"/></style:style>"
        let measured = measure(openDocument("presentation", body: body, automatic: hidden), "a.odp")
        #expect(
            figures(measured) == [
                "total_word_count": sum(.paragraph, .cell, .nestedCell, .box, .insertion, .link), "notes_word_count": sum(.footnote),
                "header_footer_word_count": sum(.header), "comment_word_count": sum(.comment),
            ])
        #expect(measured.figure("hidden_slide_count") == 1)
    }

    @Test("html")
    func page() {
        let html =
            "<!DOCTYPE html><html><head><title>not counted</title></head><body><p>\(w(.paragraph))</p><table><tr><td>\(w(.cell))<table><tr><td>\(w(.nestedCell))</td></tr></table></td></tr></table>"
            + "<div>\(w(.box))</div><aside role=\"doc-footnote\"><p>\(w(.footnote))</p></aside><section epub:type=\"endnotes\"><p>\(w(.endnote))</p></section>"
            + "<header><h1>\(w(.header))</h1></header><!-- \(w(.comment)) --><p><ins>\(w(.insertion))</ins></p><p><del>\(w(.deletion))</del></p><p hidden>\(w(.hidden))</p>"
            + "<x-box>\(w(.control))</x-box><p><span>\(w(.tag))</span></p><p><a href=\"x\">\(w(.link))</a></p><p><output>\(w(.field))</output></p></body></html>"
        // The header of a page is part of what it says.
        #expect(
            figures(measure(Array(html.utf8), "a.html")) == [
                "total_word_count": Self.body + sum(.header), "footnote_word_count": sum(.footnote, .endnote),
                "deleted_word_count": sum(.deletion), "hidden_word_count": sum(.hidden),
            ])
    }
}
