// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A mistake at the command line", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct MistakesTests {
    private func refused(_ outcome: Outcome, _ part: String, status: Int32 = 1) {
        #expect(outcome.status == status && outcome.output.replacing("\n", with: " ").contains(part), "\(part)\n\(outcome)")
    }

    @Test("leaves nothing by halves, and says what to do")
    func assigning() async throws {
        let school = try School()
        try school.makeFolder(school.share + "/8b", for: .kelly)
        try await school.start()
        // Somebody else's class folder: the folder cannot be made, so nothing is set.
        #expect(chown(school.share + "/8b", 0, 0) == 0)
        refused(
            try school.daybook(["assign", "Map", "--class", "8b"], as: .kelly),
            "'Map' was not set: its folder \(school.share)/8b/Map cannot be made: you may not make a folder in \(school.share)/8b")
        #expect(try !school.daybook(["report"], as: .kelly).output.contains("Map"))
        // Root makes it for the teacher.
        #expect(try school.daybook(["assign", "Map", "--class", "8b"]).status == 0)
        let owner = try FileManager.default.attributesOfItem(atPath: school.share + "/8b/Map")[.ownerAccountID] as? NSNumber
        #expect(owner?.uint32Value == School.Person.kelly.rawValue)
        // What there is no room for is not begun.
        let template = school.folder + "/huge.odt"
        #expect(try Child.run(["truncate", "-s", "8T", template]).status == 0)
        let huge = try school.daybook(["assign", "Huge", "--class", "8b", "--copy", template])
        refused(huge, "'Huge' was not set: 2 copies of")
        refused(huge, "nothing was copied")
        #expect(try !school.daybook(["report"], as: .kelly).output.contains("Huge"))
        refused(try school.daybook(["assign", "X", "--class", "8b", "--copy", "/no/such"], as: .kelly), "cannot read /no/such")
        refused(
            try school.daybook(["assign", "X", "--class", "8b", "--context", String(repeating: "x", count: 257)], as: .kelly),
            "--context takes names of at most 256 characters each", status: 2)
        refused(
            try school.daybook(["bookmark", "add", "--context", "a/b/c/d/e/f/g/h/i/j"], as: .kelly),
            "write APP/A/B, of at most 9 names", status: 2)
        refused(
            try school.daybook(["assign", "X", "--class", "8b", "--due", "2020-01-01"], as: .kelly), "past")
        refused(try school.daybook(["assign", "X", "--class", "9z"], as: .kelly), "no class '9z'")
    }

    @Test("of whoever may not do something says who may")
    func who() async throws {
        let school = try School()
        try await school.start()
        try await school.eventually("the assignment is there") {
            try school.daybook(["report", "Hamlet essay"], as: .kelly).status == 0
        }
        for command in ["done", "handin"] {
            refused(
                try school.daybook([command, "Hamlet essay"], as: .kelly),
                "you may not do this: it is for the students whom the assignment was set for")
            refused(try school.daybook([command, "Hamlet essay"]), "it is for the students whom the assignment was set for")
            refused(try school.daybook([command, "Othello"], as: .berg), "no assignment 'Othello'")
        }
        let mine = try school.daybook(["report"], as: .berg)
        #expect(mine.status == 0 && mine.output.contains("a teacher's tables") && mine.output.contains("daybook me"), "\(mine)")
        refused(try school.daybook(["report", "Hamlet essay", "--group", "nobody"], as: .kelly), "is not set for nobody")
        refused(try school.daybook(["report", "Hamlet essay", "--group", "berg,lindne"], as: .kelly), "is not set for lindne")
        #expect(try school.daybook(["report", "Hamlet essay", "--group", "berg"], as: .kelly).status == 0)
        refused(
            try school.daybook(["assignment", "delete", "Hamlet essay"], as: .kelly), "give --yes, or 'end' to keep it", status: 2)
        #expect(try school.daybook(["report"], as: .kelly).output.contains("Hamlet"))
    }

    @Test("in a narrow terminal nothing falls away without a word")
    func narrow() async throws {
        let school = try School()
        try await school.start()
        try school.write("one two three", "essay.txt", as: .berg)
        try await school.words(of: "essay.txt", by: .berg, are: 3)
        let narrow = try school.daybook(["report", "Hamlet essay"], as: .kelly, environment: ["COLUMNS": "44"]).output
        #expect(narrow.contains("No room for: ") && narrow.contains("Last"), "\(narrow)")
        let wide = try school.daybook(["report", "Hamlet essay"], as: .kelly, environment: ["COLUMNS": "100"]).output
        #expect(!wide.contains("No room for"), "\(wide)")
        let show = try school.daybook(["show", "berg"], as: .kelly, environment: ["COLUMNS": "40"]).output
        #expect(show.contains("essay.txt") && !show.contains("…"), "\(show)")
    }
}
