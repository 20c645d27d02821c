// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The rule of an assignment", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct AssignmentRuleTests {
    private struct Report: Decodable {
        struct Rule: Decodable { var name: String }
        struct Change: Decodable {
            var by: String
            var before: String
        }
        var rule: Rule
        var ownRule: String?
        var ruleChange: Change?
    }

    @Test("is looked at and changed by its teacher, over the real socket, and by nobody else")
    func recompute() async throws {
        let school = try School()
        try await school.start()
        try await school.eventually("the folder is an assignment") {
            try school.daybook(["report", "Hamlet essay"]).status == 0
        }
        func report(_ words: [String] = []) throws -> Report {
            let lines: [Report] = try school.read(["report", "Hamlet essay"] + words)
            return try #require(lines.first)
        }
        func daybook(_ words: [String], as person: School.Person) throws -> Outcome {
            let program = try #require(Programs.built("daybook"))
            return try Child.run(school.command([program, "--socket", school.folder + "/daybook.sock"] + words, as: person))
        }
        #expect(try report().rule.name == "2026-1")
        let other = try report(["--rule", "idle-continuous=10m,at-most=2h"])
        #expect(other.rule.name == "idle 10m/15m, at least 2m, at most 2h")
        #expect(other.ownRule == "2026-1")
        #expect(try report().ownRule == nil, "looking changed nothing")

        // Who teaches nothing sees no assignment; a rule that cannot be is refused.
        let refused = try daybook(["assignment", "recompute", "Hamlet essay", "--rule", "idle-continuous=10m"], as: .berg)
        #expect(refused.status == 1)
        #expect(refused.output.contains("no assignment 'Hamlet essay'"), "\(refused)")
        let wrong = try daybook(["assignment", "recompute", "Hamlet essay", "--rule", "at-least=10m"], as: .kelly)
        #expect(wrong.status == 1)
        #expect(wrong.output.contains("at-least (10m) must not be longer than idle-continuous (5m)"), "\(wrong)")
        let unknown = try daybook(["assignment", "recompute", "Othello"], as: .kelly)
        #expect(unknown.status == 1)
        #expect(try school.journal().allSatisfy { !$0.contains("ruleBefore") })

        for _ in 1...2 {
            // The second time nothing is to do.
            let done = try daybook(["assignment", "recompute", "Hamlet essay", "--rule", "idle-continuous=10m"], as: .kelly)
            #expect(done.status == 0, "\(done)")
        }
        let changed = try report()
        #expect(changed.rule.name == "idle 10m/15m, at least 2m, at most 60m")
        #expect(changed.ruleChange?.by == "kelly")
        #expect(changed.ruleChange?.before == "2026-1")
        let entries = try school.journal().filter { $0.contains("ruleBefore") }
        #expect(entries.count == 1)
        #expect(entries.first?.contains("\"changedBy\":\(School.Person.kelly.rawValue),\"changedByLogin\":\"kelly\"") == true, "\(entries)")
        // And so it stays over a restart; an administrator can take it back.
        school.end(SIGKILL)
        try await school.start()
        #expect(try report().rule.name == changed.rule.name)
        #expect(try school.daybook(["assignment", "recompute", "Hamlet essay"]).status == 0)
        #expect(try report().rule.name == "2026-1")
        #expect(try report().ruleChange?.by == "root")
        #expect(try school.verifies())
    }
}
