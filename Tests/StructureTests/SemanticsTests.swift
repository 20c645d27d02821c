// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("The table of ClassKit's meanings")
struct SemanticsTests {
    @Test("names tests that are there, in each row")
    func names() throws {
        let texts = try Repository.files(below: "Tests").filter { $0.hasSuffix(".swift") }.map(Repository.text)
        let rows = try Repository.text("Tests/ClassKitSemantics.md").split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count > 40)
        for row in rows {
            let names = row.split(separator: "|").last?.split(separator: "·").map { $0.drop { $0 == " " } } ?? []
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                var name = String(name)
                while name.last == " " { name.removeLast() }
                #expect(!name.isEmpty && texts.contains { $0.contains("\"" + name) }, "no test's title begins with '\(name)'")
            }
        }
    }
}
