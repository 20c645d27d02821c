// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CZlib
import DocumentReading
import Testing

/// Containers that no program writes: each member says of itself what it likes.
@Suite("A hostile container")
struct HostileContainerTests {
    private struct Member {
        var name: String
        var bytes: [UInt8]
        var checksum: UInt32?
        var size: UInt32?
        var packedSize: UInt32?
        var flags: UInt16 = 0
        /// Where it is said to lie; nil: where it does.
        var offset: UInt32?
    }

    private func container(_ members: [Member]) -> [UInt8] {
        func little(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for member in members {
            let counted = member.bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
            let checksum: UInt32 = member.checksum ?? UInt32(counted)
            let size = UInt32(member.bytes.count)
            var facts = little(UInt16(20)) + little(member.flags)
            facts += [0, 0, 0, 0, 0, 0] as [UInt8]
            for number in [checksum, member.packedSize ?? size, member.size ?? size] { facts += little(number) }
            facts += little(UInt16(member.name.utf8.count)) + little(UInt16(0))
            directory += [0x50, 0x4b, 1, 2, 20, 0] as [UInt8]
            directory += facts
            directory += [UInt8](repeating: 0, count: 10)
            directory += little(member.offset ?? UInt32(out.count))
            directory += Array(member.name.utf8)
            guard member.offset == nil else { continue }
            out += [0x50, 0x4b, 3, 4] as [UInt8]
            out += facts
            out += Array(member.name.utf8)
            out += member.bytes
        }
        var end = [0x50, 0x4b, 5, 6, 0, 0, 0, 0] as [UInt8]
        end += little(UInt16(members.count)) + little(UInt16(members.count))
        end += little(UInt32(directory.count)) + little(UInt32(out.count))
        return out + directory + end + [0, 0]
    }

    private func word(_ text: String, change: (inout Member) -> Void = { _ in }) -> [UInt8] {
        var main = Member(
            name: "word/document.xml", bytes: Array("<w:document \(wordSpaces)><w:body>\(paragraph(text))</w:body></w:document>".utf8))
        change(&main)
        return container([
            Member(name: "_rels/.rels", bytes: Array(relationships([("r1", "officeDocument", main.name)]).utf8)), main,
        ])
    }

    @Test("that says the truth is read, and one whose checksum, size or protection is another is refused")
    func claims() {
        #expect(measure(word("three good words"), "a.docx").words == 3)
        #expect(measure(word("three good words") { $0.checksum = 7 }, "a.docx").error?.contains("cannot be unpacked") == true)
        for size in [2 << 30, UInt32.max - 1] as [UInt32] {
            #expect(measure(word("three good words") { $0.size = size }, "a.docx").error != nil)
            #expect(measure(word("three good words") { $0.packedSize = size }, "a.docx").error != nil)
        }
        #expect(measure(word("three good words") { $0.flags = 1 }, "a.docx").error?.contains("password") == true)
    }

    @Test("has names that lead elsewhere or never end, and they lead nowhere")
    func names() {
        for name in ["../../../../etc/passwd", "/etc/passwd", "word/../../etc/passwd", String(repeating: "n/", count: 30_000)] {
            let measured = measure(word("three good words") { $0.name = name }, "a.docx")
            // The part is only ever looked for in the container itself: either there, or nowhere.
            #expect(measured.error != nil || measured.words == 3, "\(name.prefix(30))")
            #expect(measured.error?.utf8.count ?? 0 < 300)
        }
        let missing = container([
            Member(name: "_rels/.rels", bytes: Array(relationships([("r1", "officeDocument", "../../../../etc/passwd")]).utf8))
        ])
        #expect(measure(missing, "a.docx").error != nil)
    }

    @Test("of containers in containers, or of itself, is opened one level and no further")
    func nested() {
        var inner = docx(paragraph("deep down"))
        for _ in 0..<50 { inner = zipped([("inner.docx", inner)], stored: true) }
        #expect(measure(inner, "a.docx").error == "no analyzer for zip containers")
        // The second member is the container from its very beginning, so whoever unpacks it finds it again, for ever.
        let start = [UInt8](repeating: 0, count: 100)
        let itself = container([
            Member(name: "a.zip", bytes: start), Member(name: "b.zip", bytes: start, offset: 0),
            Member(name: "a.zip", bytes: start, offset: 0),
        ])
        #expect(measure(itself, "a.docx").error != nil)
        #expect(measure(itself, "a.zip").error != nil)
    }

    @Test("whose many parts lie on the same bytes costs no more than its limit")
    func overlapping() {
        let sheet =
            "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>"
            + String(repeating: "<row><c t=\"inlineStr\"><is><t>x</t></is></c></row>", count: 10_000) + "</sheetData></worksheet>"
        let numbers = 0..<2000
        let book =
            "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets>"
            + numbers.map { "<sheet r:id=\"s\($0)\"/>" }.joined() + "</sheets></workbook>"
        var members = [
            Member(name: "s", bytes: Array(sheet.utf8)),
            Member(
                name: "[Content_Types].xml",
                bytes: Array(contentTypes("b", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml").utf8)),
            Member(name: "_rels/.rels", bytes: Array(relationships([("r1", "officeDocument", "b")]).utf8)),
            Member(name: "b", bytes: Array(book.utf8)),
            Member(name: "_rels/b.rels", bytes: Array(relationships(numbers.map { ("s\($0)", "worksheet", "s\($0)") }).utf8)),
        ]
        for number in numbers { members.append(Member(name: "s\(number)", bytes: Array(sheet.utf8), offset: 0)) }
        var limits = ReadingLimits.standard
        limits.unpackedBytes = 8 << 20
        let measured = measure(container(members), "a.xlsx", limits: limits)
        #expect(measured.error?.contains("8388608 bytes when unpacked") == true || measured.error?.contains("cannot be unpacked") == true)
    }

    @Test("of a million elements in each other is refused at once")
    func million() {
        let deep = String(repeating: "<w:sdt>", count: 1_000_000)
        #expect(measure(docx(deep), "a.docx").error?.contains("nested deeper") == true)
        #expect(measure(odt(String(repeating: "<text:section>", count: 1_000_000)), "a.odt").error?.contains("nested deeper") == true)
        #expect(measure(Array(String(repeating: "<div>", count: 1_000_000).utf8), "a.html").error != "")
        #expect(measure(Array(("{\\rtf1 " + String(repeating: "{", count: 1_000_000)).utf8), "a.rtf").error != "")
    }

    @Test("PDF without an end, or with streams that unpack without end, is read within its limits")
    func endlessPDF() {
        let page = "3 0 obj << /Type /Page >> endobj\n"
        let tree = "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] >> endobj\n"
        let endless = "%PDF-1.7\n" + tree + String(repeating: page, count: 300_000)
        #expect(measure(Array((endless + "trailer << /Root 1 0 R >>\n").utf8), "a.pdf").figure("page_count") == 1)
        // An object stream that unpacks to 64 MB of nothing.
        var packed = [UInt8](repeating: 0, count: 1 << 20)
        var size = uLongf(packed.count)
        let zeros = [UInt8](repeating: 0x20, count: 64 << 20)
        #expect(compress2(&packed, &size, zeros, uLong(zeros.count), 9) == Z_OK)
        let head = "%PDF-1.7\n" + tree + page
        var bomb = Array(head.utf8)
        for number in 10..<20 {
            bomb += Array("\(number) 0 obj << /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length \(size) >> stream\n".utf8)
            bomb += packed[..<Int(size)]
            bomb += Array("\nendstream endobj\n".utf8)
        }
        bomb += Array("trailer << /Root 1 0 R >>\n".utf8)
        var limits = ReadingLimits.standard
        limits.unpackedBytes = 100 << 20
        let measured = measure(bomb, "a.pdf", limits: limits)
        #expect(measured.error?.contains("when unpacked") == true || measured.figure("page_count") == 1)
    }

    @Test("of before 2007 is told apart by what is in it, and whether a password protects it")
    func legacy() {
        #expect(measure(compound([("WordDocument", fib())]), "a.doc").format == "doc")
        #expect(measure(compound([("PowerPoint Document", [])]), "a.doc").format == "ppt")
        #expect(measure(compound([("Workbook", [9, 8, 4, 0, 0, 6, 5, 0])]), "a.doc").format == "xls")
        #expect(measure(compound([("WordDocument", fib(encrypted: true))]), "a.doc").error?.contains("password") == true)
        #expect(measure(compound([("EncryptedPackage", [])]), "a.docx").error?.contains("password") == true)
        #expect(measure(compound([("Workbook", [9, 8, 0, 0, 0x2f, 0, 0, 0])]), "a.xls").error?.contains("password") == true)
        #expect(measure(compound([("WordDocument", [1, 2, 3])]), "a.doc").error?.contains("damaged") == true)
        #expect(measure(compound([("Visio", [])]), "a.vsd").error == "no analyzer for this kind of legacy file")
        let whole = compound([("WordDocument", fib())])
        for length in stride(from: 8, to: whole.count, by: 7) { _ = measure(Array(whole.prefix(length)), "a.doc") }
        for index in 0..<1024 {
            var damaged = whole
            damaged[index] ^= 0xff
            _ = measure(damaged, "a.doc")
        }
    }

    private func fib(encrypted: Bool = false) -> [UInt8] { [0xec, 0xa5, 0xc1, 0, 0, 0, 0, 0, 0, 0, 0, encrypted ? 1 : 0] }

    /// A compound file with these streams, each padded to the 4096 bytes from which on it has sectors of its own.
    private func compound(_ streams: [(name: String, start: [UInt8])]) -> [UInt8] {
        func little(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        let magic: [UInt8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
        let (end, free) = (UInt32.max - 1, UInt32.max)
        // Sector 0 the table, 1 the directory, then eight for each stream.
        var header = magic + [UInt8](repeating: 0, count: 16)
        header += [0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0, 0, 0, 0, 0, 0, 0] as [UInt8]
        for number in [0, 1, 1, 0, 4096, end, 0, end, 0, 0] as [UInt32] { header += little(number) }
        for _ in 0..<108 { header += little(free) }
        var table = little(UInt32.max - 2) + little(end)
        var directory: [UInt8] = []
        func entry(_ name: String, _ kind: UInt8, _ sector: UInt32, _ size: UInt32) -> [UInt8] {
            var bytes: [UInt8] = []
            for unit in name.utf16 { bytes += [UInt8(unit & 0xff), UInt8(unit >> 8)] }
            bytes += [0, 0]
            let length = UInt8(bytes.count)
            bytes += [UInt8](repeating: 0, count: 64 - bytes.count)
            bytes += [length, 0, kind, 1]
            bytes += [UInt8](repeating: 0xff, count: 12)
            bytes += [UInt8](repeating: 0, count: 36)
            bytes += little(sector)
            bytes += little(size)
            return bytes + little(0)
        }
        directory += entry("Root Entry", 5, end, 0)
        var content: [UInt8] = []
        for (index, stream) in streams.enumerated() {
            let first = UInt32(2 + index * 8)
            for sector in 0..<7 as Range<UInt32> { table += little(first + sector + 1) }
            table += little(end)
            directory += entry(stream.name, 2, first, 4096)
            content += stream.start + [UInt8](repeating: 0, count: 4096 - stream.start.count)
        }
        table += [UInt8](repeating: 0xff, count: 512 - table.count)
        directory += [UInt8](repeating: 0, count: 512 - directory.count)
        return header + table + directory + content
    }
}
