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

    package func session(_ id: ActivityID) -> SessionRecord? { work.session(id) }

    /// Sessions of this boot that go on: to be resumed after a restart of the daemon.
    package func openSessions(boot: BootID) -> [SessionRecord] {
        open.sorted().compactMap { work.session($0) }.filter { $0.boot == boot }
    }

    /// Sessions that an earlier run of the machine left open: they ended with it, and an entry should say so.
    package func openSessions(beforeBoot boot: BootID) -> [SessionRecord] {
        open.sorted().compactMap { work.session($0) }.filter { $0.boot != boot }
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
        return ids.compactMap { work.head($0) }.filter { matches($0, filter) }
            .map { (wallTime(of: $0.openedAt, in: $0.boot), $0.id) }.sorted { $0 < $1 }.compactMap { work.session($0.1) }
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

    func lastSign(_ session: SessionHead) -> WallTime {
        wallTime(of: max(session.lastSign, session.end?.closedAt ?? session.lastSign), in: session.boot)
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
        case .evidence, .paused, .resumed, .lockSays, .delivered:
            work.apply(event)
            return
        case .attributed, .moved, .stopped: break
        }
        guard let before = work.head(event.id) else { return }
        work.apply(event)
        guard let after = work.head(event.id) else { return }
        if before.person != after.person { regroup(before, after) }
        if before.document != after.document { move(after, from: before.document) }
        if before.isOpen, let end = after.end {
            open.remove(after.id)
            sessionsByDay.ended(
                from: wallTime(of: after.openedAt, in: after.boot), to: wallTime(of: end.closedAt, in: after.boot))
        }
    }

    private mutating func begin(_ start: SessionStart, assignment: AssignmentID?, entry: Entry) {
        highestActivity = max(highestActivity, start.id.rawValue)
        // A number is never used twice; should a damaged journal do it, the first meaning stays.
        guard !work.contains(start.id),
            let head = work.begin(start, assignment: assignment, boot: entry.boot, seq: entry.seq)
        else { return }
        open.insert(start.id)
        sessionsByDocument[head.document, default: []].append(start.id)
        sessionsByDay.began(start.id, at: wallTime(of: head.openedAt, in: head.boot))
        index(head)
    }

    private mutating func index(_ record: SessionHead) {
        if let assignment = record.assignment, assignments[assignment] == nil { orphans[assignment, default: Orphans()].hasWork = true }
        guard let person = record.person else {
            if let assignment = record.assignment { assignments[assignment]?.unattributed.append(record.id) }
            return
        }
        sessionsByPerson[person, default: []].append(record.id)
        guard let assignment = record.assignment else { return }
        assignments[assignment]?.sessions[person, default: []].append(record.id)
        note(record.document, of: person, in: assignment)
    }

    mutating func note(_ document: DocumentRef, of person: PersonID, in assignment: AssignmentID) {
        guard assignments[assignment] != nil, assignments[assignment]?.documents[person]?.contains(document) != true else { return }
        assignments[assignment]?.documents[person, default: []].append(document)
        if assignmentsByStudent[person]?.contains(assignment) != true { assignmentsByStudent[person, default: []].append(assignment) }
    }

    private mutating func regroup(_ before: SessionHead, _ after: SessionHead) {
        if let person = before.person {
            sessionsByPerson[person]?.removeAll { $0 == before.id }
            if let assignment = before.assignment {
                assignments[assignment]?.sessions[person]?.removeAll { $0 == before.id }
                if assignments[assignment]?.sessions[person]?.isEmpty == true { assignments[assignment]?.sessions[person] = nil }
                forget(before.document, of: person, in: assignment)
            }
        } else if let assignment = before.assignment {
            assignments[assignment]?.unattributed.removeAll { $0 == before.id }
        }
        index(after)
    }

    /// A document stays a person's while a session or a save of theirs speaks of it.
    private mutating func forget(_ document: DocumentRef, of person: PersonID, in assignment: AssignmentID) {
        let worked = assignments[assignment]?.sessions[person]?.contains { work.head($0)?.document == document } ?? false
        let saved = work.saveHeads(of: document).contains { $0.attribution.person == person }
        guard !worked, !saved else { return }
        assignments[assignment]?.documents[person]?.removeAll { $0 == document }
        if assignments[assignment]?.documents[person]?.isEmpty == true { assignments[assignment]?.documents[person] = nil }
    }

    /// The document goes on under another name: its saves and other sessions go with it.
    private mutating func move(_ record: SessionHead, from old: DocumentRef) {
        let new = record.document
        sessionsByDocument[old]?.removeAll { $0 == record.id }
        if sessionsByDocument[old]?.isEmpty == true { sessionsByDocument[old] = nil }
        sessionsByDocument[new, default: []].append(record.id)
        work.moveSaves(from: old, to: new)
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

    private func matches(_ session: SessionHead, _ filter: SessionFilter) -> Bool {
        if let person = filter.person, session.person != person { return false }
        if let assignment = filter.assignment, session.assignment != assignment { return false }
        if let until = filter.until, wallTime(of: session.openedAt, in: session.boot) >= until { return false }
        if let since = filter.since, let end = session.end, wallTime(of: end.closedAt, in: session.boot) < since { return false }
        return true
    }
}
