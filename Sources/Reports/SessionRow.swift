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
        if !lockSays.isEmpty { object["lockSays"] = .array(lockSays.map(\.json)) }
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
        lockSays = members["lockSays"] == nil ? [] : try members.list("lockSays", LockWords.init(reportJSON:))
    }

    /// A table for people: when, how long, who, which document.
    package static func text(_ rows: [SessionRow], _ style: TextStyle, clock: LocalClock, now: WallTime) -> String {
        guard !rows.isEmpty else { return "No session matches.\n" }
        let times = TimeText(clock: clock, now: now)
        let cells = rows.map { row in
            let range = row.figures.cells(dash: style.dash)
            return [
                times.stretch(from: row.openedAt, to: row.closedAt, dash: style.dash), row.person?.login ?? "?", range.worked, range.range,
                row.figures.confidence.rawValue, "\(row.figures.saves)", row.document,
            ]
        }
        let heads = ["When", "Who", "Worked", "(range)", "Sure", "Saves", "Document"]
        let rights = [false, false, true, true, false, true, false]
        var columns = heads.indices.map { index in
            TextTable.Column(
                head: heads[index], gap: index == 0 ? 0 : 2, width: cells.reduce(heads[index].count) { max($0, displayWidth($1[index])) },
                right: rights[index])
        }
        columns[6].width = 0
        let table = TextTable(columns: columns)
        let room = max(style.width - table.width, Self.shortestName)
        let lines = cells.map { table.line($0.dropLast() + [fittedPath(style.shown($0[6]), to: room, ellipsis: style.ellipsis)]) }
        return ([table.head] + lines).map { fitted($0, to: style.width, ellipsis: style.ellipsis) + "\n" }.joined()
    }

    /// A document's name is not cut shorter than this because of the columns before it.
    private static let shortestName = 12
}

extension TimeText {
    /// `Fri 7 Mar 10:05–10:50`; over midnight with both days; what goes on ends `now`.
    func stretch(from: WallTime, to: WallTime?, dash: String) -> String {
        guard let to else { return dayAndTime(from) + dash + "now" }
        let sameDay = clock.civil(from).date == clock.civil(to).date
        return dayAndTime(from) + dash + (sameDay ? time(to) : dayAndTime(to))
    }
}
