// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

/// Where the programs of one developer save while they are being written: a class of one, nothing of which is journaled or shown anywhere.
package struct DeveloperStore: Equatable, Sendable {
    package enum Role: String, Sendable { case teacher, student }

    package static let className = "Development"
    private static let assignment = AssignmentID(text: "Development")

    package var role = Role.student
    /// Made of entries like the real one, and kept in memory alone.
    package private(set) var ledger = Ledger()

    package init() { makeClass() }

    package mutating func reset() {
        ledger = Ledger()
        makeClass()
    }

    private mutating func makeClass() {
        apply(
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
        let before = ledger
        let role = role
        let save = ProgramSave(changes, program: program, by: user, decided: before, known: before) { subject in
            if role == .teacher {
                return .dropped(why: "you are a teacher in the class Development, and only students' activities are kept")
            }
            guard case .context(let path) = subject, !path.isEmpty else { return .counts(in: [Self.assignment]) }
            guard let facts = before.contextTree(of: program.app)?[path] else {
                return .dropped(why: "no teacher has saved this context; 'daybook developer role teacher', and start the program again")
            }
            return facts.isAssignable
                ? .counts(in: [Self.assignment]) : .dropped(why: "the context is not assignable, so that no teacher can have assigned it")
        }
        let new = save.reports.filter { before.report(attempt: $0.attempt.id, of: person, in: Self.assignment) == nil }
        for body in save.entries { apply(body, at: wall) }
        return (save, new)
    }

    package func current(of uid: UInt32, login: String, app: String, subject: ReportFacts.Subject) -> ReportRecord? {
        ledger.currentReport(of: PersonID(uid: uid, login: login), app: app, subject: subject)
    }

    package static func sentence(for why: String) -> String {
        why == ProgramSave.contextsOfOthers ? "you are a student in the class Development, and only teachers' contexts are kept" : why
    }

    private mutating func apply(_ body: EntryBody, at wall: WallTime) {
        ledger.apply(
            Entry(seq: ledger.lastSeq + 1, at: wall, boot: BootID(text: "development"), mono: BootTime(microseconds: 0), body: body))
    }
}
