// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger

/// Writes entries for tests; minutes since the boot are the only time.
struct Book {
    private(set) var entries: [Entry] = []
    var boot = BootID(text: "b1")
    /// What the wall clock shows at minute 0 of the boot.
    var start = WallTime(microseconds: 1_741_564_800_000_000)  // 2025-03-10T00:00:00Z

    mutating func add(_ body: EntryBody, _ minute: Double) {
        entries.append(
            Entry(seq: UInt64(entries.count + 1), at: start + minutes(minute), boot: boot, mono: instant(minute), body: body))
    }

    /// A session with one sign of typing that lasts from its opening to its close; without an end where `to` is nil.
    mutating func session(
        _ id: UInt64, _ person: PersonID?, _ document: String = "essay.odt", from: Double, to: Double?, assignment: AssignmentID? = homework
    ) {
        let start = SessionStart(
            id: ActivityID(id), document: place(document), attribution: Attribution(person: person, source: .companion),
            presence: .companion, openedAt: instant(from), notBefore: instant(from))
        add(.session(.started(start), assignment: assignment), from)
        guard let to else { return }
        let typed = Evidence(.typed, first: instant(from), last: instant(to), count: 9, isContinuous: true)
        add(.session(.evidence(ActivityID(id), typed), assignment: nil), to)
        let end = SessionEnd(ending: .companion, closedAt: instant(to), notAfter: instant(to), confidence: .good)
        add(.session(.stopped(ActivityID(id), end), assignment: nil), to)
    }

    mutating func words(_ count: Double, _ person: PersonID?, _ document: String = "essay.odt", _ minute: Double) {
        add(
            .metrics(
                MetricsFacts(
                    document: place(document), assignment: homework, attribution: Attribution(person: person, source: .save),
                    savedAt: instant(minute), size: 1,
                    items: [Item(identifier: "total_word_count", title: "Word Count", value: .quantity(count), method: .counted)])), minute)
    }

    var ledger: Ledger { entries.reduce(into: Ledger()) { $0.apply($1) } }

    func moment(_ minute: Double) -> Moment { Moment(wall: start + minutes(minute), boot: boot, mono: instant(minute)) }
}

let homework = AssignmentID(text: "7b/Map")
let alice = PersonID(uid: 2001, login: "alice")
let bob = PersonID(uid: 2002, login: "bob")
let keller = PersonID(uid: 900, login: "keller")

func instant(_ minute: Double) -> BootTime { BootTime(microseconds: minutes(minute).microseconds) }
func minutes(_ count: Double) -> Duration { .microseconds(Int64(count * 60_000_000)) }
func place(_ document: String) -> DocumentRef { DocumentRef(share: "/srv/classes", path: PathBytes("7b/Map/alice/\(document)")) }

func map(students: [PersonID] = [alice, bob]) -> AssignmentFacts {
    AssignmentFacts(
        id: homework, title: "Map", className: "7b", share: "/srv/classes", folder: PathBytes("7b/Map"), due: nil, by: 900, rule: Rule(),
        students: students)
}

func wall(_ text: String) -> WallTime {
    guard let time = WallTime(rfc3339: text) else { preconditionFailure("no time: \(text)") }
    return time
}
