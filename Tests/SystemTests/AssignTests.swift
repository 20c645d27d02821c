// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Assignments by command", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct AssignTests {
    private struct Assignment: Decodable {
        struct Student: Decodable {
            struct HandedIn: Decodable {
                var document: String?
                var size: Int?
                var sha256: String?
                var late: Bool
            }
            var person: String
            var due: String?
            var excused: Bool
            var said: String?
            var text: String?
            var handedIn: HandedIn?
        }
        var assignment: String
        var state: String
        var students: [Student]
        var edition: Int
        var folder: String?
    }

    private func read(_ school: School, _ words: [String], as person: School.Person) throws -> Assignment {
        let outcome = try school.daybook(words + ["--json"], as: person)
        guard outcome.status == 0 else { throw School.Failed(description: "\(words) \(outcome)") }
        let line = try #require(outcome.output.split(separator: "\n").last { $0.contains("\"assignment\"") })
        return try JSONDecoder().decode(Assignment.self, from: Data(line.utf8))
    }

    private func refused(_ school: School, _ words: [String], as person: School.Person, _ part: String, status: Int32 = 1) throws {
        let outcome = try school.daybook(words, as: person)
        #expect(outcome.status == status, "\(words) \(outcome)")
        #expect(outcome.output.replacing("\n", with: " ").contains(part), "\(words) \(outcome)")
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// Who has a session on a document of this name.
    private func people(_ school: School, on name: String) throws -> [String?] {
        struct Line: Decodable {
            var document: String
            var person: String?
        }
        let lines: [Line] = try school.read(["sessions"])
        return lines.filter { $0.document.hasSuffix("/" + name) }.map(\.person)
    }

    /// Saves a document in the assignment by folder as berg, and waits until it was measured: then all that happened before was heard.
    private func mark(_ school: School) async throws {
        let path = "\(school.work(.berg))/mark.txt"
        #expect(try Child.run(school.command(["sh", "-c", "echo one two > \"$0\"", path], as: .berg)).status == 0)
        try await school.eventually("the mark was measured") {
            try school.journal().contains { $0.contains("\"kind\":\"metrics\"") && $0.contains("mark.txt") }
        }
    }

    /// Writes into a document as a person, by a program that keeps it open for a while.
    private func work(_ school: School, on path: String, as person: School.Person) throws {
        let outcome = try Child.run(
            school.command(["sh", "-c", "exec 3>>\"$0\" && echo more >&3 && sleep 1 && echo more >&3 && sleep 1", path], as: person))
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("give each student a copy that they, their teachers and nobody else can write, and record their work from then on only")
    func copies() async throws {
        let school = try School(inClass: "coteachers = [\"moss\"]")
        try await school.start()
        let template = "\(school.home(.kelly))/my essay.txt"
        try Data("Begin here.\n".utf8).write(to: URL(filePath: template))
        #expect(chmod(template, 0o644) == 0)
        let made = try read(
            school,
            [
                "assign", "Sonnet 18", "--class", "8b", "--due", "2030-05-02", "--target", "500 words", "--instructions",
                "Read it.\nTwice.",
                "--copy", template, "--extend", "linden=2030-05-09", "--reason", "ill",
            ], as: .kelly)
        #expect(made.assignment == "8b/2030-05-02 Sonnet 18")
        #expect(made.state == "active")
        #expect(made.students.map(\.person) == ["berg", "linden"])
        #expect(made.students[1].due?.hasPrefix("2030-05-09") == true)
        let folder = try #require(made.folder)
        let essays = ["berg", "linden"].map { "\(folder)/\($0)/my essay.txt" }
        for essay in essays { #expect(try text(essay) == "Begin here.\n") }
        // Who may what, as the kernel sees it.
        func who(may test: String, _ path: String) throws -> [String] {
            try School.Person.allCases.filter { try Child.run(school.command(["test", test, path], as: $0)).status == 0 }.map(\.login)
        }
        for path in [essays[0], "\(folder)/berg"] {
            #expect(try who(may: "-w", path) == ["berg", "kelly", "moss"])
            #expect(try who(may: "-r", path) == ["berg", "kelly", "moss"])
        }
        // What lies there from the start is nobody's work.
        try await mark(school)
        #expect(try people(school, on: "my essay.txt") == [])
        #expect(try !school.journal().contains { $0.contains("\"kind\":\"metrics\"") && $0.contains("my essay.txt") })
        try work(school, on: essays[0], as: .berg)
        try await school.eventually("berg's work is recorded") { try people(school, on: "my essay.txt") == ["berg"] }
        // A save by rename in a folder that was made for them stays theirs, and their teachers'.
        let saved = try Child.run(
            school.command(["sh", "-c", "cd \"$0\" && cp 'my essay.txt' new && mv new 'my essay.txt'", "\(folder)/linden"], as: .linden))
        #expect(saved.status == 0, "\(saved)")
        #expect(try who(may: "-w", essays[1]) == ["linden", "kelly", "moss"])
        #expect(try who(may: "-r", essays[1]) == ["linden", "kelly", "moss"])
        // A second run changes nothing that is there.
        let again = try school.daybook(["assignment", "copy", made.assignment, template], as: .kelly)
        #expect(again.status == 0 && again.output.contains("0 of 2 copied, 2 were there already"), "\(again)")
        #expect(try text(essays[0]) == "Begin here.\nmore\nmore\n")
        #expect(try school.verifies())
    }

    @Test("by an administrator belong to the students, and their copies are no work of theirs either")
    func copiesByRoot() async throws {
        let school = try School()
        try await school.start()
        let template = "\(school.folder)/t.txt"
        try Data("x".utf8).write(to: URL(filePath: template))
        let outcome = try school.daybook(["assign", "Poster", "--class", "8b", "--copy", template])
        #expect(outcome.status == 0, "\(outcome)")
        let path = "\(school.share)/8b/Poster/berg/t.txt"
        let status = try FileManager.default.attributesOfItem(atPath: path)
        #expect(status[.ownerAccountID] as? UInt32 == School.Person.berg.rawValue)
        #expect(try Child.run(school.command(["test", "-w", path], as: .kelly)).status == 0)
        // A mark that is behind all that the watcher had to say of the copies.
        try await mark(school)
        #expect(try !school.journal().contains { $0.contains("Poster/berg/t.txt") })
        let shared = try school.daybook(["assign", "Wall", "--class", "8b", "--shared", template])
        #expect(shared.status == 0, "\(shared)")
        let one = "\(school.share)/8b/Wall/shared/t.txt"
        for person in [School.Person.berg, .linden, .kelly] {
            #expect(try Child.run(school.command(["test", "-w", one], as: person)).status == 0, "\(person)")
        }
        #expect(try Child.run(school.command(["test", "-r", one], as: .moss)).status == 1)
    }

    @Test("are drafts, scheduled, active, completed and deleted; only what is active is recorded")
    func states() async throws {
        let school = try School()
        try await school.start()
        let draft = try read(school, ["assign", "Map", "--class", "8b", "--draft"], as: .kelly)
        #expect(draft.state == "draft")
        let folder = try #require(draft.folder)
        let document = "\(folder)/berg/map.txt"
        #expect(try Child.run(["install", "-d", "-o", "61001", "-m", "755", "\(folder)/berg"]).status == 0)
        // Students do not see a draft, and nothing in it is recorded.
        try refused(school, ["assignment", "show", "Map"], as: .berg, "no assignment 'Map'")
        try refused(school, ["done", "Map"], as: .berg, "no assignment 'Map'")
        try work(school, on: document, as: .berg)
        #expect(try read(school, ["assignment", "change", "Map", "--publish", "--from", "2040-01-01"], as: .kelly).state == "scheduled")
        try refused(school, ["assignment", "show", "Map"], as: .berg, "no assignment 'Map'")
        try work(school, on: document, as: .berg)
        #expect(try read(school, ["assignment", "change", "Map", "--clear", "opens"], as: .kelly).state == "active")
        #expect(try read(school, ["assignment", "show", "Map"], as: .berg).students.map(\.person) == ["berg"], "nobody else's state")
        #expect(try people(school, on: "map.txt") == [])
        try work(school, on: document, as: .berg)
        try await school.eventually("berg's work is recorded") { try people(school, on: "map.txt") == ["berg"] }
        // Ended by its teacher it stays ended, though its folder is there, also over a restart.
        #expect(try read(school, ["assignment", "end", "Map"], as: .kelly).state == "completed")
        school.end(SIGKILL)
        try await school.start()
        try work(school, on: document, as: .berg)
        try await mark(school)
        #expect(try people(school, on: "map.txt") == ["berg"])
        #expect(try read(school, ["assignment", "show", draft.assignment], as: .kelly).state == "completed")
        try refused(school, ["assignment", "change", "Map", "--title", "x"], as: .kelly, "has ended; 'daybook assignment reopen'")
        #expect(try read(school, ["assignment", "reopen", "Map"], as: .kelly).state == "active")
        // Deleted, nothing of the work is left.
        #expect(try read(school, ["assignment", "delete", "Map", "--yes"], as: .kelly).state == "deleted")
        try await school.eventually("the work is gone") { try !school.journal().contains { $0.contains("map.txt") } }
        try await school.eventually("nobody is shown it any more") { try people(school, on: "map.txt") == [] }
        try refused(school, ["assignment", "reopen", draft.assignment], as: .kelly, "no assignment '8b/Map'")
        #expect(try school.verifies())
    }

    @Test("begin by themselves when their time has come")
    func scheduled() async throws {
        let school = try School()
        try await school.start()
        let soon = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 3))
        let made = try read(school, ["assign", "Soon", "--class", "8b", "--from", soon], as: .kelly)
        #expect(made.state == "scheduled")
        try await school.eventually("it has begun") { try read(school, ["assignment", "show", "Soon"], as: .kelly).state == "active" }
    }

    @Test("are handed in with size and hash, late, returned, tried again, excused and done")
    func work() async throws {
        let school = try School()
        try await school.start()
        _ = try read(school, ["assign", "Lab", "--class", "8b", "--due", "2020-01-01", "--past"], as: .kelly)
        let folder = "\(school.share)/8b/2020-01-01 Lab"
        for (person, id) in [("berg", "61001"), ("linden", "61002")] {
            #expect(try Child.run(["install", "-d", "-o", id, "-m", "755", "\(folder)/\(person)"]).status == 0)
        }
        try refused(school, ["handin", "Lab"], as: .berg, "no document of yours was seen in 'Lab'; name the file")
        let text = "one two three\n"
        let path = try school.put(text, "lab \"1\".txt", for: .berg, in: "\(folder)/berg")
        try refused(school, ["handin", "Lab", path], as: .linden, "is not a document of yours")
        try refused(school, ["handin", "Lab", "/etc/passwd"], as: .berg, "is no document of 'Lab'")
        // The command tidies a path; a client of one's own does not, and must not be read what its user may not read.
        _ = try school.put("secret\n", "secret.txt", for: .linden, in: "\(folder)/linden")
        let script = """
            import json, socket, sys
            for path in sys.argv[2:]:
                client = socket.socket(socket.AF_UNIX)
                client.connect(sys.argv[1])
                call = {"method": "org.daybook.Classroom.HandIn", "parameters": {"assignment": "Lab", "document": path, "withdraw": False}}
                client.sendall(json.dumps(call).encode() + b"\\0")
                reply = json.loads(client.recv(1 << 20)[:-1])
                assert "is no document of" in json.dumps(reply) and "sha256" not in json.dumps(reply), reply
            print("refused")
            """
        let climbing = ["berg/../linden/secret.txt", "berg/./secret.txt", "berg/../../../x", "../Lab/berg/x"].map { "\(folder)/\($0)" }
        let raw = try Child.run(school.command(["python3", "-c", script, school.folder + "/daybook.sock"] + climbing, as: .berg))
        #expect(raw.status == 0 && raw.output == "refused\n", "\(raw)")
        let handed = try #require(try read(school, ["handin", "Lab", path], as: .berg).students.first?.handedIn)
        #expect(handed.late)
        #expect(handed.size == text.utf8.count)
        let sum = try Child.run(["sha256sum", path]).output.split(separator: " ").first.map { $0.drop { $0 == "\\" } }
        #expect(handed.sha256.map { Substring($0) } == sum)
        #expect(try school.daybook(["report", "Lab"], as: .kelly).output.contains("handed late"))
        #expect(
            try read(school, ["assignment", "change", "Lab", "--extend", "berg=2040-01-01"], as: .kelly).students[0].handedIn?.late == false
        )
        // Their own page and answer have their own day, and nobody else's.
        #expect(try school.daybook(["me"], as: .berg).output.contains("Lab · class 8b · due Sun 1 Jan 2040 23:59"))
        #expect(try school.daybook(["me"], as: .linden).output.contains("Lab · class 8b · due Wed 1 Jan 2020 23:59"))
        let returned = try read(school, ["assignment", "return", "Lab", "berg", "--text", "well done"], as: .kelly).students[0]
        #expect(returned.said == "returned" && returned.text == "well done")
        let again = try read(school, ["assignment", "reopen", "Lab", "berg", "--text", "line 2?"], as: .kelly).students[0]
        #expect(again.said == "try-again")
        #expect(try school.daybook(["assignment", "show", "Lab"], as: .berg).output.contains("line 2?"))
        #expect(try read(school, ["done", "Lab"], as: .linden).students.first?.said == "done")
        #expect(try read(school, ["done", "Lab", "--undo"], as: .linden).students.first?.said == nil)
        #expect(try read(school, ["assignment", "change", "Lab", "--excuse", "linden"], as: .kelly).students[1].excused)
        #expect(try read(school, ["assignment", "change", "Lab", "--unexcuse", "linden"], as: .kelly).students[1].excused == false)
        #expect(try school.verifies())
    }

    @Test("are changed by two teachers at once without losing anything")
    func twoTeachers() async throws {
        let school = try School(inClass: "coteachers = [\"moss\"]")
        try await school.start()
        let made = try read(school, ["assign", "Duo", "--class", "8b"], as: .kelly)
        #expect(made.edition == 1)
        let edition = ["--edition", "1"]
        #expect(try read(school, ["assignment", "change", "Duo", "--due", "2030-01-01"] + edition, as: .kelly).edition == 2)
        try refused(
            school, ["assignment", "change", "Duo", "--due", "2031-01-01"] + edition, as: .moss,
            "kelly has changed it meanwhile (it is edition 2 now), so nothing was changed")
        // Without an edition each changes what they name, and nothing else.
        let other = try school.daybook(["assignment", "change", "Duo", "--target", "300 words"], as: .moss)
        #expect(other.status == 0 && other.output.contains("due Tue 1 Jan 2030 23:59") && other.output.contains("300 words"), "\(other)")
        // Both at the same moment: nobody's change is lost.
        let program = try #require(Programs.built("daybook"))
        let both = try (0..<10).map { number in
            try Child(
                school.command(
                    [
                        program, "--socket", school.folder + "/daybook.sock", "assignment", "change", "Duo", "--extend",
                        "\(number % 2 == 0 ? "berg" : "linden")=2030-02-0\(1 + number / 2)",
                    ], as: number % 2 == 0 ? .kelly : .moss), output: "\(school.folder)/out\(number)")
        }
        for (number, child) in both.enumerated() {
            let status = child.wait()
            let said = try text("\(school.folder)/out\(number)")
            #expect(status == 0, "\(said)")
        }
        let after = try read(school, ["assignment", "show", "Duo"], as: .kelly)
        #expect(after.students.allSatisfy { $0.due != nil })
        #expect(after.edition == 13)
        #expect(try school.verifies())
    }

    @Test("that cannot be so are refused with what to do, and nothing is set")
    func mistakes() async throws {
        let school = try School()
        try await school.start()
        try await school.eventually("the folder is an assignment") { try school.daybook(["report", "Hamlet essay"]).status == 0 }
        let entries = try school.journal().count { $0.contains("\"kind\":\"assignment") }
        try refused(school, ["assign", "X", "--class", "9z"], as: .kelly, "no class '9z'; there are:   8b")
        try refused(school, ["assign", "X", "--class", "8b"], as: .berg, "you may not do this: it is for the teachers of the class")
        try refused(school, ["assign", "X", "--class", "8b"], as: .moss, "you may not do this")
        try refused(school, ["assign", "X", "--class", "8b", "--due", "2020-01-01"], as: .kelly, "2020-01-01 is past; give --past")
        try refused(school, ["assign", "X", "--class", "8b", "--due", "soon"], as: .kelly, "--due does not understand 'soon'", status: 2)
        try refused(
            school, ["assign", "X", "--class", "8b", "--to", "berg,linden"], as: .kelly,
            "--to takes one student; write --to berg --to linden", status: 2)
        try refused(school, ["assign", "X", "--class", "8b", "--to", "moss"], as: .kelly, "no person 'moss' among those you may see")
        try refused(
            school, ["assign", "X", "--class", "8b", "--target", "5 miles"], as: .kelly, "words, slides, score, questions, minutes",
            status: 2)
        try refused(
            school, ["assign", "X", "--class", "8b", "--copy", "/etc/shadow"], as: .kelly, "cannot read /etc/shadow: Permission denied")
        try refused(school, ["assign", "X", "--class", "8b", "--copy", "/etc"], as: .kelly, "/etc is a folder; name the one file to copy")
        try refused(school, ["assign", "X", "--class", "8b", "--copy", "/no/such"], as: .kelly, "No such file or directory")
        try refused(school, ["assign", "X", "--folder", "/etc/x"], as: .kelly, "is in none of the shares")
        try refused(school, ["assign", "X", "--folder", school.share + "/8b/a/b"], as: .kelly, "does not stand at {assignment}")
        try refused(school, ["assign", "X"], as: .kelly, "which class? write --class CLASS", status: 2)
        try refused(school, ["assign", "--class", "8b"], as: .kelly, "title is missing", status: 2)
        try refused(school, ["assignment", "end", "Nothing"], as: .kelly, "no assignment 'Nothing'")
        try refused(school, ["assignment", "end", "Hamlet essay"], as: .berg, "you may not do this")
        try refused(school, ["done", "Hamlet essay"], as: .kelly, "it is for the students whom the assignment was set for")
        #expect(try school.journal().count { $0.contains("\"kind\":\"assignment") } == entries)
        // A folder that is an assignment already gets what is said of it; a second time, 'change' is meant.
        let refined = try read(
            school, ["assign", "--folder", school.assignmentFolder, "--title", "Hamlet", "--target", "500 words"], as: .kelly)
        #expect(refined.assignment == "8b/" + School.assignment)
        try refused(
            school, ["assign", "--folder", school.assignmentFolder, "--title", "Other"], as: .kelly, "is an assignment already")
    }
}
