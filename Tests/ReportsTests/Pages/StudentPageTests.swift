// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Foundation
import Ledger
import Testing

@testable import Reports
@testable import benchmarks

@Suite("A student's own published page")
struct StudentPageTests {
    private func page(_ login: String, _ journal: Journal = HamletClass.journal()) throws -> String {
        try #require(
            StudentPage(of: HamletClass.person(login), in: journal.ledger, now: journal.moment(HamletClass.asOf), clock: .utc)
        ).html(clock: .utc)
    }

    @Test("has all that is recorded of them, with times of day, and nothing of anybody else")
    func own() throws {
        let html = try page("berg")
        for text in [
            "<h1><bdi>Berg, Jonas</bdi></h1>", "recording is on", "<strong>1 h 35</strong><small>1:10–2:05, confidence good</small>",
            "<th scope=\"row\">Fri 7 Mar 10:00–11:15</th>", "Mon 10 Mar 14:00–14:50", "<bdi>essay.odt</bdi>", "Rule 2026-1.",
            "When it was open",
            "Words over time", "<caption id=\"s1\">Sessions<small>2 stretches</small></caption>", "<strong>540</strong>",
        ] { #expect(html.contains(text), "\(text)") }
        #expect(html.contains(FactSheet.mustNot))
        for student in HamletClass.students where student.login != "berg" {
            let surname = student.name.split(separator: " ").last ?? ""
            #expect(!html.contains(surname) && !html.contains("/\(student.login)/"), "\(student)")
        }
        for word in ["Median", "median", "Average", "<script", "http:", "https:"] { #expect(!html.contains(word), "\(word)") }
    }

    @Test("says what is not known, and that recording is off")
    func others() throws {
        #expect(
            try page("evans").contains("<strong>unknown</strong><small>saved once: worked elsewhere or pasted; here up to 45 min</small>"))
        #expect(try page("haddad").contains("recording is off for you"))
        #expect(try page("grant").contains("Nothing was seen yet."))
    }

    @Test("says who has looked")
    func looks() throws {
        var journal = HamletClass.journal()
        #expect(try page("berg", journal).contains("Nobody else has asked for this."))
        for (login, person) in [("kel<ler", HamletClass.person("berg")), ("other", HamletClass.person("ito"))] {
            journal.add(
                .viewed(ViewedFacts(by: 900, byLogin: login, person: person, assignment: nil, what: "Show")),
                at: wall("2025-03-11T09:30:00Z"))
        }
        let html = try page("berg", journal)
        #expect(html.contains("<th scope=\"row\">Tue 11 Mar 09:30</th><td><bdi>kel&lt;ler</bdi></td><td>your work in detail</td>"))
        #expect(!html.contains("other</bdi>"))
    }

    @Test("stays small, however much there is")
    func bounded() throws {
        var journal = HamletClass.journal()
        for index in 0..<600 {
            journal.saving("berg", from: (wall("2025-03-03T09:00:00Z") + .seconds(index * 1000)).rfc3339, gaps: [1])
        }
        journal.sort()
        let html = try page("berg", journal)
        #expect(html.contains("The latest 200; 402 earlier ones are not shown"))
        #expect(html.utf8.count < 300_000, "\(html.utf8.count)")
        let term = TermClass()
        let own = try #require(StudentPage(of: term.people[1], in: term.ledger, now: term.now, clock: .utc)).html(clock: .utc)
        #expect(own.utf8.count < 100_000, "\(own.utf8.count)")
    }

    @Test("shows words and level before other results, and no plot of a single day")
    func results() throws {
        let html = try page("jansson")
        let tiles = html.matches(of: /<li><span>([^<]*)<\/span>/).map { String($0.output.1) }
        #expect(tiles == ["Worked, about", "Words", "Level", "Sentences", "Paragraphs"])
        #expect(html.contains("When it was open") && !html.contains("Words over time") && !html.contains("How long on each day"))
    }

    @Test("draws a night as two days, and what goes on until now")
    func timeline() throws {
        var journal = HamletClass.journal()
        journal.typing("demir", from: "2025-03-10T23:30:00Z", typed: 60, pauses: (0, 0), silent: 0)
        journal.sort()
        let html = try page("demir", journal)
        #expect(html.contains("Mon 10 Mar 23:30–Tue 11 Mar 00:30"))
        #expect(html.contains("When it was open, on 3 days"))
        #expect(try page("abara").contains("–now</th>"))
    }
}

@Suite("Published pages", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tidy"), "tidy is not here (make packages)"))
struct TidyTests {
    @Test("are HTML 5 without a warning, also with hostile names")
    func tidy() throws {
        let term = TermClass()
        let journal = HamletClass.journal()
        let (ledger, now) = (journal.ledger, journal.moment(HamletClass.asOf))
        let id = try #require(HamletClass.facts()?.id)
        var hamlet = try #require(ClassPage(of: id, in: ledger, now: now, clock: .utc))
        var pages = [
            try #require(ClassPage(of: term.id, in: term.ledger, now: term.now, clock: .utc)).html(clock: .utc),
            try #require(StudentPage(of: term.people[0], in: term.ledger, now: term.now, clock: .utc)).html(clock: .utc),
            hamlet.html(clock: .utc),
        ]
        for student in HamletClass.students {
            pages.append(
                try #require(StudentPage(of: HamletClass.person(student.login), in: ledger, now: now, clock: .utc)).html(clock: .utc))
        }
        for name in ClassPageTests.hostile {
            hamlet.report.title = name
            hamlet.report.className = name
            hamlet.report.rows[1].name = name
            pages.append(hamlet.html(clock: .utc))
        }
        for page in pages {
            let file = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID().uuidString).html")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(page.utf8).write(to: file)
            let tidy = Process()
            tidy.executableURL = URL(filePath: "/usr/bin/tidy")
            tidy.arguments = ["-errors", "-quiet", "-utf8", file.path]
            let said = Pipe()
            tidy.standardError = said
            tidy.standardOutput = FileHandle.nullDevice
            try tidy.run()
            let complaints = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            tidy.waitUntilExit()
            #expect(complaints.isEmpty && tidy.terminationStatus == 0, "\(complaints) \(page.matches(of: /<title>.*/).first?.output ?? "")")
        }
    }
}
