// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Published pages", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct PagesTests {
    private static let classPage = "8b/hamlet-essay/index.html"

    /// The school with pages, after both students have written something.
    private func school(_ settings: String = "interval = \"1s\"") async throws -> School {
        let school = try School()
        try FileManager.default.createDirectory(
            atPath: pages(school), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let configuration = school.folder + "/config.toml"
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        try (text + "[pages]\ndirectory = \"\(pages(school))\"\n\(settings)\n").write(
            toFile: configuration, atomically: true, encoding: .utf8)
        for person in [School.Person.berg, .linden] { try school.put("Hamlet waits.\n", "essay.txt", for: person) }
        // Whoever may not look must not be kept out by a folder above.
        chmod(school.folder, 0o755)
        try await school.start()
        try await school.eventually("the folder is an assignment") { try school.daybook(["report", "Hamlet essay"]).status == 0 }
        for person in [School.Person.berg, .linden] {
            let path = school.work(person) + "/essay.txt"
            _ = try Child.run(school.command(["sh", "-c", "echo To be or not to be. >> '\(path)'"], as: person))
            try await school.words(of: "essay.txt", by: person, are: 8)
        }
        return school
    }

    private func pages(_ school: School) -> String { school.folder + "/pages" }

    private func page(_ name: String, _ school: School) -> String {
        (try? String(contentsOfFile: "\(pages(school))/\(name)", encoding: .utf8)) ?? ""
    }

    /// What somebody can read with their own account.
    private func read(_ name: String, as person: School.Person, _ school: School) throws -> String? {
        let outcome = try Child.run(school.command(["cat", "\(pages(school))/\(name)"], as: person))
        return outcome.status == 0 ? outcome.output : nil
    }

    @Test("can be read by those whose they are, and by nobody else")
    func readers() async throws {
        let school = try await school()
        try await school.eventually("all three pages have what was written") {
            self.page(Self.classPage, school).contains("<td class=\"n\">8</td>")
                && ["berg", "linden"].allSatisfy { self.page("people/\($0)/index.html", school).contains("essay.txt") }
        }
        #expect(try read(Self.classPage, as: .kelly, school)?.contains("<bdi>Berg</bdi>") == true)
        #expect(try read("8b/hamlet-essay/index.csv", as: .kelly, school)?.contains("\nLinden,linden,") == true)
        #expect(try read("people/berg/index.html", as: .berg, school)?.contains("<h1><bdi>Berg</bdi></h1>") == true)
        #expect(page("people/berg/index.html", school).contains("Linden") == false)
        for (name, person) in [
            (Self.classPage, School.Person.berg), ("8b/hamlet-essay/index.csv", .berg), ("people/linden/index.html", .berg),
            ("people/berg/index.html", .linden), ("people/berg/index.html", .kelly),
        ] { #expect(try read(name, as: person, school) == nil, "\(name) \(person)") }
        for (place, person, expected) in [
            ("8b", School.Person.kelly, 0), ("8b", .berg, 2), ("people", .kelly, 2), ("people", .berg, 2), ("people/berg", .berg, 0),
        ] as [(String, School.Person, Int32)] {
            #expect(
                try Child.run(school.command(["ls", "\(pages(school))/\(place)"], as: person)).status == expected, "\(place) \(person)")
        }

        // Where each finds theirs.
        let program = try #require(Programs.built("daybook"))
        func asked(_ words: [String], as person: School.Person) throws -> Outcome {
            try Child.run(school.command([program, "--socket", school.folder + "/daybook.sock", "pages"] + words, as: person))
        }
        #expect(try asked([], as: .kelly).output.contains("\(pages(school))/\(Self.classPage)"))
        let own = try asked([], as: .berg).output
        #expect(own.contains("\(pages(school))/people/berg/index.html") && !own.contains("/8b/"), "\(own)")
        let refused = try asked(["--now"], as: .kelly)
        #expect(refused.status == 1 && refused.output.contains("administrators"), "\(refused)")
        #expect(try school.daybook(["status"]).output.contains("\(pages(school)): 3 pages"))
        #expect(try school.daybook(["pages"]).output.contains("2 students have pages of their own"))
    }

    @Test("are written anew at once when somebody is switched off, and gone before forget answers")
    func atOnce() async throws {
        // Never by themselves while this runs, so whatever comes, comes at once.
        let school = try await school("interval = \"1d\"")
        let now = try school.daybook(["pages", "--now"])
        #expect(now.status == 0, "\(now)")
        #expect(page(Self.classPage, school).contains("Berg") && page("people/berg/index.html", school).contains("recording is on"))
        #expect(try school.daybook(["recording", "off", "berg", "--yes"]).status == 0)
        try await school.eventually("both pages say that it is off") {
            self.page("people/berg/index.html", school).contains("recording is off for you")
                && self.page(Self.classPage, school).contains("recording off")
        }
        #expect(try school.daybook(["recording", "on", "berg"]).status == 0)
        // Of linden, and the median and average; what was recorded of berg went when they were switched off.
        func figures() -> Int { page(Self.classPage, school).components(separatedBy: "<td class=\"n\">8</td>").count - 1 }
        try await school.eventually("the row is back") {
            let page = self.page(Self.classPage, school)
            return page.contains("Berg") && !page.contains("recording off")
        }
        #expect(figures() == 3)
        let forgotten = try school.daybook(["forget", "berg", "--yes", "--in-class"])
        #expect(forgotten.status == 0, "\(forgotten)")
        // Without waiting. They are still in class, so there may be a page for them again, of which nothing is known.
        #expect(!page("people/berg/index.html", school).contains("essay.txt"))
        #expect(page(Self.classPage, school).contains("Linden"))
        #expect(figures() == 3)
    }

    @Test("cannot be read any more by a teacher who has left, nor are those of a student who has")
    func leaving() async throws {
        let school = try await school()
        try await school.eventually("the teacher can read") { try self.read(Self.classPage, as: .kelly, school) != nil }
        try await school.eventually("berg can read") { try self.read("people/berg/index.html", as: .berg, school) != nil }
        let configuration = school.folder + "/config.toml"
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        try text.replacing("\"kelly\"]", with: "\"linden\"]").replacing("\"berg\", \"linden\"", with: "\"kelly\"").write(
            toFile: configuration, atomically: true, encoding: .utf8)
        kill(try #require(school.pid), SIGHUP)
        try await school.eventually("the teacher cannot read") { try self.read(Self.classPage, as: .kelly, school) == nil }
        try await school.eventually("the new teacher can read") { try self.read(Self.classPage, as: .linden, school) != nil }
        try await school.eventually("the student's page is gone") {
            !FileManager.default.fileExists(atPath: self.pages(school) + "/people/berg")
        }
    }

    @Test("of a run that was cut off are cleared away")
    func stale() async throws {
        let school = try await school()
        try await school.eventually("the pages are there") { !self.page(Self.classPage, school).isEmpty }
        school.end(SIGKILL)
        let old = pages(school) + "/8b/poem"
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        try Data("old".utf8).write(to: URL(filePath: old + "/index.html"))
        try Data("half".utf8).write(to: URL(filePath: pages(school) + "/8b/hamlet-essay/.daybook-new"))
        try await school.start()
        try await school.eventually("only those of now are there") {
            !FileManager.default.fileExists(atPath: old)
                && !FileManager.default.fileExists(atPath: self.pages(school) + "/8b/hamlet-essay/.daybook-new")
        }
        try await school.eventually("these are there") { !self.page(Self.classPage, school).isEmpty }
    }

    @Test("are none in a folder that is not fit, and status, doctor and the log say why")
    func unfit() async throws {
        let school = try await school()
        try await school.eventually("the pages are there") { !self.page(Self.classPage, school).isEmpty }
        school.end(SIGTERM)
        // The link leads into the share.
        try FileManager.default.removeItem(atPath: pages(school))
        try FileManager.default.createDirectory(
            atPath: school.share + "/pages", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        try FileManager.default.createSymbolicLink(atPath: pages(school), withDestinationPath: school.share + "/pages")
        try await school.start()
        try await school.eventually("it says so") { try school.said().contains("no pages are published") }
        #expect(try school.daybook(["status"]).output.contains("NOT PUBLISHED"))
        let doctor = try school.daybook(["doctor", "--config", school.folder + "/config.toml"]).output
        #expect(doctor.contains("are in each other"), "\(doctor)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: school.share + "/pages").isEmpty)
    }

    private static let sambaObstacle: String? = ["smbd", "smbclient", "ip"].first { name in
        !["/usr/bin/", "/usr/sbin/", "/sbin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
    }.map { "\($0) is not here (make packages)" }

    @Test(
        "are shown by a real Samba to each only their own",
        .enabled(if: sambaObstacle == nil, Comment(rawValue: sambaObstacle ?? "")))
    func samba() async throws {
        let school = try await school()
        try await school.eventually("all pages are there") {
            [Self.classPage, "people/berg/index.html", "people/linden/index.html"].allSatisfy { !self.page($0, school).isEmpty }
        }
        try String(contentsOfFile: school.folder + "/passwd", encoding: .utf8)
            .appending("stranger:x:61999:61999:Stranger:/nowhere:/bin/false\nnobody:x:65534:65534:nobody:/nowhere:/bin/false\n")
            .write(toFile: school.folder + "/passwd", atomically: true, encoding: .utf8)
        let looks = """
            kelly daybook ls
            kelly daybook ls 8b/*
            kelly daybook get 8b/hamlet-essay/index.html \(school.folder)/kelly.html
            kelly daybook get people/berg/index.html \(school.folder)/kelly-berg.html
            kelly daybook put \(school.folder)/passwd 8b/hamlet-essay/mine.html
            kelly my-daybook ls
            berg my-daybook ls
            berg my-daybook get index.html \(school.folder)/berg.html
            berg daybook ls
            berg daybook ls people/*
            berg daybook get 8b/hamlet-essay/index.html \(school.folder)/berg-class.html
            berg daybook get people/linden/index.html \(school.folder)/berg-linden.html
            stranger daybook ls
            stranger daybook get people/berg/index.html \(school.folder)/stranger.html
            stranger my-daybook ls

            """
        try looks.write(toFile: school.folder + "/looks", atomically: true, encoding: .utf8)
        let script = Box.package.appending(path: "Tests/SystemTests/pages.sh").path
        let stanza = Box.package.appending(path: "systemd/samba/daybook.conf").path
        let outcome = try Child.run([
            "unshare", "--mount", "--net", "sh", "-c", "exec \"$@\" < \"$0\"", school.folder + "/looks", script, school.folder,
            pages(school), stanza,
        ])
        var answers: [String: String] = [:]
        for part in outcome.output.components(separatedBy: "== ").dropFirst() {
            let line = String(part.prefix { $0 != "\n" })
            answers[line] = String(part.dropFirst(line.count))
        }
        func names(_ look: String) -> [String] {
            // `  8b    D    0  Mon Nov 30 …`
            let lines = (answers[look] ?? "").split(separator: "\n").filter {
                $0.hasPrefix("  ") && $0.contains("  20") || $0.contains(":")
            }
            return lines.compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "." && $0 != ".." }.sorted()
        }
        #expect(names("kelly daybook ls") == ["8b"], "\(outcome)")
        #expect(names("kelly daybook ls 8b/*") == ["hamlet-essay"])
        #expect(names("berg my-daybook ls") == ["index.html"])
        #expect(names("berg daybook ls").isEmpty)
        #expect(names("stranger daybook ls").isEmpty)
        func got(_ name: String) -> String? { try? String(contentsOfFile: "\(school.folder)/\(name).html", encoding: .utf8) }
        #expect(got("kelly")?.contains("<bdi>Berg</bdi>") == true)
        #expect(got("berg")?.contains("<h1><bdi>Berg</bdi></h1>") == true)
        for name in ["kelly-berg", "berg-class", "berg-linden", "stranger"] { #expect((got(name) ?? "").isEmpty, "\(name)") }
        for look in ["kelly my-daybook ls", "stranger my-daybook ls", "berg daybook ls people/*"] {
            #expect(answers[look]?.contains("NT_STATUS_") == true, "\(look): \(answers[look] ?? "")")
        }
        #expect(!FileManager.default.fileExists(atPath: pages(school) + "/8b/hamlet-essay/mine.html"))
    }
}
