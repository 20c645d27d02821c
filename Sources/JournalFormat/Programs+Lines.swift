// SPDX-License-Identifier: Apache-2.0
import ActivityModel

// What programs say: the fields of `context.*` and `activity.saved`.

extension FieldWriter {
    mutating func add(_ facts: ContextFacts) {
        add("app", facts.ref.app)
        add("context", facts.ref.path)
        add("title", facts.title)
        add("type", facts.kind.rawValue)
        add("customType", facts.customKind)
        add("displayOrder", facts.displayOrder)
        add("topic", facts.topic)
        add("universalLink", facts.universalLink)
        add("summary", facts.summary)
        if !facts.isAssignable { add("assignable", false) }
        add("suggestedAge", facts.suggestedAge)
        add("suggestedTime", facts.suggestedTime)
        if !facts.capabilities.isEmpty {
            add("capabilities", objects: facts.capabilities) { inner, capability in
                inner.add("kind", capability.kind.rawValue)
                inner.add("details", capability.details)
            }
        }
        if !facts.navigation.isEmpty {
            add("navigation", objects: facts.navigation) { $0.add("context", $1) }
        }
        add("created", facts.created)
        add("modified", facts.modified)
        add("by", facts.by)
        add("byLogin", facts.byLogin)
    }

    mutating func add(_ facts: ReportFacts) {
        add("assignment", facts.assignment.text)
        add("person", facts.person)
        add("app", facts.program.app)
        add("executable", facts.program.executable)
        if facts.program.isListed { add("trusted", true) }
        switch facts.subject {
        case .context(let path): add("context", path)
        case .document(let document): add("document", document)
        }
        let attempt = facts.attempt
        add("attempt", attempt.id)
        add("created", attempt.created)
        add("modified", attempt.modified)
        add("duration", number: attempt.duration.seconds)
        if attempt.isRunning { add("running", true) }
        add("ended", facts.stop?.rawValue)
        add("ranges", objects: attempt.ranges) { inner, range in
            inner.add("from", number: range.from)
            inner.add("to", number: range.to)
        }
        if let primary = attempt.primary { add("primary", object: { $0.add(primary) }) }
        add("items", objects: attempt.additional) { $0.add($1) }
    }

    private mutating func add(_ key: StaticString, _ span: ContextFacts.Span?) {
        guard let span else { return }
        add(key) { inner in
            inner.add("from", span.from)
            inner.add("to", span.to)
        }
    }
}

extension FieldReader {
    func context() throws(EntryError) -> ContextRef { ContextRef(app: try text("app"), path: try texts("context")) }

    func contextFacts() throws(EntryError) -> ContextFacts {
        var facts = ContextFacts(
            ref: try context(), title: try text("title"), created: try wallTime("created"), modified: try wallTime("modified"),
            by: try number("by", as: UInt32.self), byLogin: try text("byLogin"))
        facts.kind = try word("type", as: ContextFacts.Kind.self)
        facts.customKind = try optionalText("customType")
        facts.displayOrder = try number("displayOrder", as: Int64.self)
        facts.topic = try optionalText("topic")
        facts.universalLink = try optionalText("universalLink")
        facts.summary = try optionalText("summary")
        facts.isAssignable = has("assignable") ? try bool("assignable") : true
        facts.suggestedAge = try span(between: "suggestedAge")
        facts.suggestedTime = try span(between: "suggestedTime")
        if has("capabilities") {
            facts.capabilities = try objects("capabilities") { (inner) throws(EntryError) in
                ContextFacts.Capability(
                    kind: try inner.word("kind", as: ContextFacts.Capability.Kind.self), details: try inner.optionalText("details"))
            }
        }
        if has("navigation") {
            facts.navigation = try objects("navigation") { (inner) throws(EntryError) in try inner.texts("context") }
        }
        return facts
    }

    private func span(between key: StaticString) throws(EntryError) -> ContextFacts.Span? {
        guard has(key) else { return nil }
        let inner = try object(key)
        return ContextFacts.Span(from: try inner.number("from", as: Int64.self), to: try inner.optionalNumber("to", as: Int64.self))
    }

    mutating func report() throws(EntryError) -> ReportFacts {
        let attempt = Attempt(
            id: try text("attempt"), created: try wallTime("created"), modified: try wallTime("modified"), duration: try span("duration"),
            isRunning: has("running") ? try bool("running") : false,
            ranges: try objects("ranges") { (inner) throws(EntryError) in
                ProgressRange(from: try inner.double("from"), to: try inner.double("to"))
            }, primary: has("primary") ? try object("primary").item() : nil,
            additional: try objects("items") { (inner) throws(EntryError) in try inner.item() })
        return ReportFacts(
            assignment: AssignmentID(text: try text("assignment")), person: try person("person"),
            program: ReportFacts.Program(
                app: try text("app"), executable: try optionalText("executable"), isListed: has("trusted") ? try bool("trusted") : false),
            subject: has("document") ? .document(try document()) : .context(try texts("context")), attempt: attempt,
            stop: has("ended") ? try word("ended", as: ReportFacts.Stop.self) : nil)
    }
}
