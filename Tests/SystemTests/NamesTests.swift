// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Strange names", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct NamesTests {
    private static let titles = ["Act \"1\"; $(id) 'x'", "مقال عن هاملت", "  two  spaces ", "-n", "100 % * ?", "Żółć…"]

    /// Words through a shell, which alone can pass on bytes that are no UTF-8.
    private func sh(_ school: School, _ script: String, as person: School.Person) throws -> Outcome {
        let program = try #require(Programs.built("daybook"))
        return try Child.run(
            school.command(
                ["bash", "-c", "daybook() { \(program) --socket \(school.folder)/daybook.sock \"$@\"; }\n\(script)"], as: person))
    }

    @Test("of assignments are set, shown, changed and ended like any other, and nothing of them is run", arguments: titles)
    func set(title: String) async throws {
        let school = try School()
        try await school.start()
        let made = try school.daybook(["assign", "--class", "8b", "--due", "2030-01-02", "--", title], as: .kelly)
        #expect(made.status == 0, "\(made)")
        struct Line: Decodable { var title: String }
        let asJSON = try school.daybook(["report", "--json"], as: .kelly).output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8)).title
        }
        let kept = try #require(asJSON.first { $0 != "Hamlet essay" })
        #expect(kept == title || kept == title.trimmingCharacters(in: .whitespaces), "\(asJSON)")
        for words in [
            ["report", "--", kept], ["assignment", "show", "--", kept], ["assignment", "change", "--target", "9 words", "--", kept],
        ] {
            let outcome = try school.daybook(words, as: .kelly)
            #expect(outcome.status == 0, "\(words) \(outcome)")
        }
        // A document in it, saved by a student: its row is there.
        let folder = try #require(
            try FileManager.default.contentsOfDirectory(atPath: school.share + "/8b").first { $0.hasPrefix("2030-01-02") })
        let place = "\(school.share)/8b/\(folder)/berg"
        try school.makeFolder(place, for: .berg)
        let saved = try Child.run(
            school.command(["sh", "-c", "echo one two three four five six seven > \"$0\"", "\(place)/\(kept)' \"x.txt"], as: .berg))
        #expect(saved.status == 0, "\(saved)")
        try await school.eventually("it is measured") {
            try school.daybook(["report", "--", kept], as: .kelly).output.contains(Regex("Berg .* 7 "))
        }
        #expect(try school.daybook(["report", "--csv", "--", kept], as: .kelly).output.contains("x.txt"))
        #expect(try school.daybook(["assignment", "end", "--", kept], as: .kelly).status == 0)
        #expect(try school.verifies())
    }

    @Test("of files that are no UTF-8 are copied, seen, handed in and looked at as what they are")
    func bytes() async throws {
        let school = try School()
        try await school.start()
        let copied = try sh(
            school, "cd \"$HOME\" && echo Begin here. > $'caf\\xe9.txt' && daybook assign Latin --class 8b --copy $'caf\\xe9.txt'",
            as: .kelly)
        #expect(copied.status == 0 && copied.output.contains("2 of 2 copied"), "\(copied)")
        let own = "\(school.share)/8b/Latin/berg"
        // All that was there to hear of the copies was heard.
        try school.write("one two three", "mark.txt", as: .berg)
        try await school.words(of: "mark.txt", by: .berg, are: 3)
        let saved = try sh(school, "cd '\(own)' && echo one two >> $'caf\\xe9.txt'", as: .berg)
        #expect(saved.status == 0, "\(saved)")
        try await school.eventually("it is measured") {
            try school.daybook(["show", "berg", "Latin"], as: .kelly).output.contains("caf\\xe9.txt")
        }
        let handed = try sh(school, "cd '\(own)' && daybook handin Latin $'caf\\xe9.txt'", as: .berg)
        #expect(handed.status == 0 && handed.output.contains("caf\\xe9.txt"), "\(handed)")
        // As it is written in tables, it can be named, too.
        let again = try sh(school, "cd '\(own)' && daybook handin Latin --withdraw && daybook assignment show Latin", as: .berg)
        #expect(again.status == 0, "\(again)")
        let bookmark = try sh(school, "cd '\(own)' && daybook bookmark add $'caf\\xe9.txt'", as: .kelly)
        #expect(bookmark.status == 0 && bookmark.output.contains("caf\\xe9.txt"), "\(bookmark)")
        let missing = try sh(school, "daybook assign X --class 8b --copy $'/no/\\xe9.txt'", as: .kelly)
        #expect(missing.status == 1 && missing.output.contains("cannot read /no/"), "\(missing)")
        let csv = try school.daybook(["report", "Latin", "--csv"], as: .kelly).output
        #expect(csv.contains("berg/caf\\xe9.txt"), "\(csv)")
        // A folder of such a name at {assignment} is an assignment, and can be named.
        let folder = try sh(school, "mkdir -p '\(school.share)/8b/'$'2030-01-02 \\xe9t\\xe9'", as: .kelly)
        #expect(folder.status == 0, "\(folder)")
        try await school.eventually("it is one") { try school.daybook(["report"], as: .kelly).output.contains("\\xe9t\\xe9") }
        #expect(try school.daybook(["report", "\\xe9t\\xe9"], as: .kelly).status == 0)
        #expect(try sh(school, "daybook report $'\\xe9t\\xe9'", as: .kelly).status == 0)
        #expect(try school.verifies())
    }
}
