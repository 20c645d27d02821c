// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("A PDF")
struct PDFTests {
    private func pdf(_ objects: [String], trailer: String = "<< /Root 1 0 R >>") -> [UInt8] {
        let body = objects.enumerated().map { "\($0 + 1) 0 obj\n\($1)\nendobj\n" }.joined()
        return Array("%PDF-1.7\n\(body)trailer\n\(trailer)\nstartxref\n0\n%%EOF\n".utf8)
    }

    private static let catalog = "<< /Type /Catalog /Pages 2 0 R >>"

    @Test("has as many pages as its tree has leaves, whatever its count says")
    func tree() {
        let document = pdf([
            Self.catalog, "<< /Type /Pages /Count 99 /Kids [3 0 R 4 0 R 5 0 R] >>", "<< /Type /Page /Parent 2 0 R >>",
            "<< /Type /Pages /Kids 6 0 R /Note (a \\) string with ( Kids [ 3 0 R ) in it) >>", "<</Type/Page/Contents<616263>>>",
            "[ 7 0 R\n8 0 R ] % a comment", "<< /Type /Page >>", "<< /Type /Page >>",
        ])
        let measured = measure(document, "a.pdf")
        #expect(measured.format == "pdf")
        #expect(measured.figure("page_count") == 4)
        #expect(measured.items.first { $0.identifier == "page_count" }?.method == .counted)
        #expect(measured.words == nil)
        #expect(measured.notes.contains { $0.identifier == "total_word_count" && $0.reason.contains("laid out by another program") })
    }

    @Test("that was changed later counts the newer objects, and a page that was taken out does not count")
    func update() {
        let first = pdf([Self.catalog, "<< /Type /Pages /Kids [3 0 R 4 0 R] >>", "<< /Type /Page >>", "<< /Type /Page >>"])
        let later = Array("2 0 obj << /Type /Pages /Kids [4 0 R] >> endobj\ntrailer << /Root 1 0 R >>\n".utf8)
        #expect(measure(first + later, "a.pdf").figure("page_count") == 1)
    }

    @Test("whose tree goes in a circle, is missing, or is encrypted says so")
    func damage() {
        let circle = pdf([Self.catalog, "<< /Type /Pages /Kids [2 0 R] >>"])
        #expect(measure(circle, "a.pdf").error?.contains("circle") == true)
        #expect(measure(pdf([Self.catalog]), "a.pdf").error?.contains("a page is missing") == true)
        #expect(measure(pdf([], trailer: "<< /Root 1 0 R /Encrypt 5 0 R >>"), "a.pdf").error?.contains("password") == true)
        #expect(measure(Array("%PDF-1.4 nothing".utf8), "a.pdf").error?.contains("page tree") == true)
        let deep = pdf([String(repeating: "[", count: 100_000), String(repeating: "<< /A ", count: 100_000)])
        #expect(measure(deep, "a.pdf").error != nil)
    }

    @Test("of any bytes after its mark does no harm")
    func anyBytes() {
        let whole = pdf([Self.catalog, "<< /Type /Pages /Kids [3 0 R] >>", "<< /Type /Page >>"])
        for length in 5..<whole.count { _ = measure(Array(whole.prefix(length)), "a.pdf") }
        var state: UInt64 = 7
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[5 + Int(state >> 33) % (bytes.count - 5)] = UInt8(truncatingIfNeeded: state >> 20)
            }
            let measured = measure(bytes, "a.pdf")
            #expect(measured.error != nil || (measured.figure("page_count") ?? 0) <= 3)
        }
    }
}
