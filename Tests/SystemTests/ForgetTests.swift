// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A person who is forgotten", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct ForgetTests {
    private struct Work: Decodable {
        var document: String
        var person: String?
        var openedAt: String
        var saves: Int
    }

    @Test("is nowhere in the state directory any more, the journal verifies, and what others did is as it was")
    func forget() async throws {
        let school = try School()
        for person in [School.Person.berg, .linden] { try school.put("Hamlet waits.\n", "essay.txt", for: person) }
        try await school.start()
        try await school.eventually("the folder is an assignment") { try school.daybook(["report", "Hamlet essay"]).status == 0 }
        for person in [School.Person.berg, .linden] {
            let path = school.work(person) + "/essay.txt"
            _ = try Child.run(school.command(["sh", "-c", "echo To be or not to be. >> '\(path)'"], as: person))
            try await school.words(of: "essay.txt", by: person, are: 8)
        }
        // Not the figures that grow while it goes on.
        func others() throws -> [String] {
            (try school.read(["sessions"]) as [Work]).filter { $0.person == "linden" }.map { "\($0.document) \($0.openedAt) \($0.saves)" }
        }
        let before = try others()
        #expect(before.count == 1)
        #expect(try found("berg", school) > 0)

        // From here on there is a snapshot of the ledger, too, and it names them.
        school.end(SIGTERM)
        let snapshot = school.state + "/ledger.snapshot"
        #expect(FileManager.default.contents(atPath: snapshot)?.range(of: Data("berg".utf8)) != nil)
        try await school.start()
        #expect(try school.startedWithSnapshot().snapshot != nil)
        #expect(try others() == before)

        // Everybody may take along what is kept of them, with their own rights; of others administrators alone.
        let program = try #require(Programs.built("daybook"))
        func export(_ words: [String], as person: School.Person) throws -> Outcome {
            try Child.run(school.command([program, "--socket", school.folder + "/daybook.sock", "export"] + words, as: person))
        }
        let folder = school.home(.berg) + "/mine"
        let exported = try export(["--out", folder], as: .berg)
        #expect(exported.status == 0, "\(exported)")
        let page = try String(contentsOfFile: folder + "/page.txt", encoding: .utf8)
        #expect(page.contains("Berg") && page.contains("Hamlet essay") && page.contains("How long it is kept"))
        let whole = try String(contentsOfFile: folder + "/export.json", encoding: .utf8)
        #expect(
            whole.contains("\"what\":\"saved\"") && whole.contains("total_word_count") && whole.contains("\"idleContinuous"), "\(whole)")
        #expect(!whole.contains("linden"))
        #expect(try FileManager.default.attributesOfItem(atPath: folder + "/export.json")[.posixPermissions] as? Int == 0o600)
        #expect(try export(["--out", folder], as: .berg).output.contains("is there already"))
        #expect(try export(["linden", "--out", folder + "2"], as: .berg).status == 1)
        #expect(try export(["berg", "--out", folder + "3"], as: .kelly).status == 1)
        #expect(try export([], as: .berg).status == 2)
        #expect(try school.daybook(["export", "linden", "--out", school.folder + "/linden"]).status == 0)
        try await school.eventually("that an administrator looked is journaled") {
            try school.daybook(["tail", "-n", "30", "--names"]).output.contains("person=linden what=Export")
        }

        // What is kept at all, and how long, anybody may ask.
        for person in [School.Person.berg, .kelly] {
            let facts = try Child.run(school.command([program, "--socket", school.folder + "/daybook.sock", "facts"], as: person))
            #expect(facts.status == 0, "\(facts)")
            #expect(facts.output.contains("recording is on") && facts.output.contains("retention.evidence"), "\(facts)")
        }

        // Nobody but administrators; not without being asked; not somebody who is in class.
        for person in [School.Person.berg, .kelly] {
            let words = [program, "--socket", school.folder + "/daybook.sock", "forget", "linden", "--yes", "--in-class"]
            let refused = try Child.run(school.command(words, as: person))
            #expect(refused.status == 1)
            #expect(refused.output.contains("it is for administrators"), "\(refused)")
        }
        #expect(try school.daybook(["forget", "nobody", "--yes"]).status == 1)
        #expect(try school.daybook(["forget"]).status == 2)
        let inClass = try school.daybook(["forget", "berg", "--yes"])
        #expect(inClass.status == 1)
        #expect(inClass.output.contains("is in 8b now"), "\(inClass)")
        let dry = try school.daybook(["forget", "berg", "--dry-run"])
        #expect(dry.status == 0)
        #expect(dry.output.contains("Berg (login berg, uid 61001): "), "\(dry)")

        let configuration = school.folder + "/config.toml"
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        try text.replacing("\"berg\", ", with: "").write(toFile: configuration, atomically: true, encoding: .utf8)
        kill(try #require(school.pid), SIGHUP)
        try await school.eventually("berg is in no class") {
            try school.daybook(["forget", "berg", "--dry-run"]).output.contains("now") == false
        }
        let unasked = try school.daybook(["forget", "berg"])
        #expect(unasked.status == 2)
        #expect(unasked.output.contains("--yes"), "\(unasked)")
        #expect(try found("berg", school) > 0)

        let backup = school.folder + "/backup"
        #expect(try school.daybook(["backup", backup, "--state", school.state]).status == 0)
        let done = try school.daybook(["forget", "61001:berg", "--yes"])
        let log = try school.said()
        #expect(done.status == 0, "\(done) \(log)")
        #expect(done.output.contains("entries are emptied"), "\(done)")
        for word in ["berg", "Berg", "61001"] { #expect(try found(word, school) == 0, "\(word)") }
        #expect(!FileManager.default.fileExists(atPath: snapshot))
        #expect(try school.verifies())
        #expect(try school.daybook(["show", "berg"]).status == 1)
        #expect(try others() == before)

        school.end(SIGKILL)
        #expect(try school.verifies())
        try await school.start()
        for word in ["berg", "Berg", "61001"] { #expect(try found(word, school) == 0, "\(word)") }
        #expect(try others() == before)
        #expect(try school.daybook(["report", "Hamlet essay"]).output.contains("Linden"))
        // The systemd journal, too, is told only that somebody was.
        #expect(try !school.said().contains("berg"))

        // A backup comes back with them, and the list, which names nobody, finds them in it.
        #expect(try school.daybook(["forget", "--replay"]).output.contains("Nothing that was forgotten is there."))
        school.end(SIGTERM)
        let list = school.folder + "/forgotten.list"
        try FileManager.default.moveItem(atPath: school.state + "/forgotten.list", toPath: list)
        try FileManager.default.removeItem(atPath: school.state)
        try FileManager.default.moveItem(atPath: backup, toPath: school.state)
        try FileManager.default.copyItem(atPath: list, toPath: school.state + "/forgotten.list")
        try await school.start()
        #expect(try found("berg", school) > 0)
        let refused = try Child.run(
            school.command([program, "--socket", school.folder + "/daybook.sock", "forget", "--replay"], as: .kelly))
        #expect(refused.status == 1)
        #expect(try school.daybook(["sessions", "--json"]).output.contains("berg"))
        let again = try school.daybook(["forget", "--replay"])
        #expect(again.status == 0 && again.output.contains("emptied again"), "\(again)")
        for word in ["berg", "Berg", "61001"] { #expect(try found(word, school) == 0, "\(word)") }
        #expect(try school.verifies())
        #expect(try others() == before)
        #expect(try !school.daybook(["sessions", "--json"]).output.contains("berg"))
    }

    @Test("evidence that is older than it is kept is emptied, and the table stays")
    func retention() async throws {
        struct Table: Decodable {
            struct Row: Decodable {
                var person: String
                var state: String
                var atMostSeconds: Double?
                var saves: Int?
                var document: String?
                var documents: Int
                var confidence: String?
                var last: String?
            }
            var rows: [Row]
        }
        let school = try School()
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        try await school.eventually("the folder is an assignment") { try school.daybook(["report", "Hamlet essay"]).status == 0 }
        let path = school.work(.berg) + "/essay.txt"
        _ = try Child.run(school.command(["sh", "-c", "echo To be or not to be. >> '\(path)'"], as: .berg))
        try await school.words(of: "essay.txt", by: .berg, are: 8)
        try FileManager.default.moveItem(atPath: school.assignmentFolder, toPath: school.folder + "/gone")
        try await school.eventually("the assignment has ended") { try school.journal().contains { $0.contains("assignment.ended") } }
        let ended = try school.daybook(["sessions", "--json"]).output
        #expect(ended.contains("essay.txt"))
        func row() throws -> String {
            let tables: [Table] = try school.read(["report", "8b/\(School.assignment)"])
            return "\(try #require(tables.first?.rows.first { $0.person == "berg" }))"
        }
        let before = try row()
        school.end(SIGTERM)
        let configuration = school.folder + "/config.toml"
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        try text.replacing("[analyzer]", with: "[retention]\nevidence = \"0s\"\n[analyzer]")
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        try await school.start()
        try await school.eventually("the evidence is gone", within: 40) {
            try school.daybook(["sessions", "--json"]).output.isEmpty
                ? try school.said().contains("entries were emptied by retention") : false
        }
        #expect(try row() == before)
        #expect(try school.verifies())
        let lines = try Child.run(["sh", "-c", "cat \(school.state)/journal/*.jsonl"]).output
        #expect(lines.contains("\"kind\":\"totals\"") && lines.contains("\"kind\":\"retention\"") && lines.contains("\"kind\":\"metrics\""))
        #expect(!lines.contains("activity.started") && !lines.contains("\"kind\":\"evidence\""))
        school.end(SIGKILL)
        try await school.start()
        #expect(try row() == before)
        // How long what is kept stands in what the student takes along.
        let out = school.folder + "/berg"
        #expect(try school.daybook(["export", "berg", "--out", out]).status == 0)
        let page = try String(contentsOfFile: out + "/page.txt", encoding: .utf8)
        #expect(page.contains("0 days after the work on its assignment is over"), "\(page)")
    }

    /// How many files below the state directory hold a word, in their names or in their bytes, compressed ones unpacked.
    private func found(_ word: String, _ school: School) throws -> Int {
        var count = 0
        let names = try #require(FileManager.default.enumerator(atPath: school.state))
        for case let name as String in names {
            let path = "\(school.state)/\(name)"
            var bytes = FileManager.default.contents(atPath: path) ?? Data()
            if name.hasSuffix(".zst") { bytes = Data(try Child.run(["zstdcat", path]).output.utf8) }
            if name.contains(word) || bytes.range(of: Data(word.utf8)) != nil { count += 1 }
        }
        return count
    }
}
