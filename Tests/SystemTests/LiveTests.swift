// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The live view", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct LiveTests {
    @Test("is refused where the school has not switched it on, and to everybody but the teachers of the class")
    func refused() async throws {
        let off = try School()
        try await off.start()
        let outcome = try off.daybook(["live", "8b"], as: .kelly)
        #expect(outcome.status == 1 && outcome.output.contains("the school has not switched it on"), "\(outcome)")
        off.end(SIGTERM)

        let school = try School(extra: "[live]\nenabled = true\n[school]\nhours = []\n")
        try await school.start()
        try await school.eventually("recording is on") {
            (try? school.journal())?.contains { $0.contains("\"kind\":\"assignment.created\"") } == true
        }
        for refused in [
            try school.daybook(["live", "8b"]), try school.daybook(["live", "8b"], as: .berg),
            try school.daybook(["live", "8b"], as: .moss),
        ] {
            #expect(refused.status == 1 && refused.output.contains("it is for the teachers of the class alone"), "\(refused)")
        }
        let unknown = try school.daybook(["live", "9x"], as: .kelly)
        #expect(unknown.status == 1 && unknown.output.contains("no class '9x'; there are:\n  8b"), "\(unknown)")
        let nobody = try school.daybook(["live", "8b"], as: .kelly)
        #expect(nobody.status == 0 && nobody.output.contains("Nobody is seen working"), "\(nobody)")
        #expect(try !school.journal().contains { $0.contains("\"kind\":\"viewed\"") }, "nobody was seen")
        #expect(try school.daybook(["facts"]).output.contains("teachers may see who of their class is working now"))
    }

    @Test("shows who works, tells of each change, and the students that somebody looked")
    func shows() async throws {
        let school = try School(extra: "[live]\nenabled = true\n[school]\nhours = []\n")
        try await school.start()
        let output = school.folder + "/live.jsonl"
        let program = try #require(Programs.built("daybook"))
        let watching = try Child(
            school.command([program, "--socket", school.folder + "/daybook.sock", "live", "8b", "--json"], as: .kelly), output: output)
        defer { watching.end(SIGTERM) }
        func told() throws -> [[[String: Any]]] {
            try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").compactMap { line in
                (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["rows"] as? [[String: Any]]
            }
        }
        try await school.eventually("the first picture") { (try? told().count) == 1 }
        func work(_ script: String) throws {
            let outcome = try Child.run(school.command(["sh", "-c", "cd \"$0\" && \(script)", school.work(.berg)], as: .berg))
            #expect(outcome.status == 0, "\(outcome)")
        }
        // As Writer does it.
        try work("printf ',berg,pc1,30.11.2026 10:00,file:///x;' > '.~lock.essay.txt#' && echo one two > essay.txt")
        try await school.eventually("berg is shown") {
            try told().last?.contains { $0["person"] as? String == "berg" && ($0["document"] as? String)?.hasSuffix("essay.txt") == true }
        }
        let once = try school.daybook(["live", "8b"], as: .kelly)
        #expect(once.status == 0 && once.output.contains("1 of 2 students working now"), "\(once)")
        #expect(once.output.contains("Berg") && once.output.contains("Hamlet essay") && once.output.contains("essay.txt"), "\(once)")
        try work("rm '.~lock.essay.txt#'")
        try await school.eventually("nobody is shown any more") { try told().last?.isEmpty }
        let looks = try school.journal().filter { $0.contains("\"kind\":\"viewed\"") && $0.contains("\"what\":\"Live\"") }
        #expect(looks.count == 1, "\(looks)")
        let me = try school.daybook(["me"], as: .berg).output
        #expect(me.contains("kelly  who was working just then, Hamlet essay"), "\(me)")
    }
}
