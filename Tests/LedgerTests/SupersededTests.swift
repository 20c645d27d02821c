// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Testing

@Suite("Old entries about the running of the server")
struct SupersededTests {
    @Test("go where a later one, as old, says the same or more, and leave the ledger what it was", arguments: [15, 30, 45, 60, 100])
    func superseded(limit: Double) {
        var book = Book()
        let settings = SettingsFacts(rule: Rule(), shares: ["/srv/classes"], classes: ["7b"])
        for round in 0..<4 {
            let minute = Double(round) * 20
            book.add(.started(version: "\(round)"), minute)
            book.add(.settings(settings), minute)
            book.add(.recording(RecordingChange(state: round == 2 ? .paused : .on)), minute + 1)
            book.add(.recording(RecordingChange(state: round < 2 ? .off : .on, person: bob)), minute + 1)
            book.add(
                .watching(WatchingFacts(share: "/srv/classes", state: .complete, source: "inotify", folders: round)), minute + 2)
            book.add(.person(PersonFacts(person: alice, displayName: "Alice \(round)", role: .student, classes: ["7b"])), minute + 3)
            book.add(
                .person(PersonFacts(person: bob, displayName: "Bob", role: .student, classes: round < 3 ? ["7b"] : [])), minute + 3)
            book.add(.gap(GapFacts(cause: .restart, from: book.start + minutes(minute), to: book.start + minutes(minute + 1))), minute + 4)
            book.add(.clock(ClockFacts(cause: .stepped, by: 5)), minute + 5)
            book.add(.stopped(reason: "terminated"), minute + 19)
        }
        let before = book.start + minutes(limit)
        var old = SupersededEntries(before: before)
        for entry in book.entries { old.learn(entry) }
        let gone = book.entries.filter { old.isSuperseded($0) }
        let rest = book.entries.filter { !old.isSuperseded($0) }.reduce(into: Ledger()) { $0.apply($1) }
        let whole = book.ledger
        #expect(gone.allSatisfy { $0.at < before })
        #expect(gone.contains { $0.body == .stopped(reason: "terminated") } == (limit > 19))
        #expect(rest.version == whole.version && rest.settings == whole.settings && rest.watching == whole.watching)
        #expect(rest.people == whole.people && rest.leftAt == whole.leftAt)
        #expect(rest.recording.everybody == whole.recording.everybody && rest.recording.people == whole.recording.people)
        #expect(rest.gaps == whole.gaps.filter { gap in !gone.contains { $0.seq == gap.seq } })
        // Of what is replaced, nothing is left but the last.
        let kept = book.entries.filter { !old.isSuperseded($0) && $0.at < before }
        #expect(kept.count { if case .started = $0.body { true } else { false } } == 1)
        #expect(kept.count { if case .watching = $0.body { true } else { false } } <= 1)
    }
}
