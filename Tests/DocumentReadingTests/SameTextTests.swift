// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DocumentReading
import Testing

@Suite("The same text")
struct SameTextTests {
    private static let paragraphs = [
        "The children who live beside the river walk to school every morning, even in winter. Dr. Brown, their teacher, says that walking "
            + "wakes them up. \u{201c}Come early!\u{201d} she tells everybody.",
        "Last week the bridge was closed \u{2014} nobody knew why \u{2014} and so all of them had to find another way. It took them 3.5 miles through "
            + "the forest. They saw a fox, two owls and, as one of them remembers, something that nobody could name.",
        "When they arrived at last, the first lesson was over. Their teacher only laughed. \u{201c}Write it down,\u{201d} she said. So this is what they "
            + "wrote: a long, well-known story about an ordinary morning, a careful description of every animal, and a map of the way home.",
        "Afterwards everybody agreed that the forest is more beautiful than the road. The bridge is open again, but most of the children still "
            + "take the longer way when the weather allows it.",
    ]

    /// The text in a format, by name of the file.
    private static func document(_ name: String) -> [UInt8] {
        func joined(_ each: (String) -> String) -> String { paragraphs.map(each).joined() }
        switch name {
        case "a.txt", "a.md": return Array(paragraphs.joined(separator: "\n\n").utf8)
        case "b.txt":
            return [0xff, 0xfe]
                + paragraphs.joined(separator: "\r\n").utf16.flatMap {
                    [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
                }
        case "a.html": return Array("<html><body>\(joined { "<p>\($0)</p>" })</body></html>".utf8)
        case "a.rtf":
            let body = joined { text in
                text.unicodeScalars.map { $0.isASCII ? String($0) : "\\u\(Int16(truncatingIfNeeded: $0.value))?" }.joined() + "\\par\n"
            }
            return Array("{\\rtf1\\ansi \(body)}".utf8)
        case "a.docx": return docx(joined(paragraph))
        case "b.docx":
            // As programs save what was typed with pauses: runs that end inside words.
            return docx(
                joined { text in
                    let middle = text.index(text.startIndex, offsetBy: text.count / 2)
                    return
                        "<w:p><w:r><w:t xml:space=\"preserve\">\(text[..<middle])</w:t></w:r><w:r><w:t xml:space=\"preserve\">\(text[middle...])</w:t></w:r></w:p>"
                })
        case "a.odt": return odt(joined { "<text:p>\($0)</text:p>" })
        case "a.pptx": return pptx(paragraphs.map { (slide(shape($0)), nil) })
        case "a.odp":
            return openDocument(
                "presentation",
                body:
                    "<office:presentation>\(joined { "<draw:page><draw:frame><draw:text-box><text:p>\($0)</text:p></draw:text-box></draw:frame></draw:page>" })</office:presentation>"
            )
        case "a.tex": return Array("\\begin{document}\n\(paragraphs.joined(separator: "\n\n"))\n\\end{document}".utf8)
        default: return []
        }
    }

    @Test(
        "has the same words, sentences, syllables and grade in every format",
        arguments: ["a.md", "b.txt", "a.html", "a.rtf", "a.docx", "b.docx", "a.odt", "a.pptx", "a.odp", "a.tex"])
    func same(name: String) throws {
        func figures(_ name: String) -> [String: Item.Value] {
            let measured = measure(Self.document(name), name)
            #expect(measured.error == nil)
            #expect(measured.language == "en")
            let apart: Set<String> = ["slide_count", "hidden_slide_count", "notes_word_count", "page_count"]
            var figures: [String: Item.Value] = [:]
            for item in measured.items where !apart.contains(item.identifier) { figures[item.identifier] = item.value }
            return figures
        }
        let plain = figures("a.txt")
        #expect(plain["total_word_count"] == .quantity(152))
        #expect(plain["sentence_count"] == .quantity(12))
        #expect(plain["readability_grade_level"] != nil)
        #expect(figures(name) == plain)
    }
}
