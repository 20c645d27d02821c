// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

extension Ledger {
    /// What the bytes mean, and what entries mean to a ledger: whoever changes one of both adds one here.
    package static let snapshotVersion: UInt32 = 7

    /// Gives the whole ledger as bytes, but for what index files hold (`evidenceIndexes`), in pieces that are lent for the call. `init(snapshot:)` makes an equal one of them.
    package func snapshot(_ emit: (UnsafeRawBufferPointer) -> Void) {
        withoutActuallyEscaping(emit) { emit in
            var writer = SnapshotWriter(emit)
            write(to: &writer)
            writer.flush()
        }
    }

    /// `indexes` gives the index files that it relies on, checked against their digests; without one of them this throws `.withoutIndex`.
    /// `consumed` is told as it goes on how many bytes at the beginning are not looked at any more, so that their room can be given back.
    package init(
        snapshot bytes: UnsafeRawBufferPointer,
        indexes: @escaping (AssignmentID, EvidenceIndexID) -> (any EvidenceIndexBytes)? = { _, _ in nil },
        consumed: @escaping (Int) -> Void = { _ in }
    ) throws(SnapshotError) {
        var reader = SnapshotReader(bytes, indexes: indexes, consumed: consumed)
        try self.init(from: &reader)
        guard reader.left == 0 else { throw SnapshotError("there is more than a snapshot") }
    }

    /// People, assignments and switches alone: what decides about recording.
    package var decisions: Ledger {
        var copy = Ledger()
        copy.lastSeq = lastSeq
        copy.boot = boot
        copy.last = last
        copy.settings = settings
        copy.recording = recording
        copy.people = people
        copy.leftAt = leftAt
        copy.knownSince = knownSince
        copy.peopleByLogin = peopleByLogin
        copy.clocks = clocks
        copy.lastInstant = lastInstant
        copy.latest = latest
        for (id, record) in assignments {
            var bare = AssignmentRecord(facts: record.facts, createdAt: record.createdAt, createdSeq: record.createdSeq)
            bare.ended = record.ended
            bare.ruleChanges = record.ruleChanges
            copy.assignments[id] = bare
        }
        copy.assignmentsByFolder = assignmentsByFolder
        copy.classroom.bookmarks = classroom.bookmarks
        copy.classroom.lastBookmark = classroom.lastBookmark
        copy.classroom.closedFolders = classroom.closedFolders
        copy.contextTrees = contextTrees
        for record in assignments.values.sorted(by: { $0.createdSeq < $1.createdSeq }) {
            for student in record.facts.students { copy.assignmentsByStudent[student, default: []].append(record.id) }
        }
        for (id, waiting) in orphans where waiting.ended != nil { copy.orphans[id] = Orphans(ended: waiting.ended) }
        return copy
    }

    private func write(to writer: inout SnapshotWriter) {
        writer.value(lastSeq)
        writer.value(boot)
        writer.value(last)
        writer.value(version)
        writer.value(settings)
        writer.value(recording)
        writer.value(watching)
        writer.value(gaps)
        writer.value(repairs)
        writer.value(people)
        writer.value(leftAt)
        writer.value(clocks)
        writer.value(lastInstant)
        writer.value(latest)
        writer.value(assignments)
        writer.value(assignmentsByFolder)
        writer.value(assignmentsByStudent)
        writer.value(work)
        writer.value(sessionsByPerson)
        writer.value(sessionsByDocument)
        writer.value(sessionsByDay)
        writer.value(open)
        writer.value(highestActivity)
        writer.value(orphans)
        writer.value(viewsByPerson)
        writer.value(viewsOfEverybody)
        writer.value(knownSince)
        writer.value(slept)
        writer.value(peopleByLogin)
        writer.value(classroom)
        writer.value(contextTrees)
    }

    private init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        lastSeq = try reader.value()
        boot = try reader.value()
        last = try reader.value()
        version = try reader.value()
        settings = try reader.value()
        recording = try reader.value()
        watching = try reader.value()
        gaps = try reader.value()
        repairs = try reader.value()
        people = try reader.value()
        leftAt = try reader.value()
        clocks = try reader.value()
        lastInstant = try reader.value()
        latest = try reader.value()
        assignments = try reader.value()
        assignmentsByFolder = try reader.value()
        assignmentsByStudent = try reader.value()
        work = try reader.value()
        sessionsByPerson = try reader.value()
        sessionsByDocument = try reader.value()
        sessionsByDay = try reader.value()
        open = try reader.value()
        highestActivity = try reader.value()
        orphans = try reader.value()
        viewsByPerson = try reader.value()
        viewsOfEverybody = try reader.value()
        knownSince = try reader.value()
        slept = try reader.value()
        peopleByLogin = try reader.value()
        classroom = try reader.value()
        contextTrees = try reader.value()
    }
}
