// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Ledger

/// What a program reported of one student's work at one thing, over all attempts: its word, beside what Daybook saw.
package struct ProgramReport: Equatable, Sendable {
    package struct Attempt: Equatable, Sendable {
        /// When it was begun.
        package var at: WallTime
        package var duration: Duration
        package var progress: Double
        /// Why its timer stands although the program did not stop it.
        package var stop: ReportFacts.Stop?
    }

    package var app: String
    /// The file that ran last.
    package var executable: String?
    /// All of it is of programs whose word counts.
    package var isTrusted: Bool
    /// From below the app's main context.
    package var context: [String]?
    /// The context's title, where a teacher's program has saved it.
    package var title: String?
    /// Relative to its share.
    package var document: String?
    /// In the order in which they were begun.
    package var attempts: [Attempt]
    /// Of the latest attempt.
    package var primary: Item?
    package var additional: [Item]
    package var isRunning: Bool
    package var last: WallTime

    /// The sum of all attempts.
    package var worked: Duration { attempts.reduce(.zero) { $0 + $1.duration } }

    /// The mean of all attempts; nil where no attempt said anything of it.
    package var progress: Double? { attempts.contains { $0.progress > 0 } ? Statistics.mean(attempts.map(\.progress)) : nil }

    package var items: [Item] { (primary.map { [$0] } ?? []) + additional }

    /// The program's name and what it calls itself: `quiz (org.example.Quiz)`.
    package var by: String {
        guard let name = executable?.split(separator: "/").last.map(String.init), name != app else { return app }
        return "\(name) (\(app))"
    }
}

extension ProgramReport {
    private struct Subject: Hashable {
        var app: String
        var subject: ReportFacts.Subject
    }

    /// Of one student in one assignment, by app and thing, in the order of their first attempts.
    static func all(of person: PersonID, in record: AssignmentRecord, ledger: Ledger, within window: TimeWindow) -> [ProgramReport] {
        var order: [Subject] = []
        var groups: [Subject: [ReportRecord]] = [:]
        for report in ledger.reports(of: person, in: record.id) where window.contains(report.at) {
            let key = Subject(app: report.facts.program.app, subject: report.facts.subject)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(report)
        }
        return order.compactMap { key in
            guard let reports = groups[key], let latest = reports.last else { return nil }
            var path: [String]?
            if case .context(let own) = key.subject { path = own }
            return ProgramReport(
                app: key.app, executable: latest.facts.program.executable, isTrusted: reports.allSatisfy(\.facts.program.isListed),
                context: path, title: path.flatMap { ledger.contextTree(of: key.app)?[$0]?.title },
                document: latest.facts.document?.path.text,
                attempts: reports.map {
                    Attempt(
                        at: $0.facts.attempt.created, duration: $0.facts.attempt.duration, progress: $0.facts.attempt.progress,
                        stop: $0.facts.stop)
                }, primary: latest.facts.attempt.primary, additional: latest.facts.attempt.additional,
                isRunning: record.ended == nil && reports.contains(where: \.facts.attempt.isRunning),
                last: reports.map(\.at).max() ?? latest.at)
        }
    }
}

extension [ProgramReport] {
    /// The time that counts instead of what was inferred of one document: what trusted programs say, never below what is proved nor beyond
    /// what was possible. Nil where none says anything of it.
    func time(of document: String?, inferred figures: Figures) -> Duration? {
        let told = filter { $0.isTrusted && $0.document != nil && $0.document == document }.map(\.worked)
        guard let longest = told.max() else { return nil }
        // Two programs at once on one document are one session.
        return Swift.max(figures.atLeast, Swift.min(longest, figures.atMost))
    }

    /// Time at contexts of trusted programs, where nothing could be inferred: their sum, but no longer than from the first attempt to the last word.
    var contextTime: Figures? {
        let counting = filter { $0.isTrusted && $0.context != nil }
        guard let first = counting.flatMap({ $0.attempts.map(\.at) }).min(), let last = counting.map(\.last).max() else { return nil }
        let sum = counting.reduce(Duration.zero) { $0 + $1.worked }
        // One context's attempts follow each other; several contexts may have run at the same time.
        let time = counting.count == 1 ? sum : Swift.min(sum, Swift.max(last - first, counting.map(\.worked).max() ?? .zero))
        return Figures(open: nil, active: time, atLeast: .zero, atMost: time, saves: 0, confidence: .fair)
    }

    /// Results that count: those of trusted programs which no analyzer has measured itself.
    func results(besides items: [Item]) -> [Item] {
        var known = Set(items.map(\.identifier))
        return filter(\.isTrusted).flatMap(\.items).filter { known.insert($0.identifier).inserted }
    }
}
