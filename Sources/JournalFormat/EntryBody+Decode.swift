// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension FieldReader {
    /// The body of an entry by its kind.
    mutating func body(kind: UnsafeBufferPointer<UInt8>) throws(EntryError) -> EntryBody {
        switch String(decoding: kind, as: UTF8.self) {
        case "evidence": return .session(try evidenceOrWords(), assignment: nil)
        case "activity.started": return .session(.started(try sessionStart()), assignment: try assignment())
        case "activity.paused": return .session(.paused(try activity(), at: try bootTime("when")), assignment: nil)
        case "activity.resumed": return .session(.resumed(try activity(), at: try bootTime("when")), assignment: nil)
        case "activity.stopped": return .session(.stopped(try activity(), try sessionEnd()), assignment: nil)
        case "activity.attributed": return .session(.attributed(try activity(), try attribution()), assignment: nil)
        case "activity.moved": return .session(.moved(try activity(), try document()), assignment: nil)
        case "metrics": return .metrics(try metrics())
        case "started": return .started(version: try text("version"))
        case "stopped": return .stopped(reason: try text("reason"))
        case "settings":
            return .settings(SettingsFacts(rule: try rule("rule"), shares: try texts("shares"), classes: try texts("classes")))
        case "recording":
            return .recording(
                RecordingChange(
                    state: try word("state", as: RecordingChange.State.self), person: try optionalPerson("person"),
                    by: try optionalNumber("by", as: UInt32.self), isScheduled: has("scheduled") ? try bool("scheduled") : false))
        case "watching":
            return .watching(
                WatchingFacts(
                    share: try text("share"), state: try word("state", as: WatchingFacts.State.self), source: try text("source"),
                    folders: try number("folders", as: Int.self), reason: try optionalText("reason")))
        case "gap":
            return .gap(
                GapFacts(
                    cause: try word("cause", as: GapFacts.Cause.self), share: try optionalText("share"), from: try wallTime("from"),
                    to: try wallTime("to"), lost: try optionalNumber("lost", as: Int.self)))
        case "clock":
            return .clock(ClockFacts(cause: try word("cause", as: ClockFacts.Cause.self), by: try number("shift", as: Int64.self)))
        case "person":
            return .person(
                PersonFacts(
                    person: try person("person"), displayName: try text("displayName"), role: try word("role", as: Role.self),
                    classes: try texts("classes")))
        case "assignment.created": return .assignmentCreated(try assignmentFacts())
        case "assignment.changed": return .assignmentChanged(try assignmentFacts())
        case "assignment.ended": return .assignmentEnded(AssignmentID(text: try text("assignment")), reason: try text("reason"))
        case "done":
            return .done(
                DoneFacts(
                    assignment: AssignmentID(text: try text("assignment")), person: try person("person"),
                    state: try word("state", as: DoneFacts.State.self), document: has("document") ? try document() : nil,
                    file: has("sha256")
                        ? HandedInFile(size: try number("size", as: Int64.self), sha256: try text("sha256")) : nil,
                    by: try optionalNumber("by", as: UInt32.self), text: try optionalText("text")))
        case "note": return .note(try note())
        case "bookmark.created": return .bookmarkCreated(try bookmark())
        case "bookmark.removed":
            return .bookmarkRemoved(number: try number("bookmark", as: UInt64.self), by: try number("by", as: UInt32.self))
        case "imported": return .imported(try importFacts())
        case "context.saved": return .contextSaved(try contextFacts())
        case "context.removed": return .contextRemoved(try context(), by: try number("by", as: UInt32.self))
        case "activity.saved": return .reported(try report())
        case "viewed":
            return .viewed(
                ViewedFacts(
                    by: try number("by", as: UInt32.self), byLogin: try text("byLogin"), person: try optionalPerson("person"),
                    assignment: try assignment(), what: try text("what")))
        case "totals": return .totals(try totals())
        case "repaired": return .repaired(try repair())
        case "checkpoint": return .checkpoint(note: try text("note"))
        case "forgotten": return .erasure(try erasure(.forgotten))
        case "retention": return .erasure(try erasure(.retention))
        case let kind: return .unknown(kind: kind)
        }
    }

    private func activity() throws(EntryError) -> ActivityID { ActivityID(try number("activity", as: UInt64.self)) }

    private mutating func sessionStart() throws(EntryError) -> SessionStart {
        let pid = try optionalNumber("pid", as: Int32.self)
        let process = pid == nil || !has("processStartedAt") ? nil : ProcessID(pid: pid ?? 0, startedAt: try bootTime("processStartedAt"))
        return SessionStart(
            id: try activity(), document: try document(), attribution: try attribution(),
            presence: try word("presence", as: Presence.self), openedAt: try bootTime("openedAt"), notBefore: try bootTime("notBefore"),
            process: process, isOpeningProved: try optionalText("opening") != "assumed")
    }

    private func sessionEnd() throws(EntryError) -> SessionEnd {
        SessionEnd(
            ending: try word("ended", as: SessionEnding.self), closedAt: try bootTime("closedAt"), notAfter: try bootTime("notAfter"),
            confidence: try word("confidence", as: Confidence.self))
    }

    private func evidenceOrWords() throws(EntryError) -> SessionEvent {
        let what = try text("what")
        if what == "delivered" {
            let delivery = Delivery(
                position: try number("position", as: Int64.self), size: try number("size", as: Int64.self))
            guard let delivery else { throw .missing(field: "position") }
            return .delivered(try activity(), delivery, at: try bootTime("when"))
        }
        guard what == "lock-says" else { return .evidence(try activity(), try evidence()) }
        let inner = try object("says")
        let words = LockWords(
            program: try inner.text("program"), login: try inner.optionalText("login"), name: try inner.optionalText("name"),
            host: try inner.optionalText("host"))
        guard let words else { throw .missing(field: "says") }
        return .lockSays(try activity(), words, at: try bootTime("when"))
    }

    private func evidence() throws(EntryError) -> Evidence {
        let kind = try word("what", as: Evidence.Kind.self)
        let continuous = has("continuous") ? try bool("continuous") : false
        if has("when") {
            return Evidence(kind, first: try bootTime("when"), isContinuous: continuous)
        }
        if has("notBefore") {
            return Evidence(
                kind, first: try bootTime("notBefore"), last: try bootTime("notAfter"),
                count: try optionalNumber("count", as: Int.self) ?? 1, isInferred: true, isContinuous: continuous)
        }
        guard has("first") else { throw .missing(field: "when") }
        return Evidence(
            kind, first: try bootTime("first"), last: try bootTime("last"), count: try number("count", as: Int.self),
            isContinuous: continuous)
    }

    private func assignmentFacts() throws(EntryError) -> AssignmentFacts {
        var facts = AssignmentFacts(
            id: AssignmentID(text: try text("assignment")), title: try text("title"), className: try text("class"),
            share: try text("share"), folder: has("folder") ? try path("folder") : nil, due: try optionalWallTime("due"),
            by: try optionalNumber("by", as: UInt32.self), rule: try rule("rule"), students: try people("students"),
            excused: has("excused") ? try people("excused") : [], target: has("target") ? try target() : nil,
            ruleChange: has("ruleBefore") ? try ruleChange() : nil, asOf: try optionalWallTime("asOf"))
        facts.plan = try plan()
        return facts
    }

    private func erasure(_ kind: ErasureFacts.Kind) throws(EntryError) -> ErasureFacts {
        ErasureFacts(
            kind: kind, ranges: try ranges("ranges"), count: try number("count", as: Int.self), digests: try text("digests"),
            by: try optionalNumber("by", as: UInt32.self), base: try optionalNumber("base", as: UInt64.self))
    }

    private func ruleChange() throws(EntryError) -> RuleChange {
        RuleChange(before: try rule("ruleBefore"), by: try number("changedBy", as: UInt32.self), byLogin: try text("changedByLogin"))
    }

    private func target() throws(EntryError) -> Target {
        let inner = try object("target")
        return Target(identifier: try inner.text("identifier"), value: try inner.double("value"))
    }

    private mutating func totals() throws(EntryError) -> TotalsFacts {
        TotalsFacts(
            assignment: AssignmentID(text: try text("assignment")), person: try person("person"),
            document: has("document") ? try document() : nil, day: try optionalText("day"), open: has("open") ? try span("open") : nil,
            active: has("active") ? try span("active") : nil, atLeast: try span("atLeast"),
            atMost: has("atMost") ? try span("atMost") : nil,
            leftOpen: try span("leftOpen"), saves: try number("saves", as: Int.self),
            confidence: try word("confidence", as: Confidence.self),
            isBroughtIn: has("broughtIn") ? try bool("broughtIn") : false, sessions: try number("sessions", as: Int.self),
            measured: try number("measured", as: Int.self), last: try optionalWallTime("seen"), rule: try rule("rule"))
    }

    private mutating func metrics() throws(EntryError) -> MetricsFacts {
        MetricsFacts(
            document: try document(), assignment: try assignment(), attribution: try attribution(), savedAt: try bootTime("savedAt"),
            size: try number("size", as: Int64.self), format: try optionalText("format"), language: try optionalText("language"),
            items: try objects("items") { (item) throws(EntryError) in try item.item() },
            notes: try objects("notes") { (note) throws(EntryError) in
                MissingItem(identifier: try note.text("identifier"), reason: try note.text("reason"))
            }, error: try optionalText("error"), again: try optionalNumber("again", as: UInt64.self))
    }

    func item() throws(EntryError) -> Item {
        let value: Item.Value
        switch try text("kind") {
        case "binary": value = .binary(try bool("value"), type: try word("valueType", as: Item.BinaryType.self))
        case "quantity": value = .quantity(try double("value"))
        case "score": value = .score(try double("score"), max: try double("maxScore"))
        default: throw .unknownWord(field: "kind")
        }
        return Item(
            identifier: try text("identifier"), title: try text("title"), value: value, method: try word("method", as: Item.Method.self))
    }

    private func repair() throws(EntryError) -> RepairFacts {
        RepairFacts(
            lastGoodSeq: try number("lastGoodSeq", as: UInt64.self), lastGoodChain: try text("lastGoodChain"),
            setAside: try optionalText("setAside"), bytes: try number("bytes", as: Int64.self), reason: try text("reason"))
    }
}
