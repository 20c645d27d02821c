// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// What is left of a person's work in an assignment, and the entry that says so.
package struct Totals: Equatable, Sendable {
    package var seq: UInt64
    package var facts: TotalsFacts

    package var figures: TimeFigures {
        TimeFigures(
            open: facts.open, active: facts.active, atLeast: facts.atLeast, atMost: facts.atMost, confidence: facts.confidence,
            saves: facts.saves, isBroughtIn: facts.isBroughtIn, leftOpen: facts.leftOpen)
    }
}

extension Ledger {
    /// What took the place of a student's evidence that has aged out, oldest first; empty while all of it is there.
    package func totals(of person: PersonID, in assignment: AssignmentID) -> [Totals] { assignments[assignment]?.totals[person] ?? [] }

    /// Evidence of an assignment, in memory or left on the disk by an erasure that was not finished.
    package func hasEvidence(_ assignment: AssignmentID) -> Bool {
        guard let record = assignments[assignment] else { return false }
        return !record.sessions.isEmpty || !record.unattributed.isEmpty || record.hasRemains
    }

    /// Anything of what somebody did in it, aged or not.
    package func hasWork(_ assignment: AssignmentID) -> Bool {
        guard let record = assignments[assignment] else { return false }
        return hasEvidence(assignment) || !record.totals.isEmpty || !record.marks.isEmpty || !record.documents.isEmpty
            || !record.reports.isEmpty
    }

    /// When the work on an assignment was over: its end, or, where its folder stays, its due day and the last sign of anybody after it. Nil
    /// while somebody is at it.
    package func endOfWork(on record: AssignmentRecord) -> WallTime? {
        let sessions = (record.sessions.values.flatMap { $0 } + record.unattributed).compactMap { work.head($0) }
        guard sessions.allSatisfy({ !$0.isOpen }) else { return nil }
        if let ended = record.ended { return max(ended.at, sessions.map { lastSign($0) }.max() ?? ended.at) }
        let aged = record.totals.values.joined().compactMap(\.facts.last) + record.reports.values.joined().map(\.at)
        return (sessions.map { lastSign($0) } + aged + [record.facts.due ?? record.createdAt, record.createdAt]).max()
    }

    /// The first look that is still known; nil where there is none.
    package var firstView: WallTime? { allViews.map(\.at).min() }

    /// What is to be journaled before the evidence of an assignment goes: of each person over all, by day, by document, and by both.
    package func totals(of id: AssignmentID, now: Moment, clock: LocalClock) -> [TotalsFacts] {
        guard let record = assignments[id] else { return [] }
        var people = Set(record.sessions.keys)
        for (person, documents) in record.documents where !documents.isEmpty {
            if saves(in: id, by: person).contains(where: { $0.seq > record.totals[person]?.last?.seq ?? 0 }) { people.insert(person) }
        }
        return people.sorted().flatMap { totals(of: $0, in: record, now: now, clock: clock) }
    }

    private func totals(of person: PersonID, in record: AssignmentRecord, now: Moment, clock: LocalClock) -> [TotalsFacts] {
        let rule = record.facts.rule
        let since = record.totals[person]?.last?.seq ?? 0
        let all = (record.sessions[person] ?? []).compactMap { work.session($0) }
            .filter { TimeOnTask.confidence(of: $0.work) > .none && !isExcluded($0.id) }
        let measured = saves(in: record.id, by: person).filter { $0.seq > since }
        func facts(
            _ figures: TimeFigures, _ part: [SessionRecord], _ saves: [SavePoint], document: DocumentRef? = nil, day: String? = nil
        ) -> TotalsFacts {
            TotalsFacts(
                assignment: record.id, person: person, document: document, day: day, open: figures.open, active: figures.active,
                atLeast: figures.atLeast, atMost: figures.atMost, leftOpen: figures.leftOpen, saves: figures.saves,
                confidence: figures.confidence, isBroughtIn: figures.isBroughtIn, sessions: part.count, measured: saves.count,
                last: (part.map { lastSign($0) } + saves.map(\.at)).max(), rule: rule)
        }
        func both(_ part: [SessionRecord], _ saves: [SavePoint], document: DocumentRef?) -> [TotalsFacts] {
            // Days first: with the entry over all of it, the evidence goes.
            figuresByDay(for: part, of: person, rule: rule, now: now, clock: clock)
                .map { facts($0.figures, [], [], document: document, day: $0.date.text) }
                + [facts(figures(for: part, of: person, rule: rule, now: now), part, saves, document: document)]
        }
        var order: [DocumentRef] = []
        for document in all.map(\.work.document) + measured.map(\.facts.document) where !order.contains(document) { order.append(document) }
        return order.flatMap { document in
            both(
                all.filter { $0.work.document == document }, measured.filter { $0.facts.document == document }, document: document)
        } + both(all, measured, document: nil)
    }

    mutating func apply(_ facts: TotalsFacts, entry: Entry) {
        let totals = Totals(seq: entry.seq, facts: facts)
        guard assignments[facts.assignment] != nil else {
            orphans[facts.assignment, default: Orphans()].totals.append(totals)
            return
        }
        take(totals)
    }

    mutating func take(_ totals: Totals) {
        let facts = totals.facts
        assignments[facts.assignment]?.totals[facts.person, default: []].append(totals)
        if let document = facts.document { note(document, of: facts.person, in: facts.assignment) }
        if facts.document == nil, facts.day == nil { age(facts.assignment, of: facts.person, before: totals.seq) }
    }

    /// The evidence of a person that totals stand for: never counted twice, even while it is still on the disk. The last save of each
    /// document stays, as the result.
    private mutating func age(_ id: AssignmentID, of person: PersonID, before seq: UInt64) {
        for session in (assignments[id]?.sessions[person] ?? []).compactMap({ work.head($0) }) where session.seq < seq && !session.isOpen {
            assignments[id]?.hasRemains = true
            remove(session)
        }
        for document in assignments[id]?.documents[person] ?? [] {
            let own = work.saveHeads(of: document).filter { $0.assignment == id && $0.attribution.person == person && $0.seq < seq }
            // By the name that the document had at the save: one that moved has a result under each.
            let kept = Set(Dictionary(grouping: own, by: \.document).values.compactMap { $0.map(\.seq).max() })
            let gone = Set(own.map(\.seq)).subtracting(kept)
            guard !gone.isEmpty else { continue }
            assignments[id]?.hasRemains = true
            work.removeSaves(of: document) { gone.contains($0.seq) }
        }
    }

    /// The evidence of an assignment has gone from the disk; with it what nobody could be named for.
    package mutating func evidenceWent(of id: AssignmentID, through seq: UInt64) {
        for session in (assignments[id]?.unattributed ?? []).compactMap({ work.head($0) }) where session.seq <= seq { remove(session) }
        assignments[id]?.hasRemains = false
        work.dropUnused()
    }

    /// Nothing of the assignment's work is kept any more; of one that has ended, not even that there was one.
    package mutating func workWent(of id: AssignmentID) {
        guard let record = assignments[id] else { return }
        defer { work.dropUnused() }
        for session in work.heads(where: { $0.assignment == id }) { remove(session) }
        for document in work.savedDocuments { work.removeSaves(of: document) { $0.assignment == id } }
        if record.ended != nil { return remove(id) }
        assignments[id]?.reports = [:]
        assignments[id]?.totals = [:]
        assignments[id]?.marks = [:]
        assignments[id]?.documents = [:]
        assignments[id]?.hasRemains = false
    }

    /// Sums of stretches that cannot overlap, with what has aged out.
    package func figures(_ live: TimeFigures, with totals: [Totals]) -> TimeFigures { Self.joined(totals.map(\.figures) + [live]) }
}

/// Which entries have aged out, for whoever empties them. First every entry is learnt, then each can be asked about.
package struct AgedEntries: Sendable {
    /// Assignments whose evidence goes, but for the last save of each document.
    private let evidence: Set<AssignmentID>
    /// Assignments of which nothing stays; those among them that have ended go as well.
    private let work: Set<AssignmentID>
    private let ended: Set<AssignmentID>
    private let viewsBefore: WallTime
    /// What came later was not looked at when this was decided.
    private let last: UInt64
    private var sessions: Set<ActivityID> = []
    private var results: [Result: UInt64] = [:]
    private var reports: [Report: UInt64] = [:]

    private struct Result: Hashable {
        var assignment: AssignmentID
        var document: DocumentRef
        var person: PersonID?
    }

    private struct Report: Hashable {
        var assignment: AssignmentID
        var person: PersonID
        var attempt: String

        init(_ facts: ReportFacts) {
            assignment = facts.assignment
            person = facts.person
            attempt = facts.attempt.id
        }
    }

    package init(
        evidence: Set<AssignmentID>, work: Set<AssignmentID>, ended: Set<AssignmentID>, viewsBefore: WallTime, through last: UInt64
    ) {
        self.evidence = evidence
        self.work = work
        self.ended = ended
        self.viewsBefore = viewsBefore
        self.last = last
    }

    package mutating func learn(_ entry: Entry) {
        guard entry.seq <= last else { return }
        switch entry.body {
        case .session(.started(let start), let assignment?):
            if evidence.contains(assignment) || work.contains(assignment) { sessions.insert(start.id) }
        case .metrics(let facts): if let result = result(of: facts) { results[result] = entry.seq }
        case .reported(let facts): if evidence.contains(facts.assignment) { reports[Report(facts)] = entry.seq }
        default: break
        }
    }

    package func isAged(_ entry: Entry) -> Bool {
        guard entry.seq <= last else { return false }
        switch entry.body {
        case .session(let event, _): return sessions.contains(event.id)
        case .metrics(let facts):
            guard let assignment = facts.assignment else { return false }
            if work.contains(assignment) { return true }
            return result(of: facts).map { results[$0] != entry.seq } ?? false
        case .reported(let facts):
            // What a later one replaced is evidence; the last one is the result.
            return work.contains(facts.assignment) || reports[Report(facts)].map { $0 != entry.seq } ?? false
        case .totals(let facts): return work.contains(facts.assignment)
        case .note(let facts): return sessions.contains(facts.activity)
        case .done(let facts): return work.contains(facts.assignment)
        case .assignmentCreated(let facts), .assignmentChanged(let facts): return ended.contains(facts.id)
        case .assignmentEnded(let id, _): return ended.contains(id)
        case .viewed(let facts): return entry.at < viewsBefore || facts.assignment.map(ended.contains) ?? false
        default: return false
        }
    }

    private func result(of facts: MetricsFacts) -> Result? {
        guard let assignment = facts.assignment, evidence.contains(assignment) else { return nil }
        return Result(assignment: assignment, document: facts.document, person: facts.attribution.person)
    }
}
