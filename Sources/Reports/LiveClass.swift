// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON
import Inference
package import Ledger

/// Who of a class is working on what at this moment.
package struct LiveClass: Equatable, Sendable {
    package struct Row: Equatable, Sendable {
        package var person: PersonID
        /// As lists have it: `Berg, Jonas`.
        package var name: String
        package var assignment: AssignmentID
        package var title: String
        /// Relative to its share.
        package var document: String
        /// When this stretch of work began.
        package var since: WallTime
    }

    package var className: String
    package var asOf: WallTime
    /// How many students the class's assignments are for.
    package var students: Int
    package var recording: RecordingChange.State
    /// False outside of school hours: then nobody is shown, whatever they do.
    package var isSchool: Bool
    /// By surname.
    package var rows: [Row]

    /// Excused students, and those whose recording is off or paused, are in no row. `school` says when anybody is shown at all.
    package init(of className: String, in ledger: Ledger, now: Moment, hidden: HiddenTimes) {
        self.className = className
        asOf = now.wall
        recording = ledger.recording.state
        isSchool = !hidden.hides(now.wall)
        let running = ledger.assignments(forClasses: [className]).filter { $0.ended == nil && $0.state == .active }
        students = Set(running.flatMap(\.students)).count
        rows = []
        guard isSchool, recording == .on else { return }
        for record in running {
            for person in record.students
            where !record.facts.excused.contains(person) && ![.off, .paused].contains(ledger.recording.personState(person)) {
                let name = listedName(ledger.person(person)?.displayName ?? person.login)
                for session in ledger.countedSessions(of: person, in: record.id) where ledger.isWorking(session, now: now) {
                    rows.append(
                        Row(
                            person: person, name: name, assignment: record.id, title: record.facts.title,
                            document: session.work.document.path.text, since: hidden.shown(ledger.openedAt(session))))
                }
            }
        }
        rows.sort { (sortKey($0.name), $0.person, $0.since) < (sortKey($1.name), $1.person, $1.since) }
    }

    package var json: JSONValue {
        [
            "class": .string(className), "asOf": asOf.json, "students": .integer(Int64(students)),
            "recording": .string(recording.rawValue), "schoolHours": .bool(isSchool),
            "rows": .array(
                rows.map { row in
                    [
                        "person": .string(row.person.login), "uid": .integer(Int64(row.person.uid)), "name": .string(row.name),
                        "assignment": .string(row.assignment.text), "title": .string(row.title), "document": .string(row.document),
                        "since": row.since.json,
                    ]
                }),
        ]
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "live view")
        className = try members.string("class")
        asOf = try members.time("asOf")
        students = try members.int("students")
        recording = try members.choice("recording", RecordingChange.State.self)
        isSchool = try members.bool("schoolHours")
        rows = try members.list("rows") { value throws(MalformedReport) in
            let row = try Members(value, of: "live view")
            return Row(
                person: PersonID(uid: try row.uid("uid"), login: try row.string("person")), name: try row.string("name"),
                assignment: AssignmentID(text: try row.string("assignment")), title: try row.string("title"),
                document: try row.string("document"), since: try row.time("since"))
        }
    }

    /// For a terminal. `now` may be later than what the server said, so that a clock goes on.
    package func text(_ style: TextStyle, clock: LocalClock, now: WallTime) -> String {
        let times = TimeText(clock: clock, now: now)
        let working = Set(rows.map(\.person)).count
        var lines = wrapped(
            ["Class \(className)", "\(working) of \(plural(students, "student")) working now", times.dayAndTime(now)]
                .joined(separator: " \(style.dot) "), to: style.width)
        lines.append("")
        if !isSchool {
            lines.append("It is not school: who works now is nobody's business but theirs.")
        } else if recording != .on {
            lines.append("Recording is \(recording.rawValue).")
        } else if rows.isEmpty {
            lines.append("Nobody is seen working on an assignment of this class.")
        } else {
            let name = min(24, rows.reduce(7) { max($0, displayWidth(style.shown($1.name))) })
            let title = min(28, rows.reduce(10) { max($0, displayWidth(style.shown($1.title))) })
            func line(_ cells: (String, String, String, String)) -> String {
                let left = [padded(fitted(cells.0, to: name, ellipsis: style.ellipsis), to: name), padded(cells.1, to: 8)]
                let middle = padded(fitted(cells.2, to: title, ellipsis: style.ellipsis), to: title)
                let start = (left + [middle]).joined(separator: "  ") + "  "
                let room = max(10, style.width - displayWidth(start))
                return start + fittedPath(cells.3, to: room, ellipsis: style.ellipsis)
            }
            lines.append(line(("Student", "For", "Assignment", "Document")))
            lines += rows.map { row in
                let minutes = max(0, (now - row.since).seconds / 60)
                return line(
                    (
                        style.shown(row.name), SpanText.best(.seconds(Int64(minutes) * 60), step: 1), style.shown(row.title),
                        style.shown(String(row.document.split(separator: "/").last ?? ""))
                    ))
            }
        }
        lines.append("")
        lines += wrapped(
            "Seen from saves, lock files and open files on this server, so late by some minutes. Who reads, thinks or works on paper is not "
                + "seen. That you look is journaled, and the students can see it.", to: style.textWidth)
        return lines.map { line in
            var line = style.shown(line)
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
