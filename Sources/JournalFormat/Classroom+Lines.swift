// SPDX-License-Identifier: Apache-2.0
import ActivityModel

// What teachers and students say: the fields of `assignment.*` beyond what a folder says, of `note`, `bookmark.*` and `imported`.

extension FieldWriter {
    /// Nothing where nothing was said, so that an assignment by its folder is written as it always was.
    mutating func add(_ plan: AssignmentPlan) {
        if plan.stage != .active { add("stage", plan.stage.rawValue) }
        add("opens", plan.opens)
        add("instructions", plan.instructions)
        if let chosen = plan.chosen { add("chosen", chosen) }
        if !plan.deadlines.isEmpty {
            add("deadlines", objects: plan.deadlines) { inner, deadline in
                inner.add("person", deadline.person)
                inner.add("due", deadline.due)
                inner.add("reason", deadline.reason)
            }
        }
        if !plan.materials.isEmpty {
            add("materials", objects: plan.materials) { $0.add($1) }
        }
        if let key = plan.key {
            add("key") { inner in
                inner.add("sha256", key.sha256)
                inner.add("form", key.form)
                inner.add("questions", key.questions)
                inner.add("points", number: key.points)
            }
        }
        if !plan.analyzers.isEmpty { add("analyzers", plan.analyzers) }
        if plan.edition != 0 { add("edition", plan.edition) }
        add("editedBy", plan.editor?.uid)
        add("editedByLogin", plan.editor?.login)
    }

    mutating func add(_ material: Material) {
        switch material {
        case .document(let document): add("document", document)
        case .context(let path): add("context", path)
        }
    }
}

extension FieldReader {
    func plan() throws(EntryError) -> AssignmentPlan {
        var plan = AssignmentPlan()
        if has("stage") { plan.stage = try word("stage", as: AssignmentPlan.Stage.self) }
        plan.opens = try optionalWallTime("opens")
        plan.instructions = try optionalText("instructions")
        if has("chosen") { plan.chosen = try people("chosen") }
        if has("deadlines") {
            plan.deadlines = try objects("deadlines") { (inner) throws(EntryError) in
                Deadline(person: try inner.person("person"), due: try inner.wallTime("due"), reason: try inner.text("reason"))
            }
        }
        if has("materials") {
            plan.materials = try objects("materials") { (inner) throws(EntryError) in
                var inner = inner
                return try inner.material()
            }
        }
        if has("key") {
            let inner = try object("key")
            plan.key = KeyFacts(
                sha256: try inner.text("sha256"), form: try inner.text("form"), questions: try inner.number("questions", as: Int.self),
                points: try inner.double("points"))
        }
        if has("analyzers") { plan.analyzers = try texts("analyzers") }
        plan.edition = try optionalNumber("edition", as: Int.self) ?? 0
        if has("editedBy") {
            plan.editor = AssignmentPlan.Editor(uid: try number("editedBy", as: UInt32.self), login: try text("editedByLogin"))
        }
        return plan
    }

    mutating func material() throws(EntryError) -> Material {
        has("context") ? .context(try texts("context")) : .document(try document())
    }

    func note() throws(EntryError) -> NoteFacts {
        NoteFacts(
            activity: ActivityID(try number("activity", as: UInt64.self)), text: try text("text"),
            excludes: has("excludes") ? try bool("excludes") : nil, by: try number("by", as: UInt32.self), byLogin: try text("byLogin"))
    }

    mutating func bookmark() throws(EntryError) -> BookmarkFacts {
        var inner = try object("material")
        return BookmarkFacts(
            number: try number("bookmark", as: UInt64.self), by: try number("by", as: UInt32.self), byLogin: try text("byLogin"),
            title: try text("title"), material: try inner.material())
    }

    func importFacts() throws(EntryError) -> ImportFacts {
        ImportFacts(
            source: try text("from"), classes: try number("classCount", as: Int.self), people: try number("count", as: Int.self),
            sha256: try text("sha256"), by: try number("by", as: UInt32.self), byLogin: try text("byLogin"))
    }
}
