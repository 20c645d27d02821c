// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger

/// A made-up class of 30 over a term of 14 weeks, as its journal has it: two or three sessions a week each, with signs of typing, saves and
/// measured documents. Always the same.
struct TermClass {
    static let students = 30
    static let days = 98

    private(set) var ledger = Ledger()
    let id = AssignmentID(text: "10a/2025-12-12 Year paper")
    let people: [PersonID]
    private var seq: UInt64 = 0
    private var activities: UInt64 = 0
    private var random: UInt64 = 1
    private let boot = BootID(text: "term")
    private static let first = WallTime(microseconds: 1_756_684_800_000_000)  // Monday 1 September 2025

    var now: Moment {
        let wall = Self.first + .seconds(Int64(Self.days) * 86_400 + 11 * 3600)
        return Moment(wall: wall, boot: boot, mono: mono(wall))
    }

    init() {
        people = (0..<Self.students).map { PersonID(uid: 3000 + UInt32($0), login: "s\(3000 + $0)") }
        add(.started(version: "1"), at: Self.first)
        add(.recording(RecordingChange(state: .on)), at: Self.first)
        for (index, person) in people.enumerated() {
            let name = "\(Self.given[index % Self.given.count]) \(Self.families[index])"
            add(.person(PersonFacts(person: person, displayName: name, role: .student, classes: ["10a"])), at: Self.first)
        }
        var facts = AssignmentFacts(
            id: id, title: "Year paper", className: "10a", share: "/srv/classes", folder: PathBytes(id.text),
            due: Self.first + .seconds(102 * 86_400 + 86_340), by: 900, rule: Rule(), students: people)
        facts.target = Target(identifier: "total_word_count", value: 3_000)
        add(.assignmentCreated(facts), at: Self.first + .seconds(8 * 3600))
        var words = people.map { _ in 0.0 }
        for day in 0..<Self.days {
            for (index, person) in people.enumerated() where works(on: day, index) {
                // Later in the day the further down the list, so that the entries are in order.
                let quarter = 32 + index
                words[index] += session(of: person, from: Self.first + .seconds(day * 86_400 + quarter * 900), words: words[index])
            }
        }
    }

    private mutating func works(on day: Int, _ index: Int) -> Bool {
        let often = 18 + index % 7 * 4
        return day % 7 < 5 ? roll(100) < often : roll(100) < 6
    }

    /// Answers by how much the document grew.
    private mutating func session(of person: PersonID, from start: WallTime, words: Double) -> Double {
        activities += 1
        let session = ActivityID(activities)
        let document = DocumentRef(share: "/srv/classes", path: PathBytes("\(id.text)/\(person.login)/year paper.odt"))
        let who = Attribution(person: person, source: .companion)
        let begin = SessionStart(
            id: session, document: document, attribution: who, presence: .companion, openedAt: mono(start), notBefore: mono(start))
        add(.session(.started(begin), assignment: id), at: start)
        let minutes = 6 + roll(50)
        var growth = 0.0
        var at = start
        for _ in 0..<max(1, minutes / 8) {
            let next = at + .seconds(8 * 60)
            let typed = Evidence(.typed, first: mono(at), last: mono(next), count: 16, isContinuous: true)
            add(.session(.evidence(session, typed), assignment: nil), at: next)
            at = next
            growth += Double(roll(60)) - 12
            let saved = Evidence(.saved, first: mono(at), last: mono(at), count: 1, isContinuous: false)
            add(.session(.evidence(session, saved), assignment: nil), at: at)
            let items = [
                Item(
                    identifier: "total_word_count", title: "Word Count", value: .quantity(max(0, words + growth)), method: .counted),
                Item(
                    identifier: "readability_grade_level", title: "Flesch-Kincaid Grade Level", value: .quantity(7 + Double(roll(40)) / 10),
                    method: .counted),
            ]
            add(
                .metrics(
                    MetricsFacts(
                        document: document, assignment: id, attribution: who, savedAt: mono(at), size: 20_000, format: "odt",
                        language: "en",
                        items: items)), at: at)
        }
        let end = SessionEnd(ending: .companion, closedAt: mono(at), notAfter: mono(at), confidence: .good)
        add(.session(.stopped(session, end), assignment: nil), at: at)
        return max(-words, growth)
    }

    private mutating func add(_ body: EntryBody, at instant: WallTime) {
        seq += 1
        ledger.apply(Entry(seq: seq, at: instant, boot: boot, mono: mono(instant), body: body))
    }

    private func mono(_ instant: WallTime) -> BootTime { BootTime(microseconds: (instant - Self.first).microseconds) }

    /// 0 up to below `limit`, the same in each run.
    private mutating func roll(_ limit: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % limit
    }

    private static let given = [
        "Chidi", "Jonas", "Ana", "Elif", "Rhys", "Isatu", "Ola", "Sami", "Ren", "Mia", "Zofia", "Tomás", "Noor", "Björn", "Léa",
    ]
    private static let families = [
        "Abara", "Berg", "Castellanos-Ruiz", "Demir", "Evans", "Fofanah", "Grant", "Haddad", "Ito", "Jansson", "Kowalska", "Lindqvist",
        "Márquez", "Nowak", "Okafor", "Petrov", "Quispe", "Rossi", "Schmidt", "Tanaka", "Ueda", "Vasquez", "Weber", "Xhaka", "Yılmaz",
        "Zimmermann", "Ångström", "Becker", "Çelik", "Dubois",
    ]
}
