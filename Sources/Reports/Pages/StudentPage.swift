// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

/// What a student's own published page shows: everything that is recorded of them, with clock times, and who looked. Nothing of others.
package struct StudentPage: Equatable, Sendable {
    package var report: StudentReport

    package init(_ report: StudentReport) { self.report = report }

    /// Nil where nobody of this id is known.
    package init?(of person: PersonID, in ledger: Ledger, now: Moment, clock: LocalClock) {
        guard let report = StudentReport(of: person, in: ledger, now: now, clock: clock, withLooks: true) else { return nil }
        self.report = report
    }

    /// Assignments beyond these are left out, those due first; `daybook me` shows all.
    package static let assignmentsAtMost = 40
    /// The same of one assignment's sessions.
    package static let sessionsAtMost = 200

    /// The page as a whole file.
    package func html(clock: LocalClock) -> String {
        let times = TimeText(clock: clock, now: report.asOf)
        // The rule stands in each assignment: it may be another one each time.
        return PageFrame.page(
            title: report.name,
            """
            \(header(times))
            \(assignments(times))
            \(looks(times))
            \(PageFrame.foot(
                nil, changed: nil, made: report.asOf, times,
                readers: """
                    Only you and administrators can open this page. Your teachers have a page of each assignment of their class, with your row \
                    in it but no clock times; that they opened it is not written down. If something here is wrong, tell your teacher.
                    """))
            """)
    }

    private func header(_ times: TimeText) -> Markup {
        let state: Markup =
            switch (report.recording, report.personRecording) {
            case (.on, .on):
                report.assignments.compactMap(\.row.recordedAnew).max().map {
                    "recording is on again since \(times.dayAndTime($0)); what there was before was emptied"
                } ?? "recording is on"
            case (.on, .off): "recording is off for you"
            case (.on, .paused): "recording is paused for you"
            case (.paused, _): "recording is paused"
            case (.off, _): "recording is off"
            }
        return """
            <header><p class="over">Daybook · what is recorded of your work</p><h1>\(name: report.name)</h1>\
            <p class="lede"><span>\(state)</span><span>as of \(times.dayAndTime(report.asOf))</span></p></header>
            """
    }

    private func assignments(_ times: TimeText) -> Markup {
        guard !report.assignments.isEmpty else { return "<p>Nothing is recorded, and no assignment is set.</p>" }
        let shown = report.assignments.suffix(Self.assignmentsAtMost)
        let left = report.assignments.count - shown.count
        let note: Markup = left > 0 ? "<p class=\"s\">\(plural(left, "older assignment")) not shown here.</p>" : ""
        return shown.enumerated().map { StudentPageSection($1, number: $0 + 1, asOf: report.asOf, times).markup }.joined() + note
    }

    private func looks(_ times: TimeText) -> Markup {
        guard let looks = report.looks else { return "" }
        guard !looks.isEmpty else { return "<section><h2>Who has looked</h2><p>Nobody else has asked for this.</p></section>" }
        let rows = looks.map { look -> Markup in
            """
            <tr><th scope="row">\(times.dayAndTime(look.at))</th><td>\(name: look.by)</td><td>\(lookWords(look.what))</td>\
            <td class="name">\(name: look.assignment ?? "")</td></tr>

            """
        }
        return """
            <section><h2>Who has looked</h2><div class="card wide" tabindex="0" role="region" aria-label="Who has looked"><table>
            <caption>Looks by command<small>The latest \(looks.count)</small></caption>
            <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">At what</th><th scope="col">Assignment</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody></table></div></section>
            """
    }
}
