// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Reports
import Testing

@Suite("An assignment over time")
struct OverTimeTests {
    private let journal = HamletClass.journal()

    private func report(_ step: AssignmentOverTime.Step, _ window: TimeWindow = TimeWindow()) throws -> AssignmentOverTime {
        let ledger = journal.ledger
        let id = try #require(ledger.allAssignments.first).id
        return try #require(
            AssignmentOverTime(of: id, in: ledger, now: journal.moment(HamletClass.asOf), clock: .utc, by: step, within: window))
    }

    @Test("adds up to the class's table, by day and by week")
    func sums() throws {
        let ledger = journal.ledger
        let id = try #require(ledger.allAssignments.first).id
        let table = try #require(ClassReport(of: id, in: ledger, now: journal.moment(HamletClass.asOf)))
        let whole = table.rows.reduce(Duration.zero) { $0 + ($1.figures?.active ?? .zero) }
        let days = try report(.day)
        let weeks = try report(.week)
        #expect(days.lines.count > 3 && weeks.lines.map(\.from.text) == ["2025-03-03", "2025-03-10"])
        for report in [days, weeks] {
            #expect(report.lines.reduce(Duration.zero) { $0 + $1.together } == whole)
            #expect(report.lines.allSatisfy { $0.students >= $0.withTime && ($0.median == nil) == ($0.withTime == 0) })
            #expect(try AssignmentOverTime(json: report.json) == report)
        }
        // Six students have enough evidence, as below the table; all have their results by the last line.
        #expect(weeks.lines.last?.primary == table.median?.primary)
    }

    @Test("is text that fits, and a table for spreadsheets")
    func forms() throws {
        let report = try report(.week)
        let text = report.text(.plain, clock: .utc)
        #expect(text.hasPrefix("Hamlet essay · class 8B · by week · 10 students · as of Tue 11 Mar 11:20\n\nWeek from"), "\(text)")
        #expect(text.contains("\nMon 3 Mar ") && text.contains("Rule 2026-1."), "\(text)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let csv = report.csv(separator: ";").split(separator: "\r\n")
        #expect(
            csv.count == 3 && csv[0].hasPrefix("\u{FEFF}Week from;Students;Counted;Median worked (min);Worked together (min);"), "\(csv)")
        let later = try self.report(.day, TimeWindow(from: wall("2025-03-10T00:00:00Z")))
        #expect(later.lines.map(\.from.text).allSatisfy { $0 >= "2025-03-10" } && !later.lines.isEmpty)
        let none = try self.report(.day, TimeWindow(from: wall("2025-04-10T00:00:00Z")))
        #expect(none.text(.plain, clock: .utc).contains("No work on it was seen"))
    }
}
