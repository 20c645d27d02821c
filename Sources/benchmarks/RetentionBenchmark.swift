// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import Inference
import Ledger

/// How long the daemon's loop is held by a retention pass over a large ledger: in one go, and for the longest of the parts into which the
/// daemon cuts it.
struct RetentionBenchmark {
    static let entries = 1_000_000
    static let students = 300
    static let assignments = 400

    let options: BenchmarkOptions

    func run() throws {
        var ledger = Self.ledger()
        let now = Moment(
            wall: Self.wall(Self.entries) + .seconds(100 * 86_400), boot: Self.boot, mono: Self.mono(Self.entries))
        let clock = LocalClock.utc
        var looks: [Double] = []
        var totals: [Double] = []
        var aged: [AssignmentID] = []
        var count = 0
        for id in ledger.allAssignments.map(\.id) {
            looks.append(
                Self.milliseconds {
                    guard let record = ledger.assignment(id), ledger.endOfWork(on: record) != nil, ledger.hasEvidence(id) else { return }
                    aged.append(id)
                })
            totals.append(Self.milliseconds { count += ledger.totals(of: id, now: now, clock: clock).count })
        }
        guard aged.count == Self.assignments, count > Self.students else { throw BenchmarkFailure("nothing has aged") }
        let views = Self.milliseconds { _ = ledger.firstView }
        var departures: [Double] = []
        for id in aged { departures.append(Self.milliseconds { ledger.workWent(of: id) }) }
        func row(_ what: String, _ times: [Double]) -> String {
            let sorted = times.sorted()
            func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
            return
                "\(what): all \(text(times.reduce(0, +))) ms, each \(text(sorted[sorted.count / 2])) (longest \(text(sorted[sorted.count - 1])))"
        }
        show(
            """
            a retention pass over \(Self.entries) entries, \(Self.students) students, \(Self.assignments) assignments
            \(row("when the work was over", looks))
            \(row("totals", totals))
            \(row("the first look", [views]))
            \(row("out of memory", departures))
            """)
    }

    private static func milliseconds(_ body: () -> Void) -> Double {
        let before = bench_monotonic()
        body()
        return Double(bench_monotonic() - before) / 1e6
    }

    private static let boot = BootID(text: "0f2d6f0c9a1b4c7f8e5d3a2b1c0d9e8f")
    private static func mono(_ number: Int) -> BootTime { BootTime(microseconds: 1_000_000_000 + Int64(number) * 10_000_000) }
    private static func wall(_ number: Int) -> WallTime { WallTime(microseconds: 1_700_000_000_000_000 + Int64(number) * 10_000_000) }

    /// Sessions of six entries each, of all students in turns; now and then a save that was measured.
    private static func ledger() -> Ledger {
        var ledger = Ledger()
        var seq = 0
        func add(_ body: EntryBody) {
            seq += 1
            ledger.apply(Entry(seq: UInt64(seq), at: wall(seq), boot: boot, mono: mono(seq), body: body))
        }
        let people = (0..<students).map { PersonID(uid: UInt32(10_000 + $0), login: "student\($0)") }
        add(.recording(RecordingChange(state: .on)))
        for number in 0..<assignments {
            add(
                .assignmentCreated(
                    AssignmentFacts(
                        id: AssignmentID(text: "8b/Task \(number)"), title: "Task \(number)", className: "8b", share: "/srv/classes",
                        folder: PathBytes("8b/Task \(number)"), due: nil, by: 900, rule: Rule(), students: people)))
        }
        var session: UInt64 = 0
        while seq < entries {
            session += 1
            let person = people[Int(session) % students]
            let task = Int(session / UInt64(students)) % assignments
            let document = DocumentRef(share: "/srv/classes", path: PathBytes("8b/Task \(task)/\(person.login)/essay.odt"))
            let known = Attribution(person: person, source: .companion)
            let id = ActivityID(session)
            let start = mono(seq + 1)
            add(
                .session(
                    .started(
                        SessionStart(
                            id: id, document: document, attribution: known, presence: .companion, openedAt: start, notBefore: start)),
                    assignment: AssignmentID(text: "8b/Task \(task)")))
            for _ in 0..<3 {
                let sign = mono(seq)
                add(
                    .session(
                        .evidence(id, Evidence(.typed, first: sign, last: mono(seq + 1), count: 7, isContinuous: true)), assignment: nil))
            }
            add(
                .metrics(
                    MetricsFacts(
                        document: document, assignment: AssignmentID(text: "8b/Task \(task)"), attribution: known, savedAt: mono(seq),
                        size: 4000, items: [Item(identifier: "total_word_count", title: "Words", value: .quantity(9), method: .counted)])))
            let end = mono(seq)
            add(.session(.stopped(id, SessionEnd(ending: .companion, closedAt: end, notAfter: end, confidence: .good)), assignment: nil))
        }
        return ledger
    }
}
