// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference

/// Which sessions to list; nil means any.
package struct SessionFilter: Equatable, Sendable {
    package var person: PersonID?
    package var document: DocumentRef?
    package var assignment: AssignmentID?
    /// Sessions that were still going on at or after this.
    package var since: WallTime?
    /// Sessions that began before this.
    package var until: WallTime?

    package init(
        person: PersonID? = nil, document: DocumentRef? = nil, assignment: AssignmentID? = nil, since: WallTime? = nil,
        until: WallTime? = nil
    ) {
        self.person = person
        self.document = document
        self.assignment = assignment
        self.since = since
        self.until = until
    }
}

extension Ledger {
    /// A number that no activity of this journal has.
    package var nextActivityID: ActivityID { ActivityID(highestActivity &+ 1) }

    package func session(_ id: ActivityID) -> SessionRecord? { sessions[id] }

    /// Sessions of this boot that go on: to be resumed after a restart of the daemon.
    package func openSessions(boot: BootID) -> [SessionRecord] {
        open.sorted().compactMap { sessions[$0] }.filter { $0.boot == boot }
    }

    /// Sessions that an earlier run of the machine left open: they ended with it, and an entry should say so.
    package func openSessions(beforeBoot boot: BootID) -> [SessionRecord] {
        open.sorted().compactMap { sessions[$0] }.filter { $0.boot != boot }
    }

    /// How many sessions go on.
    package var openSessionCount: Int { open.count }

    /// The sessions that match, by their beginning. Costs what the narrowest condition leaves.
    package func sessions(_ filter: SessionFilter) -> [SessionRecord] {
        let ids: [ActivityID]
        if let document = filter.document {
            ids = sessionsByDocument[document] ?? []
        } else if let assignment = filter.assignment {
            let record = assignments[assignment]
            if let person = filter.person {
                ids = record?.sessions[person] ?? []
            } else {
                ids = (record?.sessions.values.flatMap { $0 } ?? []) + (record?.unattributed ?? [])
            }
        } else if let person = filter.person {
            ids = sessionsByPerson[person] ?? []
        } else {
            // What goes on may have begun on any day.
            let ended = sessionsByDay.candidates(since: filter.since, until: filter.until).filter { !open.contains($0) }
            ids = ended + open
        }
        return ids.compactMap { sessions[$0] }.filter { matches($0, filter) }.map { (openedAt($0), $0) }
            .sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    /// When the person opened the document, on the wall clock.
    package func openedAt(_ session: SessionRecord) -> WallTime { wallTime(of: session.work.openedAt, in: session.boot) }

    /// When they closed it; nil while it goes on.
    package func closedAt(_ session: SessionRecord) -> WallTime? {
        session.work.end.map { wallTime(of: $0.closedAt, in: session.boot) }
    }

    /// When something was last seen of them in it.
    package func lastSign(_ session: SessionRecord) -> WallTime {
        wallTime(of: max(session.work.lastSign, session.work.end?.closedAt ?? session.work.lastSign), in: session.boot)
    }

    /// What the wall clock showed at an instant of a boot.
    package func wallTime(of instant: BootTime, in boot: BootID) -> WallTime {
        clocks.wallTime(of: instant, in: boot) ?? WallTime(microseconds: instant.microseconds)
    }

    mutating func apply(_ event: SessionEvent, assignment: AssignmentID?, entry: Entry) {
        switch event {
        case .started(let start):
            begin(start, assignment: assignment, entry: entry)
            return
        case .evidence, .paused, .resumed, .lockSays:
            // In place: a copy kept over this line would make every sign copy all signs before it.
            sessions[event.id]?.work.apply(event)
            return
        case .attributed, .moved, .stopped: break
        }
        guard let before = sessions[event.id] else { return }
        sessions[event.id]?.work.apply(event)
        guard let after = sessions[event.id] else { return }
        if before.person != after.person { regroup(before, after) }
        if before.work.document != after.work.document { move(after, from: before.work.document) }
        if before.isOpen, let end = after.work.end {
            open.remove(after.id)
            sessionsByDay.ended(from: openedAt(after), to: wallTime(of: end.closedAt, in: after.boot))
        }
    }

    private mutating func begin(_ start: SessionStart, assignment: AssignmentID?, entry: Entry) {
        highestActivity = max(highestActivity, start.id.rawValue)
        // A number is never used twice; should a damaged journal do it, the first meaning stays.
        guard sessions[start.id] == nil else { return }
        let record = SessionRecord(work: WorkSession(start), assignment: assignment, boot: entry.boot, seq: entry.seq)
        sessions[start.id] = record
        open.insert(start.id)
        sessionsByDocument[start.document, default: []].append(start.id)
        sessionsByDay.began(start.id, at: openedAt(record))
        index(record)
    }

    private mutating func index(_ record: SessionRecord) {
        if let assignment = record.assignment, assignments[assignment] == nil { orphans[assignment, default: Orphans()].hasWork = true }
        guard let person = record.person else {
            if let assignment = record.assignment { assignments[assignment]?.unattributed.append(record.id) }
            return
        }
        sessionsByPerson[person, default: []].append(record.id)
        guard let assignment = record.assignment else { return }
        assignments[assignment]?.sessions[person, default: []].append(record.id)
        note(record.work.document, of: person, in: assignment)
    }

    mutating func note(_ document: DocumentRef, of person: PersonID, in assignment: AssignmentID) {
        guard assignments[assignment] != nil, assignments[assignment]?.documents[person]?.contains(document) != true else { return }
        assignments[assignment]?.documents[person, default: []].append(document)
        if assignmentsByStudent[person]?.contains(assignment) != true { assignmentsByStudent[person, default: []].append(assignment) }
    }

    private mutating func regroup(_ before: SessionRecord, _ after: SessionRecord) {
        if let person = before.person {
            sessionsByPerson[person]?.removeAll { $0 == before.id }
            if let assignment = before.assignment {
                assignments[assignment]?.sessions[person]?.removeAll { $0 == before.id }
                if assignments[assignment]?.sessions[person]?.isEmpty == true { assignments[assignment]?.sessions[person] = nil }
                forget(before.work.document, of: person, in: assignment)
            }
        } else if let assignment = before.assignment {
            assignments[assignment]?.unattributed.removeAll { $0 == before.id }
        }
        index(after)
    }

    /// A document stays a person's while a session or a save of theirs speaks of it.
    private mutating func forget(_ document: DocumentRef, of person: PersonID, in assignment: AssignmentID) {
        let worked = assignments[assignment]?.sessions[person]?.contains { sessions[$0]?.work.document == document } ?? false
        let saved = saves[document]?.contains { $0.facts.attribution.person == person } ?? false
        guard !worked, !saved else { return }
        assignments[assignment]?.documents[person]?.removeAll { $0 == document }
        if assignments[assignment]?.documents[person]?.isEmpty == true { assignments[assignment]?.documents[person] = nil }
    }

    /// The document goes on under another name: its saves and other sessions go with it.
    private mutating func move(_ record: SessionRecord, from old: DocumentRef) {
        let new = record.work.document
        sessionsByDocument[old]?.removeAll { $0 == record.id }
        if sessionsByDocument[old]?.isEmpty == true { sessionsByDocument[old] = nil }
        sessionsByDocument[new, default: []].append(record.id)
        if let earlier = saves.removeValue(forKey: old) {
            saves[new] = (earlier + (saves[new] ?? [])).sorted { $0.seq < $1.seq }
        }
        guard let assignment = record.assignment, let keys = assignments[assignment]?.documents.keys else { return }
        for person in Array(keys) {
            guard let index = assignments[assignment]?.documents[person]?.firstIndex(of: old) else { continue }
            if assignments[assignment]?.documents[person]?.contains(new) == true {
                assignments[assignment]?.documents[person]?.remove(at: index)
            } else {
                assignments[assignment]?.documents[person]?[index] = new
            }
        }
    }

    private func matches(_ session: SessionRecord, _ filter: SessionFilter) -> Bool {
        if let person = filter.person, session.person != person { return false }
        if let assignment = filter.assignment, session.assignment != assignment { return false }
        if let until = filter.until, openedAt(session) >= until { return false }
        if let since = filter.since, let closed = closedAt(session), closed < since { return false }
        return true
    }
}
