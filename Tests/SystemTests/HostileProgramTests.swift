// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Hostile programs that report", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct HostileProgramTests {
    @Test("say what cannot be, too much, or only half; nothing of it is kept, everybody is answered, and the journal stays whole")
    func all() async throws {
        let school = try School()
        try await school.start()
        let pid = try #require(school.pid)
        let file = try school.put("one two three", "essay.txt", for: .berg)
        for person in [School.Person.kelly, .berg] {
            let script = try Hostile.program("classkit", [school.folder + "/daybook.sock", file])
            let outcome = try Child.run(school.command(script, as: person))
            #expect(outcome.status == 0 && !outcome.output.contains("WRONG"), "\(person): \(outcome)")
            #expect((outcome.output.split(separator: "\n").last.flatMap { Int($0) } ?? 0) > 3_400, "\(outcome)")
            // Somebody else's program is answered as ever.
            #expect(try school.report("print(call('IsAssigned', store=store, document='/x')['assigned'])", as: .linden) == "False\n")
        }
        #expect(school.pid == pid, "the same process must have lived through it all")
        let resident = try Hostile.resident(pid)
        #expect(resident < 700 << 10, "\(resident) KiB")
        // What a teacher's program may call its content reaches no terminal as it is.
        let made = try school.daybook(
            ["assign", "Zero", "--class", "8b", "--context", "daybook://org.example.Quiz/zero%00byte"], as: .kelly)
        for outcome in [made, try school.daybook(["report"], as: .kelly), try school.daybook(["assignment", "show", "Zero"], as: .kelly)] {
            #expect(!outcome.output.contains { $0 == "\0" || $0 == "\u{1b}" || $0 == "\u{202e}" }, "\(outcome)")
        }
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.verifies())
        #expect(try school.entries("context.saved").count == 2, "the one with a zero byte, and the first of two")
    }
}
