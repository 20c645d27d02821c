// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

// The order of the calls is the order on the page, in `Documentation/Journal.md` as in the line.
extension FieldWriter {
    /// The kind's own fields.
    mutating func add(_ body: EntryBody) {
        switch body {
        case .started(let version): add("version", version)
        case .stopped(let reason): add("reason", reason)
        case .settings(let facts):
            add("rule", facts.rule)
            add("shares", facts.shares)
            add("classes", facts.classes)
        case .recording(let change):
            add("state", change.state.rawValue)
            add("person", change.person)
            add("by", change.by)
            if change.isScheduled { add("scheduled", true) }
        case .watching(let facts):
            add("share", facts.share)
            add("state", facts.state.rawValue)
            add("source", facts.source)
            add("folders", facts.folders)
            add("reason", facts.reason)
        case .gap(let facts):
            add("cause", facts.cause.rawValue)
            add("share", facts.share)
            add("from", facts.from)
            add("to", facts.to)
            add("lost", facts.lost)
        case .clock(let facts):
            add("cause", facts.cause.rawValue)
            add("shift", facts.by)
        case .person(let facts):
            add("person", facts.person)
            add("displayName", facts.displayName)
            add("role", facts.role.rawValue)
            add("classes", facts.classes)
        case .session(let event, let assignment): add(event, assignment: assignment)
        case .metrics(let facts): add(facts)
        case .assignmentCreated(let facts), .assignmentChanged(let facts): add(facts)
        case .assignmentEnded(let id, let reason):
            add("assignment", id.text)
            add("reason", reason)
        case .done(let facts):
            add("assignment", facts.assignment.text)
            add("person", facts.person)
            add("state", facts.state.rawValue)
            if let document = facts.document { add("document", document) }
            add("size", facts.file?.size)
            add("sha256", facts.file?.sha256)
            add("by", facts.by)
            add("text", facts.text)
        case .note(let facts):
            add("activity", facts.activity.rawValue)
            add("text", facts.text)
            if let excludes = facts.excludes { add("excludes", excludes) }
            add("by", facts.by)
            add("byLogin", facts.byLogin)
        case .bookmarkCreated(let facts):
            add("bookmark", facts.number)
            add("by", facts.by)
            add("byLogin", facts.byLogin)
            add("title", facts.title)
            add("material") { $0.add(facts.material) }
        case .bookmarkRemoved(let number, let by):
            add("bookmark", number)
            add("by", by)
        case .imported(let facts):
            add("from", facts.source)
            add("classCount", facts.classes)
            add("count", facts.people)
            add("sha256", facts.sha256)
            add("by", facts.by)
            add("byLogin", facts.byLogin)
        case .contextSaved(let facts): add(facts)
        case .contextRemoved(let ref, let by):
            add("app", ref.app)
            add("context", ref.path)
            add("by", by)
        case .reported(let facts): add(facts)
        case .viewed(let facts):
            add("by", facts.by)
            add("byLogin", facts.byLogin)
            add("person", facts.person)
            add("assignment", facts.assignment?.text)
            add("what", facts.what)
        case .totals(let facts): add(facts)
        case .repaired(let facts):
            add("lastGoodSeq", facts.lastGoodSeq)
            add("lastGoodChain", facts.lastGoodChain)
            add("setAside", facts.setAside)
            add("bytes", facts.bytes)
            add("reason", facts.reason)
        case .checkpoint(let note): add("note", note)
        case .erasure(let facts):
            add("ranges", each: facts.ranges) { writer, range in
                writer.bytes.append(contentsOf: Array("[\(range.lowerBound),\(range.upperBound)]".utf8))
            }
            add("count", facts.count)
            add("digests", facts.digests)
            add("base", facts.base)
            add("by", facts.by)
        case .erased, .base, .unknown: break
        }
    }

    private mutating func add(_ event: SessionEvent, assignment: AssignmentID?) {
        add("activity", event.id.rawValue)
        switch event {
        case .started(let start):
            add("document", start.document)
            add("assignment", assignment?.text)
            add(start.attribution)
            add("presence", start.presence.rawValue)
            add("openedAt", start.openedAt)
            add("notBefore", start.notBefore)
            if let process = start.process {
                add("pid", process.pid)
                add("processStartedAt", process.startedAt)
            }
            if !start.isOpeningProved { add("opening", "assumed") }
        case .evidence(_, let evidence): add(evidence)
        case .attributed(_, let attribution): add(attribution)
        case .moved(_, let document): add("document", document)
        case .paused(_, let at), .resumed(_, let at): add("when", at)
        case .stopped(_, let end):
            add("ended", end.ending.rawValue)
            add("closedAt", end.closedAt)
            add("notAfter", end.notAfter)
            add("confidence", end.confidence.rawValue)
        case .delivered(_, let delivery, let at):
            add("what", "delivered")
            add("when", at)
            add("position", delivery.position)
            add("size", delivery.size)
        case .lockSays(_, let words, let at):
            add("what", "lock-says")
            add("when", at)
            add("says") {
                $0.add("program", words.program)
                $0.add("login", words.login)
                $0.add("name", words.name)
                $0.add("host", words.host)
            }
        }
    }

    private mutating func add(_ evidence: Evidence) {
        add("what", evidence.kind.rawValue)
        if evidence.isInferred {
            add("notBefore", evidence.first)
            add("notAfter", evidence.last)
            if evidence.count != 1 { add("count", evidence.count) }
        } else if evidence.first == evidence.last, evidence.count == 1 {
            add("when", evidence.first)
        } else {
            add("first", evidence.first)
            add("last", evidence.last)
            add("count", evidence.count)
        }
        if evidence.isContinuous { add("continuous", true) }
    }

    private mutating func add(_ facts: AssignmentFacts) {
        add("assignment", facts.id.text)
        add("title", facts.title)
        add("class", facts.className)
        add("share", facts.share)
        add("folder", facts.folder?.text)
        add("due", facts.due)
        add("by", facts.by)
        add("rule", facts.rule)
        add("students", facts.students)
        if !facts.excused.isEmpty { add("excused", facts.excused) }
        if let target = facts.target {
            add("target") {
                $0.add("identifier", target.identifier)
                $0.add("value", number: target.value)
            }
        }
        if let change = facts.ruleChange {
            add("ruleBefore", change.before)
            add("changedBy", change.by)
            add("changedByLogin", change.byLogin)
        }
        add(facts.plan)
        add("asOf", facts.asOf)
    }

    private mutating func add(_ facts: TotalsFacts) {
        add("assignment", facts.assignment.text)
        add("person", facts.person)
        if let document = facts.document { add("document", document) }
        add("day", facts.day)
        if let open = facts.open { add("open", number: open.seconds) }
        if let active = facts.active { add("active", number: active.seconds) }
        add("atLeast", number: facts.atLeast.seconds)
        if let atMost = facts.atMost { add("atMost", number: atMost.seconds) }
        add("leftOpen", number: facts.leftOpen.seconds)
        add("saves", facts.saves)
        add("confidence", facts.confidence.rawValue)
        if facts.isBroughtIn { add("broughtIn", true) }
        add("sessions", facts.sessions)
        add("measured", facts.measured)
        add("seen", facts.last)
        add("rule", facts.rule)
    }

    private mutating func add(_ facts: MetricsFacts) {
        add("document", facts.document)
        add("assignment", facts.assignment?.text)
        add(facts.attribution)
        add("savedAt", facts.savedAt)
        add("size", facts.size)
        add("format", facts.format)
        add("language", facts.language)
        // JSON has no infinity and no NaN: such a figure is no figure, and the entry says so instead of becoming unreadable.
        add("items", objects: facts.items.filter(\.isFinite)) { $0.add($1) }
        let unusable = facts.items.filter { !$0.isFinite }.map { MissingItem(identifier: $0.identifier, reason: "not a number") }
        add("notes", objects: facts.notes + unusable) { writer, note in
            writer.add("identifier", note.identifier)
            writer.add("reason", note.reason)
        }
        add("error", facts.error)
        add("again", facts.again)
    }

    mutating func add(_ item: Item) {
        add("identifier", item.identifier)
        add("title", item.title)
        switch item.value {
        case .binary(let value, let type):
            add("kind", "binary")
            add("value", value)
            add("valueType", type.rawValue)
        case .quantity(let value):
            add("kind", "quantity")
            add("value", number: value)
        case .score(let score, let max):
            add("kind", "score")
            add("score", number: score)
            add("maxScore", number: max)
        }
        add("method", item.method.rawValue)
    }
}

extension Item {
    fileprivate var isFinite: Bool {
        switch value {
        case .binary: true
        case .quantity(let value): value.isFinite
        case .score(let score, let max): score.isFinite && max.isFinite
        }
    }
}
