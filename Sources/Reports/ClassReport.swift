// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference
package import Ledger

/// The table of one assignment: a row is a student.
package struct ClassReport: Equatable, Sendable {
    /// How far a student is. The raw values stand in JSON.
    package enum State: String, Sendable, CaseIterable {
        case workingNow = "working-now"
        case started
        /// All there is came whole in saves; how long it took is not known.
        case broughtIn = "brought-in"
        case done
        case handedIn = "handed-in"
        /// A teacher looked at it and gave it back.
        case returned
        /// A teacher gave it back to go on with.
        case tryAgain = "try-again"
        case notStarted = "not-started"
        case excused
        case recordingOff = "recording-off"

        package var text: String { rawValue.split(separator: "-").joined(separator: " ") }

        /// Something of theirs was seen.
        package var hasStarted: Bool { ![.notStarted, .excused, .recordingOff].contains(self) }
    }

    package enum Order: String, Sendable, CaseIterable { case surname, state, worked, last }

    /// An item as a column.
    package struct Column: Equatable, Sendable {
        package var identifier: String
        package var title: String
    }

    package struct Row: Equatable, Sendable {
        package var person: PersonID
        /// As lists have it: `Berg, Jonas`.
        package var name: String
        package var state: State
        /// Nil where nothing was seen, or nothing is shown.
        package var figures: Figures?
        /// The main document, relative to its share.
        package var document: String?
        /// How many documents of theirs there are.
        package var documents: Int
        /// Results of the main document at the last save by this student.
        package var items: [Item]
        /// When something was last seen of them; nil where nothing was.
        package var last: WallTime?
        package var isWorking: Bool
        /// Handed in after it was due for them.
        package var isLate = false
        /// What programs reported.
        package var reports: [ProgramReport] = []
        /// Recording was switched off for them while the assignment went on, which emptied what there was, and is on again since then.
        package var recordedAnew: WallTime?

        /// The state, and that it was late.
        package var standing: String {
            if isLate { return "handed in late" }
            return isUnseenAnew ? "nothing seen since switched on" : state.text
        }

        /// What they did before was emptied, so that nobody can say that they have not started.
        var isUnseenAnew: Bool { state == .notStarted && recordedAnew != nil }

        package func item(_ identifier: String) -> Item? { items.first { $0.identifier == identifier } }

        func figure(_ identifier: String) -> Double? { item(identifier).flatMap(ItemText.figure) }
    }

    /// One line below the table.
    package struct Summary: Equatable, Sendable {
        /// Nil where no student has enough evidence.
        package var worked: Duration?
        package var primary: Double?
        package var level: Double?
    }

    package var id: AssignmentID
    package var title: String
    package var className: String
    package var due: WallTime?
    package var ended: WallTime?
    package var asOf: WallTime
    package var recording: RecordingChange.State
    /// Nil while recording is off or paused.
    package var recordedSince: WallTime?
    package var studentCount: Int
    /// How many have been at it, for `7 of 10 started`.
    package var started: Int
    /// How many said to be done, or handed it in.
    package var finished: Int
    package var rows: [Row]
    package var primary: Column?
    package var more: [Column]
    package var target: Double?
    /// The rule by which the figures were made.
    package var rule: Rule
    /// The assignment's own, where another was asked for.
    package var ownRule: String?
    /// When the assignment's own was last changed for good.
    package var ruleChange: RuleChangeLine?
    /// How many students the two lines below count for time.
    package var withTime: Int
    package var median: Summary?
    package var average: Summary?
    package var gaps: Int
    /// Only what was done in it is counted.
    package var window = TimeWindow()

    /// How a row stands, in words. Of a stretch of time nobody knows from its figures that somebody has not started.
    func standing(_ row: Row) -> String {
        !window.isWhole && row.state == .notStarted ? Self.nothingThen : row.standing
    }

    private static let nothingThen = "nothing then"

    /// How many rows have no time for which reason, in words and in a fixed order.
    var withoutTime: [(count: Int, words: String)] {
        [State.excused, .notStarted, .recordingOff].flatMap { state -> [(count: Int, words: String)] in
            let found = rows.filter { $0.state == state }
            guard state == .notStarted else { return [(found.count, state.text)] }
            guard window.isWhole else { return [(found.count, "with nothing then")] }
            let anew = found.count(where: \.isUnseenAnew)
            return [(found.count - anew, state.text), (anew, "with nothing seen since switched on")]
        }.filter { $0.count > 0 }
    }

    /// Whose earlier work is in no figure, since recording was switched off for them meanwhile; nil where there is nobody.
    func anewSentence(_ times: TimeText) -> String? {
        let found = rows.filter { $0.recordedAnew != nil }
        guard let latest = found.compactMap(\.recordedAnew).max() else { return nil }
        let who =
            found.count <= Self.namedAtMost
            ? found.map { row in "\(surname(row.name)) since \(row.recordedAnew.map(times.day(of:)) ?? "")" }.joined(separator: ", ")
            : "\(found.count) students, the last since \(times.day(of: latest))"
        return "Recorded anew: \(who). Recording was off for them before, which emptied what there was, so what they did earlier is in no "
            + "figure here."
    }

    /// The share of the target that a row has reached, rounded down: 99 % never reads 100 %.
    package func goal(_ row: Row) -> Int? {
        guard let target, target > 0, let primary else { return nil }
        let minutes = primary.identifier == AssignmentLimits.minutes
        guard let value = minutes ? row.figures?.active.map({ $0.seconds / 60 }) : row.figure(primary.identifier) else { return nil }
        // Multiplied first: 29 of 100 is 29, and 0.29 times 100 is less.
        return Int(min(100, max(0, value * 100 / target)))
    }

    /// Rows in another order; rows that are equal in it stay by surname.
    package func sorted(by order: Order) -> ClassReport {
        var copy = self
        copy.rows = rows.sorted { Self.precedes($0, $1, order) }
        return copy
    }

    static func precedes(_ left: Row, _ right: Row, _ order: Order) -> Bool {
        switch order {
        case .surname: break
        case .state:
            let ranks = State.allCases
            let (first, second) = (ranks.firstIndex(of: left.state) ?? 0, ranks.firstIndex(of: right.state) ?? 0)
            if first != second { return first < second }
        case .worked:
            let (first, second) = (left.figures?.active ?? .microseconds(-1), right.figures?.active ?? .microseconds(-1))
            if first != second { return first > second }
        case .last:
            if left.isWorking != right.isWorking { return left.isWorking }
            let (first, second) = (left.last?.microseconds ?? .min, right.last?.microseconds ?? .min)
            if first != second { return first > second }
        }
        return (sortKey(left.name), left.person) < (sortKey(right.name), right.person)
    }
}
