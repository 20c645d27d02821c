// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Reports
import Testing

@Suite("A student for whom recording was off and is on again")
struct RecordedAnewTests {
    private let haddad = HamletClass.person("haddad")

    /// Haddad is off since 3 March in the documented table; `change` is what comes then.
    private func report(within window: TimeWindow = TimeWindow(), _ change: (inout Journal) -> Void) throws -> ClassReport {
        var journal = HamletClass.journal()
        change(&journal)
        journal.sort()
        let id = try #require(HamletClass.facts()?.id)
        return try #require(
            ClassReport(of: id, in: journal.ledger, now: journal.moment(HamletClass.asOf), within: window, clock: .utc))
    }

    private func on(_ journal: inout Journal) {
        journal.add(.recording(RecordingChange(state: .on, person: haddad)), at: wall("2025-03-10T09:00:00Z"))
    }

    private func flat(_ report: ClassReport) -> String { report.text(.plain, clock: .utc).replacing("\n", with: " ") }

    @Test("is not said to have not started: what there was, was emptied, and the table says so")
    func unseen() throws {
        let report = try report(on)
        let row = try #require(report.rows.first { $0.person == haddad })
        #expect(row.state == .notStarted && row.recordedAnew == wall("2025-03-10T09:00:00Z"))
        let text = flat(report)
        #expect(text.contains("Haddad, Sami      nothing seen since switched on"), "\(text)")
        #expect(text.contains("1 excused, 1 not started, 1 with nothing seen since switched on."), "\(text)")
        #expect(
            text.contains(
                "Recorded anew: Haddad since Mon 10 Mar. Recording was off for them before, which emptied what there was, so what they did "
                    + "earlier is in no figure here."), "\(text)")
        #expect(report.csv(separator: ",", clock: .utc).contains("\"Haddad, Sami\",haddad,nothing seen since switched on,"))
        #expect(try ClassReport(json: report.json) == report)
    }

    @Test("has figures of what they did since then, with the same sentence below the table, and on their own page")
    func seen() throws {
        func work(_ journal: inout Journal) {
            on(&journal)
            journal.typing("haddad", from: "2025-03-10T10:00:00Z", typed: 30, pauses: (0, 0), silent: 10)
        }
        let report = try report(work)
        let row = try #require(report.rows.first { $0.person == haddad })
        #expect(row.state == .started && row.recordedAnew != nil && row.standing == "started")
        #expect(flat(report).contains("Recorded anew: Haddad since Mon 10 Mar."))
        var journal = HamletClass.journal()
        work(&journal)
        journal.sort()
        let student = try #require(
            StudentReport(of: haddad, in: journal.ledger, now: journal.moment(HamletClass.asOf), clock: .utc))
        let text = student.text(.plain, clock: .utc).replacing("\n", with: " ")
        #expect(
            text.contains(
                "Recording was off for this student until Mon 10 Mar 09:00; what was recorded before was emptied and is in no figure."),
            "\(text)")
        #expect(try StudentReport(json: student.json).assignments.first?.row.recordedAnew == row.recordedAnew)
        let page = StudentPage(student).html(clock: .utc)
        #expect(page.contains("recording is on again since Mon 10 Mar 09:00; what there was before was emptied"))
    }

    @Test("is like all others where recording was only paused for them, or switched before the assignment was set")
    func others() throws {
        let paused = try report { journal in
            journal.add(.recording(RecordingChange(state: .paused, person: HamletClass.person("grant"))), at: wall("2025-03-05T09:00:00Z"))
            journal.add(.recording(RecordingChange(state: .on, person: HamletClass.person("grant"))), at: wall("2025-03-06T09:00:00Z"))
        }
        let earlier = try report { journal in
            for (state, hour) in [(RecordingChange.State.off, "06"), (.on, "07")] {
                journal.add(
                    .recording(RecordingChange(state: state, person: HamletClass.person("grant"))), at: wall("2025-03-03T\(hour):30:00Z"))
            }
        }
        for report in [paused, earlier] {
            let row = try #require(report.rows.first { $0.person.login == "grant" })
            #expect(row.recordedAnew == nil && row.standing == "not started")
            #expect(!flat(report).contains("Recorded anew"))
        }
    }

    @Test("and in a stretch of time nobody is said to have not started")
    func window() throws {
        let window = TimeWindow(from: wall("2025-03-10T00:00:00Z"), to: wall("2025-03-11T00:00:00Z"))
        let report = try report(within: window) { _ in }
        let text = flat(report)
        #expect(text.contains("Grant, Ola        nothing then") && !text.contains("not started"), "\(text)")
        #expect(text.contains("with nothing then"), "\(text)")
        #expect(report.csv(separator: ",", clock: .utc).contains("\"Grant, Ola\",grant,nothing then,"))
    }
}
