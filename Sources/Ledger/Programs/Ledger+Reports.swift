// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What a program said last of one attempt.
package struct ReportRecord: Equatable, Sendable {
    package var facts: ReportFacts
    /// When it was journaled, and the entry.
    package var at: WallTime
    package var seq: UInt64
    /// When the attempt was journaled first.
    package var since: WallTime
}

extension Ledger {
    /// What programs reported of a student in an assignment: each attempt once, the earliest first.
    package func reports(of person: PersonID, in assignment: AssignmentID) -> [ReportRecord] {
        (assignments[assignment]?.reports[person] ?? []).sorted {
            ($0.facts.attempt.created, $0.seq) < ($1.facts.attempt.created, $1.seq)
        }
    }

    package func report(attempt: String, of person: PersonID, in assignment: AssignmentID) -> ReportRecord? {
        assignments[assignment]?.reports[person]?.first { $0.facts.attempt.id == attempt }
    }

    /// All that programs reported in an assignment, the earliest first.
    package func everyReport(in assignment: AssignmentID) -> [ReportRecord] {
        (assignments[assignment]?.reports.values.joined() ?? [:].values.joined()).sorted { $0.seq < $1.seq }
    }

    /// All that programs reported of a student.
    package func reports(of person: PersonID) -> [ReportRecord] {
        assignments(for: person).flatMap { reports(of: person, in: $0.id) }
    }

    /// The newest attempt of a student at something.
    package func currentReport(of person: PersonID, app: String, subject: ReportFacts.Subject) -> ReportRecord? {
        reports(of: person).filter { $0.facts.program.app == app && $0.facts.subject == subject }
            .max { ($0.facts.attempt.created, $0.seq) < ($1.facts.attempt.created, $1.seq) }
    }

    /// Those whose timers run, as far as is known.
    package var runningReports: [ReportRecord] {
        assignments.values.flatMap { $0.reports.values.joined() }.filter(\.facts.attempt.isRunning).sorted { $0.seq < $1.seq }
    }

    mutating func apply(_ facts: ReportFacts, entry: Entry) {
        let record = ReportRecord(facts: facts, at: entry.at, seq: entry.seq, since: entry.at)
        if assignments[facts.assignment] == nil {
            Self.put(record, into: &orphans[facts.assignment, default: Orphans()].reports[facts.person, default: []])
        } else {
            take(record, of: facts.person, in: facts.assignment)
        }
    }

    mutating func take(_ record: ReportRecord, of person: PersonID, in assignment: AssignmentID) {
        guard assignments[assignment] != nil else { return }
        var reports = assignments[assignment]?.reports[person] ?? []
        Self.put(record, into: &reports)
        assignments[assignment]?.reports[person] = reports
        if assignmentsByStudent[person]?.contains(assignment) != true { assignmentsByStudent[person, default: []].append(assignment) }
    }

    private static func put(_ record: ReportRecord, into reports: inout [ReportRecord]) {
        guard let index = reports.firstIndex(where: { $0.facts.attempt.id == record.facts.attempt.id }) else {
            return reports.append(record)
        }
        var record = record
        record.since = reports[index].since
        reports[index] = record
    }

    mutating func forgetReports(of theirs: PersonalEntries, in assignment: AssignmentID) {
        guard let reports = assignments[assignment]?.reports, !reports.isEmpty else { return }
        for (person, records) in reports {
            let kept =
                person == theirs.person
                ? []
                : records.filter { record in
                    !(record.facts.document.map { theirs.isTheirs($0, Attribution(person: person, source: .event)) } ?? false)
                }
            assignments[assignment]?.reports[person] = kept.isEmpty ? nil : kept
        }
    }
}
