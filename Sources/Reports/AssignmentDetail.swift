// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON
package import Ledger

/// An assignment as its teacher set it, and how it stands for each student.
package struct AssignmentDetail: Equatable, Sendable {
    package struct HandedIn: Equatable, Sendable {
        package var at: WallTime
        /// Relative to its share.
        package var document: String?
        package var file: HandedInFile?
        package var isLate: Bool
    }

    package struct Student: Equatable, Sendable {
        package var person: PersonID
        package var name: String
        package var due: WallTime?
        package var reason: String?
        package var isExcused: Bool
        package var said: DoneFacts.State?
        package var saidAt: WallTime?
        package var text: String?
        package var handedIn: HandedIn?
    }

    package var id: AssignmentID
    package var title: String
    package var className: String
    package var state: AssignmentRecord.State
    package var due: WallTime?
    package var opens: WallTime?
    package var ended: WallTime?
    package var instructions: String?
    package var target: Target?
    package var isChosen: Bool
    package var students: [Student]
    package var studentCount: Int
    package var materials: [Material]
    /// Nil where it is no quiz; its hash is nobody's business.
    package var key: KeyFacts?
    package var analyzers: [String]
    package var edition: Int
    package var editedBy: String?
    /// Absolute.
    package var folder: String?
    /// What of the layout comes below it.
    package var below: String?
    package var teachers: [PersonID]
    package var rule: String
}

extension AssignmentDetail {
    /// `only`: the one student whom the reader may see; nil for all.
    package init(_ record: AssignmentRecord, below: String?, teachers: [PersonID], only: PersonID? = nil, name: (PersonID) -> String) {
        let facts = record.facts
        id = record.id
        title = facts.title
        className = facts.className
        state = record.state
        due = facts.due
        opens = facts.plan.opens
        ended = record.ended?.at
        instructions = facts.plan.instructions
        target = facts.target
        isChosen = facts.plan.chosen != nil
        students = record.students.filter { only == nil || $0 == only }.map { person in
            let deadline = facts.plan.deadlines.last { $0.person == person }
            let mark = record.marks[person].flatMap { $0.facts.state == .withdrawn ? nil : $0 }
            return Student(
                person: person, name: name(person), due: deadline?.due, reason: deadline?.reason,
                isExcused: facts.excused.contains(person), said: mark?.facts.state, saidAt: mark?.at, text: mark?.facts.text,
                handedIn: mark.flatMap { mark in
                    mark.facts.state == .handedIn
                        ? HandedIn(
                            at: mark.at, document: mark.facts.document?.path.text, file: mark.facts.file,
                            isLate: record.isLate(person) ?? false) : nil
                })
        }
        studentCount = record.students.count
        materials = facts.plan.materials
        key = facts.plan.key
        key?.sha256 = ""
        analyzers = facts.plan.analyzers
        edition = facts.plan.edition
        editedBy = facts.plan.editor?.login
        folder = facts.folder.map { "\(facts.share)/\($0.text)" }
        self.below = below
        self.teachers = teachers
        rule = facts.rule.name
    }

    package var json: JSONValue {
        [
            "assignment": .string(id.text), "title": .string(title), "class": .string(className), "state": .string(state.rawValue),
            "due": orNull(due, \.json), "opens": orNull(opens, \.json), "ended": orNull(ended, \.json),
            "instructions": orNull(instructions) { .string($0) },
            "target": orNull(target) { ["identifier": .string($0.identifier), "value": .number($0.value)] }, "chosen": .bool(isChosen),
            "students": .array(students.map(\.json)), "studentCount": .integer(Int64(studentCount)),
            "materials": .array(materials.map(\.json)),
            "key": orNull(key) {
                ["form": .string($0.form), "questions": .integer(Int64($0.questions)), "points": .number($0.points)]
            }, "analyzers": .array(analyzers.map { .string($0) }), "edition": .integer(Int64(edition)),
            "editedBy": orNull(editedBy) { .string($0) },
            "folder": orNull(folder) { .string($0) }, "below": orNull(below) { .string($0) },
            "teachers": .array(teachers.map { ["login": .string($0.login), "uid": .integer(Int64($0.uid))] }), "rule": .string(rule),
        ]
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "assignment")
        id = AssignmentID(text: try members.string("assignment"))
        title = try members.string("title")
        className = try members.string("class")
        state = try members.choice("state", AssignmentRecord.State.self)
        due = try members.optional(members.time, "due")
        opens = try members.optional(members.time, "opens")
        ended = try members.optional(members.time, "ended")
        instructions = try members.optional(members.string, "instructions")
        target = nil
        if let value = members["target"] {
            let inner = try Members(value, of: "target")
            target = Target(identifier: try inner.string("identifier"), value: try inner.double("value"))
        }
        isChosen = try members.bool("chosen")
        students = try members.list("students") { value throws(MalformedReport) in try Student(json: value) }
        studentCount = try members.int("studentCount")
        materials = try members.list("materials") { value throws(MalformedReport) in
            guard let material = Material(json: value) else { throw members.missing("materials") }
            return material
        }
        key = nil
        if let value = members["key"] {
            let inner = try Members(value, of: "key")
            key = KeyFacts(
                sha256: "", form: try inner.string("form"), questions: try inner.int("questions"), points: try inner.double("points"))
        }
        analyzers = try members.list("analyzers") { value throws(MalformedReport) in
            guard let name = value.stringValue else { throw members.missing("analyzers") }
            return name
        }
        edition = try members.int("edition")
        editedBy = try members.optional(members.string, "editedBy")
        folder = try members.optional(members.string, "folder")
        below = try members.optional(members.string, "below")
        teachers = try members.list("teachers") { value throws(MalformedReport) in
            let inner = try Members(value, of: "teacher")
            return PersonID(uid: try inner.uid("uid"), login: try inner.string("login"))
        }
        rule = try members.string("rule")
    }
}

extension AssignmentDetail.Student {
    fileprivate var json: JSONValue {
        [
            "person": .string(person.login), "uid": .integer(Int64(person.uid)), "name": .string(name), "due": orNull(due, \.json),
            "reason": orNull(reason) { .string($0) }, "excused": .bool(isExcused), "said": orNull(said) { .string($0.rawValue) },
            "saidAt": orNull(saidAt, \.json), "text": orNull(text) { .string($0) },
            "handedIn": orNull(handedIn) { handed in
                [
                    "at": handed.at.json, "document": orNull(handed.document) { .string($0) },
                    "size": orNull(handed.file) { .integer($0.size) }, "sha256": orNull(handed.file) { .string($0.sha256) },
                    "late": .bool(handed.isLate),
                ]
            },
        ]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "student")
        person = PersonID(uid: try members.uid("uid"), login: try members.string("person"))
        name = try members.string("name")
        due = try members.optional(members.time, "due")
        reason = try members.optional(members.string, "reason")
        isExcused = try members.bool("excused")
        said = members["said"] == nil ? nil : try members.choice("said", DoneFacts.State.self)
        saidAt = try members.optional(members.time, "saidAt")
        text = try members.optional(members.string, "text")
        handedIn = nil
        if let value = members["handedIn"] {
            let inner = try Members(value, of: "hand-in")
            var file: HandedInFile?
            if inner["sha256"] != nil { file = HandedInFile(size: Int64(try inner.int("size")), sha256: try inner.string("sha256")) }
            handedIn = AssignmentDetail.HandedIn(
                at: try inner.time("at"), document: try inner.optional(inner.string, "document"), file: file, isLate: try inner.bool("late")
            )
        }
    }
}

extension Material {
    package var json: JSONValue {
        switch self {
        case .document(let document): ["document": .string("\(document.share)/\(document.path.text)"), "context": .null]
        case .context(let path): ["document": .null, "context": .array(path.map { .string($0) })]
        }
    }

    /// ClassKit's own limits of a context's path, with the app before it, and of each name in it.
    package static let contextLevels = 9
    package static let contextLength = 256

    /// As a client writes it, with the whole path as the share; nil for anything that is none.
    package init?(json: JSONValue) {
        if let path = json["context"]?.arrayValue {
            let names = path.compactMap(\.stringValue)
            guard (1...Self.contextLevels).contains(names.count), names.count == path.count,
                names.allSatisfy({ (1...Self.contextLength).contains($0.count) })
            else { return nil }
            self = .context(names)
        } else if let text = json["document"]?.stringValue, text.hasPrefix("/"), let path = PathBytes(text: String(text.dropFirst())) {
            self = .document(DocumentRef(share: "", path: path))
        } else {
            return nil
        }
    }

    /// For people.
    package var text: String {
        switch self {
        case .document(let document): (document.share + "/" + document.path.text)
        case .context(let path): path.joined(separator: " > ")
        }
    }
}
