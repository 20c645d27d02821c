// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import Ledger
import Reports
import Testing

@Suite("What reports tell teachers, coordinators and spreadsheets")
struct ClassroomFormTests {
    private let journal = HamletClass.journal()

    private func report(within window: TimeWindow = TimeWindow()) throws -> ClassReport {
        let id = try #require(HamletClass.facts()?.id)
        return try #require(
            ClassReport(of: id, in: journal.ledger, now: journal.moment(HamletClass.asOf), within: window, clock: .utc))
    }

    @Test("a spreadsheet gets minutes, a byte-order mark, and no formula that somebody's name is")
    func csv() throws {
        var table = try report()
        table.rows[1].name = "=HYPERLINK(\"x\"), Jonas"
        let lines = table.csv(separator: ",", clock: .utc).split(separator: "\r\n").map(String.init)
        #expect(
            lines[0]
                == "\u{FEFF}Student,Login,State,Worked (min),At least (min),At most (min),Sure,Saves,Words,Sentences,Paragraphs,Goal (%),Level,Last day,Main document,Documents"
        )
        #expect(
            lines[2].hasPrefix("\"'=HYPERLINK(\"\"x\"\"), Jonas\",berg,handed in,95.0,"), "\(lines[2])")
        #expect(lines.count == 11)
        #expect(table.csv(separator: ";", clock: .utc).hasPrefix("\u{FEFF}Student;Login;State"))
        // Nor where a mark joins the sign, spaces stand before it, or a separator is in the name.
        for (name, cell) in [("=\u{301}1", "'=\u{301}1"), (" =1", "' =1"), ("＝1", "'＝1"), ("a\tb", "a b"), ("a;b", "\"a;b\"")] {
            table.rows[1].name = name
            for (_, separator) in CSVText.separators {
                let line = table.csv(separator: separator, clock: .utc).split(separator: "\r\n")[2]
                #expect(line.hasPrefix("\(cell)\(separator)berg\(separator)"), "\(line)")
            }
        }
        #expect(lines.first { $0.contains("grant") } == "\"Grant, Ola\",grant,not started,,,,,,,,,,,,,0")
    }

    @Test("a window counts what was done in it, and nothing else")
    func window() throws {
        let whole = try report()
        let day = try report(
            within: TimeWindow(from: wall("2025-03-10T00:00:00Z"), to: wall("2025-03-11T00:00:00Z")))
        func worked(_ report: ClassReport, _ login: String) -> Double? {
            report.rows.first { $0.person.login == login }?.figures?.active.map { ($0.seconds * 10).rounded() / 10 }
        }
        #expect(worked(whole, "berg") == 5700.0)
        #expect(worked(day, "berg") == 2400.0)
        let none = try report(within: TimeWindow(from: wall("2025-03-01T00:00:00Z"), to: wall("2025-03-02T00:00:00Z")))
        #expect(none.withTime == 0 && none.started == 3, "only what was said has no time")
        #expect(try ClassReport(json: day.json) == day)
        #expect(day.text(.plain, clock: .utc).replacing("\n", with: " ").contains("only from Mon 10 Mar 00:00"))
    }

    @Test("a group is its students, with figures of their own")
    func part() throws {
        let part = try report().part(of: ["berg", "grant"])
        #expect(part.rows.map(\.person.login) == ["berg", "grant"])
        #expect(part.studentCount == 2 && part.started == 1 && part.withTime == 1)
        #expect(part.median?.worked == .seconds(95 * 60))
    }

    @Test("outside school hours a teacher is told the day and how long")
    func hidden() throws {
        // 8 to 12 o'clock, and the Monday is a holiday.
        let monday = try #require(CivilDate(prefixOf: "2025-03-10"))
        let school = SchoolTime(hours: [.init(weekdays: [1, 2, 3, 4, 5], minutes: 480..<720)], holidays: [monday...monday])
        let times = HiddenTimes(school, clock: .utc)
        let own = try #require(
            StudentReport(of: HamletClass.person("berg"), in: journal.ledger, now: journal.moment(HamletClass.asOf), clock: .utc))
        let told = own.hiding(times)
        let text = told.text(.plain, clock: .utc)
        #expect(text.contains("Fri 7 Mar 10:00–11:15     55 min"), "\(text)")
        #expect(text.contains("Mon 10 Mar, outside school") && !text.contains("14:00") && !text.contains("14:49"), "\(text)")
        #expect(told.assignments[0].row.figures == own.assignments[0].row.figures, "how long stays")
        #expect(told.json.text.contains("\"openedAt\":\"2025-03-10T00:00:00.000000Z\""))
        #expect(!told.json.text.contains("2025-03-10T14"))
        #expect(try StudentReport(json: told.json) == told)
        // Nobody finds the hour by asking for small windows.
        let asked = TimeWindow(from: wall("2025-03-10T14:00:00Z"), to: wall("2025-03-10T14:30:00Z"))
        #expect(times.widened(asked) == TimeWindow(from: wall("2025-03-10T00:00:00Z"), to: wall("2025-03-11T00:00:00Z")))
        let lesson = TimeWindow(from: wall("2025-03-11T09:00:00Z"), to: wall("2025-03-11T09:45:00Z"))
        #expect(times.widened(lesson) == lesson)
        #expect(HiddenTimes(SchoolTime(hours: []), clock: .utc).widened(asked) == asked)
        #expect(own.hiding(HiddenTimes(SchoolTime(hours: []), clock: .utc)) == own)
    }

    @Test("a coordinator gets figures in words, and none over a small group")
    func coordinator() throws {
        let table = try report()
        let text = table.withoutRows(minimum: 5).text(.plain, clock: .utc)
        #expect(text.contains("7 of 10 started, 3 handed in or done."), "\(text)")
        #expect(text.contains("Median: worked 50 min (6 with time)."), "\(text)")
        // Eight have words and six have time: the two could be told from the difference.
        #expect(!text.contains("words 498"))
        for row in table.rows { #expect(!text.contains(row.person.login) && !text.contains(row.name)) }
        let small = table.withoutRows(minimum: 20).text(.plain, clock: .utc)
        #expect(small.contains("Too few students have figures") && !small.contains("Median:"), "\(small)")
    }

    @Test("no text for people has an identifier in it")
    func identifiers() throws {
        var report = try #require(
            StudentReport(of: HamletClass.person("berg"), in: journal.ledger, now: journal.moment(HamletClass.asOf), clock: .utc))
        report.assignments[0].notes = [
            "readability_grade_level", "footnote_word_count", "question_7", "some_new_item",
        ].map { MissingItem(identifier: $0, reason: "because") }
        let text = report.text(.plain, clock: .utc)
        for expected in ["Reading level (Flesch-Kincaid): not", "Words in footnotes: not", "Question 7: not", "Some new item: not"] {
            #expect(text.contains(expected), "\(text)")
        }
        #expect(!text.contains("_"))
    }
}
