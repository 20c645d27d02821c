// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("Other formats")
struct FormatsTests {
    private func text(_ text: String, _ name: String) -> Measurement { measure(Array(text.utf8), name) }

    @Test("A web page counts what a browser shows, and nothing that it does not")
    func html() {
        let page = text(
            """
            <!DOCTYPE html><html lang="en"><head><title>not shown</title><style>p { color: red }</style><script>var a = "no words";</script></head>
            <body><h1>A heading</h1><p>one <b>two</b>three&nbsp;four<br>five &mdash; six<p>seven<ul><li>eight<li>nine</ul>
            <table><tr><td>ten</td><td>eleven<table><tr><td>twelve</td></tr></table></td></tr></table>
            <p hidden>not to be seen</p><p style="display: none">nor this</p><del>was here</del><ruby>thirteen<rt>reading</rt></ruby>
            <!-- a comment --><template>later</template><textarea>typed</textarea></body></html>
            """, "page.html")
        #expect(page.error == nil)
        #expect(page.format == "html")
        #expect(page.words == 14)
        #expect(page.figure("hidden_word_count") == 6)
        #expect(page.figure("deleted_word_count") == 2)
        #expect(page.figure("paragraph_count") == 9)
        #expect(text("<html><body>a &#x4e2d;&eacute;</body></html>", "a.htm").words == 3)
        // Named as text, but a page all the same; and a legacy character set that is declared.
        #expect(text("<!DOCTYPE html><p>hello you", "a.txt").words == 2)
        let legacy =
            Array("<html><head><meta charset=\"iso-8859-1\"></head><body>caf".utf8) + [0xe9, 0x20, 0x97, 0x20]
            + Array("ja</body></html>".utf8)
        let measured = measure(legacy, "a.html")
        #expect(measured.words == 2)
        #expect(measured.figure("character_count") == 9)
        #expect(measured.encoding == "windows-1252")
    }

    @Test("A page that nests a million elements, or is no page, does no harm")
    func hostilePage() {
        #expect(text("<html>" + String(repeating: "<div>", count: 1_000_000), "a.html").error?.contains("nested deeper") == true)
        #expect(
            text("<html>" + String(repeating: "</p>", count: 10_000) + "&" + String(repeating: "<", count: 1000), "a.html").error == nil)
        #expect(text("<html><body><p>word" + String(repeating: "&amp;", count: 10_000), "a.html").words == 1)
    }

    @Test("Rich text counts its body, and everything else in its place")
    func rtf() {
        let document = text(
            #"""
            {\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times New Roman;}}{\stylesheet{\s0 Normal;}}{\info{\author Somebody Else}}
            {\header\pard some header text\par}{\*\generator Nobody;}
            \pard one {\b two}three caf\'e9 \u8212? four\par
            five{\footnote\pard note words\par} six{\v hidden}{\deleted gone now}\par
            {\field{\*\fldinst HYPERLINK "http://example.org"}{\fldrslt seven}}\line eight\par
            \trowd\intbl nine\cell ten\cell\row\pard
            {\pict\pngblip 89504e470d0a1a0a}{\listtext\pard 1.\tab}\ls1 eleven\par
            {\*\annotation a remark}\pard\outlinelevel0 twelve\u-10179?\u-8704? \page thirteen}
            """#, "a.rtf")
        #expect(document.error == nil)
        #expect(document.format == "rtf")
        #expect(document.words == 13)
        #expect(document.figure("header_footer_word_count") == 3)
        #expect(document.figure("footnote_word_count") == 2)
        #expect(document.figure("hidden_word_count") == 1)
        #expect(document.figure("deleted_word_count") == 2)
        #expect(document.figure("comment_word_count") == 2)
        #expect(document.figure("page_count") == 2)
        #expect(text(#"{\rtf1 never ends"#, "a.rtf").error?.contains("in the middle") == true)
        #expect(text(#"{\rtf1 "# + String(repeating: "{", count: 1_000_000), "a.rtf").error?.contains("nested deeper") == true)
        #expect(text(#"{\rtf1 a{\bin99999999999 }b}"#, "a.rtf").error != nil)
    }

    @Test("LaTeX counts prose, not commands and formulas")
    func latex() {
        let document = text(
            #"""
            \documentclass{article}
            \title{not in the body}
            \begin{document}
            \section{A Heading}
            one \emph{two} three~four % a comment
            five --- six\footnote{in a note} na\"{\i}ve $x^2 + y$ \cite{somebody}.

            \begin{itemize}\item seven \item[x] eight\end{itemize}
            \begin{equation} a = b \end{equation}
            \begin{tabular}{l|r} nine & ten \\ eleven & twelve \end{tabular}
            \begin{verbatim}
            code here
            \end{verbatim}
            \begin{figure}\includegraphics[width=3cm]{picture}\caption{A caption}\label{fig:a}\end{figure}
            \end{document}
            not counted at all
            """#, "a.tex")
        #expect(document.error == nil)
        #expect(document.format == "tex")
        #expect(document.words == 19)
        #expect(document.items.first { $0.identifier == "total_word_count" }?.method == .estimated)
        #expect(document.figure("footnote_word_count") == 3)
        #expect(text(String(repeating: "{", count: 100_000), "a.tex").error?.contains("nested deeper") == true)
        #expect(text(#"price $5 and \verb|x y| \[ never"#, "a.tex").words == 5)
    }

    @Test(
        "A program has lines of code, of comment, and blank ones",
        arguments: [
            ("a.c", "/* one\n   two */\nint a; // x\n\nchar *b = \"/* no */ // no\";\nint c; /* d\n*/ int e;\n", 4, 2, 1),
            ("a.py", "# one\n\ndef a():\n    \"\"\"text\n    # inside\n    \"\"\"\n    return '#' # x\n", 5, 1, 1),
            ("a.swift", "/* a /* b */ c\n*/\nlet a = \"//\"\n//\n", 1, 3, 0),
            ("a.lua", "--[[ a\nb ]]\n-- c\nlocal d = 1\n", 1, 3, 0),
            ("a.sh", "#!/bin/sh\necho \"a # b\"\n", 1, 1, 0),
            ("a.rs", "fn a<'b>(c: &'b str) {} // d\n// e", 1, 1, 0),
        ])
    func programs(name: String, source: String, code: Int, comment: Int, blank: Int) {
        let measured = text(source, name)
        #expect(measured.format == "source")
        #expect(measured.figure("code_line_count") == code)
        #expect(measured.figure("comment_line_count") == comment)
        #expect(measured.figure("blank_line_count") == blank)
        #expect(measured.words == nil)
        #expect(measured.notes.contains { $0.identifier == "total_word_count" })
    }

    @Test("A table as text has cells, whatever parts them")
    func csv() {
        let comma = text("name,remark\n\"Smith, John\",\"said \"\"no\"\"\nand left\"\n,\n3.5,x\r\n", "a.csv")
        #expect(comma.format == "csv")
        #expect(comma.figure("cell_count") == 6)
        #expect(comma.words == 10)
        #expect(text("a;b,c;d\n1;2;3\n", "a.csv").figure("cell_count") == 6)
        #expect(text("a b\tc\n", "a.tsv").figure("cell_count") == 2)
    }

    @Test("Markdown has footnotes apart, and code in the body")
    func markdown() {
        let document = text(
            "# Title\n\nOne two[^1] three.\n\n```\ncode [^1] here\n```\n\n[^1]: A note\n    goes on.\n\n    And on.\n\nFour[^x y] five.\n",
            "a.md")
        #expect(document.words == 10)
        #expect(document.figure("footnote_word_count") == 6)
        #expect(text("```\n[^1]: no note\n```\n", "a.md").figure("footnote_word_count") == nil)
    }

    @Test("What a text is written in is said where it is not UTF-8")
    func encodings() {
        let latin = measure(
            Array("Die Schule f".utf8) + [0xfc] + Array("r gro".utf8) + [0xdf] + Array("e M".utf8) + [0xe4] + Array("dchen".utf8), "a.txt")
        #expect(latin.words == 5)
        #expect(latin.encoding != nil)
        #expect(latin.items.first?.method == .estimated)
        let wide = measure(
            [0xff, 0xfe] + "zwei Wörter".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }, "a.txt")
        #expect(wide.words == 2)
        #expect(wide.encoding == "UTF-16LE")
        #expect(wide.items.first?.method == .counted)
        #expect(text("plain", "a.txt").encoding == nil)
    }
}
