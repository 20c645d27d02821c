// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite(
    "What a program shares with a teacher, and how it is opened", .serialized,
    .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct SharingTests {
    private let school: School
    private let program: String

    init() async throws {
        school = try School()
        program = school.folder + "/Settings"
        try FileManager.default.copyItem(atPath: try Clients.folder.get() + "/Settings", toPath: program)
        try await school.start()
    }

    private func run(_ words: [String], as person: School.Person) throws -> Outcome {
        try Child.run(
            ["timeout", "60"]
                + school.command(words, as: person, environment: ["DAYBOOK_SOCKET": school.folder + "/daybook.sock"]))
    }

    @Test(
        "a teacher's bookmarks and drafts are there, with the context or the document in them; a student is told that they are for teachers"
    )
    func shares() async throws {
        let file = try school.put("a text", "letter.txt", for: .kelly, in: school.assignmentFolder)
        let theirs = try run([program, "share", file], as: .kelly)
        #expect(theirs.status == 0, "\(theirs)")
        for line in ["bookmarked: A page", "drafted an assignment: A page", "bookmarked: letter", "drafted an assignment: letter"] {
            #expect(theirs.output.contains("Daybook: \(line)\n"), "\(theirs)")
        }
        let bookmarks = try school.daybook(["bookmark", "list"], as: .kelly)
        #expect(bookmarks.output.contains("A page") && bookmarks.output.contains("letter"), "\(bookmarks)")
        #expect(bookmarks.output.contains("Settings > page 1") && bookmarks.output.contains("letter.txt"), "\(bookmarks)")
        let draft = try school.daybook(["assignment", "show", "A page"], as: .kelly)
        #expect(draft.output.contains("draft") && draft.output.contains("Settings > page 1"), "\(draft)")
        let other = try school.daybook(["assignment", "show", "letter"], as: .kelly)
        #expect(other.output.contains("draft") && other.output.contains("letter.txt"), "\(other)")
        // Students do not see drafts, and may make neither.
        #expect(try !school.daybook(["report"], as: .berg).output.contains("A page"))
        let before = try school.journal().count
        let student = try run([program, "share", file], as: .berg)
        #expect(student.status == 0 && student.output.contains("Daybook: not bookmarked: A page: that is for teachers\n"), "\(student)")
        #expect(student.output.contains("Daybook: not drafted an assignment: letter: that is for teachers\n"), "\(student)")
        for kind in ["bookmark.created", "assignment.created"] {
            #expect(try !school.journal().dropFirst(before).contains { $0.contains("\"kind\":\"\(kind)\"") })
        }
    }

    @Test("in the development environment nothing of it reaches a class, and each thing that is dropped is explained")
    func development() throws {
        let file = try school.put("a text", "letter.txt", for: .kelly, in: school.assignmentFolder)
        let environment = ["DAYBOOK_SOCKET": school.folder + "/daybook.sock", "DAYBOOK_CLASSKIT_ENVIRONMENT": "development"]
        let outcome = try Child.run(["timeout", "60"] + school.command([program, "share", file], as: .kelly, environment: environment))
        let student = "you are a student in the class Development, and only teachers' contexts are kept"
        for line in [
            "the context 'page 1' was dropped: \(student)", "the context 'web' was dropped: \(student)",
            "bookmarked: 'A page', in a class that is made up", "drafted an assignment: 'letter', in a class that is made up",
        ] {
            #expect(outcome.output.contains("ClassKit (development): \(line)\n"), "\(outcome)")
        }
        #expect(!outcome.output.contains("Daybook:"), "\(outcome)")
        for kind in ["bookmark.created", "context.saved"] {
            #expect(try !school.journal().contains { $0.contains("\"kind\":\"\(kind)\"") })
        }
    }

    @Test("`daybook open` hands the program its context as a user activity, and opens a universal link instead where there is one")
    func opens() async throws {
        let file = try school.put("a text", "letter.txt", for: .kelly, in: school.assignmentFolder)
        _ = try run([program, "share", file], as: .kelly)
        let applications = "\(school.home(.berg))/.local/share/applications"
        try school.makeFolder(applications, for: .berg)
        let entry = "[Desktop Entry]\nType=Application\nExec=\(program) opened %u\nMimeType=x-scheme-handler/daybook;\n"
        try school.put(entry, "Settings.desktop", for: .berg, in: applications)
        let environment = ["DAYBOOK_SOCKET": school.folder + "/daybook.sock"]
        let opened = try school.daybook(["open", "Settings/page 1"], as: .berg, environment: environment)
        #expect(opened.status == 0 && opened.output == "opened [\"page 1\"]: A page\n", "\(opened)")
        #expect(try run([program, "opened"], as: .berg).output == "opened by hand\n")
        // A browser of their own, that says what it was given.
        let browser = school.home(.berg) + "/bin"
        try school.makeFolder(browser, for: .berg)
        try school.put("#!/bin/sh\necho browser: \"$@\"\n", "xdg-open", for: .berg, in: browser)
        guard chmod(browser + "/xdg-open", 0o755) == 0 else { throw School.Failed(description: "chmod") }
        let link = try school.daybook(
            ["open", "Settings/web"], as: .berg, environment: environment.merging(["PATH": "\(browser):/usr/bin:/bin"]) { $1 })
        #expect(link.status == 0 && link.output == "browser: https://school.example/page\n", "\(link)")
    }
}
