// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import DaybookJSON
package import Ledger

extension AssignmentOverTime {
    package func text(_ style: TextStyle, clock: LocalClock) -> String {
        let times = TimeText(clock: clock, now: asOf)
        var head = [title]
        if !className.isEmpty { head.append("class \(className)") }
        head += ["by \(step.rawValue)", plural(students, "student"), "as of \(times.dayAndTime(asOf))"]
        var lines = wrapped(head.joined(separator: " \(style.dot) "), to: style.width) + [""]
        if self.lines.isEmpty {
            lines.append("No work on it was seen on this server, in the time that was asked for.")
        } else {
            var columns = [
                TextTable.Column(head: step == .day ? "Day" : "Week from", gap: 0, width: 16, right: false),
                TextTable.Column(head: "Students", gap: 2, width: 8, right: true),
                TextTable.Column(head: "Median", gap: 2, width: 8, right: true),
                TextTable.Column(head: "Together", gap: 2, width: 9, right: true),
            ]
            let heading = primary.map { ItemText.heading($0.identifier, title: $0.title) }
            if let heading { columns.append(TextTable.Column(head: heading, gap: 2, width: max(7, displayWidth(heading)), right: true)) }
            let table = TextTable(columns: columns)
            lines.append(fitted(table.head, to: style.width, ellipsis: style.ellipsis))
            lines.append(String(repeating: style.line, count: min(table.width, style.width)))
            lines += self.lines.map { line in
                fitted(
                    table.line(
                        [
                            times.day(line.from), "\(line.students)", line.median.map { SpanText.best($0, step: 1) } ?? "?",
                            SpanText.best(line.together), line.primary.map { ItemText.number($0, digits: 0) } ?? "",
                        ]), to: style.width, ellipsis: style.ellipsis)
            }
        }
        lines.append("")
        lines += wrapped(
            "Median: over the students with enough evidence then. Together: the best estimates of all, added up. \(growth)"
                + "\(step == .day ? "Days" : "Weeks") without work are left out. Estimated from what this server saw; not a measure of effort.",
            to: style.textWidth)
        lines += wrapped(RuleText.sentence(rule, instead: ownRule, changed: ruleChange, times), to: style.textWidth)
        return lines.map { style.shown($0) + "\n" }.joined()
    }

    private var growth: String {
        guard let primary else { return "" }
        return "\(ItemText.heading(primary.identifier, title: primary.title)): the median of all who had any by then. "
    }

    package var json: JSONValue {
        [
            "assignment": .string(id.text), "title": .string(title), "class": .string(className), "asOf": asOf.json,
            "students": .integer(Int64(students)), "by": .string(step.rawValue),
            "primary": orNull(primary, \.json), "rule": ruleJSON(rule),
            "ownRule": orNull(ownRule) { .string($0) }, "ruleChange": orNull(ruleChange, \.json),
            "lines": .array(
                lines.map { line in
                    [
                        "from": .string(line.from.text), "students": .integer(Int64(line.students)),
                        "withTime": .integer(Int64(line.withTime)), "medianSeconds": orNull(line.median, \.json),
                        "togetherSeconds": line.together.json, "primary": orNull(line.primary) { .number($0) },
                    ]
                }),
        ]
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "report over time")
        id = AssignmentID(text: try members.string("assignment"))
        title = try members.string("title")
        className = try members.string("class")
        asOf = try members.time("asOf")
        students = try members.int("students")
        step = try members.choice("by", Step.self)
        primary = try members["primary"].map(ClassReport.Column.init(json:))
        rule = try Reports.rule(json: members["rule"])
        ownRule = try members.optional(members.string, "ownRule")
        if let change = members["ruleChange"] { ruleChange = try RuleChangeLine(json: change) }
        lines = try members.list("lines") { value throws(MalformedReport) in
            let line = try Members(value, of: "report over time")
            return Line(
                from: try line.date("from"), students: try line.int("students"), withTime: try line.int("withTime"),
                median: try line.optional(line.span, "medianSeconds"), together: try line.span("togetherSeconds"),
                primary: try line.optional(line.double, "primary"))
        }
    }
}
