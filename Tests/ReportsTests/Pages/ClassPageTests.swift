// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Foundation
import Inference
import Ledger
import Testing

@testable import Reports
@testable import benchmarks

@Suite("The published page of a class")
struct ClassPageTests {
    private func hamlet(_ change: (inout Journal) -> Void = { _ in }) throws -> ClassPage {
        var journal = HamletClass.journal()
        change(&journal)
        journal.sort()
        let id = try #require(HamletClass.facts()?.id)
        return try #require(ClassPage(of: id, in: journal.ledger, now: journal.moment(HamletClass.asOf), clock: .utc))
    }

    /// The cells of a row, without markup.
    private func cells(_ html: String, _ name: String) throws -> [String] {
        let row = try #require(
            html.components(separatedBy: "<tr>").first { $0.contains("<bdi>\(name)</bdi>") || $0.contains(">\(name)</th>") })
        return row.components(separatedBy: "</td>").map {
            $0.replacing(/<[^>]*>/, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    @Test("has the documented table, with days in the place of times of day")
    func table() throws {
        let html = try hamlet().html(clock: .utc)
        #expect(
            try cells(html, "Abara, Chidi").prefix(8) == [
                "Abara, Chidiworking now", "55 min", "40–75 min", "good", "612", "100 %", "8.4", "now",
            ])
        #expect(
            try cells(html, "Berg, Jonas").prefix(8) == [
                "Berg, Jonashanded in", "1 h 35", "1:10–2:05", "good", "540", "100 %", "9.1", "Mon 10 Mar",
            ])
        #expect(try cells(html, "Evans, Rhys").prefix(4) == ["Evans, Rhysbrought in", "?", "up to 45", "thin"])
        #expect(try cells(html, "Fofanah, Isatu").prefix(3) == ["Fofanah, Isatuexcused", "", ""])
        #expect(try cells(html, "Median").prefix(6) == ["Medianof 6 with time", "50 min", "", "", "498", ""])
        #expect(try cells(html, "Average").prefix(6) == ["Averageof 6 with time", "52 min", "", "", "412", ""])
        for text in [
            "<strong>7 of 10</strong>", "<strong>50 min</strong><small>of 6 with time</small>", "<caption id=\"students\">",
            "<th scope=\"col\">Student</th>", "<th scope=\"row\"><bdi>Berg, Jonas</bdi></th>", "due Fri 14 Mar 23:59",
            "1 with too little evidence, 1 excused, 1 not started, 1 recording off", "Rule 2026-1.", "goal 500", "median 50 min",
            "<html lang=\"en\">", "Fri 7 Mar: 1 h 42 by 3 students",
        ] { #expect(html.contains(text), "\(text)") }
        #expect(html.contains(FactSheet.mustNot))
        // Times of day: when it is due, and when the page was made.
        let times = Set(html.matches(of: /\b\d\d:\d\d\b/).map { String($0.output) })
        #expect(times == ["23:59", "11:20"])
    }

    @Test("says who handed in late, in the table and in the file for spreadsheets")
    func late() throws {
        let early = try hamlet { journal in
            guard var facts = HamletClass.facts() else { return }
            facts.plan.deadlines = [Deadline(person: HamletClass.person("ito"), due: wall("2025-03-10T11:00:00Z"), reason: "")]
            journal.add(.assignmentChanged(facts), at: wall("2025-03-03T08:20:00Z"))
        }
        let html = early.html(clock: .utc)
        #expect(try cells(html, "Ito, Ren")[0] == "Ito, Renhanded in late")
        #expect(try cells(html, "Berg, Jonas")[0] == "Berg, Jonashanded in")
        let csv = early.csv(clock: .utc)
        #expect(csv.contains("\"Ito, Ren\",ito,handed in late,") && csv.contains("\"Berg, Jonas\",berg,handed in,"), "\(csv)")
    }

    @Test("loads nothing, runs nothing, and says so to the browser")
    func selfContained() throws {
        let html = try hamlet().html(clock: .utc)
        #expect(html.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"))
        for word in ["<script", "http:", "https:", "url(", "@import", " src=", " style=", "onload", "<link", "<iframe", "javascript:"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(Set(html.matches(of: /href="([^"]*)"/).map { String($0.output.1) }) == ["index.csv"])
    }

    static let hostile = [
        "</style></title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='x", "a\u{0}b\u{1b}[2J",
        "&amp;&#60;",
        "\u{202e}gnp.exe", "\u{2066}\u{2067}isolated", "مريم الخطيب", "=HYPERLINK(\"http://x\")", "\u{fffe}\u{feff}", "-->", "]]>", "",
        "   ",
        String(repeating: "W", count: 10_000), "e\u{301}\u{301}\u{301}", "👩🏽‍🚀", "=\u{301}1+1", "＝1", "\t=1", " @x",
    ]

    private func page(named name: String) throws -> ClassPage {
        try hamlet { journal in
            journal.add(
                .person(PersonFacts(person: HamletClass.person("berg"), displayName: name, role: .student, classes: ["8B"])),
                at: wall("2025-03-04T00:00:00Z"))
            if var facts = journal.ledger.assignment(HamletClass.facts()?.id ?? AssignmentID(text: ""))?.facts {
                facts.title = name
                facts.className = name
                journal.add(.assignmentChanged(facts), at: wall("2025-03-04T00:00:01Z"))
            }
            journal.measure(
                "berg", words: 900, level: 9, at: "2025-03-10T14:59:00Z", document: HamletClass.document("berg", name.isEmpty ? "x" : name))
        }
    }

    @Test("shows hostile names as text, in a title, a class, a person and a document", arguments: hostile)
    func names(name: String) throws {
        let page = try page(named: name)
        let html = page.html(clock: .utc)
        // The same tags as with any other name, in the order of other rows: nothing of a name became one.
        func tags(_ html: String) -> [String] {
            html.matches(of: /<\/?([a-zA-Z!][a-zA-Z0-9]*)/).map { String($0.output.1) }.filter { $0 != "bdi" }.sorted()
        }
        #expect(tags(html) == tags(try self.page(named: "Name").html(clock: .utc)), "\(name)")
        #expect(!html.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        #expect(!html.unicodeScalars.contains { $0.properties.generalCategory == .format && $0 != "\u{200D}" })
        if name == "مريم الخطيب" { #expect(html.contains("<h1><bdi>مريم الخطيب</bdi></h1>")) }
        // A spreadsheet sees text, in as many rows and columns as ever.
        let csv = page.csv(clock: .utc)
        #expect(csv.components(separatedBy: "\r\n").count == 12)
        for line in csv.unicodeScalars.dropFirst().split(separator: "\n").map({ String($0.dropLast()) }) {
            let cells = Self.cells(line)
            #expect(cells.count == 16, "\(line)")
            for cell in cells {
                let first = cell.unicodeScalars.first { !$0.properties.isWhitespace }
                if let first, "=+-@＝＋－＠|%".unicodeScalars.contains(first) { #expect(Double(cell) != nil, "\(cell)") }
            }
        }
    }

    /// A line as RFC 4180 has it.
    private static func cells(_ line: String) -> [String] {
        var cells = [""]
        var isQuoted = false
        for scalar in line.unicodeScalars {
            if scalar == "\"" {
                isQuoted.toggle()
            } else if scalar == ",", !isQuoted {
                cells.append("")
            } else {
                cells[cells.count - 1].unicodeScalars.append(scalar)
            }
        }
        return cells
    }

    @Test("is a table for spreadsheets, too: with a byte order mark, in minutes")
    func csv() throws {
        let lines = try hamlet().csv(clock: .utc).components(separatedBy: "\r\n")
        #expect(
            lines[0]
                == "\u{feff}Student,Login,State,Worked (min),At least (min),At most (min),Sure,Saves,Words,Sentences,Paragraphs,Goal (%),Level,Last day,Main document,Documents"
        )
        #expect(
            lines[2]
                == "\"Berg, Jonas\",berg,handed in,95.0,70.0,125.0,good,2,540,45,7,100,9.1,2025-03-10,8b/2025-03-14 Hamlet essay/berg/essay.odt,1"
        )
        #expect(lines[5].hasPrefix("\"Evans, Rhys\",evans,brought in,,0.0,45.0,thin,1,301,25,4,60,8,2025-03-10,"))
        #expect(lines[6] == "\"Fofanah, Isatu\",fofanah,excused,,,,,,,,,,,,,0")
        #expect(lines.count == 12 && lines[11].isEmpty)
    }

    @Test("of a term of a class of 30 has less than 300 KB, and shows every day that somebody worked")
    func term() throws {
        let term = TermClass()
        let page = try #require(ClassPage(of: term.id, in: term.ledger, now: term.now, clock: .utc))
        let html = page.html(clock: .utc)
        #expect(html.utf8.count < 300_000 && html.utf8.count > 30_000, "\(html.utf8.count)")
        #expect(page.report.rows.count == 30 && page.lines.count == 30)
        for row in page.report.rows {
            let days = try #require(page.lines[row.person]).days
            #expect(days.count > 5)
            // The days add up to the row.
            let sum = days.reduce(Duration.zero) { $0 + ($1.figures.active ?? .zero) }
            #expect(sum == row.figures?.active)
        }
    }

    @Test("of a class without anybody, or without any work, says so")
    func empty() throws {
        let id = try #require(HamletClass.facts()?.id)
        let journal = HamletClass.journal()
        let page = try #require(
            ClassPage(of: id, in: journal.ledgerBeforeWork, now: journal.moment("2025-03-04T00:00:00Z"), clock: .utc))
        let html = page.html(clock: .utc)
        #expect(html.contains("<strong>0 of 10</strong>") && !html.contains("<figure") && !html.contains("Median"))
        var empty = page
        empty.report.rows = []
        #expect(empty.html(clock: .utc).contains("Nobody is in this class yet."))
    }
}

extension Journal {
    /// As it was on the evening of the first day.
    var ledgerBeforeWork: Ledger { entries.filter { $0.at < wall("2025-03-03T20:00:00Z") }.reduce(into: Ledger()) { $0.apply($1) } }
}
