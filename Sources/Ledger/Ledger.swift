// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// What the journal's entries add up to. A pure function of them: the same entries in the same order make an equal ledger.
///
/// `apply` costs a few hash look-ups, whatever came before. Everything is kept by assignment and person, by document, by person and by
/// day, so that a query costs what it returns: a class table grows with the entries of that one assignment, `sessions` with the days
/// asked for. Memory grows with the entries of all assignments that have not been removed by retention: 16 bytes for an evidence
/// (`PackedWork`).
package struct Ledger: Equatable, Sendable {
    /// The last entry taken in, 0 before the first.
    package internal(set) var lastSeq: UInt64 = 0
    /// The run of the machine of the last entry that has clocks.
    package internal(set) var boot: BootID?
    /// When that entry was written, on both clocks.
    package internal(set) var last: Moment?
    package internal(set) var version: String?
    package internal(set) var settings: SettingsFacts?
    package internal(set) var recording = RecordingState()
    package internal(set) var watching: [String: Watching] = [:]
    package internal(set) var gaps: [Gap] = []
    package internal(set) var repairs: [RepairFacts] = []
    package internal(set) var people: [PersonID: PersonFacts] = [:]
    /// Since when students are in no class any more.
    package internal(set) var leftAt: [PersonID: WallTime] = [:]
    package internal(set) var clocks = BootClocks()
    /// The last instant of each earlier run of the machine that an entry speaks of.
    var lastInstant: [BootID: BootTime] = [:]
    /// The same of the run of the last entry: most entries are of the same, and no table is looked into.
    var latest = BootTime(microseconds: .min)

    var assignments: [AssignmentID: AssignmentRecord] = [:]
    var assignmentsByFolder: [DocumentRef: AssignmentID] = [:]
    var assignmentsByStudent: [PersonID: [AssignmentID]] = [:]
    /// Sessions and measured saves.
    var work = PackedWork()
    var sessionsByPerson: [PersonID: [ActivityID]] = [:]
    var sessionsByDocument: [DocumentRef: [ActivityID]] = [:]
    var sessionsByDay = SessionDays()
    var open: Set<ActivityID> = []
    var highestActivity: UInt64 = 0
    /// What came before the entry that now tells of its assignment.
    var orphans: [AssignmentID: Orphans] = [:]
    /// What programs' content consists of, by the app.
    var contextTrees: [String: ContextTree] = [:]
    /// What teachers and students said.
    var classroom = ClassroomRecords()
    var viewsByPerson: [PersonID: [View]] = [:]
    var viewsOfEverybody: [View] = []
    var knownSince: [PersonID: UInt64] = [:]
    var slept: [BootID: IntervalSet] = [:]
    var peopleByLogin: [String: [PersonID]] = [:]

    package init() {}

    /// Takes the next entry in. Kinds of a later version change nothing but `lastSeq`.
    package mutating func apply(_ entry: Entry) {
        // Not less: what is told again was known once.
        lastSeq = max(lastSeq, entry.seq)
        switch entry.body {
        case .erased, .base, .unknown: return
        default: break
        }
        if let last, last.boot == entry.boot {
            latest = max(latest, entry.mono)
        } else {
            if let last { lastInstant[last.boot] = latest }
            latest = max(lastInstant[entry.boot] ?? entry.mono, entry.mono)
        }
        boot = entry.boot
        last = Moment(wall: entry.at, boot: entry.boot, mono: entry.mono)
        clocks.note(boot: entry.boot, mono: entry.mono, wall: entry.at)
        switch entry.body {
        case .started(let text): version = text
        case .stopped: break
        case .settings(let facts): settings = facts
        case .recording(let change): recording.apply(change, entry: entry)
        case .watching(let facts): watching[facts.share] = Watching(facts: facts, since: entry.at)
        case .gap(let facts): gaps.append(Gap(facts: facts, seq: entry.seq))
        case .clock(let facts): apply(facts, entry: entry)
        case .person(let facts): apply(facts, entry: entry)
        case .session(let event, let assignment): apply(event, assignment: assignment, entry: entry)
        case .metrics(let facts): apply(facts, entry: entry)
        case .assignmentCreated(let facts): apply(facts, isNew: true, entry: entry)
        case .assignmentChanged(let facts): apply(facts, isNew: false, entry: entry)
        case .assignmentEnded(let id, let reason): end(id, reason: reason, at: entry.at)
        case .done(let facts): apply(facts, entry: entry)
        case .note(let facts): apply(facts, entry: entry)
        case .bookmarkCreated(let facts): apply(facts)
        case .bookmarkRemoved(let number, _): removeBookmark(number)
        case .imported(let facts): apply(facts, entry: entry)
        case .contextSaved(let facts): contextTrees[facts.ref.app, default: ContextTree()].put(facts)
        case .contextRemoved(let ref, _): removeContext(ref)
        case .reported(let facts): apply(facts, entry: entry)
        case .viewed(let facts): apply(facts, entry: entry)
        case .totals(let facts): apply(facts, entry: entry)
        case .repaired(let facts): repairs.append(facts)
        case .checkpoint, .erasure, .erased, .base, .unknown: break
        }
    }

    /// The facts of a person; nil for one no entry speaks of.
    package func person(_ id: PersonID) -> PersonFacts? { people[id] }

    /// Everybody who ever had this login, oldest first: a uid that came back with another login is a new person.
    package func people(login: String) -> [PersonID] { peopleByLogin[login] ?? [] }

    /// Who looked at one person's figures, at a table they stand in, or at everybody since they are known; oldest first.
    package func views(of person: PersonID) -> [View] {
        let tables = (assignmentsByStudent[person] ?? []).flatMap { assignments[$0]?.views ?? [] }
        let first = knownSince[person] ?? .max
        let general = viewsOfEverybody.drop { $0.seq < first }
        return ((viewsByPerson[person] ?? []) + tables + general).sorted { $0.seq < $1.seq }
    }

    /// The last instant of a run of the machine that an entry speaks of: what was open in it ended there at the latest.
    func lastInstant(in boot: BootID) -> BootTime? { boot == last?.boot ? latest : lastInstant[boot] }

    /// Gaps that touch a stretch, of one share or of all.
    package func gaps(from: WallTime, to: WallTime, share: String? = nil) -> [Gap] {
        gaps.filter { gap in
            gap.facts.from < to && gap.facts.to > from && (share == nil || gap.facts.share == nil || gap.facts.share == share)
        }
    }

    /// Since when an assignment has been recorded; nil while recording is off or paused.
    package func recordedSince(_ assignment: AssignmentRecord) -> WallTime? {
        guard recording.isOn, let since = recording.everybody?.since else { return nil }
        return max(since, assignment.createdAt)
    }

    /// Stretches of one boot that count for nobody (the machine slept) or not for this person (recording was off).
    package func excluded(for person: PersonID?, in boot: BootID) -> IntervalSet {
        let off = recording.switchedOff(for: person, in: boot)
        guard let slept = slept[boot] else { return off }
        return off.isEmpty ? slept : off.union(slept)
    }

    var allViews: [View] { viewsByPerson.values.flatMap { $0 } + viewsOfEverybody + assignments.values.flatMap(\.views) }

    /// Gaps of a time of which no work is kept go.
    package mutating func gapsWent(through seq: UInt64) { gaps.removeAll { $0.seq <= seq } }

    /// Looks that are older go.
    package mutating func viewsWent(before: WallTime) {
        viewsByPerson = viewsByPerson.mapValues { $0.filter { $0.at >= before } }.filter { !$0.value.isEmpty }
        viewsOfEverybody.removeAll { $0.at < before }
        for id in assignments.keys { assignments[id]?.views.removeAll { $0.at < before } }
    }

    /// An account as if no entry had ever spoken of it; what it did is left to the caller.
    mutating func forgetAccount(_ person: PersonID) {
        people[person] = nil
        leftAt[person] = nil
        knownSince[person] = nil
        viewsByPerson[person] = nil
        peopleByLogin[person.login]?.removeAll { $0 == person }
        if peopleByLogin[person.login]?.isEmpty == true { peopleByLogin[person.login] = nil }
        recording.forget(person)
    }

    private mutating func apply(_ facts: PersonFacts, entry: Entry) {
        if !facts.classes.isEmpty {
            leftAt[facts.person] = nil
        } else if people[facts.person]?.classes.isEmpty == false {
            leftAt[facts.person] = entry.at
        }
        if people.updateValue(facts, forKey: facts.person) == nil {
            knownSince[facts.person] = entry.seq
            peopleByLogin[facts.person.login, default: []].append(facts.person)
        }
    }

    private mutating func apply(_ facts: ClockFacts, entry: Entry) {
        guard facts.cause == .suspended, facts.by > 0 else { return }
        // The entry is written on waking, so the sleep lies right before it.
        let asleep = (entry.mono - .microseconds(facts.by))..<max(entry.mono, entry.mono - .microseconds(facts.by))
        slept[entry.boot] = (slept[entry.boot] ?? IntervalSet()).union(IntervalSet([asleep]))
    }

    private mutating func apply(_ facts: ViewedFacts, entry: Entry) {
        let view = View(facts: facts, at: entry.at, seq: entry.seq)
        if let person = facts.person {
            viewsByPerson[person, default: []].append(view)
        } else if let assignment = facts.assignment {
            if assignments[assignment] == nil {
                orphans[assignment, default: Orphans()].views.append(view)
            } else {
                assignments[assignment]?.views.append(view)
            }
        } else {
            viewsOfEverybody.append(view)
        }
    }
}
