// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger
import Reports
import Testing

@Suite("Saves without a session")
struct SavesOnlyTests {
    private static let berg = PersonID(uid: 61_002, login: "berg")
    private static let id = AssignmentID(text: "8b/Hamlet")
    private static let boot = BootID(text: "boot")

    private func row(saves: Int) throws -> ClassReport.Row {
        var ledger = Ledger()
        var bodies: [EntryBody] = [
            .recording(RecordingChange(state: .on)),
            .assignmentCreated(
                AssignmentFacts(
                    id: Self.id, title: "Hamlet", className: "8b", share: "/srv", folder: PathBytes("8b/Hamlet"), due: nil, by: 0,
                    rule: Rule(), students: [Self.berg])),
        ]
        for number in 0..<saves {
            bodies.append(
                .metrics(
                    MetricsFacts(
                        document: DocumentRef(share: "/srv", path: PathBytes("8b/Hamlet/berg/essay.txt")), assignment: Self.id,
                        attribution: Attribution(person: Self.berg, source: .save),
                        savedAt: BootTime(microseconds: Int64(number) * 60_000_000), size: 7,
                        items: [Item(identifier: "total_word_count", title: "Word Count", value: .quantity(301), method: .counted)])))
        }
        for (index, body) in bodies.enumerated() {
            ledger.apply(
                Entry(
                    seq: UInt64(index + 1), at: WallTime(microseconds: Int64(index) * 60_000_000), boot: Self.boot,
                    mono: BootTime(microseconds: Int64(index) * 60_000_000), body: body))
        }
        let now = Moment(wall: WallTime(microseconds: 900_000_000), boot: Self.boot, mono: BootTime(microseconds: 900_000_000))
        return try #require(ClassReport(of: Self.id, in: ledger, now: now)?.rows.first)
    }

    @Test(
        "are of unknown duration, never 0 and never blank",
        arguments: [(0, .notStarted), (1, .broughtIn), (2, .started)] as [(Int, ClassReport.State)])
    func unknown(saves: Int, state: ClassReport.State) throws {
        let row = try row(saves: saves)
        #expect(row.state == state)
        #expect(row.figures?.saves == (saves == 0 ? nil : saves))
        #expect(row.figures?.active == nil)
        #expect(row.figures?.confidence == (saves == 0 ? nil : .thin))
    }
}
