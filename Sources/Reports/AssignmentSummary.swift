// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON
package import Ledger

/// One assignment in one line.
package struct AssignmentSummary: Equatable, Sendable {
    package var id: AssignmentID
    package var title: String
    package var className: String
    package var due: WallTime?
    package var ended: WallTime?
    package var students: Int
    package var started: Int
    /// Said done, or handed in.
    package var finished: Int
    /// Median time of those with enough evidence; nil where there is none.
    package var median: Duration?
    package var withTime: Int

    package init(_ report: ClassReport) {
        id = report.id
        title = report.title
        className = report.className
        due = report.due
        ended = report.ended
        students = report.studentCount
        started = report.started
        finished = report.finished
        median = report.median?.worked
        withTime = report.withTime
    }

    /// Nil where there is no assignment of this id. Costs as much as its class table.
    package init?(of id: AssignmentID, in ledger: Ledger, now: Moment) {
        guard let report = ClassReport(of: id, in: ledger, now: now) else { return nil }
        self.init(report)
    }

    package var json: JSONValue {
        [
            "assignment": .string(id.text), "title": .string(title), "class": .string(className), "due": orNull(due, \.json),
            "ended": orNull(ended, \.json), "students": .integer(Int64(students)), "started": .integer(Int64(started)),
            "finished": .integer(Int64(finished)), "medianSeconds": orNull(median, \.json), "withTime": .integer(Int64(withTime)),
        ]
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "assignment summary")
        id = AssignmentID(text: try members.string("assignment"))
        title = try members.string("title")
        className = try members.string("class")
        due = try members.optional(members.time, "due")
        ended = try members.optional(members.time, "ended")
        students = try members.int("students")
        started = try members.int("started")
        finished = try members.int("finished")
        median = try members.optional(members.span, "medianSeconds")
        withTime = try members.int("withTime")
    }

    /// `Hamlet essay  8B  due Fri 14 Mar  7 of 10 started  3 handed in  median 50 min`, one line each, the columns below each other.
    /// Who has none gets a sentence.
    package static func text(_ summaries: [AssignmentSummary], _ style: TextStyle, clock: LocalClock, now: WallTime) -> String {
        guard !summaries.isEmpty else { return none.map { $0 + "\n" }.joined() }
        let times = TimeText(clock: clock, now: now)
        let cells = summaries.map { summary in
            [
                style.shown(summary.title), style.shown(summary.className),
                summary.ended.map { "ended " + times.day(of: $0) } ?? summary.due.map { "due " + times.day(of: $0) } ?? "",
                "\(summary.started) of \(summary.students) started", "\(summary.finished) handed in",
                summary.median.map { "median " + SpanText.best($0, step: 1) } ?? "",
            ]
        }
        var widths = cells[0].indices.map { index in cells.reduce(0) { max($0, displayWidth($1[index])) } }
        let rest = widths.dropFirst().reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) }
        widths[0] = min(widths[0], max(12, style.width - rest))
        return cells.map { row in
            var line = ""
            for (index, width) in widths.enumerated() where width > 0 {
                let cell = index == 0 ? fitted(row[0], to: width, ellipsis: style.ellipsis) : row[index]
                line += (index == 0 ? "" : "  ") + padded(cell, to: width)
            }
            while line.last == " " { line.removeLast() }
            return fitted(line, to: style.width, ellipsis: style.ellipsis) + "\n"
        }.joined()
    }

    private static let none = [
        "You have no assignments.",
        "A folder that a teacher makes in a class's folder is one; a name that begins with a date, like '2026-03-14 Hamlet', is due that day.",
    ]
}
