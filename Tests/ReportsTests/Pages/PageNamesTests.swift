// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Reports

@Suite("The folder names of published pages")
struct PageNamesTests {
    @Test(
        "can be read, and are safe wherever a share is opened",
        arguments: [
            ("Hamlet essay", "hamlet-essay"), ("8B", "8b"), ("berg", "berg"), ("m.kelly", "m.kelly"),
            ("2026-03-14 Hamlet", "2026-03-14-hamlet"),
            ("Über Öl & Straße", "uber-ol-strasse"), ("../../etc/passwd", "etc-passwd"), ("..", "unnamed"), ("", "unnamed"),
            (" . ", "unnamed"),
            (".hidden", "hidden"), ("a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"), ("CON", "con-"), ("nul.txt", "nul.txt-"),
            ("com1", "com1-"),
            ("com10", "com10"), ("a\u{0}b\u{1b}c", "a-b-c"), ("\u{202e}abc", "abc"), ("مريم", "مريم"), ("日本語 課題", "日本語-課題"),
            ("trailing. ", "trailing"),
            ("a.-_b", "a-b"), ("a - b", "a-b"), ("%xx\u{fffd}y", "xx-y"),
        ])
    func safe(name: String, expected: String) {
        #expect(PageNames.safe(name) == expected)
    }

    @Test("have at most 100 bytes, and no half of a character")
    func long() {
        #expect(PageNames.safe(String(repeating: "x", count: 255)).utf8.count == 100)
        let arabic = PageNames.safe("a" + String(repeating: "م", count: 255))
        #expect(arabic.utf8.count == 99)
        #expect(PageNames.safe(String(repeating: "a-", count: 100)).utf8.count <= 100)
    }

    @Test("never meet, whatever the names and whatever a share makes of capitals")
    func unique() {
        let names = [
            "Hamlet essay", "hamlet essay", "HAMLET-ESSAY", "hamlet/essay", "Hamlet  essay", "people", "People", "é", "e\u{301}", "E", "",
            "..",
            String(repeating: "x", count: 200), String(repeating: "x", count: 201),
        ]
        let folders = PageNames.folders(names.enumerated().map { (key: $0, id: "\($0)/\($1)", name: $1) }, taken: ["people"])
        #expect(folders.count == names.count)
        #expect(Set(folders.values.map { $0.lowercased() }).count == names.count)
        #expect(!folders.values.contains("people"))
        #expect(folders[0] == "hamlet-essay")
        // A suffix depends on the key alone: one more in the list changes no name of the others.
        let fewer = PageNames.folders(
            names.enumerated().filter { $0.offset != 2 }.map { (key: $0, id: "\($0)/\($1)", name: $1) }, taken: ["people"])
        for (key, folder) in fewer { #expect(folders[key] == folder) }
        #expect(folders[1]?.wholeMatch(of: /hamlet-essay-[0-9a-f]{8}/) != nil)
    }

    @Test("meet nobody's even where the suffix is somebody's name")
    func suffixes() {
        let first = PageNames.folders([(key: 0, id: "0", name: "a"), (key: 1, id: "1", name: "a")])
        let stolen = PageNames.folders([
            (key: 0, id: "0", name: "a"), (key: 2, id: "2", name: first[1] ?? ""), (key: 1, id: "1", name: "a"),
        ])
        #expect(Set(stolen.values).count == 3)
    }
}
