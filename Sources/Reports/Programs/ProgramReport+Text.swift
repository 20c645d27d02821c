// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension ProgramReport {
    /// What it is of: the context's title or name, or the document's name.
    var thing: String {
        if let title, !title.isEmpty { return title }
        if let context { return context.last ?? app }
        return document?.split(separator: "/").last.map(String.init) ?? app
    }

    /// `12:05, progress 75 %, Score 2/3`
    func words(isUTF8: Bool) -> String {
        var parts = [Self.span(worked)]
        if let progress { parts.append("progress \(Int(nearest(progress * 100))) %") }
        if let primary { parts.append(Self.result(primary, isUTF8)) }
        if attempts.count > 1 { parts.append("\(attempts.count) attempts") }
        if isRunning { parts.append("now") }
        return parts.joined(separator: ", ")
    }

    /// The additional results, in words.
    func more(isUTF8: Bool) -> [String] { additional.map { Self.result($0, isUTF8) } }

    private static func result(_ item: Item, _ isUTF8: Bool) -> String {
        // The program's own mark is no estimate of ours.
        "\(item.title.isEmpty ? ItemText.name(item.identifier) : item.title) \(ItemText.value(item, isUTF8: isUTF8))"
    }

    /// `12:05` in minutes and seconds; above an hour `1 h 35`.
    static func span(_ duration: Duration) -> String {
        let seconds = Int(nearest(max(0, duration.seconds)))
        return seconds < 3600 ? "\(seconds / 60):\(twoDigits(seconds % 60)) min" : SpanText.best(duration, step: 1)
    }

    static func stop(_ attempt: Attempt) -> String {
        switch attempt.stop {
        case .programGone: ", until the program ended"
        case .serviceStopped: ", until Daybook stopped"
        case .serviceGone: ", as far as was saved"
        case nil: ""
        }
    }

    /// What a reader must know of all of them.
    static func explanation(_ reports: [ProgramReport]) -> String {
        let isAny = reports.contains { !$0.isTrusted }
        let isTrusted = reports.contains(where: \.isTrusted)
        var text = isAny ? "What a program says of itself is shown beside the figures and is not in them." : ""
        if isTrusted {
            text +=
                (isAny ? " " : "") + "Programs marked * are listed by the school: their time and results count, within what was possible."
        }
        return text
    }

    /// With a mark where its word counts.
    var marked: String { by + (isTrusted ? " *" : "") }
}

extension ClassReport {
    /// `Berg, Jonas   Quiz 1: 12:05, progress 75 %, Score 2/3   reported by quiz (org.example.Quiz)`
    func programLines(_ style: TextStyle) -> [String] {
        let reports = rows.flatMap(\.reports)
        guard !reports.isEmpty else { return [] }
        let names = rows.filter { !$0.reports.isEmpty }.map { style.shown($0.name) }
        let width = min(24, names.reduce(0) { max($0, displayWidth($1)) })
        var lines = ["", "Reported by programs"]
        for row in rows {
            for (index, report) in row.reports.enumerated() {
                let name = index == 0 ? fitted(style.shown(row.name), to: width, ellipsis: style.ellipsis) : ""
                let text = "\(report.thing): \(report.words(isUTF8: style.isUTF8)), reported by \(report.marked)"
                for (line, part) in wrapped(style.shown(text), to: max(20, style.width - width - 4)).enumerated() {
                    lines.append("  " + padded(line == 0 ? name : "", to: width) + "  " + part)
                }
            }
        }
        return lines + wrapped(ProgramReport.explanation(reports), to: style.textWidth)
    }
}

extension StudentReport.Assignment {
    func programLines(_ style: TextStyle, _ times: TimeText) -> [String] {
        guard !row.reports.isEmpty else { return [] }
        let lines = row.reports.flatMap { report -> [String] in
            var lines = wrapped(
                style.shown("\(report.thing): \(report.words(isUTF8: style.isUTF8)), reported by \(report.marked)"),
                to: style.textWidth - 2, indent: "  ")
            for text in report.more(isUTF8: style.isUTF8) {
                lines += wrapped(style.shown(text), to: style.textWidth - 4, indent: "  ").map { "  " + $0 }
            }
            guard report.attempts.count > 1 || report.attempts.contains(where: { $0.stop != nil }) else { return lines }
            return lines
                + report.attempts.map { attempt in
                    "  " + padded(times.dayOrTime(attempt.at), to: 18) + padded(ProgramReport.span(attempt.duration), to: 10, right: true)
                        + padded("\(Int(nearest(attempt.progress * 100))) %", to: 7, right: true) + ProgramReport.stop(attempt)
                }
        }
        return ["Reported by programs"] + lines.map { "  " + $0 }
            + wrapped(ProgramReport.explanation(row.reports), to: style.textWidth)
    }
}
