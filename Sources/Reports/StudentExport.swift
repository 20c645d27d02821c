// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON
import Inference
package import Ledger

/// Everything that is kept of one person, for them to take along: the report as they see it, and beside it each single piece of evidence,
/// touches that no report counts, what they said, how recording stands for them, and everybody who looked.
package enum StudentExport {
    /// One part for each assignment, so that no message becomes too long, the first with what belongs to none.
    package static func parts(of person: PersonID, in ledger: Ledger) -> [JSONObject] {
        let all = ledger.sessions(SessionFilter(person: person))
        let groups = Dictionary(grouping: all, by: \.assignment)
        var first: JSONObject = [
            "account": account(person, ledger), "looks": .array(ledger.views(of: person).map { look($0, ledger) }),
            "sessions": .array((groups[nil] ?? []).map { session($0, ledger) }), "saves": [],
        ]
        first["assignment"] = .null
        let assignments = ledger.assignments(for: person).map { record -> JSONObject in
            [
                "assignment": .string(record.id.text), "title": .string(record.facts.title), "class": .string(record.facts.className),
                "due": orNull(record.facts.due, \.json), "createdAt": record.createdAt.json, "ended": orNull(record.ended?.at, \.json),
                "rule": ruleJSON(record.facts.rule), "isExcused": .bool(record.facts.excused.contains(person)),
                "said": orNull(record.marks[person]) {
                    [
                        "at": $0.at.json, "state": .string($0.facts.state.rawValue),
                        "document": orNull($0.facts.document) { .string($0.path.text) },
                        "size": orNull($0.facts.file) { .integer($0.size) }, "sha256": orNull($0.facts.file) { .string($0.sha256) },
                        "text": orNull($0.facts.text) { .string($0) },
                    ]
                },
                "deadline": orNull(record.facts.plan.deadlines.last { $0.person == person }) {
                    ["due": $0.due.json, "reason": .string($0.reason)]
                },
                "sessions": .array((groups[record.id] ?? []).map { session($0, ledger) }),
                "saves": .array(ledger.saves(in: record.id, by: person).map(save)),
                "reports": .array(
                    ProgramReport.all(of: person, in: record, ledger: ledger, within: TimeWindow()).map(\.json)),
            ]
        }
        return [first] + assignments
    }

    private static func account(_ person: PersonID, _ ledger: Ledger) -> JSONValue {
        let facts = ledger.person(person)
        return [
            "login": .string(person.login), "uid": .integer(Int64(person.uid)), "name": orNull(facts?.displayName) { .string($0) },
            "role": orNull(facts?.role.rawValue) { .string($0) }, "classes": .array((facts?.classes ?? []).map { .string($0) }),
            "recording": .string(ledger.recording.personState(person).rawValue),
        ]
    }

    private static func look(_ view: View, _ ledger: Ledger) -> JSONValue {
        [
            "at": view.at.json, "by": .string(view.facts.byLogin), "what": .string(view.facts.what),
            "assignment": orNull(view.facts.assignment?.text) { .string($0) },
        ]
    }

    private static func session(_ session: SessionRecord, _ ledger: Ledger) -> JSONValue {
        let work = session.work
        func wall(_ instant: BootTime) -> JSONValue { ledger.wallTime(of: instant, in: session.boot).json }
        return [
            "document": .string(work.document.path.text), "openedAt": wall(work.openedAt), "notBefore": wall(work.notBefore),
            "closedAt": orNull(work.end) { wall($0.closedAt) }, "ended": orNull(work.end) { .string($0.ending.rawValue) },
            "confidence": .string(TimeOnTask.confidence(of: work).rawValue), "presence": .string(work.presence.rawValue),
            "identity": .string(work.attribution.source.rawValue), "lockSays": .array(work.lockWords.map(\.json)),
            "number": .integer(Int64(clamping: session.id.rawValue)), "excluded": .bool(ledger.isExcluded(session.id)),
            "notes": .array(ledger.notes(on: session.id).map { SessionNote($0).json }),
            "evidence": .array(
                work.evidence.map { sign in
                    [
                        "what": .string(sign.kind.rawValue), "first": wall(sign.first), "last": wall(sign.last),
                        "count": .integer(Int64(sign.count)), "isInferred": .bool(sign.isInferred),
                    ]
                }),
        ]
    }

    private static func save(_ point: SavePoint) -> JSONValue {
        [
            "at": point.at.json, "document": .string(point.facts.document.path.text), "size": .integer(point.facts.size),
            "format": orNull(point.facts.format) { .string($0) }, "language": orNull(point.facts.language) { .string($0) },
            "items": .array(point.facts.items.map(itemJSON)),
            "notes": .array(point.facts.notes.map { ["identifier": .string($0.identifier), "reason": .string($0.reason)] }),
            "error": orNull(point.facts.error) { .string($0) },
        ]
    }
}
