// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("A hostile document")
struct HostileTests {
    @Test("that unpacks beyond its ratio or size is refused by name of the limit")
    func bomb() {
        var limits = ReadingLimits.standard
        limits.ratioFreeBytes = 1 << 20
        limits.packingRatio = 100
        let zeros = String(repeating: " ", count: 4 << 20)
        let packed = docx(zeros)
        #expect(packed.count < 64 << 10)
        #expect(measure(packed, "a.docx", limits: limits).error?.contains("100 times larger") == true)
        limits = .standard
        limits.unpackedBytes = 1 << 20
        #expect(measure(packed, "a.docx", limits: limits).error?.contains("1048576 bytes when unpacked") == true)
        #expect(measure(packed, "a.docx").error == nil)
    }

    @Test("is refused one level, one byte, one file beyond a limit, and read at it")
    func limits() {
        var limits = ReadingLimits.standard
        // document, body, p, r, t are five levels, and each table adds three.
        limits.xmlDepth = 8
        let nested = "<w:tbl><w:tr><w:tc>\(paragraph("x"))</w:tc></w:tr></w:tbl>"
        #expect(measure(docx(nested), "a.docx", limits: limits).words == 1)
        #expect(measure(docx("<w:sdt>\(nested)</w:sdt>"), "a.docx", limits: limits).error?.contains("nested deeper than 8") == true)

        limits = .standard
        limits.textBytes = 10
        #expect(measure(docx(paragraph("1234567890")), "a.docx", limits: limits).words == 1)
        #expect(measure(docx(paragraph("12345678901")), "a.docx", limits: limits).error?.contains("10 bytes of text") == true)
        #expect(measure(Array("1234567890".utf8), "a.txt", limits: limits).words == 1)
        #expect(measure(Array("12345678901".utf8), "a.txt", limits: limits).error?.contains("10 bytes of text") == true)

        limits = .standard
        limits.members = 4
        #expect(measure(docx(paragraph("x")), "a.docx", limits: limits).words == 1)
        limits.members = 3
        #expect(measure(docx(paragraph("x")), "a.docx", limits: limits).error?.contains("more than 3 files") == true)

        limits = .standard
        limits.documentBytes = 4
        #expect(measure(Array("four".utf8), "a.txt", limits: limits).words == 1)
        #expect(measure(Array("fives".utf8), "a.txt", limits: limits).error?.contains("more than 4 bytes") == true)
    }

    @Test("that nests a million elements or declares entities is refused at once")
    func xml() {
        let deep = String(repeating: "<w:sdt>", count: 100_000)
        #expect(measure(docx(deep), "a.docx").error?.contains("nested deeper") == true)
        let laughs =
            "<!DOCTYPE x [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]>"
            + "<w:document \(wordSpaces)><w:body>\(paragraph("&c;"))</w:body></w:document>"
        let bytes = zipped([
            "_rels/.rels": relationships([("r1", "officeDocument", "word/document.xml")]), "word/document.xml": laughs,
        ])
        #expect(measure(bytes, "a.docx").error?.contains("declares entities") == true)
        let external = zipped([
            "_rels/.rels": relationships([("r1", "officeDocument", "word/document.xml")]),
            "word/document.xml":
                "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><w:document \(wordSpaces)><w:body>\(paragraph("&a;"))</w:body></w:document>",
        ])
        #expect(measure(external, "a.docx").error?.contains("declares entities") == true)
    }

    @Test("of other kinds in the same container is told apart")
    func containers() {
        let sheet = zipped([
            "[Content_Types].xml": contentTypes(
                "xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
            "_rels/.rels": relationships([("r1", "officeDocument", "xl/workbook.xml")]), "xl/workbook.xml": "<x/>",
        ])
        #expect(measure(sheet, "a.docx").error == "the document is damaged: its main part holds no workbook")
        #expect(measure(zipped(["mimetype": "application/epub+zip"]), "a.epub").error?.contains("names no book") == true)
        #expect(measure(zipped(["readme.txt": "hello"]), "a.docx").error == "no analyzer for zip containers")
        #expect(measure(zipped(["Index/Document.iwa": "x"]), "a.pages").error?.contains("iWork") == true)
    }

    @Test("of each kind survives every cut and many flips without a crash", arguments: ["odt", "pptx", "odp"])
    func damage(kind: String) {
        let whole =
            switch kind {
            case "odt": odt("<text:p>five words and no more</text:p>")
            case "pptx": pptx([(slide(shape("five words and no more")), nil)])
            default:
                openDocument(
                    "presentation",
                    body: "<office:presentation><draw:page><text:p>five words and no more</text:p></draw:page></office:presentation>")
            }
        #expect(measure(whole, "a.\(kind)").words == 5)
        for length in 0..<whole.count {
            #expect(measure(Array(whole.prefix(length)), "a.\(kind)").error != nil, "cut at \(length)")
        }
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= UInt8(1 << (index % 8))
            let measured = measure(damaged, "a.\(kind)")
            #expect(measured.error != nil || measured.words == 5, "flipped at \(index)")
        }
    }
}
