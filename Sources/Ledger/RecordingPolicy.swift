// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// Decides what may be journaled: only what is assigned, only students, only while recording is on.
///
/// The daemon asks before it writes anything about a person, so that what is dropped reaches no file, no log and no error text.
package struct RecordingPolicy: Equatable, Sendable {
    package enum Decision: Equatable, Sendable {
        case record(AssignmentID)
        /// Nobody can be named yet. Keep the session's events back, and ask again when somebody is named; drop them if it ends so.
        case wait
        case drop(Reason)
    }

    /// Why nothing is written; counted, never with a name.
    package enum Reason: String, CaseIterable, Sendable {
        /// The place matches no layout, or its folder is no assignment that goes on.
        case notAssigned = "not-assigned"
        case notAStudent = "not-a-student"
        case recordingOff = "recording-off"
        case recordingPaused = "recording-paused"
        case personOff = "person-off"
        case personPaused = "person-paused"
        /// More sessions of one person begin than anybody can work in.
        case tooMany = "too-many"
    }

    package var roster: Roster
    /// What time it is, as far as covers of classes need to know.
    package var now = WallTime(microseconds: 0)
    /// What an assignment may choose of, built-in and configured ones.
    package var analyzers = BuiltInAnalyzers.names

    package init(roster: Roster) { self.roster = roster }

    /// For a session that starts, a metrics entry, or a person who is named at last. A session that was recorded goes on to its end by
    /// asking again whenever recording is switched or the roster changes.
    package func decide(person: PersonID?, document: DocumentRef, placement: Placement?, in ledger: Ledger) -> Decision {
        switch ledger.recording.state {
        case .off: return .drop(.recordingOff)
        case .paused: return .drop(.recordingPaused)
        case .on: break
        }
        guard let placement, let id = assignmentID(document: document, placement: placement, in: ledger),
            ledger.assignment(id)?.facts.plan.stage == .active
        else { return .drop(.notAssigned) }
        guard let person else { return .wait }
        guard isStudent(person, of: id, placement, in: ledger) else { return .drop(.notAStudent) }
        switch ledger.recording.personState(person) {
        case .off: return .drop(.personOff)
        case .paused: return .drop(.personPaused)
        case .on: return .record(id)
        }
    }

    /// The assignment that goes on and to which a document belongs by its place.
    package func assignmentID(document: DocumentRef, placement: Placement, in ledger: Ledger) -> AssignmentID? {
        guard placement.className != nil, placement.assignment != nil, let folder = placement.assignmentFolder else {
            return ledger.assignmentID(share: document.share, folder: .root)
        }
        return ledger.assignmentID(share: document.share, folder: folder)
    }

    /// A folder that stands exactly at `{assignment}` has appeared: the facts to journal as `assignment.created`, or nil where it is none,
    /// since its class is not configured, since its owner neither teaches the class nor is an administrator, or since it is one already.
    ///
    /// A folder that comes back goes on with the rule and excuses and target it had: figures must not move.
    package func assignmentFolder(
        share: String, placement: Placement, owner: UInt32, rule: Rule, clock: LocalClock, in ledger: Ledger
    ) -> AssignmentFacts? {
        guard let className = placement.className, let name = placement.assignment, let folder = placement.assignmentFolder,
            ledger.assignmentID(share: share, folder: folder) == nil, mayAssign(owner, in: className),
            // Somebody ended it, and its folder stayed.
            ledger.closedAssignment(share: share, folder: folder) == nil
        else { return nil }
        let schoolClass = roster.schoolClass(named: className)
        let students = schoolClass?.pupils ?? []
        let named = Self.reading(folderName: name, clock: clock)
        let id = freeID("\(className)/\(name)", share: share, in: ledger)
        var facts = AssignmentFacts(
            id: id, title: named.title, className: schoolClass?.name ?? className, share: share, folder: folder, due: named.due, by: owner,
            rule: rule, students: students)
        if let earlier = ledger.assignment(id) {
            facts.rule = earlier.facts.rule
            facts.excused = earlier.facts.excused
            facts.target = earlier.facts.target
            facts.plan = earlier.facts.plan
            if let chosen = facts.plan.chosen { facts.students = students.filter(chosen.contains) }
            if earlier.facts.folder == folder {
                facts.title = earlier.facts.title
                facts.due = earlier.facts.due
            }
        }
        return facts
    }

    /// The folder of an assignment was renamed and stands at `{assignment}` of the same class still: the facts to journal as
    /// `assignment.changed`. Nil: it moved elsewhere, so the old one ends and the new place is asked with `assignmentFolder`.
    package func renamedAssignment(
        share: String, from old: PathBytes, to placement: Placement, clock: LocalClock, in ledger: Ledger
    ) -> AssignmentFacts? {
        guard let name = placement.assignment, let folder = placement.assignmentFolder, folder.folder == old.folder,
            let id = ledger.assignmentID(share: share, folder: old), var facts = ledger.assignment(id)?.facts
        else { return nil }
        let named = Self.reading(folderName: name, clock: clock)
        // What a teacher said in so many words stays; what only the old name said is read anew.
        let before = Self.reading(folderName: escapedText(old.name), clock: clock)
        if facts.title == before.title { facts.title = named.title }
        if facts.due == before.due { facts.due = named.due }
        facts.folder = folder
        return facts
    }

    /// The nameless assignment of a share with a layout that has no `{class}` or no `{assignment}`; nil where it goes on already.
    package func namelessAssignment(share: String, rule: Rule, in ledger: Ledger) -> AssignmentFacts? {
        guard ledger.assignmentID(share: share, folder: .root) == nil else { return nil }
        let id = AssignmentID(text: share)
        let students = roster.classes.reduce(into: Set<PersonID>()) { $0.formUnion($1.pupils) }
        let name = share.split(separator: "/").last.map(String.init) ?? share
        return AssignmentFacts(
            id: id, title: name, className: "", share: share, folder: nil, due: nil, by: nil,
            rule: ledger.assignment(id)?.facts.rule ?? rule,
            students: students.sorted())
    }

    /// What changed in the students of assignments that go on, since a class gained or lost members: to journal as `assignment.changed`.
    package func changedByRoster(in ledger: Ledger) -> [AssignmentFacts] {
        ledger.allAssignments.filter { $0.ended == nil }.compactMap { record in
            var facts = record.facts
            if facts.folder == nil {
                facts.students = roster.classes.reduce(into: Set()) { $0.formUnion($1.pupils) }.sorted()
            } else if let schoolClass = roster.schoolClass(named: facts.className) {
                facts.students = schoolClass.pupils.filter { facts.plan.chosen?.contains($0) ?? true }
            }
            return facts == record.facts ? nil : facts
        }
    }

    /// Title and due time by a folder's name: `2026-03-14 Hamlet` is `Hamlet`, due that day 23:59.
    package static func reading(folderName name: String, clock: LocalClock) -> (title: String, due: WallTime?) {
        let rest = name.utf8.dropFirst(10)
        let goesOn = rest.first.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false
        guard let date = CivilDate(prefixOf: name), !goesOn else { return (name, nil) }
        let title = String(Substring(rest).drop { $0 == " " || $0 == "-" || $0 == "_" || $0 == "." || $0 == "," || $0 == "–" })
        return (title.isEmpty ? name : title, clock.endOfDay(date))
    }

    func isStudent(_ person: PersonID, of id: AssignmentID, _ placement: Placement, in ledger: Ledger) -> Bool {
        guard roster.role(of: person, in: placement.className) == .student || isTrial else { return false }
        return ledger.assignment(id)?.facts.isFor(person) ?? true
    }

    /// Without configured classes everybody is a student, an administrator on their own folder too.
    private var isTrial: Bool { roster.isTrial }

    private func mayAssign(_ owner: UInt32, in className: String) -> Bool {
        if isTrial { return true }
        // A folder that is no class: nobody could be recorded there, so that its name is no business of the journal's.
        guard let schoolClass = roster.schoolClass(named: className) else { return false }
        return roster.isAdministrator(owner) || schoolClass.teachers.contains { $0.uid == owner }
            || schoolClass.covers.contains { $0.key.uid == owner && now < $0.value }
    }

    /// The plain id, unless an assignment whose folder was renamed since still goes on under it, or another share has it.
    func freeID(_ text: String, share: String, in ledger: Ledger) -> AssignmentID {
        var id = AssignmentID(text: text)
        var number = 2
        while let taken = ledger.assignment(id), taken.ended == nil || taken.facts.share != share {
            id = AssignmentID(text: "\(text)#\(number)")
            number += 1
        }
        return id
    }
}
