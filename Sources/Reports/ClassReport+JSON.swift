// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import DaybookJSON
import Ledger

extension ClassReport {
    /// Keys keep their names and their order once released.
    package var json: JSONValue {
        var object: JSONObject = [
            "assignment": .string(id.text), "title": .string(title), "class": .string(className), "due": orNull(due, \.json),
            "ended": orNull(ended, \.json), "asOf": asOf.json, "recording": .string(recording.rawValue),
            "recordedSince": orNull(recordedSince, \.json), "students": .integer(Int64(studentCount)),
            "started": .integer(Int64(started)), "finished": .integer(Int64(finished)),
            "rows": .array(rows.map(json)), "primary": orNull(primary, \.json), "more": .array(more.map(\.json)),
            "target": orNull(target) { .number($0) }, "withTime": .integer(Int64(withTime)), "median": orNull(median, \.json),
            "average": orNull(average, \.json), "gaps": .integer(Int64(gaps)), "rule": ruleJSON(rule),
        ]
        object["ownRule"] = orNull(ownRule) { .string($0) }
        object["ruleChange"] = orNull(ruleChange, \.json)
        object["since"] = orNull(window.from, \.json)
        object["until"] = orNull(window.to, \.json)
        return .object(object)
    }

    private func json(_ row: Row) -> JSONValue {
        guard case .object(var object) = row.json else { return .null }
        object["goalPercent"] = orNull(goal(row)) { .integer(Int64($0)) }
        return .object(object)
    }

    /// Reads what `json` wrote.
    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "class report")
        self.init(
            id: AssignmentID(text: try members.string("assignment")), title: try members.string("title"),
            className: try members.string("class"), due: try members.optional(members.time, "due"),
            ended: try members.optional(members.time, "ended"), asOf: try members.time("asOf"),
            recording: try members.choice("recording", RecordingChange.State.self),
            recordedSince: try members.optional(members.time, "recordedSince"), studentCount: try members.int("students"),
            started: try members.int("started"), finished: try members.int("finished"),
            rows: try members.list("rows", Row.init(json:)), primary: try members["primary"].map(Column.init(json:)),
            more: try members.list("more", Column.init(json:)), target: try members.optional(members.double, "target"),
            rule: try Reports.rule(json: members["rule"]), ownRule: try members.optional(members.string, "ownRule"),
            ruleChange: try members["ruleChange"].map(RuleChangeLine.init(json:)),
            withTime: try members.int("withTime"), median: try members["median"].map(Summary.init(json:)),
            average: try members["average"].map(Summary.init(json:)), gaps: try members.int("gaps"),
            window: TimeWindow(from: try members.optional(members.time, "since"), to: try members.optional(members.time, "until")))
    }
}

extension ClassReport.Row {
    var json: JSONValue {
        var object: JSONObject = [
            "person": .string(person.login), "uid": .integer(Int64(person.uid)), "name": .string(name), "state": .string(state.rawValue),
            "working": .bool(isWorking),
        ]
        if let figures {
            figures.write(to: &object)
        } else {
            object["activeSeconds"] = .null
        }
        object["document"] = orNull(document) { .string($0) }
        object["documents"] = .integer(Int64(documents))
        object["items"] = .array(items.map(itemJSON))
        object["last"] = orNull(last, \.json)
        object["late"] = .bool(isLate)
        object["reports"] = .array(reports.map(\.json))
        object["recordedAnew"] = orNull(recordedAnew, \.json)
        return .object(object)
    }

    init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "row")
        self.init(
            person: PersonID(uid: try members.uid("uid"), login: try members.string("person")), name: try members.string("name"),
            state: try members.choice("state", ClassReport.State.self),
            figures: members["confidence"] == nil ? nil : try Figures(members),
            document: try members.optional(members.string, "document"), documents: try members.int("documents"),
            items: try members.list("items", item(json:)), last: try members.optional(members.time, "last"),
            isWorking: try members.bool("working"), isLate: members["late"]?.boolValue ?? false,
            reports: members["reports"] == nil ? [] : try members.list("reports", ProgramReport.init(json:)),
            recordedAnew: try members.optional(members.time, "recordedAnew"))
    }
}

extension ClassReport.Column {
    var json: JSONValue { ["identifier": .string(identifier), "title": .string(title)] }

    init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "column")
        self.init(identifier: try members.string("identifier"), title: try members.string("title"))
    }
}

extension ClassReport.Summary {
    fileprivate var json: JSONValue {
        [
            "workedSeconds": orNull(worked, \.json), "primary": orNull(primary) { .number($0) }, "level": orNull(level) { .number($0) },
        ]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "summary")
        self.init(
            worked: try members.optional(members.span, "workedSeconds"), primary: try members.optional(members.double, "primary"),
            level: try members.optional(members.double, "level"))
    }
}
