// SPDX-License-Identifier: Apache-2.0
import ClassLists
import Testing

@Suite("A table of comma-separated values")
struct CSVTableTests {
    private func read(_ text: String) -> (CSVTable, [ListMistake]) { read(Array(text.utf8)) }

    private func read(_ bytes: [UInt8]) -> (CSVTable, [ListMistake]) {
        var mistakes: [ListMistake] = []
        let table = CSVTable(bytes, file: "t.csv", mistakes: &mistakes)
        return (table, mistakes)
    }

    @Test("is read whatever ends its lines, with a byte-order mark or without", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) {
        let text = ["a,b", "1,\"x, \"\"y\"\"\"", "", "2,\"two\(end)lines\"", "3,"].joined(separator: end)
        for bytes in [Array(text.utf8), [0xef, 0xbb, 0xbf] + Array(text.utf8), Array((text + end).utf8)] {
            let (table, mistakes) = read(bytes)
            #expect(mistakes.isEmpty)
            #expect(table.columns == ["a", "b"])
            #expect(table.rows.map(\.fields) == [["1", "x, \"y\""], ["2", "two\(end)lines"], ["3", ""]])
            #expect(table.rows.map(\.line) == [2, 4, 6])
        }
    }

    @Test("names what is wrong with file and line")
    func mistakes() {
        let cases: [(String, [String])] = [
            ("", ["t.csv: is empty; its first line names the columns"]),
            ("a;b\n1;2", ["t.csv:1: the columns are separated by semicolons; OneRoster wants commas, so export it so"]),
            ("a\tb\n1\t2", ["t.csv:1: the columns are separated by tabs; OneRoster wants commas, so export it so"]),
            ("a,A\n", ["t.csv:1: the column 'A' stands twice"]),
            (
                "a,b\n1\n1,2,3\n1,2",
                [
                    "t.csv:2: has 1 fields, and the header has 2; is a comma or a quote missing, or one too many?",
                    "t.csv:3: has 3 fields, and the header has 2; is a comma or a quote missing, or one too many?",
                ]
            ),
            ("a,b\n1,\"2\n3,4\n", ["t.csv:2: a quoted field that begins here has no closing quote"]),
            (
                "a,b\n1,\"2\" x\n3,4",
                ["t.csv:2: text follows a closing quote; a quote inside a field is written twice, and the field in quotes"]
            ),
        ]
        for (text, expected) in cases { #expect(read(text).1.map(\.description) == expected, "\(text)") }
        #expect(
            read(Array("a\n".utf8) + [0xff, 0x0a]).1.map(\.description)
                == ["t.csv:2: is not UTF-8; save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8')"])
        #expect(
            read([0xff, 0xfe, 0x61, 0x00]).1.map(\.description) == ["t.csv: is UTF-16; save it as UTF-8 (in a spreadsheet: 'CSV UTF-8')"])
    }

    @Test("takes a field of 64 KiB and refuses one that is a byte longer")
    func longFields() {
        let long = String(repeating: "x", count: CSVTable.longestField)
        for field in [long, "\"\(long)\""] {
            #expect(read("a\n\(field)").0.rows.count == 1)
            let more = field.replacing("xx\"", with: "xxx\"") + (field.hasSuffix("\"") ? "" : "x")
            #expect(read("a\n\(more)").1.count == 1)
        }
    }

    @Test("never crashes, wherever it is cut and whatever byte is turned")
    func hostile() {
        let text = Array("a,\"b \"\"c\"\"\",d\r\n1,\"2\r\n3\",ä\n\"\",,\n".utf8)
        for length in 0...text.count { _ = read(Array(text.prefix(length))) }
        for index in text.indices {
            for value in [0, 0x22, 0x2c, 0x0d, 0x0a, 0xff] as [UInt8] {
                var changed = text
                changed[index] = value
                let (table, mistakes) = read(changed)
                #expect(table.rows.allSatisfy { $0.fields.count == table.columns.count }, "\(index) \(value) \(mistakes)")
            }
        }
    }
}
