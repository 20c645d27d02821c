// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON
import Inference
package import Ledger

/// One session as `sessions --json` prints it, one object a line.
package struct SessionRow: Equatable, Sendable {
    /// Relative to its share.
    package var document: String
    /// Nil where nobody could be named.
    package var person: PersonID?
    package var openedAt: WallTime
    /// Nil while it goes on.
    package var closedAt: WallTime?
    package var figures: Figures
    package var ended: SessionEnding?
    /// What its lock files say of who it was: for people to read, and not checked.
    package var lockSays: [LockWords] = []
    /// How far a program on the server read an audio or video document.
    package var delivery: Delivery?
    /// As `daybook note` takes it; 0 where the server does not say.
    package var number: UInt64 = 0
    /// A note takes it out of figures.
    package var isExcluded = false
    package var notes: [SessionNote] = []
    /// Of the times only the days are told.
    package var hidesTimes = false

    /// By the rule of its assignment, else by the one in force.
    package init(_ session: SessionRecord, in ledger: Ledger, now: Moment, rule asked: Rule? = nil) {
        let rule = asked ?? session.assignment.flatMap { ledger.assignment($0)?.facts.rule } ?? ledger.settings?.rule ?? Rule()
        var figures = Figures(ledger.figures(for: [session], of: session.person, rule: rule, now: now))
        figures.confidence = TimeOnTask.confidence(of: session.work)
        figures.saves = session.work.saves
        figures.leftOpen = .zero
        document = session.work.document.path.text
        person = session.person
        openedAt = ledger.openedAt(session)
        closedAt = ledger.closedAt(session)
        self.figures = figures
        ended = session.work.end?.ending
        lockSays = session.work.lockWords
        delivery = session.work.delivery
        number = session.id.rawValue
        isExcluded = ledger.isExcluded(session.id)
        notes = ledger.notes(on: session.id).map(SessionNote.init)
    }

    package var json: JSONValue {
        var object: JSONObject = [
            "document": .string(document), "person": orNull(person) { .string($0.login) },
            "uid": orNull(person) { .integer(Int64($0.uid)) },
            "openedAt": openedAt.json, "closedAt": orNull(closedAt, \.json), "openSeconds": orNull(figures.open, \.json),
            "activeSeconds": orNull(figures.active, \.json), "atLeastSeconds": figures.atLeast.json, "atMostSeconds": figures.atMost.json,
            "saves": .integer(Int64(figures.saves)), "confidence": .string(figures.confidence.rawValue),
            "ended": orNull(ended) { .string($0.rawValue) },
        ]
        object["session"] = .integer(Int64(clamping: number))
        object["excluded"] = .bool(isExcluded)
        object["notes"] = .array(notes.map(\.json))
        object["timesHidden"] = .bool(hidesTimes)
        if !lockSays.isEmpty { object["lockSays"] = .array(lockSays.map(\.json)) }
        if let delivery {
            object["delivered"] = [
                "position": .integer(delivery.position), "size": .integer(delivery.size), "percent": .integer(Int64(delivery.percent)),
            ]
        }
        return .object(object)
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "session")
        document = try members.string("document")
        if let login = try members.optional(members.string, "person") {
            person = PersonID(uid: try members.uid("uid"), login: login)
        }
        openedAt = try members.time("openedAt")
        closedAt = try members.optional(members.time, "closedAt")
        figures = Figures(
            open: try members.optional(members.span, "openSeconds"), active: try members.optional(members.span, "activeSeconds"),
            atLeast: try members.span("atLeastSeconds"), atMost: try members.span("atMostSeconds"), saves: try members.int("saves"),
            confidence: try members.choice("confidence", Confidence.self))
        ended = members["ended"] == nil ? nil : try members.choice("ended", SessionEnding.self)
        number = UInt64(clamping: members["session"]?.integerValue ?? 0)
        isExcluded = members["excluded"]?.boolValue ?? false
        notes = members["notes"] == nil ? [] : try members.list("notes", SessionNote.init(json:))
        hidesTimes = members["timesHidden"]?.boolValue ?? false
        delivery = members["delivered"].flatMap { told in
            Delivery(position: told["position"]?.integerValue ?? 0, size: told["size"]?.integerValue ?? 0)
        }
        lockSays = members["lockSays"] == nil ? [] : try members.list("lockSays", LockWords.init(reportJSON:))
    }

    /// A table for people: when, how long, who, which document, and below a session what was written beside it. On a narrow terminal whole
    /// columns fall away, and a line says which.
    package static func text(_ rows: [SessionRow], _ style: TextStyle, clock: LocalClock, now: WallTime) -> String {
        guard !rows.isEmpty else { return "No session matches.\n" }
        let times = TimeText(clock: clock, now: now)
        let cells = rows.map { row in
            let range = row.figures.cells(dash: style.dash)
            return [
                row.number > 0 ? String(row.number) : "", row.stretch(times, style), row.person?.login ?? "?", range.worked, range.range,
                row.isExcluded ? "out" : row.figures.confidence.rawValue, "\(row.figures.saves)", row.document,
            ]
        }
        let heads = ["No", "When", "Who", "Worked", "(range)", "Sure", "Saves", "Document"]
        let rights = [true, false, false, true, true, false, true, false]
        let widths = heads.indices.map { index in cells.reduce(heads[index].count) { max($0, displayWidth($1[index])) } }
        var shown = Array(heads.indices)
        func width() -> Int { shown.dropLast().reduce(0) { $0 + widths[$1] + 2 } }
        var left: [String] = []
        for index in fallAway where width() + shortestName > style.width {
            shown.removeAll { $0 == index }
            left.append(heads[index])
        }
        let columns = shown.map { index in
            TextTable.Column(
                head: heads[index], gap: index == shown[0] ? 0 : 2, width: index == heads.count - 1 ? 0 : widths[index],
                right: rights[index])
        }
        let table = TextTable(columns: columns)
        let room = max(style.width - table.width, Self.shortestName)
        var lines = [table.head]
        for (row, cells) in zip(rows, cells) {
            let kept = shown.dropLast().map { cells[$0] }
            lines.append(table.line(kept + [fittedPath(style.shown(row.document), to: room, ellipsis: style.ellipsis)]))
            lines += row.noteLines(style, times)
        }
        if !left.isEmpty {
            lines += wrapped("Not shown, as the terminal is narrow: " + left.joined(separator: ", ") + ".", to: style.width)
        }
        return lines.map { fitted($0, to: style.width, ellipsis: style.ellipsis) + "\n" }.joined()
    }

    /// Columns that a narrow terminal does without, in this order.
    private static let fallAway = [4, 6, 5, 0, 2]

    /// A document's name is not cut shorter than this because of the columns before it.
    private static let shortestName = 12

    /// When it was; of hidden times the day.
    func stretch(_ times: TimeText, _ style: TextStyle) -> String {
        guard hidesTimes else { return times.stretch(from: openedAt, to: closedAt, dash: style.dash) }
        return times.day(of: openedAt) + ", outside school"
    }

    /// What was written beside it.
    func noteLines(_ style: TextStyle, _ times: TimeText) -> [String] {
        notes.flatMap { note in
            let effect = note.excludes.map { $0 ? " (left out of figures)" : " (counted again)" } ?? ""
            return wrapped(
                "    \(style.shown(note.by)), \(times.day(of: note.at))\(effect): \(style.shown(note.text))", to: style.textWidth,
                indent: "      ")
        }
    }
}

extension TimeText {
    /// `Fri 7 Mar 10:05–10:50`; over midnight with both days; what goes on ends `now`.
    func stretch(from: WallTime, to: WallTime?, dash: String) -> String {
        guard let to else { return dayAndTime(from) + dash + "now" }
        let sameDay = clock.civil(from).date == clock.civil(to).date
        return dayAndTime(from) + dash + (sameDay ? time(to) : dayAndTime(to))
    }
}
