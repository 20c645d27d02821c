// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The options of a report", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct ReportOptionsTests {
    private static let windows: [[String]] = [
        [], ["--since", "1h"], ["--until", "2040-01-01"], ["--since", "2020-01-01", "--until", "2040-01-01"], ["--lesson", "00:00-23:59"],
        ["--lesson", "2020-01-01 10:00-10:45"], ["--since", "2020-01-01", "--until", "2020-02-01"],
    ]
    private static let others: [[String]] = [
        [], ["--sort", "state"], ["--sort", "worked"], ["--sort", "last"], ["--group", "berg"],
        ["--group", "linden,berg", "--sort", "last"],
        ["--rule", "idle-continuous=10m"],
    ]

    @Test("go together, as text, as a spreadsheet and as JSON, and count the same in each")
    func together() async throws {
        let school = try School(extra: "[school]\nhours = []\n")
        try await school.start()
        for (person, text) in [(School.Person.berg, "one two three"), (.linden, "one two")] {
            try school.write(text, "essay.txt", as: person)
            try await school.words(of: "essay.txt", by: person, are: text.split(separator: " ").count)
        }
        struct Report: Decodable {
            struct Row: Decodable {
                var person: String
                var state: String
            }
            var students: Int
            var rows: [Row]
        }
        for window in Self.windows {
            let isThen = !window.contains { $0.contains("2020-02") || $0.contains("10:45") }
            for other in Self.others {
                let words = ["report", "Hamlet essay"] + window + other
                let text = try school.daybook(words, as: .kelly)
                #expect(text.status == 0, "\(words) \(text)")
                let json = try school.daybook(words + ["--json"], as: .kelly)
                let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
                let all: Set = other.contains("berg") ? ["berg"] : ["berg", "linden"]
                #expect(Set(report.rows.map(\.person)) == all && report.students == all.count, "\(words)")
                #expect(report.rows.allSatisfy { ($0.state == "not-started") != isThen }, "\(words) \(report)")
                #expect(text.output.contains("nothing then") != isThen && !text.output.contains("not started"), "\(words) \(text)")
                let csv = try school.daybook(words + ["--csv", "--separator", "tab"], as: .kelly)
                let lines = csv.output.split(separator: "\r\n")
                #expect(lines.count == all.count + 1 && lines[0].hasPrefix("\u{FEFF}Student\tLogin\tState\t"), "\(words) \(csv)")
                #expect(Set(lines.map { $0.count { $0 == "\t" } }).count == 1, "\(words) \(csv)")
            }
            for step in ["day", "week"] {
                let words = ["report", "Hamlet essay", "--by", step] + window
                let outcome = try school.daybook(words, as: .kelly)
                #expect(outcome.status == (window.contains("--lesson") ? 2 : 0), "\(words) \(outcome)")
            }
        }
    }

    @Test(
        "that do not go together are refused by name",
        arguments: [
            (["Hamlet essay", "--by", "day", "--group", "berg"], "--group is for the table of students, not for --by"),
            (["Hamlet essay", "--by", "day", "--sort", "last"], "--sort is for the table of students, not for --by"),
            (["Hamlet essay", "--by", "day", "--lesson", "10:00-10:45"], "--lesson is for the table of students, not for --by"),
            (["Hamlet essay", "--lesson", "10:00-10:45", "--since", "1h"], "--lesson"),
            (["Hamlet essay", "--since", "2026-03-02", "--until", "2026-03-01"], "--until"),
            (["Hamlet essay", "--since", "yesterdayish"], "--since"),
            (["Hamlet essay", "--lesson", "10-11"], "--lesson"),
            (["Hamlet essay", "--sort", "words"], "--sort knows surname, state, worked, last, not 'words'"),
            (["Hamlet essay", "--by", "month"], "--by knows day, week, not 'month'"),
            (["Hamlet essay", "--separator", ";"], "--separator goes with --csv"),
            (["Hamlet essay", "--csv", "--separator", "x"], "--separator"),
            (["Hamlet essay", "--csv", "--json"], "--csv"),
            (["--since", "1h"], "--since needs an assignment"), (["--group", "berg"], "--group needs an assignment"),
            (["--by", "day"], "--by needs an assignment"), (["--lesson", "10:00-10:45"], "--lesson needs an assignment"),
            (["Hamlet", "essay"], "a name with spaces goes in quotes"),
        ] as [([String], String)])
    func refused(words: [String], part: String) async throws {
        // None of them asks a server.
        let program = try #require(Programs.built("daybook"))
        let outcome = try Child.run([program, "--socket", "/no/such", "report"] + words)
        #expect(outcome.status == 2 && outcome.output.replacing("\n", with: " ").contains(part), "\(outcome)")
    }
}
