// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A quiz", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct QuizTests {
    private let key = """
        Capital of France?{~Lyon =Paris ~Nice}

        Who wrote Faust?{=Goethe}

        Two and two?{#4}

        Name both colours.{~%50%black ~%50%white ~red}
        """
    private let secrets = ["Goethe", "Nice", "Faust", "%50%"]

    private func started() async throws -> School {
        let school = try School()
        try await school.start()
        try await school.eventually("the teacher may change the assignment") {
            try school.daybook(["classes"], as: .kelly).output.contains("you: teacher")
                && school.daybook(["assignment", "show", "Hamlet"], as: .kelly).status == 0
        }
        return school
    }

    /// Saves a document as a student does.
    private func save(_ text: String, _ name: String, as person: School.Person, _ school: School) throws {
        let path = "\(school.work(person))/\(name)"
        let outcome = try Child.run(school.command(["sh", "-c", "exec 3>\"$0\" && printf '%s' \"$1\" >&3", path, text], as: person))
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("a teacher's key scores each student's answers; nobody sees the key, and nothing of it is journaled, logged or published")
    func scores() async throws {
        let school = try await started()
        let file = try school.put(key, "hamlet.gift", for: .kelly, in: school.home(.kelly))
        let changed = try school.daybook(["assignment", "change", "Hamlet", "--key", file, "--target", "4 score"], as: .kelly)
        #expect(changed.status == 0 && changed.output.contains("Quiz: 4 questions, 4 points at best (GIFT)"), "\(changed)")
        try save("1. B\n2. goethe\n3. four\n4. A", "answers.txt", as: .berg, school)
        try save("1. Paris\n2. Goethe\n3. 4\n4. black, white\n", "answers.txt", as: .linden, school)
        let report = try await school.eventually("both have a score") { () -> String? in
            let text = try school.daybook(["report", "Hamlet"], as: .kelly).output
            return text.contains("2.5/4") && text.contains("4/4") ? text : nil
        }
        #expect(report.contains("Score"), "\(report)")
        #expect(report.contains("62 %") && report.contains("100 %"), "\(report)")
        // The average of 2.5 and 4.
        #expect(report.split(separator: "\n").contains { $0.hasPrefix("Average") && $0.contains("3.3") }, "\(report)")
        let own = try school.daybook(["me"], as: .berg)
        #expect(own.status == 0 && own.output.contains("2.5/4"), "\(own)")

        // What a student may ask, and what lies about.
        for words in [["assignment", "show", "Hamlet", "--json"], ["me", "--json"], ["show", "berg", "--json"]] {
            let answer = try school.daybook(words, as: .berg).output
            for secret in secrets + ["sha256\":\"" + "0"] { #expect(!answer.contains(secret), "\(words) \(answer)") }
        }
        let journal = try school.journal().joined(separator: "\n")
        #expect(journal.contains("\"key\":{\"sha256\":\""))
        #expect(journal.contains("\"questions\":4"))
        let said = try school.said()
        for secret in secrets { #expect(!journal.contains(secret) && !said.contains(secret), "\(secret)") }
        let keys = school.state + "/keys"
        let names = try FileManager.default.contentsOfDirectory(atPath: keys)
        try #require(names.count == 1)
        func mode(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(keys) == 0o700)
        #expect(try mode(keys + "/" + names[0]) == 0o600)
        for person in [School.Person.berg, .kelly] {
            #expect(try Child.run(school.command(["cat", keys + "/" + names[0]], as: person)).status != 0)
        }

        // Another key takes its place; without one, none is kept.
        let other = try school.put("Q?{=x}", "other.gift", for: .kelly, in: school.home(.kelly))
        #expect(try school.daybook(["assignment", "change", "Hamlet", "--key", other], as: .kelly).status == 0)
        try await school.eventually("the old key is gone") { try FileManager.default.contentsOfDirectory(atPath: keys) != names }
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys).count == 1)
        // It is there after a restart.
        school.end(SIGKILL)
        try await school.start()
        try save("1. X", "answers.txt", as: .berg, school)
        try await school.eventually("it is scored by the other key") {
            try school.daybook(["report", "Hamlet"], as: .kelly).output.contains("1/1")
        }
        #expect(try school.daybook(["assignment", "change", "Hamlet", "--clear", "key"], as: .kelly).status == 0)
        try await school.eventually("no key is kept") { try FileManager.default.contentsOfDirectory(atPath: keys).isEmpty }
        #expect(try school.verifies())
    }

    @Test("a key that comes after the answers scores them as they were saved; what somebody else changed since waits for the next save")
    func late() async throws {
        let school = try await started()
        for person in [School.Person.berg, .linden] {
            try save("1. Paris\n2. Goethe\n3. 5\n4. black, white\n", "answers.txt", as: person, school)
            try await school.eventually("\(person)'s answers are measured") {
                try school.journal().contains { $0.contains("\"kind\":\"metrics\"") && $0.contains("\(person.login)/answers.txt") }
            }
        }
        school.end(SIGTERM)
        try await school.start()
        // The teacher corrects in linden's file: what is in it now is not linden's.
        try school.openToAll(.linden)
        let mark = try Child.run(
            school.command(["sh", "-c", "echo 'Well done' >> \"$0\"", school.work(.linden) + "/answers.txt"], as: .kelly))
        #expect(mark.status == 0, "\(mark)")
        let file = try school.put(key, "hamlet.gift", for: .kelly, in: school.home(.kelly))
        let given = try school.daybook(["assignment", "change", "Hamlet", "--key", file], as: .kelly)
        #expect(given.status == 0, "\(given)")
        func row(_ login: String, _ report: String) -> Substring? { report.split(separator: "\n").first { $0.hasPrefix(login) } }
        let report = try await school.eventually("berg has a score") { () -> String? in
            let text = try school.daybook(["report", "Hamlet"], as: .kelly).output
            return row("Berg", text)?.contains("3/4") == true ? text : nil
        }
        #expect(row("Linden", report)?.contains("/4") == false, "\(report)")
        // It is the save that was there, at its time, and no further one.
        let entries = try school.journal().filter { $0.contains("\"kind\":\"metrics\"") && $0.contains("berg/answers.txt") }
        #expect(entries.count == 2 && entries[1].contains("\"again\":"), "\(entries)")
        let saves = try #require(try school.student(.berg).assignments.first).saves
        #expect(saves.count == 1 && saves.first?.item != nil)
        // A better key, the same answers.
        let other = try school.put(key.replacing("{#4}", with: "{#5}"), "better.gift", for: .kelly, in: school.home(.kelly))
        #expect(try school.daybook(["assignment", "change", "Hamlet", "--key", other], as: .kelly).status == 0)
        try await school.eventually("berg has another score") {
            row("Berg", try school.daybook(["report", "Hamlet"], as: .kelly).output)?.contains("4/4") == true
        }
        try save("1. Nice", "answers.txt", as: .linden, school)
        try await school.eventually("linden has a score") {
            row("Linden", try school.daybook(["report", "Hamlet"], as: .kelly).output)?.contains("0/4") == true
        }
        school.end(SIGTERM)
        try await school.start()
        #expect(row("Berg", try school.daybook(["report", "Hamlet"], as: .kelly).output)?.contains("4/4") == true)
        #expect(try school.verifies())
    }

    @Test("a key with mistakes, one where students work, and one by a student are refused, and nothing is kept")
    func refused() async throws {
        let school = try await started()
        func refused(_ words: [String], _ part: String, as person: School.Person = .kelly) throws {
            let outcome = try school.daybook(["assignment", "change", "Hamlet"] + words, as: person)
            #expect(outcome.status != 0 && outcome.output.replacing("\n", with: " ").contains(part), "\(outcome)")
        }
        let broken = try school.put("One?{=yes}\n\nTwo?{=yes", "broken.gift", for: .kelly, in: school.home(.kelly))
        try refused(["--key", broken], "broken.gift:3: a '{' without a '}'")
        let lines = try school.daybook(["assignment", "change", "Hamlet", "--key", broken], as: .kelly).output.split(separator: "\n")
        #expect(lines.count == 2 && lines[1].contains("broken.gift:3"), "each mistake has its own line: \(lines)")
        let open = try school.put("One?{=yes}", "key.gift", for: .kelly, in: school.work(.berg))
        try refused(["--key", open], "lies where students work")
        try refused(["--key", broken + "x"], "cannot read")
        let large = try school.put(String(repeating: " ", count: 66_000), "large.gift", for: .kelly, in: school.home(.kelly))
        try refused(["--key", large], "larger than 65536 bytes")
        let good = try school.put("One?{=yes}", "good.gift", for: .berg, in: school.home(.berg))
        try refused(["--key", good], "you may not do this", as: .berg)
        try refused(["--analyzer", "dokx"], "there is no analyzer 'dokx'; there are docx, pptx")
        #expect(!FileManager.default.fileExists(atPath: school.state + "/keys"))
        let chosen = try school.daybook(["assignment", "change", "Hamlet", "--analyzer", "txt"], as: .kelly)
        #expect(chosen.status == 0 && chosen.output.contains("Measured by: txt"), "\(chosen)")
    }
}
