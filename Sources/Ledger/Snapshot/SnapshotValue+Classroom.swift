// SPDX-License-Identifier: Apache-2.0
import ActivityModel

// What teachers and students said.

extension AssignmentPlan.Stage: SnapshotValue {}

extension AssignmentPlan.Editor: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(uid)
        writer.value(login)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(uid: try reader.value(), login: try reader.value()) }
}

extension Deadline: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(person)
        writer.value(due)
        writer.value(reason)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(person: try reader.value(), due: try reader.value(), reason: try reader.value())
    }
}

extension Material: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .document(let document):
            writer.value(false)
            writer.value(document)
        case .context(let path):
            writer.value(true)
            writer.value(path)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self = try reader.value(Bool.self) ? .context(try reader.value()) : .document(try reader.value())
    }
}

extension KeyFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(sha256)
        writer.value(form)
        writer.value(questions)
        writer.value(points)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            sha256: try reader.value(), form: try reader.value(), questions: try reader.value(), points: try reader.value())
    }
}

extension AssignmentPlan: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(stage)
        writer.value(opens)
        writer.value(instructions)
        writer.value(chosen)
        writer.value(deadlines)
        writer.value(materials)
        writer.value(key)
        writer.value(analyzers)
        writer.value(edition)
        writer.value(editor)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        stage = try reader.value()
        opens = try reader.value()
        instructions = try reader.value()
        chosen = try reader.value()
        deadlines = try reader.value()
        materials = try reader.value()
        key = try reader.value()
        analyzers = try reader.value()
        edition = try reader.value()
        editor = try reader.value()
    }
}

extension HandedInFile: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(size)
        writer.value(sha256)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(size: try reader.value(), sha256: try reader.value()) }
}

extension NoteFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(activity)
        writer.value(text)
        writer.value(excludes)
        writer.value(by)
        writer.value(byLogin)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            activity: try reader.value(), text: try reader.value(), excludes: try reader.value(), by: try reader.value(),
            byLogin: try reader.value())
    }
}

extension BookmarkFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(number)
        writer.value(by)
        writer.value(byLogin)
        writer.value(title)
        writer.value(material)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            number: try reader.value(), by: try reader.value(), byLogin: try reader.value(), title: try reader.value(),
            material: try reader.value())
    }
}

extension ImportFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(source)
        writer.value(classes)
        writer.value(people)
        writer.value(sha256)
        writer.value(by)
        writer.value(byLogin)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            source: try reader.value(), classes: try reader.value(), people: try reader.value(), sha256: try reader.value(),
            by: try reader.value(), byLogin: try reader.value())
    }
}

extension Note: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(at)
        writer.value(seq)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(facts: try reader.value(), at: try reader.value(), seq: try reader.value())
    }
}

extension Import: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(at)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(facts: try reader.value(), at: try reader.value()) }
}

extension ClassroomRecords: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(notes)
        writer.value(excluded)
        writer.value(bookmarks)
        writer.value(lastBookmark)
        writer.value(imported)
        writer.value(closedFolders)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        notes = try reader.value()
        excluded = try reader.value()
        bookmarks = try reader.value()
        lastBookmark = try reader.value()
        imported = try reader.value()
        closedFolders = try reader.value()
    }
}
