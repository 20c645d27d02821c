// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("Plain text")
struct PlainTextTests {
    private static let line = "Caf\u{e9} \u{2013} na\u{ef}ve words"

    @Test("is read in the character set it is in")
    func charsets() {
        let utf16 = Array(Self.line.utf16)
        let little = utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let latin = Array("Caf".utf8) + [0xe9, 0x20, 0x96, 0x20] + Array("na".utf8) + [0xef] + Array("ve words".utf8)
        let all: [[UInt8]] = [
            Array(Self.line.utf8), [0xef, 0xbb, 0xbf] + Array(Self.line.utf8), [0xff, 0xfe] + little, [0xfe, 0xff] + big, latin,
        ]
        for bytes in all {
            let measured = measure(bytes, "a.txt")
            #expect(measured.format == "txt")
            #expect(measured.words == 3)
            #expect(measured.figure("character_count") == 18)
        }
        let plain = "plain words here".utf8.flatMap { [$0, UInt8(0)] }
        #expect(measure(plain, "a.txt").words == 3)
    }

    @Test("has paragraphs between blank lines, or one a line where lines are not wrapped by hand")
    func paragraphs() {
        #expect(measure(Array("one\ntwo\n\nthree\r\n\r\nfour\r\nfive\n".utf8), "a.txt").figure("paragraph_count") == 3)
        let long = words(40)
        #expect(measure(Array("\(long)\n\(long)\nshort\n".utf8), "a.txt").figure("paragraph_count") == 3)
        #expect(measure(Array("shopping\n- milk\n- bread and butter\n1. first\n".utf8), "a.txt").figure("paragraph_count") == 4)
    }

    @Test("may be empty, but a document of another kind may not")
    func empty() {
        let text = measure([], "notes.txt")
        #expect(text.error == nil)
        #expect(text.words == 0)
        #expect(measure([], "essay.docx").error == "the file is empty")
    }

    @Test(
        "that is none is refused with what it is",
        arguments: [
            ("<?xml version='1.0'?><a/>", "XML"), ("GIF89a", "images"), ("\u{7f}ELF", "programs"),
            ("SQLite format 3\u{0}", "databases"),
        ])
    func others(text: String, kind: String) {
        let measured = measure(Array(text.utf8), "essay.txt")
        #expect(measured.error == "no analyzer for \(kind)")
        #expect(measured.items.isEmpty)
        #expect(measured.format == nil)
    }

    @Test("of random bytes is refused, not counted")
    func random() {
        var state: UInt64 = 1
        for name in ["a.txt", "a.docx", "a.odt", "a", "a.md"] {
            let bytes = (0..<4096).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(state >> 56)
            }
            let measured = measure(bytes, name)
            #expect(measured.error != nil && measured.items.isEmpty, "\(name)")
        }
    }

    @Test("under the name of an office document is no office document")
    func mislabelled() {
        #expect(measure(Array("just some text".utf8), "essay.docx").error?.contains("holds plain text") == true)
    }
}

@Suite("Markdown")
struct MarkdownTests {
    @Test("counts what is read, not what marks it up")
    func counts() {
        let text = """
            ---
            title: not counted
            lang: en
            ---
            # One *heading*

            A paragraph with [a link](https://example.org/not-counted) and `code`.

            - first item
            - second item

            | a | b |
            |---|---|
            | c | d |

            ![not shown](x.png) <b>bold</b> &mdash; caf&eacute;

            ```
            let x = 1
            ```
            """
        let measured = measure(Array(text.utf8), "a.md")
        #expect(measured.format == "md")
        // 2 + 7 + 4 + 4 + 2 + 3
        #expect(measured.words == 22)
        #expect(measured.figure("paragraph_count") == 10)
        #expect(measured.language == "en")
    }
}
