// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference
package import Ledger

/// What is known of one student: for `show`, and with who looked for `me`.
package struct StudentReport: Equatable, Sendable {
    /// A measured save.
    package struct Save: Equatable, Sendable {
        package var at: WallTime
        package var document: String
        /// The primary item, or the words.
        package var item: Item?
        /// Why there is none.
        package var reason: String?
    }

    /// One local day.
    package struct Day: Equatable, Sendable {
        package var date: CivilDate
        package var figures: Figures
    }

    /// What the figures rest on: how often each kind of thing was seen.
    package struct Evidence: Equatable, Sendable {
        /// `saved`, `lock-appeared` … as the journal has them.
        package var kinds: [Count]
        /// What the sessions' presence rests on.
        package var presence: [Count]
        /// How it is known who it was, by sessions.
        package var identity: [Count]
    }

    package struct Count: Equatable, Sendable {
        package var name: String
        package var count: Int
    }

    /// A stretch in which something may have been missed.
    package struct Missed: Equatable, Sendable {
        package var from: WallTime
        package var to: WallTime
        package var cause: GapFacts.Cause
    }

    /// One of several documents. Their times may overlap, so they add up to more than the whole.
    package struct Document: Equatable, Sendable {
        /// Relative to its share.
        package var path: String
        package var figures: Figures
        package var days: [Day]
    }

    /// A stretch in which a document stood open and nobody is believed to have been there.
    package struct LeftOpen: Equatable, Sendable {
        package var from: WallTime
        package var to: WallTime
    }

    package struct Assignment: Equatable, Sendable {
        package var id: AssignmentID
        package var title: String
        package var className: String
        package var due: WallTime?
        package var row: ClassReport.Row
        package var target: Double?
        /// How far it is to the target; nil where none is set.
        package var progress: Progress?
        package var rule: Rule
        /// The assignment's own, where another was asked for.
        package var ownRule: String?
        /// When the assignment's own was last changed for good.
        package var ruleChange: RuleChangeLine?
        package var sessions: [SessionRow]
        package var saves: [Save]
        package var days: [Day]
        /// Each document by itself, in the order of their first sessions.
        package var documents: [Document]
        package var leftOpen: [LeftOpen]
        package var notes: [MissingItem]
        package var evidence: Evidence
        package var gaps: [Missed]
    }

    package struct Look: Equatable, Sendable {
        package var at: WallTime
        package var by: String
        /// The method, e.g. `Report`.
        package var what: String
        /// The assignment's title, where it was about one.
        package var assignment: String?
    }

    package var person: PersonID
    package var name: String
    package var asOf: WallTime
    package var recording: RecordingChange.State
    package var personRecording: RecordingChange.State
    package var assignments: [Assignment]
    /// Who has looked, latest first; nil where the reader is not told.
    package var looks: [Look]?
}

extension StudentReport {
    /// Everything of one student, or of one assignment only. `withLooks` for the student's own eyes. Nil where nobody of this id is known.
    ///
    /// `clock` draws the days' borders in the school's zone. `rules` are others to show an assignment's figures by than its own.
    package init?(
        of person: PersonID, assignment: AssignmentID? = nil, in ledger: Ledger, now: Moment, clock: LocalClock,
        rules: [AssignmentID: Rule] = [:], withLooks: Bool = false
    ) {
        let records = ledger.assignments(for: person).filter { record in
            // What has not begun, or was deleted, is not theirs.
            (assignment == nil || record.id == assignment) && ![.draft, .scheduled, .deleted].contains(record.state)
        }
        guard ledger.person(person) != nil || !records.isEmpty else { return nil }
        self.person = person
        name = listedName(ledger.person(person)?.displayName ?? person.login)
        asOf = now.wall
        recording = ledger.recording.state
        personRecording = ledger.recording.personState(person)
        assignments = records.map {
            Self.assignment($0, of: person, in: ledger, now: now, clock: clock, rule: rules[$0.id] ?? $0.facts.rule)
        }
        looks = withLooks ? Self.looks(ledger.views(of: person), ledger) : nil
    }

    /// Of whom nothing is recorded: that, too, everybody can see.
    package init(nothingOf person: PersonID, name: String, in ledger: Ledger, now: Moment) {
        self.person = person
        self.name = listedName(name)
        asOf = now.wall
        recording = ledger.recording.state
        personRecording = ledger.recording.personState(person)
        assignments = []
        looks = []
    }

    /// More looks than these are not listed; the journal has them all.
    package static let looksAtMost = 100

    private static func looks(_ views: [View], _ ledger: Ledger) -> [Look] {
        views.suffix(looksAtMost).reversed().map { view in
            Look(
                at: view.at, by: view.facts.byLogin, what: view.facts.what,
                assignment: view.facts.assignment.map { ledger.assignment($0)?.facts.title ?? $0.text })
        }
    }

    private static func assignment(
        _ record: AssignmentRecord, of person: PersonID, in ledger: Ledger, now: Moment, clock: LocalClock, rule: Rule
    ) -> Assignment {
        let sessions = ledger.sessions(SessionFilter(person: person, assignment: record.id))
            .filter { TimeOnTask.confidence(of: $0.work) > .none }
        let row = ClassReport.row(of: person, in: record, ledger: ledger, rule: rule, now: now, showsAll: true)
        let saves = ledger.saves(in: record.id, by: person)
        let main = saves.last { $0.facts.document.path.text == row.document }
        // A session that a note takes out is shown with it, and counts nowhere.
        let counted = sessions.filter { !ledger.isExcluded($0.id) }
        let starts = sessions.map { ledger.openedAt($0) }
        return Assignment(
            id: record.id, title: record.facts.title, className: record.facts.className, due: record.facts.due(for: person), row: row,
            target: record.facts.target?.value, progress: record.facts.target.map { Progress(row, to: $0) }, rule: rule,
            ownRule: rule == record.facts.rule ? nil : record.facts.rule.name,
            ruleChange: record.ruleChanges.last.map(RuleChangeLine.init),
            sessions: sessions.map { SessionRow($0, in: ledger, now: now, rule: rule) },
            saves: saves.map { save($0, target: record.facts.target) },
            days: joined(
                Aged(ledger.totals(of: person, in: record.id), saves: []).days,
                ledger.figuresByDay(for: counted, of: person, rule: rule, now: now, clock: clock), ledger),
            documents: documents(
                counted, aged: ledger.totals(of: person, in: record.id), of: person, in: ledger, now: now, clock: clock, rule: rule),
            leftOpen: ledger.leftOpen(in: counted, of: person, rule: rule, now: now).map { LeftOpen(from: $0.from, to: $0.to) },
            notes: main?.facts.notes ?? [], evidence: Evidence(sessions),
            gaps: starts.min().map { first in
                ledger.gaps(from: first, to: sessions.map { ledger.lastSign($0) }.max() ?? now.wall, share: record.facts.share)
                    .map { Missed(from: $0.facts.from, to: $0.facts.to, cause: $0.facts.cause) }
            } ?? [])
    }

    /// Days of evidence that has aged out, and those that are still there.
    static func joined(
        _ aged: [Totals], _ live: [(date: CivilDate, figures: TimeFigures)], _ ledger: Ledger
    ) -> [Day] {
        guard !aged.isEmpty else { return live.map { Day(date: $0.date, figures: Figures($0.figures)) } }
        var parts: [CivilDate: [Totals]] = [:]
        for totals in aged {
            if let date = totals.facts.day.flatMap({ CivilDate(prefixOf: $0) }) { parts[date, default: []].append(totals) }
        }
        let present = Dictionary(uniqueKeysWithValues: live.map { ($0.date, $0.figures) })
        return Set(parts.keys).union(present.keys).sorted().map { date in
            Day(date: date, figures: Figures(ledger.figures(present[date] ?? .nothing, with: parts[date] ?? [])))
        }
    }

    private static func documents(
        _ sessions: [SessionRecord], aged: [Totals], of person: PersonID, in ledger: Ledger, now: Moment, clock: LocalClock, rule: Rule
    ) -> [Document] {
        var order: [DocumentRef] = []
        var groups: [DocumentRef: [SessionRecord]] = [:]
        for session in sessions {
            if groups[session.work.document] == nil { order.append(session.work.document) }
            groups[session.work.document, default: []].append(session)
        }
        let aged = Dictionary(grouping: aged.filter { $0.facts.document != nil }) {
            $0.facts.document ?? DocumentRef(share: "", path: .root)
        }
        for document in aged.keys.sorted()
        where groups[document] == nil && aged[document]?.contains(where: { $0.facts.sessions > 0 }) == true {
            order.append(document)
        }
        return order.map { document in
            let own = groups[document] ?? []
            return Document(
                path: document.path.text,
                figures: Figures(
                    ledger.figures(
                        ledger.figures(for: own, of: person, rule: rule, now: now),
                        with: (aged[document] ?? []).filter { $0.facts.day == nil })),
                days: joined(
                    (aged[document] ?? []).filter { $0.facts.day != nil },
                    ledger.figuresByDay(for: own, of: person, rule: rule, now: now, clock: clock), ledger))
        }
    }

    private static func save(_ point: SavePoint, target: Target?) -> Save {
        let wanted = (target.map { [$0.identifier] } ?? []) + ["total_word_count", "slide_count"]
        let item = wanted.lazy.compactMap { point.item($0) }.first ?? point.facts.items.first
        let reason = point.facts.error ?? point.facts.notes.first?.reason
        return Save(at: point.at, document: point.facts.document.path.text, item: item, reason: item == nil ? reason : nil)
    }
}

extension StudentReport.Evidence {
    init(_ sessions: [SessionRecord]) {
        var kinds: [String: Int] = [:]
        var presence: [String: Int] = [:]
        var identity: [String: Int] = [:]
        for session in sessions {
            presence[session.work.presence.rawValue, default: 0] += 1
            identity[session.work.attribution.source.rawValue, default: 0] += 1
            for sign in session.work.evidence { kinds[sign.kind.rawValue, default: 0] &+= max(0, sign.count) }
        }
        func sorted(_ counts: [String: Int]) -> [StudentReport.Count] {
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { StudentReport.Count(name: $0.key, count: $0.value) }
        }
        self.init(kinds: sorted(kinds), presence: sorted(presence), identity: sorted(identity))
    }
}
