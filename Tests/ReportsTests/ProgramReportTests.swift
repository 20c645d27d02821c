// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import Ledger
import Testing

@testable import Reports

@Suite("What programs report, in reports")
struct ProgramReportTests {
    private static let essay = HamletClass.document("berg")

    private func attempt(
        _ id: String = "1", at minute: Double = 0, seconds: Double = 600, progress: Double = 0.5, score: Double? = 2, running: Bool = false,
        title: String = "Points"
    ) -> Attempt {
        Attempt(
            id: id, created: wall("2025-03-10T10:00:00Z") + minutes(minute), modified: wall("2025-03-10T11:00:00Z"),
            duration: .microseconds(Int64(seconds * 1_000_000)), isRunning: running,
            ranges: progress > 0 ? [ProgressRange(from: 0, to: progress)] : [],
            primary: score.map { Item(identifier: "points", title: title, value: .score($0, max: 3), method: .declared) },
            additional: [Item(identifier: "hints", title: "Hints", value: .quantity(1), method: .declared)])
    }

    private func facts(
        _ login: String, _ attempt: Attempt, _ subject: ReportFacts.Subject = .context(["Act 1"]), listed: Bool = false
    ) -> ReportFacts {
        ReportFacts(
            assignment: AssignmentID(text: "8b/2025-03-14 Hamlet essay"), person: HamletClass.person(login),
            program: ReportFacts.Program(app: "org.example.Quiz", executable: "/opt/quiz/bin/quiz", isListed: listed), subject: subject,
            attempt: attempt)
    }

    private func ledger(_ reports: [ReportFacts]) -> Ledger {
        var journal = HamletClass.journal()
        for report in reports { journal.add(.reported(report), at: wall("2025-03-10T11:00:00Z")) }
        return journal.ledger
    }

    private func report(_ reports: [ReportFacts], window: TimeWindow = TimeWindow()) throws -> ClassReport {
        let journal = HamletClass.journal()
        return try #require(
            ClassReport(
                of: AssignmentID(text: "8b/2025-03-14 Hamlet essay"), in: ledger(reports), now: journal.moment(HamletClass.asOf),
                within: window))
    }

    private func row(_ login: String, _ reports: [ReportFacts]) throws -> ClassReport.Row {
        try #require(try report(reports).rows.first { $0.person.login == login })
    }

    @Test("stands beside what Daybook saw and changes no figure of it, whatever a program claims")
    func beside() throws {
        let own = try row("berg", [])
        for subject in [ReportFacts.Subject.document(Self.essay), .context(["Act 1"])] {
            var told = try row("berg", [facts("berg", attempt(seconds: 500_000), subject)])
            #expect(told.reports.map(\.worked) == [.seconds(500_000)])
            #expect(told.reports.map(\.isTrusted) == [false])
            told.reports = []
            told.last = own.last
            #expect(told == own)
        }
        let before = try report([])
        let after = try report([facts("berg", attempt())])
        #expect(
            (after.median, after.average, after.primary, after.withTime) == (before.median, before.average, before.primary, before.withTime)
        )
    }

    @Test("takes the place of what was inferred where the program is listed, within what was possible", arguments: [1, 5_000, 500_000])
    func replaces(seconds: Double) throws {
        let own = try #require(try row("berg", []).figures)
        let told = try #require(
            try row("berg", [facts("berg", attempt(seconds: seconds), .document(Self.essay), listed: true)]).figures)
        #expect(
            own.atLeast > .seconds(1) && own.atMost < .seconds(500_000) && own.atLeast < .seconds(5_000) && own.atMost > .seconds(5_000))
        #expect(told.active == max(own.atLeast, min(.seconds(Int64(seconds)), own.atMost)))
        #expect((told.atLeast, told.atMost, told.saves, told.confidence) == (own.atLeast, own.atMost, own.saves, own.confidence))
    }

    @Test("never counts twice: attempts add up, two programs on one document are one session")
    func once() throws {
        let own = try #require(try row("berg", []).figures)
        var other = facts("berg", attempt("x", seconds: 2_000), .document(Self.essay), listed: true)
        other.program.app = "org.example.Editor"
        let told = try row(
            "berg",
            [
                facts("berg", attempt(seconds: 1_500), .document(Self.essay), listed: true),
                facts("berg", attempt("2", at: 30, seconds: 1_400), .document(Self.essay), listed: true), other,
            ])
        #expect(told.reports.map(\.worked) == [.seconds(2_900), .seconds(2_000)])
        #expect(told.figures?.active == max(own.atLeast, min(.seconds(2_900), own.atMost)))
        // Two contexts whose timers may have run at the same time.
        let contexts = try row(
            "grant",
            [
                facts("grant", attempt(at: 50, seconds: 900), .context(["Act 1"]), listed: true),
                facts("grant", attempt("2", at: 50, seconds: 900), .context(["Act 2"]), listed: true),
            ])
        let own2 = try row("grant", [])
        if own2.figures == nil { #expect(contexts.figures?.active == .seconds(900)) } else { #expect(contexts.figures == own2.figures) }
    }

    @Test("over attempts: time is the sum, progress the mean, results are the latest attempt's")
    func attempts() throws {
        let row = try row(
            "jansson",
            [
                facts("jansson", attempt("1", seconds: 60, progress: 1, score: 3)),
                facts("jansson", attempt("2", at: 9, seconds: 30.25, progress: 0.5, score: 1)),
                facts("jansson", attempt("3", at: 12, seconds: 0, progress: 0, score: nil, running: true)),
            ])
        let told = try #require(row.reports.first)
        #expect(row.reports.count == 1 && told.attempts.count == 3)
        #expect((told.worked, told.progress, told.primary) == (.milliseconds(90_250), 0.5, nil))
        #expect(told.isRunning && row.isWorking)
        #expect(row.state.hasStarted)
    }

    @Test("a score counts in the table only of a listed program")
    func scores() throws {
        let (berg, grant) = (facts("berg", attempt(score: 2)), facts("grant", attempt(score: 3)))
        #expect(try row("berg", [berg]).item("points") == nil)
        var listed = berg
        listed.program.isListed = true
        #expect(try row("berg", [listed]).item("points")?.value == .score(2, max: 3))
        // What an analyzer has counted is not replaced.
        var words = listed
        words.attempt.additional = [Item(identifier: "total_word_count", title: "W", value: .quantity(9_999), method: .declared)]
        #expect(try row("berg", [words]).item("total_word_count")?.method == .counted)
        #expect(try report([listed, grant]).rows.filter { $0.item("points") != nil }.map(\.person.login) == ["berg"])
    }

    @Test("is read back from JSON as it was, and says nothing of the time of day outside of school")
    func json() throws {
        var stopped = facts("berg", attempt("2", at: 700), .document(Self.essay), listed: true)
        stopped.stop = .programGone
        let report = try report([facts("berg", attempt()), stopped])
        #expect(try ClassReport(json: report.json) == report)
        let student = try #require(
            StudentReport(
                of: HamletClass.person("berg"), in: ledger([stopped]), now: HamletClass.journal().moment(HamletClass.asOf), clock: .utc))
        #expect(try StudentReport(json: student.json) == student)
        let hidden = student.hiding(HiddenTimes(.usual, clock: .utc))
        let night = wall("2025-03-10T21:40:00Z")
        #expect(student.assignments[0].row.reports[0].attempts[0].at == night)
        #expect(hidden.assignments[0].row.reports[0].attempts[0].at == wall("2025-03-10T00:00:00Z"))
        let window = TimeWindow(from: wall("2025-03-11T00:00:00Z"), to: nil)
        #expect(try self.report([facts("berg", attempt())], window: window).rows.allSatisfy(\.reports.isEmpty))
    }

    @Test("is told in words that say whose they are, in text, CSV and pages, whatever names a program gives")
    func words() throws {
        let evil = "=<script>\u{1b}[2J\u{202e}x"
        var stranger = facts("jansson", attempt(title: evil))
        stranger.program.app = evil
        let reports = [facts("berg", attempt(seconds: 725, progress: 0.75)), facts("grant", attempt(), listed: true), stranger]
        let report = try report(reports)
        let text = report.text(TextStyle(width: 100, isUTF8: true), clock: .utc)
        #expect(text.contains("Act 1: 12:05 min, progress 75 %, Points 2/3, reported by quiz (org.example.Quiz)\n"))
        #expect(text.contains("reported by quiz (org.example.Quiz) *\n"))
        #expect(text.contains("What a program says of itself is shown beside the figures and is not in them."))
        #expect(!text.contains("\u{1b}") && !text.contains("\u{202e}"))
        let csv = report.csv(separator: ",", clock: .utc)
        #expect(csv.contains("Reported (min),Reported progress (%),Reported results,Reported by\r\n"))
        #expect(csv.contains(",12.1,75,Act 1: Points 2/3: Hints 1,quiz (org.example.Quiz)\r\n"))
        #expect(!csv.contains(",=") && !csv.contains("\u{1b}"))
        let ledger = ledger(reports)
        let now = HamletClass.journal().moment(HamletClass.asOf)
        let page = try #require(ClassPage(of: report.id, in: ledger, now: now, clock: .utc))
        let html = page.html(clock: .utc)
        #expect(html.contains("<h3>Reported by programs</h3>") && html.contains("quiz (org.example.Quiz)") && !html.contains("<script"))
        #expect(page.csv(clock: .utc).contains("Reported by\r\n"))
        let student = try #require(StudentReport(of: HamletClass.person("berg"), in: ledger, now: now, clock: .utc))
        #expect(student.text(TextStyle(width: 80, isUTF8: true), clock: .utc).contains("Reported by programs\n  Act 1: 12:05 min"))
        #expect(StudentExport.parts(of: HamletClass.person("berg"), in: ledger).contains { $0["reports"]?.arrayValue?.count == 1 })
        // Without any, nothing is added.
        #expect(!(try self.report([]).csv(separator: ",", clock: .utc).contains("Reported")))
    }
}
