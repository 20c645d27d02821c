// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("Office formats and containers")
struct OfficeFormatsTests {
    private func item(_ measurement: Measurement, _ identifier: String) -> Item? {
        measurement.items.first { $0.identifier == identifier }
    }

    private static let sheetSpaces =
        #"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships""#

    private func xlsx(_ cells: String, strings: String = "", sheets: Int = 1) -> [UInt8] {
        var parts: [(name: String, bytes: [UInt8])] = [
            (
                "[Content_Types].xml",
                Array(contentTypes("xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml").utf8)
            ),
            ("_rels/.rels", Array(relationships([("r1", "officeDocument", "xl/workbook.xml")]).utf8)),
            (
                "xl/workbook.xml",
                Array(
                    "<workbook \(Self.sheetSpaces)><sheets>\((0..<sheets).map { "<sheet name=\"s\" sheetId=\"\($0)\" r:id=\"s\($0)\"/>" }.joined())</sheets></workbook>"
                        .utf8)
            ),
            (
                "xl/_rels/workbook.xml.rels",
                Array(relationships((0..<sheets).map { ("s\($0)", "worksheet", "s\($0).xml") } + [("t", "sharedStrings", "t.xml")]).utf8)
            ),
            ("xl/t.xml", Array("<sst \(Self.sheetSpaces)>\(strings)</sst>".utf8)),
        ]
        for index in 0..<sheets {
            let sheet = "<worksheet \(Self.sheetSpaces)><sheetData><row>\(index == 0 ? cells : "")</row></sheetData></worksheet>"
            parts.append(("xl/s\(index).xml", Array(sheet.utf8)))
        }
        return zipped(parts)
    }

    @Test("A workbook has sheets, filled cells, and words")
    func spreadsheet() {
        let cells =
            #"<c t="s"><v>1</v></c><c t="s"><v>0</v></c><c><v>3.5</v></c><c><f>A1+B1</f><v>7</v></c><c t="inlineStr"><is><r><t>in </t></r><r><t>line</t></r></is></c>"#
            + #"<c t="e"><v>#DIV/0!</v></c><c t="str"><v>two words</v></c><c s="1"/>"#
        let strings = "<si><t>shared</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>reading</t></rPh></si>"
        let book = measure(xlsx(cells, strings: strings, sheets: 3), "a.xlsx")
        #expect(book.error == nil)
        #expect(book.format == "xlsx")
        #expect(book.figure("sheet_count") == 3)
        #expect(book.figure("cell_count") == 7)
        #expect(book.words == 9)
        #expect(measure(xlsx(#"<c t="s"><v>9</v></c>"#), "a.xlsx").error?.contains("not there") == true)
        #expect(measure(xlsx(#"<c t="s"><v>-1</v></c>"#), "a.xlsx").error?.contains("not there") == true)
    }

    @Test("A sheet of OpenDocument counts repeated cells as they are seen, up to a limit")
    func openSpreadsheet() {
        func ods(_ rows: String) -> [UInt8] {
            openDocument("spreadsheet", body: "<office:spreadsheet><table:table>\(rows)</table:table><table:table/></office:spreadsheet>")
        }
        let book = measure(
            ods(
                "<table:table-row><table:table-cell><text:p>one two</text:p><text:p>three</text:p></table:table-cell>"
                    + #"<table:table-cell table:number-columns-repeated="3"><text:p>x</text:p></table:table-cell></table:table-row>"#
                    + #"<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000"/></table:table-row>"#
            ),
            "a.ods")
        #expect(book.error == nil)
        #expect(book.figure("sheet_count") == 2)
        #expect(book.figure("cell_count") == 4)
        #expect(book.words == 6)
        var limits = ReadingLimits.standard
        limits.textBytes = 10_000
        let endless = ods(
            #"<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000"><text:p>x</text:p></table:table-cell></table:table-row>"#
        )
        #expect(measure(endless, "a.ods", limits: limits).error?.contains("10000 bytes of text") == true)
    }

    @Test("A flat OpenDocument is measured like a package")
    func flat() {
        let flat =
            "<?xml version=\"1.0\"?><office:document \(openSpaces) office:mimetype=\"application/vnd.oasis.opendocument.text\" xmlns:meta=\"urn:oasis:names:tc:opendocument:xmlns:meta:1.0\">"
            + "<office:meta><meta:generator>LibreOffice/7</meta:generator><meta:document-statistic meta:page-count=\"3\"/></office:meta>"
            + "<office:master-styles><style:master-page><style:header><text:p>head er</text:p></style:header></style:master-page></office:master-styles>"
            + "<office:body><office:text><text:p>\(words(150))</text:p></office:text></office:body></office:document>"
        let measured = measure(Array(flat.utf8), "a.fodt")
        #expect(measured.error == nil)
        #expect(measured.format == "odt")
        #expect(measured.words == 150)
        #expect(measured.figure("header_footer_word_count") == 2)
        #expect(item(measured, "page_count")?.value == .quantity(3))
        #expect(item(measured, "page_count")?.method == .declared)
    }

    private func epub(_ chapters: [String], spine: String? = nil, encryption: String? = nil) -> [UInt8] {
        let manifest = chapters.indices.map { #"<item id="c\#($0)" href="text/c\#($0).xhtml" media-type="application/xhtml+xml"/>"# }
            .joined()
        let order = spine ?? chapters.indices.map { #"<itemref idref="c\#($0)"/>"# }.joined()
        var parts: [(name: String, bytes: [UInt8])] = [
            ("mimetype", Array("application/epub+zip".utf8)),
            (
                "META-INF/container.xml",
                Array(
                    #"<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>"#
                        .utf8)
            ),
            (
                "OEBPS/book.opf",
                Array(
                    #"<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:language>de</dc:language></metadata><manifest>\#(manifest)</manifest><spine>\#(order)</spine></package>"#
                        .utf8)
            ),
        ]
        if let encryption { parts.append(("META-INF/encryption.xml", Array(encryption.utf8))) }
        for (index, chapter) in chapters.enumerated() {
            parts.append(
                (
                    "OEBPS/text/c\(index).xhtml",
                    Array("<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>t</title></head><body>\(chapter)</body></html>".utf8)
                ))
        }
        return zipped(parts)
    }

    @Test("A book has chapters and words, in its reading order")
    func book() {
        let book = measure(epub(["<h1>One</h1><p>two&nbsp;three</p>", "<p>four</p>", "<p><img src='x'/></p>"]), "a.epub")
        #expect(book.error == nil)
        #expect(book.format == "epub")
        #expect(book.words == 4)
        #expect(book.figure("chapter_count") == 2)
        #expect(book.language == "de")
        // What is beside the reading order does not count, and a font may be encrypted, but no chapter.
        let parts = epub(["<p>one</p>", "<p>two</p>"], spine: #"<itemref idref="c0"/><itemref idref="c1" linear="no"/>"#)
        #expect(measure(parts, "a.epub").words == 1)
        #expect(measure(epub(["<p>one</p>"], encryption: #"<r URI="OEBPS/font.otf"/>"#), "a.epub").words == 1)
        #expect(measure(epub(["<p>one</p>"], encryption: #"<r URI="OEBPS/text/c0.xhtml"/>"#), "a.epub").error?.contains("password") == true)
        #expect(measure(epub([]), "a.epub").error?.contains("reading order") == true)
    }

    @Test("Pages are declared where a program that lays out says so and it can be, else estimated")
    func pages() {
        func document(_ count: Int, _ application: String, _ pages: Int, breaks: Int = 0) -> Item? {
            let properties =
                #"<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Pages>\#(pages)</Pages><Application>\#(application)</Application></Properties>"#
            let body = paragraph(words(count)) + String(repeating: #"<w:p><w:r><w:br w:type="page"/></w:r></w:p>"#, count: breaks)
            let bytes = zipped([
                "_rels/.rels": relationships([
                    ("r1", "officeDocument", "word/document.xml"), ("r2", "extended-properties", "docProps/app.xml"),
                ]),
                "word/document.xml": "<w:document \(wordSpaces)><w:body>\(body)</w:body></w:document>", "docProps/app.xml": properties,
            ])
            return item(measure(bytes, "a.docx"), "page_count")
        }
        #expect(document(1000, "Microsoft Office Word", 3)?.value == .quantity(3))
        #expect(document(1000, "Microsoft Office Word", 3)?.method == .declared)
        #expect(document(1000, "Generator", 3)?.value == .quantity(2))
        #expect(document(1000, "Generator", 3)?.method == .estimated)
        // More words than any page holds, fewer than any has, fewer pages than breaks.
        #expect(document(6000, "Microsoft Office Word", 1)?.value == .quantity(12))
        #expect(document(1000, "Microsoft Office Word", 40)?.value == .quantity(2))
        #expect(document(100, "LibreOffice/7", 2, breaks: 3)?.value == .quantity(4))
    }

    @Test("The strict form of a Word document and of a presentation is read like the usual one")
    func strict() {
        let spaces = #"xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main""#
        let type = "http://purl.oclc.org/ooxml/officeDocument/relationships"
        let top =
            #"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="\#(type)/officeDocument" Target="word/document.xml"/></Relationships>"#
        let word = zipped([
            "_rels/.rels": top, "word/document.xml": "<w:document \(spaces)><w:body>\(paragraph("one two"))</w:body></w:document>",
        ])
        #expect(measure(word, "a.docx").words == 2)
    }

    @Test(
        "of every kind survive every cut and many flips without a crash or a wrong figure",
        arguments: ["xlsx", "ods", "epub", "docx"])
    func damage(kind: String) {
        let five = "five words and no more"
        let whole =
            switch kind {
            case "xlsx": xlsx(#"<c t="inlineStr"><is><t>\#(five)</t></is></c>"#)
            case "ods":
                openDocument(
                    "spreadsheet",
                    body:
                        "<office:spreadsheet><table:table><table:table-row><table:table-cell><text:p>\(five)</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>"
                )
            case "epub": epub(["<p>\(five)</p>"])
            default: docx(paragraph(five))
            }
        #expect(measure(whole, "a.\(kind)").words == 5)
        for length in stride(from: 0, to: whole.count, by: 3) {
            #expect(measure(Array(whole.prefix(length)), "a.\(kind)").error != nil, "cut at \(length)")
        }
        for index in stride(from: 0, to: whole.count, by: 2) {
            var damaged = whole
            damaged[index] ^= UInt8(1 << (index % 8))
            let measured = measure(damaged, "a.\(kind)")
            #expect(measured.error != nil || measured.words == 5, "flipped at \(index)")
        }
    }
}
