// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

/// Where the programs of one developer save while they are being written: a class of one, nothing of which is in the journal or
/// shown anywhere.
package struct DeveloperStore: Equatable, Sendable {
    package enum Role: String, CaseIterable, Sendable { case teacher, student }

    package static let className = "Development"
    private static let assignment = AssignmentID(text: "Development")

    package var role = Role.student
    /// Made of entries like the real one.
    package private(set) var ledger = Ledger()

    package init() { makeClass() }

    package mutating func reset() {
        ledger = Ledger()
        makeClass()
    }

    private mutating func makeClass() {
        take(
            .assignmentCreated(
                AssignmentFacts(
                    id: Self.assignment, title: "Everything", className: Self.className, share: "", folder: nil, due: nil, by: nil,
                    rule: Rule(), students: [])), at: WallTime(microseconds: 0))
    }

    /// What a save comes to. Each drop is a sentence for the developer.
    package mutating func save(
        _ changes: [ProgramChange], program: ReportFacts.Program, uid: UInt32, login: String, at wall: WallTime
    ) -> (save: ProgramSave, notices: [ReportFacts]) {
        let person = PersonID(uid: uid, login: login)
        let user = ProgramUser(uid: uid, login: login, person: person, keepsContexts: role == .teacher)
        let before = self
        let save = ProgramSave(changes, program: program, by: user, decided: ledger, known: ledger) { subject in
            before.standing(of: subject, app: program.app)
        }
        let new = save.reports.filter { before.isNew($0.attempt.id, of: uid, login: login) }
        for body in save.entries { take(body, at: wall) }
        return (save, new)
    }

    /// Whether an attempt would be kept, and if not, why, in a sentence for the developer.
    func standing(of subject: ReportFacts.Subject, app: String) -> ProgramSave.Standing {
        if role == .teacher {
            return .dropped(why: "you are a teacher in the class Development, and only students' activities are kept")
        }
        guard case .context(let path) = subject, !path.isEmpty else { return .counts(in: [Self.assignment]) }
        guard let facts = ledger.contextTree(of: app)?[path] else {
            return .dropped(why: "no teacher has saved this context; 'daybook developer role teacher', and start the program again")
        }
        return facts.isAssignable
            ? .counts(in: [Self.assignment]) : .dropped(why: "the context is not assignable, so that no teacher can have assigned it")
    }

    /// No attempt of this name was kept.
    func isNew(_ attempt: String, of uid: UInt32, login: String) -> Bool {
        ledger.report(attempt: attempt, of: PersonID(uid: uid, login: login), in: Self.assignment) == nil
    }

    // MARK: What is in it

    /// A store's size, roughly as `size` counts it.
    package static let mostBytes = 4 << 20

    /// What it is made of, contexts first, and when each was said.
    var contents: [(body: EntryBody, at: WallTime)] {
        let contexts = ledger.contextApps.flatMap { ledger.contextTree(of: $0)?.all ?? [] }
        let reports = ledger.everyReport(in: Self.assignment)
        return contexts.map { (.contextSaved($0), $0.modified) } + reports.map { (.reported($0.facts), $0.at) }
    }

    /// About how many bytes it is as text.
    package var size: Int {
        let contexts = ledger.contextApps.reduce(0) { $0 + (ledger.contextTree(of: $1)?.size ?? 0) }
        return ledger.everyReport(in: Self.assignment).reduce(contexts) { $0 + $1.facts.size }
    }

    /// Nothing would be lost with it.
    package var isNew: Bool { role == .student && contents.isEmpty }

    package func current(of uid: UInt32, login: String, app: String, subject: ReportFacts.Subject) -> ReportRecord? {
        ledger.currentReport(of: PersonID(uid: uid, login: login), app: app, subject: subject)
    }

    package static func sentence(for why: String) -> String {
        why == ProgramSave.contextsOfOthers ? "you are a student in the class Development, and only teachers' contexts are kept" : why
    }

    /// What is kept now, or was in its file.
    mutating func take(_ body: EntryBody, at wall: WallTime) {
        ledger.apply(Self.entry(body, seq: ledger.lastSeq + 1, at: wall))
    }

    static func entry(_ body: EntryBody, seq: UInt64, at wall: WallTime) -> Entry {
        Entry(seq: seq, at: wall, boot: BootID(text: "development"), mono: BootTime(microseconds: 0), body: body)
    }
}
