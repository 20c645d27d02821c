// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import Ledger

extension StudentReport {
    /// What `show` and `me` print.
    package func text(_ style: TextStyle, clock: LocalClock) -> String {
        let times = TimeText(clock: clock, now: asOf)
        var lines = wrapped(
            ["\(name) (\(person.login))", "as of \(times.dayAndTime(asOf))"].joined(separator: " \(style.dot) "), to: style.width)
        if let state = recordingSentence(times) { lines += wrapped(state, to: style.textWidth) }
        if assignments.isEmpty { lines += ["", "Nothing is recorded, and no assignment is set."] }
        if assignments.count > 1 { lines += [""] + overview(style, times) }
        for assignment in assignments {
            lines.append("")
            lines += assignment.lines(style, times)
        }
        if let looks { lines += lookLines(looks, style, times) }
        return lines.flatMap { line -> [String] in
            if displayWidth(line) <= style.width { return [style.shown(line)] }
            // What does not fit goes on below; a single word that is too long is cut.
            return wrapped(style.shown(line), to: style.width, indent: "      ").map {
                fitted($0, to: style.width, ellipsis: style.ellipsis)
            }
        }.map { $0 + "\n" }.joined()
    }

    /// One line an assignment, so that one student can be seen across all of them.
    private func overview(_ style: TextStyle, _ times: TimeText) -> [String] {
        let cells = assignments.map { assignment -> [String] in
            [
                style.shown(assignment.title), assignment.row.isLate ? "handed late" : assignment.row.standing,
                assignment.row.figures?.cells(dash: style.dash).worked ?? "", assignment.row.figures?.confidence.rawValue ?? "",
                assignment.due.map { "due " + times.day(of: $0) } ?? "",
            ]
        }
        var widths = (0..<5).map { index in cells.reduce(0) { max($0, displayWidth($1[index])) } }
        let rest = widths.dropFirst().reduce(0) { $0 + $1 + 2 } + 2
        widths[0] = min(widths[0], max(12, style.width - rest))
        return cells.map { row in
            var line = "  "
            for (index, width) in widths.enumerated() {
                let cell = index == 0 ? fitted(row[0], to: width, ellipsis: style.ellipsis) : row[index]
                line += (index == 0 ? "" : "  ") + padded(cell, to: width, right: index == 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// That what was recorded before is gone; nil where recording never was off for this student while something was set them.
    func anewSentence(_ times: TimeText) -> String? {
        assignments.compactMap(\.row.recordedAnew).max().map {
            "Recording was off for this student until \(times.dayAndTime($0)); what was recorded before was emptied and is in no figure."
        }
    }

    private func recordingSentence(_ times: TimeText) -> String? {
        switch (recording, personRecording) {
        case (.on, .on): anewSentence(times)
        case (.on, .off): "Recording is off for this student."
        case (.on, .paused): "Recording is paused for this student."
        case (.paused, _): "Recording is paused."
        case (.off, _): "Recording is off."
        }
    }

    private func lookLines(_ looks: [Look], _ style: TextStyle, _ times: TimeText) -> [String] {
        guard !looks.isEmpty else { return ["", "Nobody else has looked at this."] }
        let width = looks.reduce(0) { max($0, displayWidth($1.by)) }
        return ["", "Who has looked"]
            + looks.map { look in
                "  " + padded(times.dayAndTime(look.at), to: 16) + "  " + padded(look.by, to: width) + "  " + lookWords(look.what)
                    + (look.assignment.map { ", \($0)" } ?? "")
            }
    }
}

extension StudentReport.Assignment {
    fileprivate func lines(_ style: TextStyle, _ times: TimeText) -> [String] {
        var head = [title]
        if !className.isEmpty { head.append("class \(className)") }
        if let due { head.append("due \(times.dayAndTime(due)), \(times.distance(due))") }
        head.append(row.standing)
        var lines = wrapped(head.joined(separator: " \(style.dot) "), to: style.width)
        lines += wrapped(workedSentence(style), to: style.textWidth)
        if let progress { lines.append("Goal: " + progress.text + (progress.percent.map { ", \($0) %" } ?? "") + ".") }
        lines += section("Sessions", sessions.flatMap { [sessionLine($0, style, times)] + $0.noteLines(style, times) })
        lines += section("At each save", saveLines(style, times))
        if days.count > 1 { lines += section("Day by day", days.map { dayLine($0, style, times) }) }
        if documents.count > 1 {
            lines += section("Each document by itself (times may overlap)", documents.map { documentLine($0, style) })
        }
        lines += section("Delivered: read by a player on this server, ahead of what is heard", deliveredLines(style))
        lines += section("Left open, not counted", leftOpenLines(style, times))
        lines += section("Results" + (row.document.map { " of " + name($0) } ?? ""), resultLines(style))
        lines += programLines(style, times)
        lines += section("What we know it from", evidenceLines(style))
        lines += section(
            "Something may have been missed",
            gaps.map { "\(times.stretch(from: $0.from, to: $0.to, dash: style.dash))  (\(Words.cause($0.cause)))" })
        if !sessions.isEmpty {
            lines += wrapped(
                RuleText.sentence(rule, instead: ownRule, changed: ruleChange, times)
                    + " Estimated from saves, lock files and open files on this server; not a measure of effort or attention.",
                to: style.textWidth)
        }
        return lines
    }

    /// `Worked about 1 h 35 (at least 1:10, at most 2:05), confidence good.`
    private func workedSentence(_ style: TextStyle) -> String {
        guard let figures = row.figures else {
            if !row.reports.isEmpty { return "Daybook itself saw nothing." }
            return row.recordedAnew == nil ? "Nothing was seen yet." : "Nothing was seen since recording is on again."
        }
        var text: String
        if let active = figures.active {
            let range = SpanText.range(from: figures.atLeast, to: figures.atMost, best: active, dash: style.dash)
            text = "Worked about \(SpanText.best(active)) (\(range)), confidence \(figures.confidence.rawValue)."
        } else {
            text = "Saved once, worked elsewhere or pasted: duration unknown"
            text += figures.atMost > .zero ? " (\(SpanText.upTo(figures.atMost)) min here)." : "."
        }
        if figures.leftOpen >= Self.leftOpenFrom { text += " Left open for another \(SpanText.best(figures.leftOpen)), not counted." }
        if row.documents > 1, let document = row.document {
            text += " Main document: \(name(document)), 1 of \(row.documents); time on all of them counts once."
        }
        return text
    }

    private func sessionLine(_ session: SessionRow, _ style: TextStyle, _ times: TimeText) -> String {
        let cells = session.figures.cells(dash: style.dash)
        return padded(session.stretch(times, style), to: 24)
            + padded(cells.worked, to: 8, right: true) + padded(cells.range, to: 12, right: true) + "  "
            + padded(session.isExcluded ? "out" : session.figures.confidence.rawValue, to: 4) + "  "
            + padded(plural(session.figures.saves, "save"), to: 8) + "  " + (session.number > 0 ? "\(session.number)  " : "")
            + name(session.document)
    }

    private func saveLines(_ style: TextStyle, _ times: TimeText) -> [String] {
        var before: [String: Double] = [:]
        return saves.map { save in
            let value = save.item.map { ItemText.value($0, isUTF8: style.isUTF8) } ?? "?"
            let figure = save.item.flatMap(ItemText.figure)
            // Growth within one document only: what another one has is no growth.
            let growth = figure.flatMap { now in before[save.document].map { now - $0 } }
            if let figure { before[save.document] = figure }
            let unit = save.item.map { ItemText.heading($0.identifier, title: $0.title).lowercased() } ?? save.reason ?? "not measured"
            let change = growth.map { ($0 >= 0 ? "+" : "") + ItemText.number($0, digits: ItemText.isWhole($0) ? 0 : 1) } ?? ""
            return padded(times.dayOrTime(save.at), to: 18) + padded(value, to: 7, right: true) + padded(change, to: 7, right: true) + "  "
                + unit + "  " + name(save.document)
        }
    }

    private func dayLine(_ day: StudentReport.Day, _ style: TextStyle, _ times: TimeText) -> String {
        let cells = day.figures.cells(dash: style.dash)
        return padded(times.day(day.date), to: 18) + padded(cells.worked, to: 7, right: true) + padded(cells.range, to: 12, right: true)
            + "  " + padded(day.figures.confidence.rawValue, to: 4) + "  " + plural(day.figures.saves, "save")
    }

    private func resultLines(_ style: TextStyle) -> [String] {
        let width = row.items.reduce(0) { max($0, displayWidth($1.title)) }
        return row.items.map { padded($0.title, to: width) + padded(ItemText.value($0, isUTF8: style.isUTF8), to: 9, right: true) }
            + notes.map { "\(ItemText.name($0.identifier)): not given, \($0.reason)" }
    }

    private func evidenceLines(_ style: TextStyle) -> [String] {
        let seen = evidence.kinds.map { Words.kind($0.name, count: $0.count) }.joined(separator: ", ")
        let presence = evidence.presence.map { "\(Words.presence($0.name)) (\(plural($0.count, "session")))" }.joined(separator: ", ")
        let identity = evidence.identity.map { "\(Words.identity($0.name)) (\(plural($0.count, "session")))" }.joined(separator: ", ")
        return [
            seen.isEmpty ? "" : "Seen: " + seen, presence.isEmpty ? "" : "Open and closed by: " + presence,
            identity.isEmpty ? "" : "Who it was by: " + identity, LockWords.sentence(sessions.map(\.lockSays)) ?? "",
        ].filter { !$0.isEmpty }.flatMap { wrapped($0, to: style.textWidth - 2, indent: "  ") }
    }

    /// Of audio and video: the furthest of all sessions with each document, or why it is not known.
    private func deliveredLines(_ style: TextStyle) -> [String] {
        sessions.deliveries.map { document, delivery in
            guard let delivery else { return "   ?  \(name(document)): \(Delivery.reasonAgainst)" }
            return padded("\(delivery.percent) %", to: 6, right: true) + "  " + name(document)
        }
    }

    /// Shorter stretches are within what a close may be late.
    private static let leftOpenFrom = Duration.seconds(60)

    /// `Mon 10 Mar 23:10–Tue 11 Mar 07:50`
    private func leftOpenLines(_ style: TextStyle, _ times: TimeText) -> [String] {
        leftOpen.filter { $0.to - $0.from >= Self.leftOpenFrom }.map { times.stretch(from: $0.from, to: $0.to, dash: style.dash) }
    }

    private func documentLine(_ document: StudentReport.Document, _ style: TextStyle) -> String {
        let cells = document.figures.cells(dash: style.dash)
        return padded(cells.worked, to: 8, right: true) + padded(cells.range, to: 12, right: true) + "  "
            + padded(document.figures.confidence.rawValue, to: 4) + "  " + padded(plural(document.figures.saves, "save"), to: 8) + "  "
            + padded(plural(document.days.count, "day"), to: 7) + "  " + name(document.path)
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [title] + lines.map { "  " + $0 }
    }

    private func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// What the journal's words mean to a reader who never saw the journal.
private enum Words {
    static func kind(_ name: String, count: Int) -> String {
        switch ActivityModel.Evidence.Kind(rawValue: name) {
        case .opened: "opened \(times(count))"
        case .closed: "closed \(times(count))"
        case .saved: plural(count, "save")
        case .typed: plural(count, "sign of typing", "signs of typing")
        case .read: "read \(times(count))"
        case .lockAppeared: plural(count, "lock file") + " made"
        case .lockVanished: plural(count, "lock file") + " removed"
        case .lockChanged: plural(count, "change of a lock file", "changes of a lock file")
        case .broughtIn: "brought in whole \(times(count))"
        case nil: "\(name) \(times(count))"
        }
    }

    static func presence(_ name: String) -> String {
        switch Presence(rawValue: name) {
        case .held: "the open file"
        case .companion: "its lock file"
        case .process: "the program that opened it"
        case .points: "single reads and saves"
        case nil: name
        }
    }

    static func identity(_ name: String) -> String {
        switch IdentitySource(rawValue: name) {
        case .event: "the account behind each access"
        case .holder: "the account of the program that held it open"
        case .companion: "the owner of its lock file"
        case .save: "the owner of the saved file"
        case .assumed: "its folder's name only"
        case .unknown, nil: "nothing"
        }
    }

    static func cause(_ cause: GapFacts.Cause) -> String {
        switch cause {
        case .overflow: "more happened at once than could be followed"
        case .restart: "Daybook was not running"
        case .unavailable: "the folder could not be read"
        case .storage: "the journal could not be written"
        case .suspended: "the server slept"
        case .switchedOff: "recording was off"
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
