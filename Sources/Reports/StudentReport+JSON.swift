// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import DaybookJSON

extension StudentReport {
    /// Keys keep their names and their order once released.
    package var json: JSONValue {
        var object: JSONObject = [
            "person": .string(person.login), "uid": .integer(Int64(person.uid)), "name": .string(name), "asOf": asOf.json,
            "recording": .string(recording.rawValue), "personRecording": .string(personRecording.rawValue),
            "assignments": .array(assignments.map(\.json)),
        ]
        if let looks { object["looks"] = .array(looks.map(\.json)) }
        return .object(object)
    }

    /// Reads what `json` wrote.
    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "student report")
        person = PersonID(uid: try members.uid("uid"), login: try members.string("person"))
        name = try members.string("name")
        asOf = try members.time("asOf")
        recording = try members.choice("recording", RecordingChange.State.self)
        personRecording = try members.choice("personRecording", RecordingChange.State.self)
        assignments = try members.list("assignments", Assignment.init(json:))
        looks = members["looks"] == nil ? nil : try members.list("looks", Look.init(json:))
    }
}

extension StudentReport.Assignment {
    fileprivate var json: JSONValue {
        [
            "assignment": .string(id.text), "title": .string(title), "class": .string(className), "due": orNull(due, \.json),
            "target": orNull(target) { .number($0) }, "progress": orNull(progress, \.json), "row": row.json, "rule": ruleJSON(rule),
            "ownRule": orNull(ownRule) { .string($0) },
            "ruleChange": orNull(ruleChange, \.json), "sessions": .array(sessions.map(\.json)), "saves": .array(saves.map(\.json)),
            "days": .array(days.map(\.json)), "documents": .array(documents.map(\.json)),
            "leftOpen": .array(leftOpen.map { ["from": $0.from.json, "to": $0.to.json] }),
            "notes": .array(notes.map { ["identifier": .string($0.identifier), "reason": .string($0.reason)] }), "evidence": evidence.json,
            "gaps": .array(gaps.map { ["from": $0.from.json, "to": $0.to.json, "cause": .string($0.cause.rawValue)] }),
        ]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "assignment")
        id = AssignmentID(text: try members.string("assignment"))
        title = try members.string("title")
        className = try members.string("class")
        due = try members.optional(members.time, "due")
        target = try members.optional(members.double, "target")
        progress = try members["progress"].map(Progress.init(json:))
        row = try ClassReport.Row(json: members["row"] ?? .null)
        rule = try Reports.rule(json: members["rule"])
        ownRule = try members.optional(members.string, "ownRule")
        ruleChange = try members["ruleChange"].map(RuleChangeLine.init(json:))
        sessions = try members.list("sessions", SessionRow.init(json:))
        saves = try members.list("saves", StudentReport.Save.init(json:))
        days = try members.list("days", StudentReport.Day.init(json:))
        documents = members["documents"] == nil ? [] : try members.list("documents", StudentReport.Document.init(json:))
        leftOpen =
            members["leftOpen"] == nil
            ? []
            : try members.list("leftOpen") { value throws(MalformedReport) in
                let stretch = try Members(value, of: "left open")
                return StudentReport.LeftOpen(from: try stretch.time("from"), to: try stretch.time("to"))
            }
        notes = try members.list("notes") { value throws(MalformedReport) in
            let note = try Members(value, of: "note")
            return MissingItem(identifier: try note.string("identifier"), reason: try note.string("reason"))
        }
        evidence = try StudentReport.Evidence(json: members["evidence"] ?? .null)
        gaps = try members.list("gaps") { value throws(MalformedReport) in
            let gap = try Members(value, of: "gap")
            return StudentReport.Missed(
                from: try gap.time("from"), to: try gap.time("to"), cause: try gap.choice("cause", GapFacts.Cause.self))
        }
    }
}

extension StudentReport.Save {
    fileprivate var json: JSONValue {
        [
            "at": at.json, "document": .string(document), "item": orNull(item, itemJSON), "reason": orNull(reason) { .string($0) },
        ]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "save")
        at = try members.time("at")
        document = try members.string("document")
        item = try members["item"].map(Reports.item(json:))
        reason = try members.optional(members.string, "reason")
    }
}

extension StudentReport.Day {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["date": .string(date.text)]
        figures.write(to: &object)
        return .object(object)
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "day")
        date = try members.date("date")
        figures = try Figures(members)
    }
}

extension StudentReport.Document {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["document": .string(path)]
        figures.write(to: &object)
        object["days"] = .array(days.map(\.json))
        return .object(object)
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "document")
        path = try members.string("document")
        figures = try Figures(members)
        days = try members.list("days", StudentReport.Day.init(json:))
    }
}

extension StudentReport.Evidence {
    fileprivate var json: JSONValue {
        func counts(_ list: [StudentReport.Count]) -> JSONValue {
            .array(list.map { ["name": .string($0.name), "count": .integer(Int64($0.count))] })
        }
        return ["kinds": counts(kinds), "presence": counts(presence), "identity": counts(identity)]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "evidence")
        func count(_ value: JSONValue) throws(MalformedReport) -> StudentReport.Count {
            let members = try Members(value, of: "count")
            return StudentReport.Count(name: try members.string("name"), count: try members.int("count"))
        }
        kinds = try members.list("kinds", count)
        presence = try members.list("presence", count)
        identity = try members.list("identity", count)
    }
}

extension StudentReport.Look {
    fileprivate var json: JSONValue {
        ["at": at.json, "by": .string(by), "what": .string(what), "assignment": orNull(assignment) { .string($0) }]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "look")
        at = try members.time("at")
        by = try members.string("by")
        what = try members.string("what")
        assignment = try members.optional(members.string, "assignment")
    }
}
