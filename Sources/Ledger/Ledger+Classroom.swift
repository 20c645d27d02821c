// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference

/// What somebody said of a session, and when.
package struct Note: Equatable, Sendable {
    package var facts: NoteFacts
    package var at: WallTime
    package var seq: UInt64
}

/// The last import of class lists.
package struct Import: Equatable, Sendable {
    package var facts: ImportFacts
    package var at: WallTime
}

/// What teachers and students said, beside what they did.
struct ClassroomRecords: Equatable, Sendable {
    var notes: [ActivityID: [Note]] = [:]
    /// Sessions that figures leave out.
    var excluded: Set<ActivityID> = []
    var bookmarks: [UInt64: BookmarkFacts] = [:]
    var lastBookmark: UInt64 = 0
    var imported: Import?
    /// Folders that stay although their assignment was ended by somebody: they are no new ones.
    var closedFolders: [DocumentRef: AssignmentID] = [:]
}

extension AssignmentRecord.Ended {
    package static let completed = "completed by a teacher"
    package static let deleted = "deleted by a teacher"
    package static let folderGone = "its folder is gone"

    /// Its folder may stay.
    package var isClosed: Bool { reason == Self.completed || reason == Self.deleted }
}

extension AssignmentRecord {
    /// How far an assignment is. The raw values stand in JSON.
    package enum State: String, Sendable, CaseIterable {
        case draft, scheduled, active, completed, deleted
        /// Its folder went.
        case ended
    }

    package var state: State {
        guard let ended else {
            switch facts.plan.stage {
            case .draft: return .draft
            case .scheduled: return .scheduled
            case .active: return .active
            }
        }
        return ended.reason == Ended.completed ? .completed : ended.reason == Ended.deleted ? .deleted : .ended
    }

    /// Whether a student handed it in after it was due for them; nil where they have not handed it in.
    package func isLate(_ person: PersonID) -> Bool? {
        guard let mark = marks[person], mark.facts.state == .handedIn else { return nil }
        // What is due at 23:59 may come until the day is over.
        return facts.due(for: person).map { mark.at >= $0 + .seconds(60) } ?? false
    }
}

extension Ledger {
    package func notes(on session: ActivityID) -> [Note] { classroom.notes[session] ?? [] }

    /// Whether a note takes the session out of figures.
    package func isExcluded(_ session: ActivityID) -> Bool { classroom.excluded.contains(session) }

    /// The sessions of a person in an assignment that count in figures: no mere touches, and none that a note takes out.
    package func countedSessions(of person: PersonID, in assignment: AssignmentID) -> [SessionRecord] {
        sessions(SessionFilter(person: person, assignment: assignment))
            .filter { TimeOnTask.confidence(of: $0.work) > .none && !isExcluded($0.id) }
    }

    package func bookmarks(of uid: UInt32) -> [BookmarkFacts] {
        classroom.bookmarks.values.filter { $0.by == uid }.sorted { $0.number < $1.number }
    }

    package func bookmark(_ number: UInt64) -> BookmarkFacts? { classroom.bookmarks[number] }

    /// The number of the last one there ever was.
    package var lastBookmark: UInt64 { classroom.lastBookmark }

    package var imported: Import? { classroom.imported }

    /// The assignment that somebody ended and whose folder is still there.
    package func closedAssignment(share: String, folder: PathBytes) -> AssignmentID? {
        classroom.closedFolders[DocumentRef(share: share, path: folder)]
    }

    package func closedAssignments(share: String, atOrBelow folder: PathBytes) -> [AssignmentID] {
        classroom.closedFolders.filter { $0.key.share == share && $0.key.path.isAtOrBelow(folder) }.map(\.value).sorted()
    }

    /// How many of a class go on, drafts included.
    package func goingOn(in className: String) -> Int {
        assignments.values.count { $0.ended == nil && $0.facts.className == className }
    }

    mutating func apply(_ facts: NoteFacts, entry: Entry) {
        // Of a session that has aged out, or was forgotten, nothing is left to be said.
        guard work.head(facts.activity) != nil else { return }
        classroom.notes[facts.activity, default: []].append(Note(facts: facts, at: entry.at, seq: entry.seq))
        switch facts.excludes {
        case true?: classroom.excluded.insert(facts.activity)
        case false?: classroom.excluded.remove(facts.activity)
        case nil: break
        }
    }

    mutating func apply(_ facts: BookmarkFacts) {
        classroom.bookmarks[facts.number] = facts
        classroom.lastBookmark = max(classroom.lastBookmark, facts.number)
    }

    mutating func removeBookmark(_ number: UInt64) { classroom.bookmarks[number] = nil }

    mutating func apply(_ facts: ImportFacts, entry: Entry) { classroom.imported = Import(facts: facts, at: entry.at) }

    /// A session goes, and with it what was said of it.
    mutating func removeNotes(on session: ActivityID) {
        classroom.notes[session] = nil
        classroom.excluded.remove(session)
    }

    mutating func noteClosed(_ facts: AssignmentFacts, reason: String) {
        guard let folder = facts.folder else { return }
        let place = DocumentRef(share: facts.share, path: folder)
        if AssignmentRecord.Ended(at: WallTime(microseconds: 0), reason: reason).isClosed {
            classroom.closedFolders[place] = facts.id
        } else if classroom.closedFolders[place] == facts.id {
            classroom.closedFolders[place] = nil
        }
    }

    mutating func noteReopened(_ facts: AssignmentFacts) {
        for (place, id) in classroom.closedFolders where id == facts.id { classroom.closedFolders[place] = nil }
        guard let folder = facts.folder else { return }
        classroom.closedFolders[DocumentRef(share: facts.share, path: folder)] = nil
    }

    mutating func forgetClosed(_ id: AssignmentID) {
        for (place, other) in classroom.closedFolders where other == id { classroom.closedFolders[place] = nil }
    }

    /// A person goes from what was said of assignments, and from bookmarks of documents in their folder.
    mutating func forgetInClassroom(_ theirs: PersonalEntries) {
        for id in assignments.keys {
            guard let facts = assignments[id]?.facts, PersonalEntries.names(theirs.person, in: facts) || theirs.isInMaterials(of: facts)
            else { continue }
            assignments[id]?.facts = theirs.without(facts)
        }
        for (number, bookmark) in classroom.bookmarks where theirs.isTheirs(bookmark.material) { classroom.bookmarks[number] = nil }
    }
}
