// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite(
    "A class from the directory service", .serialized,
    .enabled(if: NameServiceModule.obstacle == nil, Comment(rawValue: NameServiceModule.obstacle ?? "")))
struct DirectoryServiceTests {
    private static let classes = """
        [[class]]
        name = "9d"
        students = ["@pupils9d"]
        teachers = ["@teachers9d"]

        """

    private func started() async throws -> (School, NameServiceModule) {
        let school = try School(extra: Self.classes)
        let service = try NameServiceModule(in: school.folder)
        try school.makeFolder(school.share + "/9d", for: .kelly)
        try await school.start(wrapping: service.wrapping)
        try await school.eventually("kelly teaches both classes") { try teaches(school) }
        return (school, service)
    }

    private func teaches(_ school: School) throws -> Bool {
        try school.daybook(["classes"], as: .kelly).output.contains("9d")
    }

    /// Asks for the class lists anew, and waits until the answer is there.
    private func ask(_ school: School, for what: String, _ condition: @escaping () throws -> Bool) async throws {
        kill(try #require(school.pid), SIGHUP)
        try await school.eventually(what, condition)
    }

    private func took(_ body: () throws -> Outcome) rethrows -> (Outcome, Double) {
        let began = Date()
        let outcome = try body()
        return (outcome, Date().timeIntervalSince(began))
    }

    @Test("of 2,000 members is listed, set an assignment, copied to and reported in seconds")
    func large() async throws {
        let (school, _) = try await started()
        let count = NameServiceModule.students + 1
        let (listed, listing) = try took { try school.daybook(["classes", "--json"], as: .kelly) }
        #expect(listed.status == 0 && listed.output.contains("\"s1999\""), "\(listed.output.prefix(500))")
        let template = school.folder + "/template.txt"
        try Data("Begin here.\n".utf8).write(to: URL(filePath: template))
        let (made, copying) = try took { try school.daybook(["assign", "Large", "--class", "9d", "--copy", template]) }
        #expect(made.status == 0 && made.output.contains("\(count) of \(count) copied"), "\(made.output.suffix(500))")
        let essay = "\(school.share)/9d/Large/berg/template.txt"
        #expect(try Child.run(school.command(["sh", "-c", "echo one two >> \"$0\"", essay], as: .berg)).status == 0)
        try await school.eventually("berg's words are there", within: 40) {
            try school.daybook(["report", "Large", "--group", "berg"], as: .kelly).output.contains(Regex("Berg .* 4 "))
        }
        let (table, reporting) = try took { try school.daybook(["report", "Large", "--json"], as: .kelly) }
        struct Report: Decodable {
            struct Row: Decodable { var person: String }
            var students: Int
            var rows: [Row]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(table.output.utf8))
        #expect(report.students == count)
        #expect(Set(report.rows.map(\.person)) == Set((0..<NameServiceModule.students).map { "s\($0)" } + ["berg"]))
        let (text, printing) = try took { try school.daybook(["report", "Large"], as: .kelly) }
        #expect(text.output.replacing(",", with: "").contains("\(count) students"), "\(text.output.prefix(300))")
        print(
            "a class of \(count): classes \(listed.output.utf8.count) bytes in \(listing) s, copies \(copying) s, "
                + "report \(table.output.utf8.count) bytes in \(reporting) s, as text \(text.output.utf8.count) bytes in \(printing) s")
        for seconds in [listing, reporting, printing] { #expect(seconds < 5) }
        #expect(copying < 60)
        #expect(try school.verifies())
    }

    @Test(
        "that does not answer keeps its students and confirms nobody as a teacher, until it answers again",
        arguments: [NameServiceModule.Mode.away, .awayWithoutReason, .busy])
    func down(mode: NameServiceModule.Mode) async throws {
        let (school, service) = try await started()
        #expect(try school.daybook(["assign", "Tides", "--class", "9d"], as: .kelly).status == 0)
        let work = "\(school.share)/9d/Tides/berg"
        try school.makeFolder(work, for: .berg)
        try service.set(mode)
        try await ask(school, for: "kelly is not confirmed any more") { try !teaches(school) }
        #expect(try school.said().contains("the directory service does not answer for all classes"))
        // She sees less, and is told no more than that there is nothing of that name for her.
        let refused = try school.daybook(["report", "Tides"], as: .kelly)
        #expect(refused.status == 1 && refused.output.contains("no assignment 'Tides'"), "\(refused)")
        #expect(try school.daybook(["report", "Hamlet essay"], as: .kelly).status == 0, "whose class stands in the configuration")
        #expect(try school.daybook(["report", "Tides"], as: .moss).status == 1)
        // A student of the class stays one: what they do now is recorded.
        let saved = try Child.run(school.command(["sh", "-c", "echo one two three > \"$0\"", work + "/low.txt"], as: .berg))
        #expect(saved.status == 0, "\(saved)")
        try await school.eventually("it is measured") {
            try school.journal().contains { $0.contains("\"kind\":\"metrics\"") && $0.contains("low.txt") }
        }
        // Nobody has left by that.
        #expect(try !school.journal().contains { $0.contains("\"classes\":[]") })
        try service.set(.up)
        try await ask(school, for: "kelly teaches again") { try teaches(school) }
        let table = try school.daybook(["report", "Tides", "--group", "berg"], as: .kelly)
        #expect(table.output.contains("Berg") && table.output.contains(" 3 "), "\(table)")
        #expect(try school.verifies())
    }

    @Test("that hangs holds up nothing: questions are answered, saves are recorded, and the daemon stops at once")
    func hanging() async throws {
        let (school, service) = try await started()
        try service.set(.hanging)
        kill(try #require(school.pid), SIGHUP)
        let (status, seconds) = try took { try school.daybook(["status"]) }
        #expect(status.status == 0 && seconds < 2, "\(seconds) s")
        #expect(try teaches(school), "the last answer stands while none has come")
        try school.write("one two three", "meanwhile.txt", as: .berg)
        try await school.words(of: "meanwhile.txt", by: .berg, are: 3)
        let began = Date()
        school.end(SIGTERM)
        #expect(Date().timeIntervalSince(began) < 5)
        // It begins without waiting, too; whoever stands in the configuration is known at once.
        try await school.start(wrapping: service.wrapping)
        #expect(try school.daybook(["me"], as: .berg).output.contains("meanwhile.txt"))
        try service.set(.up)
        try await school.eventually("kelly teaches again") { try teaches(school) }
        #expect(try school.verifies())
    }
}
