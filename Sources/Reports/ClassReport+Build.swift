// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference
package import Ledger

extension ClassReport {
    /// The table of an assignment as it stands; nil where there is none of this id. `rule` shows the figures by another rule than the
    /// assignment's own. Costs what this one assignment's entries cost, whatever else the journal holds.
    package init?(
        of id: AssignmentID, in ledger: Ledger, now: Moment, rule asked: Rule? = nil, within window: TimeWindow = TimeWindow(),
        clock: LocalClock = .utc
    ) {
        guard let record = ledger.assignment(id) else { return nil }
        let rule = asked ?? record.facts.rule
        let rows = record.students.map { Self.row(of: $0, in: record, ledger: ledger, rule: rule, now: now, within: window, clock: clock) }
        let primary = Self.primary(of: rows, target: record.facts.target, isQuiz: record.facts.plan.key != nil)
        self.init(
            id: id, title: record.facts.title, className: record.facts.className, due: record.facts.due, ended: record.ended?.at,
            asOf: now.wall, recording: ledger.recording.state, recordedSince: ledger.recordedSince(record), studentCount: rows.count,
            started: rows.count { $0.state.hasStarted },
            finished: rows.count { [.handedIn, .done, .returned].contains($0.state) },
            rows: rows.sorted { Self.precedes($0, $1, .surname) }, primary: primary, more: Self.more(of: rows, besides: primary),
            target: record.facts.target?.value, rule: rule, ownRule: rule == record.facts.rule ? nil : record.facts.rule.name,
            ruleChange: record.ruleChanges.last.map(RuleChangeLine.init), withTime: 0, median: nil, average: nil,
            gaps: ledger.gaps(from: record.createdAt, to: record.ended?.at ?? now.wall, share: record.facts.share).count, window: window)
        summarize()
    }

    /// `showsAll` is for reports about one student: what is recorded of them is shown, whatever the state says.
    static func row(
        of person: PersonID, in record: AssignmentRecord, ledger: Ledger, rule: Rule, now: Moment, showsAll: Bool = false,
        within window: TimeWindow = TimeWindow(), clock: LocalClock = .utc
    ) -> Row {
        let name = listedName(ledger.person(person)?.displayName ?? person.login)
        // Switched before there was an assignment, or after it was over, it takes nothing from its figures.
        let anew = ledger.recording.recordedAnew(person).flatMap { since in
            since > record.createdAt && record.ended.map { since < $0.at } ?? true ? since : nil
        }
        func blank(_ state: State) -> Row {
            Row(
                person: person, name: name, state: state, figures: nil, document: nil, documents: 0, items: [], last: nil,
                isWorking: false, recordedAnew: state == .notStarted ? anew : nil)
        }
        let personState = ledger.recording.personState(person)
        let hidden: State? = record.facts.excused.contains(person) ? .excused : personState == .off ? .recordingOff : nil
        if let hidden, !showsAll { return blank(hidden) }
        let sessions = ledger.countedSessions(of: person, in: record.id).filter { ledger.touches($0, window) }
        let saves = ledger.saves(in: record.id, by: person).filter { window.contains($0.at) }
        let mark = record.marks[person].flatMap { $0.facts.state == .withdrawn ? nil : $0.facts }
        let aged = Aged(ledger.totals(of: person, in: record.id), saves: saves, within: window, clock: clock)
        let reports = ProgramReport.all(of: person, in: record, ledger: ledger, within: window)
        if sessions.isEmpty, saves.isEmpty, mark == nil, aged.isEmpty, reports.isEmpty {
            return blank(hidden ?? (personState == .paused ? .recordingOff : .notStarted))
        }
        let main = MainDocument(sessions: sessions, saves: saves, mark: mark, target: record.facts.target, aged: aged, ledger: ledger)
        var figures = ledger.figures(
            ledger.figures(for: sessions, of: person, rule: rule, now: now, within: window), with: aged.whole)
        let hasSessions = !sessions.isEmpty || aged.hasSessions
        if !hasSessions { figures.isBroughtIn = aged.saves == 1 }
        let isWorking = sessions.contains { ledger.isWorking($0, now: now) } || reports.contains(where: \.isRunning)
        let seen =
            sessions.map { ledger.isWorking($0, now: now) ? now.wall : ledger.lastSign($0) } + saves.map(\.at) + aged.last
            + reports.map(\.last)
        var shown = hasSessions ? Figures(figures) : Self.savesOnly(aged.saves)
        // Over several documents the times are a union, in which no single one can be replaced.
        if hasSessions, main.count == 1, let own = shown, let told = reports.time(of: main.document?.path.text, inferred: own) {
            shown?.active = told
        }
        if shown == nil { shown = reports.contextTime }
        let items = (main.save?.facts.items ?? []) + [delivered(main.document, in: sessions)].compactMap(\.self)
        return Row(
            person: person, name: name, state: hidden ?? state(mark: mark, figures: figures, isWorking: isWorking), figures: shown,
            document: main.document?.path.text, documents: main.count, items: items + reports.results(besides: items),
            last: seen.max() ?? record.marks[person]?.at, isWorking: isWorking, isLate: record.isLate(person) ?? false, reports: reports,
            recordedAnew: anew)
    }

    /// Saves without a session: how long it took is unknown, never 0. Nil where there is none either.
    private static func savesOnly(_ count: Int) -> Figures? {
        count == 0 ? nil : Figures(open: nil, active: nil, atLeast: .zero, atMost: .zero, saves: count, confidence: .thin)
    }

    private static func state(mark: DoneFacts?, figures: TimeFigures, isWorking: Bool) -> State {
        switch mark?.state {
        case .handedIn: return .handedIn
        case .done: return .done
        case .returned: return .returned
        case .tryAgain: return isWorking ? .workingNow : .tryAgain
        case .withdrawn, nil: break
        }
        if figures.isBroughtIn { return .broughtIn }
        if isWorking { return .workingNow }
        // Every time is unknown, since there are lone saves only.
        return figures.active == nil && figures.saves > 0 ? .broughtIn : .started
    }

    private static func primary(of rows: [Row], target: Target?, isQuiz: Bool) -> Column? {
        // It is asked for, however few have one yet.
        if target == nil, isQuiz, rows.contains(where: { $0.item(ItemText.score) != nil }) { return column(ItemText.score, rows) }
        // Programs call their results as they like; what they call the main one comes after all that is measured.
        let told = rows.flatMap(\.reports).filter(\.isTrusted).compactMap(\.primary?.identifier)
        let wanted = target.map { [$0.identifier] } ?? ItemText.primaries + Set(told).sorted()
        // What most main documents have; of equals the first.
        let counts = wanted.map { identifier in rows.count { $0.item(identifier) != nil } }
        guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else {
            return target.map { Column(identifier: $0.identifier, title: ItemText.heading($0.identifier, title: $0.identifier)) }
        }
        return column(wanted[index], rows)
    }

    private static func more(of rows: [Row], besides primary: Column?) -> [Column] {
        ItemText.more.filter { identifier in identifier != primary?.identifier && rows.contains { $0.item(identifier) != nil } }
            .prefix(2).map { column($0, rows) }
    }

    private static func column(_ identifier: String, _ rows: [Row]) -> Column {
        Column(identifier: identifier, title: rows.lazy.compactMap { $0.item(identifier)?.title }.first ?? identifier)
    }

    /// The two lines below the table, from the exact figures: time over students with enough evidence, results over all who have them.
    mutating func summarize() {
        let times = rows.compactMap { $0.figures.flatMap { $0.countsInClass ? $0.active?.seconds : nil } }
        let results = primary.map { column in rows.compactMap { $0.figure(column.identifier) } } ?? []
        let levels = rows.compactMap { $0.figure(ItemText.level) }
        withTime = times.count
        guard !times.isEmpty || !results.isEmpty || !levels.isEmpty else { return }
        func summary(_ of: ([Double]) -> Double?) -> Summary {
            Summary(worked: of(times).map { .microseconds(Int64($0 * 1_000_000)) }, primary: of(results), level: of(levels))
        }
        self.median = summary(Statistics.median)
        self.average = summary(Statistics.mean)
    }
}

/// What is left of a student's work whose evidence has aged out.
struct Aged {
    /// Over all documents and days.
    let whole: [Totals]
    /// Of each document, over all days.
    let documents: [Totals]
    /// Of each day, over all documents.
    let days: [Totals]
    /// How many saves were measured, those included that are still there.
    let saves: Int

    /// Within a window the days that lie in it take the place of the whole.
    init(_ totals: [Totals], saves points: [SavePoint], within window: TimeWindow = TimeWindow(), clock: LocalClock = .utc) {
        whole = totals.filter { total in
            guard total.facts.document == nil else { return false }
            if window.isWhole { return total.facts.day == nil }
            return total.facts.day.flatMap { CivilDate(prefixOf: $0) }.map { window.contains(clock.startOfDay($0)) } ?? false
        }
        documents = totals.filter { $0.facts.document != nil && $0.facts.day == nil }
        days = totals.filter { $0.facts.document == nil && $0.facts.day != nil }
        let since = whole.last?.seq ?? 0
        saves = whole.reduce(0) { $0 + $1.facts.measured } + points.count { $0.seq > since }
    }

    var isEmpty: Bool { whole.isEmpty }
    var hasSessions: Bool { whole.contains { $0.facts.sessions > 0 } }
    var last: [WallTime] { whole.compactMap(\.facts.last) }
    var lastDocument: DocumentRef? {
        documents.max { ($0.facts.last ?? WallTime(microseconds: 0), $0.seq) < ($1.facts.last ?? WallTime(microseconds: 0), $1.seq) }?
            .facts.document
    }
}

/// Which of a student's documents speaks for the row; copies are never summed.
struct MainDocument {
    var document: DocumentRef?
    /// Its last measured save by this student.
    var save: SavePoint?
    /// How many documents there are.
    var count: Int

    /// The one handed in, else the last saved of the kind that the assignment asks for, else the last saved, else the last worked on.
    init(sessions: [SessionRecord], saves: [SavePoint], mark: DoneFacts?, target: Target?, aged: Aged, ledger: Ledger) {
        let worked = sessions.map(\.work.document) + aged.documents.compactMap(\.facts.document)
        count = Set(worked + saves.map(\.facts.document)).count
        let ordered = saves.sorted { ($0.at, $0.seq) < ($1.at, $1.seq) }
        if let handed = mark?.document {
            document = handed
            save = ordered.last { $0.facts.document == handed }
        } else if let last = ordered.last(where: { save in target.map { save.item($0.identifier) != nil } ?? !save.facts.items.isEmpty })
            ?? ordered.last
        {
            document = last.facts.document
            save = last
        } else {
            document =
                sessions.max { (ledger.lastSign($0), $0.id) < (ledger.lastSign($1), $1.id) }?.work.document ?? aged.lastDocument
        }
    }
}

enum Statistics {
    /// The middle value; of two middle ones their mean.
    static func median(_ values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}
