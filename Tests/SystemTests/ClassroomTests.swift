// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The classroom", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct ClassroomTests {
    private func refused(_ outcome: Outcome, _ part: String, status: Int32 = 1) {
        #expect(outcome.status == status && outcome.output.replacing("\n", with: " ").contains(part), "\(outcome)")
    }

    /// Writes into a document as a person, by a program that keeps it open for a while.
    private func work(_ school: School, _ name: String, as person: School.Person) async throws {
        let path = "\(school.work(person))/\(name)"
        let outcome = try Child.run(school.command(["sh", "-c", "exec 3>>\"$0\" && echo one two >&3 && sleep 1", path], as: person))
        #expect(outcome.status == 0, "\(outcome)")
        try await school.eventually("\(name) is measured") {
            try school.journal().contains { $0.contains("\"kind\":\"metrics\"") && $0.contains(name) }
        }
    }

    @Test("takes class lists from a OneRoster export, as a whole or not at all, and keeps them over a restart")
    func imports() async throws {
        let school = try School()
        try await school.start()
        let export = school.folder + "/export"
        try FileManager.default.createDirectory(atPath: export, withIntermediateDirectories: true)
        func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: "\(export)/\(name)")) }
        try write("manifest.csv", "propertyName,value\noneroster.version,1.1\n")
        try write(
            "users.csv",
            "\u{FEFF}sourcedId,enabledUser,username,givenName,familyName\r\n1,true,berg,Jonas,Berg\r\n2,true,moss,Kim,Moss\r\n3,true,zoë,Zoë,Nobody\r\n"
        )
        try write("classes.csv", "sourcedId,title,classCode,schoolSourcedId\nc1,Art,9c,s\n")
        try write(
            "enrollments.csv", "classSourcedId,userSourcedId,role,primary\nc1,1,student,false\nc1,3,student,false\nc1,2,teacher,true\n")
        refused(try school.daybook(["classes", "import", export], as: .kelly), "you may not do this: it is for administrators")
        let trial = try school.daybook(["classes", "import", "--dry-run", export])
        #expect(trial.status == 0 && trial.output.contains("Would import 1 classes with 3 people (OneRoster 1.1)."), "\(trial)")
        #expect(trial.output.contains("zoë") && trial.output.contains("Nothing was changed."), "\(trial)")
        #expect(try !school.daybook(["classes"]).output.contains("9c"))
        // As a zip file it is the same.
        let zip = try Child.run(["sh", "-c", "cd \"$0\" && zip -q -r ../export.zip .", export])
        #expect(zip.status == 0, "\(zip)")
        let done = try school.daybook(["classes", "import", school.folder + "/export.zip"])
        #expect(done.status == 0 && done.output.contains("New: 9c."), "\(done)")
        try await school.eventually("moss teaches 9c") { try school.daybook(["classes"], as: .moss).output.contains("you: teacher") }
        let listed = try school.daybook(["classes"], as: .moss).output
        #expect(
            listed.contains("9c") && listed.contains("imported") && listed.contains("Berg, Jonas (berg)") && !listed.contains("8b"),
            "\(listed)")
        #expect(try school.journal().count { $0.contains("\"kind\":\"imported\"") } == 1)
        #expect(try !school.journal().contains { $0.contains("\"kind\":\"imported\"") && $0.contains("berg") })
        // A list with a mistake changes nothing.
        try write("enrollments.csv", "classSourcedId,userSourcedId,role\nc1,7,student\n")
        refused(try school.daybook(["classes", "import", export]), "enrollments.csv:2: names the person '7', who is not in users.csv")
        refused(try school.daybook(["classes", "import", "/etc"]), "has none of manifest.csv")
        refused(try school.daybook(["classes", "import", "/no/such"]), "cannot read /no/such: No such file or directory")
        refused(try school.daybook(["classes", "import", "/etc/passwd"]), "neither a folder nor a zip file")
        school.end(SIGKILL)
        try await school.start()
        try await school.eventually("it is there again") { try school.daybook(["classes"], as: .moss).output.contains("9c") }
        #expect(try school.verifies())
    }

    @Test("shows a coordinator figures without names, and none over a small group")
    func coordinator() async throws {
        let school = try School(inClass: "coordinators = [\"moss\"]", extra: "[school]\nsmall-group = 2\nhours = []\n")
        try await school.start()
        try await work(school, "one.txt", as: .berg)
        #expect(try school.daybook(["report"], as: .moss).output.contains("Hamlet essay"))
        let one = try school.daybook(["report", "Hamlet essay"], as: .moss)
        #expect(one.status == 0 && one.output.contains("The rows are not yours to see."), "\(one)")
        #expect(one.output.contains("Too few students have figures") && !one.output.lowercased().contains("berg"), "\(one)")
        try await work(school, "two.txt", as: .linden)
        let two = try school.daybook(["report", "Hamlet essay"], as: .moss).output
        #expect(two.contains("Median: words 2") && !two.lowercased().contains("linden"), "\(two)")
        refused(try school.daybook(["report", "Hamlet essay", "--since", "1h"], as: .moss), "you may not do this")
        refused(
            try school.daybook(["report", "Hamlet essay", "--csv"], as: .moss),
            "the rows of 'Hamlet essay' are not yours to see, so there is no table; without --csv you get its figures")
        refused(try school.daybook(["show", "berg"], as: .moss), "no person 'berg' among those you may see")
        refused(try school.daybook(["assignment", "show", "Hamlet essay"], as: .moss), "you may not do this")
        refused(try school.daybook(["assignment", "end", "Hamlet essay"], as: .moss), "you may not do this")
        #expect(try school.daybook(["sessions"], as: .moss).output == "No session matches.\n")
        #expect(try school.daybook(["classes"], as: .moss).output.contains("you: coordinator"))
    }

    @Test("empties what was recorded of a student for whom recording is switched off, and says so in tables")
    func switchedOff() async throws {
        let school = try School()
        try await school.start()
        try await work(school, "mine.txt", as: .berg)
        try await work(school, "hers.txt", as: .linden)
        refused(try school.daybook(["recording", "off", "berg", "--yes"], as: .kelly), "you may not do this: it is for administrators")
        #expect(try school.daybook(["recording", "off", "berg", "--yes"]).status == 0)
        try await school.eventually("the work is gone") { try !school.journal().contains { $0.contains("mine.txt") } }
        let table = try school.daybook(["report", "Hamlet essay"], as: .kelly).output
        #expect(table.contains("recording off"), "\(table)")
        #expect(try school.daybook(["sessions"]).output.contains("hers.txt"))
        #expect(try !school.daybook(["sessions"]).output.contains("mine.txt"))
        // Nothing more is recorded; nor does a restart bring it back.
        let path = "\(school.work(.berg))/later.txt"
        #expect(try Child.run(school.command(["sh", "-c", "echo x > \"$0\"", path], as: .berg)).status == 0)
        try await work(school, "mark.txt", as: .linden)
        school.end(SIGTERM)
        try await school.start()
        #expect(try !school.journal().contains { $0.contains("later.txt") || $0.contains("mine.txt") })
        #expect(try school.daybook(["report", "Hamlet essay"], as: .kelly).output.contains("recording off"))
        #expect(try school.verifies())
    }

    @Test("keeps a note beside a session, and figures without one that is left out")
    func notes() async throws {
        let school = try School(extra: "[school]\nhours = []\n")
        try await school.start()
        try await work(school, "noted.txt", as: .berg)
        struct Line: Decodable {
            var session: Int
            var excluded: Bool
            var document: String
        }
        func lines() throws -> [Line] { try school.read(["sessions"]) }
        let number = String(try #require(try lines().first).session)
        refused(try school.daybook(["note", number, "no"], as: .linden), "there is none of that number, or it is not yours to see")
        refused(try school.daybook(["note", number, "no", "--exclude"], as: .berg), "you may not do this")
        refused(try school.daybook(["note", "99999", "no"], as: .kelly), "there is none of that number")
        refused(try school.daybook(["note", "x", "no"], as: .kelly), "is no session's number", status: 2)
        #expect(try school.daybook(["note", number, "it was my sister"], as: .berg).status == 0)
        let excluded = try school.daybook(["note", number, "as he says", "--exclude"], as: .kelly)
        #expect(excluded.status == 0, "\(excluded)")
        #expect(try lines().first?.excluded == true)
        let shown = try school.daybook(["show", "berg"], as: .kelly).output
        #expect(
            shown.contains("berg, ") && shown.contains("it was my sister") && shown.contains("(left out of figures): as he says"),
            "\(shown)")
        #expect(try school.daybook(["me"], as: .berg).output.contains("as he says"))
        #expect(try school.daybook(["note", number, "after all", "--include"], as: .kelly).status == 0)
        #expect(try lines().first?.excluded == false)
        let table = try school.daybook(["report", "Hamlet essay", "--csv", "--separator", ";"], as: .kelly).output
        #expect(table.hasPrefix("\u{FEFF}Student;Login;State;Worked (min)"), "\(table)")
        refused(try school.daybook(["report", "Hamlet essay", "--separator", ";"], as: .kelly), "--separator goes with --csv", status: 2)
    }

    @Test("remembers what a teacher bookmarked, and assigns from it")
    func bookmarks() async throws {
        let school = try School()
        try await school.start()
        refused(try school.daybook(["bookmark", "add", "/x"], as: .berg), "you may not do this")
        let added = try school.daybook(["bookmark", "add", "/srv/templates/Act \"1\".odt"], as: .kelly)
        #expect(added.status == 0 && added.output.contains("Act \"1\"  /srv/templates/Act \"1\".odt"), "\(added)")
        #expect(try school.daybook(["bookmark", "add", "--context", "book/chapter 1", "--title", "One"], as: .kelly).status == 0)
        #expect(try school.daybook(["bookmark", "list"], as: .moss).output.contains("You have no bookmarks"))
        refused(try school.daybook(["bookmark", "remove", "1"], as: .moss), "there is none of that number")
        #expect(try school.daybook(["bookmark", "remove", "1"], as: .kelly).status == 0)
        let assigned = try school.daybook(["assign", "--bookmark", "2", "--class", "8b"], as: .kelly)
        #expect(assigned.status == 0 && assigned.output.contains("Begins from: book > chapter 1"), "\(assigned)")
        #expect(assigned.output.hasPrefix("One"), "\(assigned)")
        school.end(SIGTERM)
        try await school.start()
        #expect(try school.daybook(["bookmark", "list"], as: .kelly).output.contains("One  book > chapter 1"))
        #expect(try school.verifies())
    }
}
