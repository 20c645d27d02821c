// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference
package import Ledger

/// Turns what inference says into what is journaled: only of students, only of what is assigned, only while recording is on.
///
/// Pure: instants come in, entries go out. Inference goes on whatever is recorded, since what others do rules things out; here it is
/// dropped, in memory, before it can reach a file. Sessions get their numbers in the journal here, so that one that is recorded only
/// from now on (recording was switched on, the folder became an assignment) is a session of its own.
package struct Recorder: Sendable {
    /// How many events of a session are held back until somebody can be named.
    package static let heldEventsLimit = 64
    /// How many sessions are followed. Beyond it the newest is not recorded, and counted.
    package static let followedLimit = 50_000
    /// How many folders are remembered that are no assignment yet.
    package static let candidateLimit = 10_000

    private enum Standing {
        case recorded(as: ActivityID, AssignmentID)
        /// Nobody is named yet.
        case waiting([SessionEvent])
        /// Of single signs, all of them from before anything of it may count: recorded if another one comes.
        case silent
        case dropped(RecordingPolicy.Reason)
    }

    private struct Candidate {
        var share: Int
        var placement: Placement
        var owner: UInt32
    }

    private struct Followed {
        var start: SessionStart
        var placement: Placement?
        var standing: Standing
        /// Nothing before this instant may be written: recording was off, or the place was no assignment. Nil: nothing has to be left out.
        var countsFrom: BootTime?
    }

    /// People, assignments and switches as far as they have been decided, also where the disk has not confirmed them yet.
    package private(set) var ahead = Ledger()
    package private(set) var policy: RecordingPolicy
    private(set) var shares: [ShareLayout]
    private(set) var rule: Rule
    let clock: LocalClock
    private var names: [PersonID: String] = [:]
    private var followed: [ActivityID: Followed] = [:]
    private var nextID: UInt64 = 1
    private var allowances: [PersonID: SessionAllowance] = [:]
    /// When assignments became active that had been prepared before: what lay there then was the preparation.
    var begun: [AssignmentID: BootTime] = [:]
    /// Assignments that the journal knew and that no crawl has seen yet since the start.
    private var unseen: Set<AssignmentID> = []
    /// Folders at `{assignment}` whose owner may not assign, as far as is known: asked again when the class lists change.
    private var candidates: [DocumentRef: Candidate] = [:]
    /// How many sessions were not written, by reason; for `status`, never with a name.
    package private(set) var dropped: [RecordingPolicy.Reason: Int] = [:]

    package init(shares: [ShareLayout], rule: Rule, roster: Roster, clock: LocalClock) {
        self.shares = shares
        self.rule = rule
        self.clock = clock
        policy = RecordingPolicy(roster: roster)
    }

    // MARK: The journal so far

    /// Takes over at the start what all entries add up to.
    package mutating func restore(_ ledger: Ledger) {
        ahead = ledger.decisions
        nextID = max(nextID, ledger.nextActivityID.rawValue)
    }

    /// After `restore`: sessions that go on, as the ledger has them.
    package mutating func resume(_ sessions: [SessionRecord]) {
        for session in sessions {
            guard let assignment = session.assignment else { continue }
            let work = session.work
            let start = SessionStart(
                id: work.id, document: work.document, attribution: work.attribution, presence: work.presence, openedAt: work.openedAt,
                notBefore: work.notBefore)
            followed[work.id] = Followed(
                start: start, placement: placement(of: work.document), standing: .recorded(as: work.id, assignment))
        }
        unseen = Set(ahead.allAssignments.filter { $0.ended == nil && $0.needsFolder && $0.facts.plan.stage == .active }.map(\.id))
    }

    /// A number that inference may begin with: above every session that it resumes.
    package var firstInferenceID: ActivityID { ActivityID(nextID) }

    // MARK: What inference says

    package mutating func take(_ event: SessionEvent, at now: BootTime) -> [EntryBody] {
        if case .started(let start) = event {
            guard followed.count < Self.followedLimit else {
                dropped[.notAssigned, default: 0] += 1
                return []
            }
            followed[start.id] = Followed(start: start, placement: placement(of: start.document), standing: .waiting([]))
            return decide(start.id, at: now)
        }
        guard var session = followed[event.id] else { return [] }
        if case .stopped = event { defer { followed[event.id] = nil }; return pass(event, session) }
        switch event {
        case .attributed(_, let attribution):
            session.start.attribution = attribution
            followed[event.id] = session
            return reattribute(event.id, event, at: now)
        case .moved(_, let document):
            session.start.document = document
            session.placement = placement(of: document)
            followed[event.id] = session
            return move(event.id, event, at: now)
        default: break
        }
        if case .waiting(var held) = session.standing {
            if held.count < Self.heldEventsLimit { held.append(event) }
            session.standing = .waiting(held)
            followed[event.id] = session
            return []
        }
        if case .silent = session.standing {
            guard let event = permitted(event, session), case .evidence(_, let sign) = event else { return [] }
            let entries = decide(event.id, at: now, sign: sign.first)
            return entries + (followed[event.id].map { pass(event, $0) } ?? [])
        }
        return pass(event, session)
    }

    /// A folder stands at `{assignment}`, came, went or was renamed.
    package mutating func take(
        folder path: PathBytes, share: Int, placement: Placement, owner: UInt32?, event: AssignmentFolderEvent, at now: BootTime
    ) -> [EntryBody] {
        guard shares.indices.contains(share) else { return [] }
        let name = shares[share].path
        switch event {
        case .appeared:
            if let id = ahead.assignmentID(share: name, folder: path) {
                unseen.remove(id)
                return []
            }
            guard let owner else { return [] }
            let place = DocumentRef(share: name, path: path)
            guard
                let facts = policy.assignmentFolder(
                    share: name, placement: placement, owner: owner, rule: rule, clock: clock, in: ahead)
            else {
                if candidates.count < Self.candidateLimit || candidates[place] != nil {
                    candidates[place] = Candidate(share: share, placement: placement, owner: owner)
                }
                return []
            }
            candidates[place] = nil
            return introduce(studentsOf: facts, at: now) + noted([.assignmentCreated(facts)], at: now) + decideAll(at: now)
        case .vanished:
            candidates[DocumentRef(share: name, path: path)] = nil
            return end(
                ahead.assignmentIDs(share: name, atOrBelow: path) + ahead.closedAssignments(share: name, atOrBelow: path),
                reason: AssignmentRecord.Ended.folderGone, at: now)
        case .renamed(let old):
            candidates[DocumentRef(share: name, path: old)] = nil
            if let facts = policy.renamedAssignment(share: name, from: old, to: placement, clock: clock, in: ahead) {
                return noted([.assignmentChanged(facts)], at: now)
            }
            return end(ahead.assignmentIDs(share: name, atOrBelow: old), reason: "its folder was moved away", at: now)
                + take(folder: path, share: share, placement: placement, owner: owner, event: .appeared, at: now)
        }
    }

    /// Every folder of a share has been seen: what the journal still has and the share has not, is over.
    package mutating func crawlFinished(share: Int, at now: BootTime) -> [EntryBody] {
        guard shares.indices.contains(share) else { return [] }
        let gone = unseen.filter { ahead.assignment($0)?.facts.share == shares[share].path }
        unseen.subtract(gone)
        return end(gone.sorted(), reason: "its folder was gone when watching began", at: now)
    }

    /// To whom and what a save counts; nil where it is not recorded. `since`: when it was written at the earliest. What may have been there
    /// when a prepared assignment began is the preparation.
    package func assignment(
        for document: DocumentRef, placement: Placement, attribution: Attribution, since: BootTime
    ) -> AssignmentID? {
        switch policy.decide(person: attribution.person, document: document, placement: placement, in: ahead) {
        case .record(let id): begun[id].map { since < $0 } ?? false ? nil : id
        case .wait, .drop: nil
        }
    }

    // MARK: What people decide

    package mutating func switchRecording(_ change: RecordingChange, at now: BootTime) -> [EntryBody] {
        let current = change.person.map { ahead.recording.personState($0) } ?? ahead.recording.state
        guard current != change.state else {
            // A pause that would have ended by itself is somebody's from now on.
            let takesOver = change.person == nil && change.state == .paused && !change.isScheduled
            return takesOver && ahead.recording.everybody?.isScheduled == true ? noted([.recording(change)], at: now) : []
        }
        var entries: [EntryBody] = []
        if change.state != .on {
            entries += stopRecorded(at: now) { change.person == nil || $0.start.attribution.person == change.person }
        }
        entries += noted([.recording(change)], at: now)
        return entries + decideAll(at: now, afterSwitch: true)
    }

    /// The past of a person goes: their sessions end, and nothing is known of them any more. What they do from now on is new.
    package mutating func forget(_ person: PersonID, at now: BootTime) -> [EntryBody] {
        let theirs = PersonalEntries(of: person)
        let entries = stopRecorded(at: now) { theirs.isTheirs($0.start.document, $0.start.attribution) }
        for (id, session) in followed where theirs.isTheirs(session.start.document, session.start.attribution) {
            followed[id]?.countsFrom = now
            if case .waiting = session.standing { followed[id]?.standing = .waiting([]) }
        }
        ahead.forget(person)
        names[person] = nil
        allowances[person] = nil
        return entries
    }

    /// Assignments as the class lists have them now: who was forgotten and is in class begins anew.
    package mutating func addMissingStudents(at now: BootTime) -> [EntryBody] {
        policy.changedByRoster(in: ahead).flatMap { facts in
            introduce(studentsOf: facts, at: now) + noted([.assignmentChanged(facts)], at: now)
        }
    }

    /// Says of students who are in no class any more that they are not, so that the journal knows since when. Only where the class lists are
    /// known for sure.
    package mutating func noteLeavers(at now: BootTime) -> [EntryBody] {
        guard !policy.roster.classes.isEmpty else { return [] }
        let present = policy.roster.classes.reduce(into: Set<PersonID>()) { $0.formUnion($1.students.union($1.teachers)) }
        return ahead.people.values.filter { $0.role == .student && !$0.classes.isEmpty && !present.contains($0.person) }
            .sorted { $0.person < $1.person }
            .flatMap { facts in
                var facts = facts
                facts.classes = []
                return noted([.person(facts)], at: now)
            }
    }

    /// Nothing is kept any more of an assignment.
    package mutating func workWent(of id: AssignmentID) { ahead.workWent(of: id) }

    /// Classes and accounts as they are known now.
    package mutating func use(roster: Roster, names: [PersonID: String], at now: BootTime) -> [EntryBody] {
        self.names.merge(names) { _, new in new }
        guard roster != policy.roster else { return [] }
        policy.roster = roster
        var entries = addMissingStudents(at: now)
        for (place, candidate) in candidates.sorted(by: { $0.key < $1.key }) {
            entries += take(
                folder: place.path, share: candidate.share, placement: candidate.placement, owner: candidate.owner, event: .appeared,
                at: now)
        }
        return entries + decideAll(at: now)
    }

    /// The external analyzers of the configuration, which assignments may choose besides the built-in ones.
    package mutating func use(externalAnalyzers names: [String]) { policy.analyzers = BuiltInAnalyzers.names + names }

    /// What time it is, as far as covers of classes need to know.
    package mutating func use(time: WallTime) { policy.now = time }

    /// The class lists before the name service has answered: students as the journal last knew them, nobody as a teacher.
    package mutating func useLastKnownStudents() {
        for index in policy.roster.classes.indices {
            let name = policy.roster.classes[index].name
            let records = ahead.assignments(forClasses: [name])
            policy.roster.classes[index].students = records.reduce(into: Set()) { $0.formUnion($1.facts.students) }
        }
    }

    package mutating func use(shares: [ShareLayout], rule: Rule) {
        self.shares = shares
        self.rule = rule
    }

    /// The nameless assignments of shares whose layout names none.
    package mutating func namelessAssignments(at now: BootTime) -> [EntryBody] {
        var entries: [EntryBody] = []
        for share in shares where share.layouts.layouts.contains(where: { !$0.hasClass || !$0.hasAssignment }) {
            guard let facts = policy.namelessAssignment(share: share.path, rule: rule, in: ahead) else { continue }
            entries += introduce(studentsOf: facts, at: now) + noted([.assignmentCreated(facts)], at: now)
        }
        return entries
    }

    /// Documents of sessions that go on and are recorded, with their shares' numbers.
    package var openDocuments: [(share: Int, path: PathBytes)] {
        followed.values.compactMap { session in
            guard case .recorded = session.standing, let index = shares.firstIndex(where: { $0.path == session.start.document.share })
            else { return nil }
            return (index, session.start.document.path)
        }
    }

    /// Where a session that goes on is; by inference's number of it.
    package func document(of id: ActivityID) -> DocumentRef? { followed[id]?.start.document }

    /// Whether it is written down; by inference's number of it.
    func isRecorded(_ id: ActivityID) -> Bool {
        if case .recorded = followed[id]?.standing { true } else { false }
    }

    package var recordedSessions: Int {
        followed.values.count { if case .recorded = $0.standing { true } else { false } }
    }

    // MARK: Deciding

    /// Decides on one session anew. `sign`: of single signs there is one at this instant that may count.
    private mutating func decide(_ id: ActivityID, at now: BootTime, sign: BootTime? = nil) -> [EntryBody] {
        guard var session = followed[id] else { return [] }
        switch policy.decide(
            person: session.start.attribution.person, document: session.start.document, placement: session.placement, in: ahead)
        {
        case .record(let assignment):
            if session.countsFrom == nil, let from = begun[assignment], min(session.start.openedAt, session.start.notBefore) < from {
                session.countsFrom = from
            }
            if session.countsFrom != nil, session.start.presence == .points, sign == nil {
                // Nothing of it can be seen now: what it was, was then.
                session.standing = .silent
                followed[id] = session
                return []
            }
            if let person = session.start.attribution.person, !allowances[person, default: SessionAllowance(at: now)].take(at: now) {
                if case .dropped(.tooMany) = session.standing {} else { dropped[.tooMany, default: 0] += 1 }
                session.standing = .dropped(.tooMany)
                followed[id] = session
                return []
            }
            let number = ActivityID(nextID)
            nextID &+= 1
            var start = session.start
            var held: [SessionEvent] = []
            if case .waiting(let events) = session.standing { held = events }
            if let from = session.countsFrom {
                start.openedAt = max(start.openedAt, sign ?? from)
                start.notBefore = max(start.notBefore, from)
            }
            session.standing = .recorded(as: number, assignment)
            followed[id] = session
            let events = [.started(start)] + held.compactMap { permitted($0, session) }
            return introduce(start.attribution.person, at: now)
                + events.map { .session($0.renumbered(number), assignment: assignment) }
        case .wait:
            if case .waiting = session.standing { return [] }
            session.standing = .waiting([])
            followed[id] = session
        case .drop(let reason):
            if case .dropped = session.standing {} else { dropped[reason, default: 0] += 1 }
            session.standing = .dropped(reason)
            followed[id] = session
        }
        return []
    }

    /// What of an event may be written: nothing from before its session counts.
    private func permitted(_ event: SessionEvent, _ session: Followed) -> SessionEvent? {
        guard let from = session.countsFrom else { return event }
        if case .lockSays(_, _, let at) = event { return at >= from ? event : nil }
        if case .delivered(_, _, let at) = event { return at >= from ? event : nil }
        guard case .evidence(let id, var sign) = event else { return event }
        guard sign.last >= from else { return nil }
        // What a scan found may have been there before.
        if sign.isInferred, sign.first < from { return nil }
        sign.first = max(sign.first, from)
        return .evidence(id, sign)
    }

    /// After a switch or a new roster: sessions that were not recorded may be from now on, and others no longer.
    mutating func decideAll(at now: BootTime, afterSwitch: Bool = false) -> [EntryBody] {
        var entries: [EntryBody] = []
        for id in followed.keys.sorted() {
            guard let session = followed[id] else { continue }
            if case .recorded(_, let assignment) = session.standing {
                let verdict = policy.decide(
                    person: session.start.attribution.person, document: session.start.document, placement: session.placement, in: ahead)
                if verdict != .record(assignment) { entries += withdraw(id, at: now) }
            } else if case .waiting = session.standing, !afterSwitch {
                // Only a name was missing: what was held back counts.
                entries += decide(id, at: now)
            } else {
                entries += decide(id, from: now)
            }
        }
        return entries
    }

    /// Decides on a session that was not recorded until now.
    private mutating func decide(_ id: ActivityID, from now: BootTime) -> [EntryBody] {
        followed[id]?.countsFrom = now
        if case .waiting = followed[id]?.standing { followed[id]?.standing = .waiting([]) }
        return decide(id, at: now)
    }

    private mutating func reattribute(_ id: ActivityID, _ event: SessionEvent, at now: BootTime) -> [EntryBody] {
        guard let session = followed[id] else { return [] }
        guard case .recorded(let number, let assignment) = session.standing else { return decide(id, at: now) }
        let verdict = policy.decide(
            person: session.start.attribution.person, document: session.start.document, placement: session.placement, in: ahead)
        if verdict == .record(assignment) {
            return introduce(session.start.attribution.person, at: now)
                + [.session(event.renumbered(number), assignment: nil)]
        }
        // It was not the student after all: the journal says that it is nobody's, and nothing of who it is.
        followed[id]?.standing = .dropped(.notAStudent)
        dropped[.notAStudent, default: 0] += 1
        return [
            .session(.attributed(number, .unknown), assignment: nil),
            .session(.stopped(number, SessionEnd(ending: .censored, closedAt: now, notAfter: now, confidence: .none)), assignment: nil),
        ]
    }

    private mutating func move(_ id: ActivityID, _ event: SessionEvent, at now: BootTime) -> [EntryBody] {
        guard let session = followed[id] else { return [] }
        guard case .recorded(let number, let assignment) = session.standing else { return decide(id, from: now) }
        let verdict = policy.decide(
            person: session.start.attribution.person, document: session.start.document, placement: session.placement, in: ahead)
        if verdict == .record(assignment) { return [.session(event.renumbered(number), assignment: nil)] }
        return withdraw(id, at: now) + decide(id, from: now)
    }

    /// Ends a recorded session in the journal while it goes on for inference.
    private mutating func withdraw(_ id: ActivityID, at now: BootTime) -> [EntryBody] {
        guard let session = followed[id], case .recorded(let number, _) = session.standing else { return [] }
        followed[id]?.standing = .dropped(.recordingOff)
        let end = SessionEnd(ending: .censored, closedAt: max(now, session.start.openedAt), notAfter: now, confidence: .thin)
        return [.session(.stopped(number, end), assignment: nil)]
    }

    private mutating func stopRecorded(at now: BootTime, where matches: (Followed) -> Bool) -> [EntryBody] {
        var entries: [EntryBody] = []
        for id in followed.keys.sorted() {
            if let session = followed[id], matches(session) { entries += withdraw(id, at: now) }
        }
        return entries
    }

    mutating func end(_ ids: [AssignmentID], reason: String, at now: BootTime) -> [EntryBody] {
        guard !ids.isEmpty else { return [] }
        let stopped = stopRecorded(at: now) { session in
            if case .recorded(_, let assignment) = session.standing { ids.contains(assignment) } else { false }
        }
        return stopped + noted(ids.map { .assignmentEnded($0, reason: reason) }, at: now)
    }

    private func pass(_ event: SessionEvent, _ session: Followed) -> [EntryBody] {
        guard case .recorded(let number, _) = session.standing, let event = permitted(event, session) else { return [] }
        return [.session(event.renumbered(number), assignment: nil)]
    }

    /// The entry that says who a login is, once, and again when the name or the classes changed.
    mutating func introduce(_ person: PersonID?, at now: BootTime) -> [EntryBody] {
        guard let person else { return [] }
        let classes = policy.roster.classes(of: person)
        let facts = PersonFacts(person: person, displayName: names[person] ?? person.login, role: .student, classes: classes)
        guard ahead.person(person) != facts else { return [] }
        return noted([.person(facts)], at: now)
    }

    /// Everybody for whom a row is made, so that a table has their names before they begin.
    mutating func introduce(studentsOf facts: AssignmentFacts, at now: BootTime) -> [EntryBody] {
        facts.students.flatMap { introduce($0, at: now) }
    }

    mutating func noted(_ bodies: [EntryBody], at now: BootTime) -> [EntryBody] {
        // Only the decision matters here; the ledger proper gets the entry with its own number and clocks from the disk.
        for body in bodies {
            note(Entry(seq: 0, at: WallTime(microseconds: 0), boot: BootID(text: ""), mono: now, body: body))
        }
        return bodies
    }

    private mutating func note(_ entry: Entry) {
        switch entry.body {
        case .recording, .assignmentCreated, .assignmentChanged, .assignmentEnded, .person, .settings, .bookmarkCreated,
            .bookmarkRemoved, .contextSaved, .contextRemoved:
            ahead.apply(entry)
        default: break
        }
    }

    func placement(of document: DocumentRef) -> Placement? {
        shares.first { $0.path == document.share }?.layouts.placement(ofDocument: document.path)
    }
}
