// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

extension Ledger {
    package func assignment(_ id: AssignmentID) -> AssignmentRecord? { assignments[id] }

    /// All assignments, also ended ones: by due day, those without one last, then by id.
    package var allAssignments: [AssignmentRecord] { Self.sorted(assignments.values) }

    /// The assignments that a student was set, or worked on.
    package func assignments(for student: PersonID) -> [AssignmentRecord] {
        Self.sorted((assignmentsByStudent[student] ?? []).compactMap { assignments[$0] })
    }

    /// The assignments of some classes, e.g. those that a teacher teaches.
    package func assignments(forClasses names: Set<String>) -> [AssignmentRecord] {
        Self.sorted(assignments.values.filter { names.contains($0.facts.className) })
    }

    /// What a person may mean by a name: an id, else a title or folder (whole or its own name) as it is written, else whatever the capitals, else what begins so.
    /// Those that go on come before ended ones of the same name.
    package func assignments(named text: String) -> [AssignmentRecord] {
        if let exact = assignments[AssignmentID(text: text)] { return [exact] }
        let wanted = text.lowercased()
        let tests: [(AssignmentFacts) -> Bool] = [
            { $0.title == text || $0.folder?.text == text || $0.folder.map { $0.name.elementsEqual(text.utf8) } ?? false },
            { $0.title.lowercased() == wanted || $0.id.text.lowercased() == wanted },
            { $0.title.lowercased().hasPrefix(wanted) },
        ]
        for test in tests where !wanted.isEmpty {
            let found = Self.sorted(assignments.values.filter { test($0.facts) })
            if !found.isEmpty { return found.filter { $0.ended == nil } + found.filter { $0.ended != nil } }
        }
        return []
    }

    /// The assignment that goes on at exactly this folder.
    package func assignmentID(share: String, folder: PathBytes) -> AssignmentID? {
        assignmentsByFolder[DocumentRef(share: share, path: folder)]
    }

    /// The assignment that a document belongs to by its place: the one whose folder it is in, else the share's nameless one. Costs one
    /// look-up for each folder above it.
    package func assignmentID(for document: DocumentRef) -> AssignmentID? {
        var folder = document.path
        while !folder.isRoot {
            folder = folder.folder
            if let id = assignmentsByFolder[DocumentRef(share: document.share, path: folder)] { return id }
        }
        return nil
    }

    /// All assignments at or below a folder that go on; for when the folder goes.
    package func assignmentIDs(share: String, atOrBelow folder: PathBytes) -> [AssignmentID] {
        assignmentsByFolder.filter {
            $0.key.share == share && $0.key.path.isAtOrBelow(folder) && assignments[$0.value]?.facts.folder != nil
        }
        .map(\.value).sorted()
    }

    /// Created anew, an ended assignment goes on; changed, it stays ended.
    mutating func apply(_ facts: AssignmentFacts, isNew: Bool, entry: Entry) {
        var facts = facts
        // Said once: facts that are copied for a later entry must not say it again.
        let change = facts.ruleChange
        facts.ruleChange = nil
        let at = facts.asOf ?? entry.at
        let isReplacement = facts.asOf != nil
        facts.asOf = nil
        if let old = assignments[facts.id]?.facts { unindex(old) }
        if assignments[facts.id] == nil {
            assignments[facts.id] = AssignmentRecord(facts: facts, createdAt: at, createdSeq: entry.seq)
            adopt(facts.id)
        } else {
            assignments[facts.id]?.facts = facts
            if isReplacement, let known = assignments[facts.id]?.createdAt, at < known { assignments[facts.id]?.createdAt = at }
            if isNew { assignments[facts.id]?.ended = nil }
        }
        if isNew { noteReopened(facts) }
        if let change { note(AssignmentRecord.Recomputed(change: change, at: at), of: facts.id, isReplacement: isReplacement) }
        if assignments[facts.id]?.ended == nil { assignmentsByFolder[Self.place(facts)] = facts.id }
        for student in facts.students where assignmentsByStudent[student]?.contains(facts.id) != true {
            assignmentsByStudent[student, default: []].append(facts.id)
        }
    }

    mutating func end(_ id: AssignmentID, reason: String, at: WallTime) {
        guard let facts = assignments[id]?.facts else {
            orphans[id, default: Orphans()].ended = AssignmentRecord.Ended(at: at, reason: reason)
            return
        }
        noteClosed(facts, reason: reason)
        guard assignments[id]?.ended == nil else {
            // A completed one may still be deleted.
            if reason == AssignmentRecord.Ended.deleted { assignments[id]?.ended?.reason = reason }
            return
        }
        assignments[id]?.ended = AssignmentRecord.Ended(at: at, reason: reason)
        unindexFolder(facts)
    }

    private mutating func unindex(_ facts: AssignmentFacts) {
        unindexFolder(facts)
        for student in facts.students
        where assignments[facts.id]?.documents[student] == nil && assignments[facts.id]?.reports[student] == nil {
            assignmentsByStudent[student]?.removeAll { $0 == facts.id }
        }
    }

    private mutating func unindexFolder(_ facts: AssignmentFacts) {
        let place = Self.place(facts)
        if assignmentsByFolder[place] == facts.id { assignmentsByFolder[place] = nil }
    }

    /// The nameless assignment stands for the share itself.
    private static func place(_ facts: AssignmentFacts) -> DocumentRef { DocumentRef(share: facts.share, path: facts.folder ?? .root) }

    private static func sorted(_ records: some Sequence<AssignmentRecord>) -> [AssignmentRecord] {
        records.sorted { left, right in
            switch (left.facts.due, right.facts.due) {
            case (let first?, let second?) where first != second: first < second
            case (_?, nil): true
            case (nil, _?): false
            default: left.id < right.id
            }
        }
    }
}
