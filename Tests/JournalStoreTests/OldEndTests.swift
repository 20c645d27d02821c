// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("The old end of the journal", .serialized)
struct OldEndTests {
    private static let day: Int64 = 86_400_000_000
    private static let start: Int64 = 1_773_529_140_000_000

    private static func at(_ day: Int64) -> WallTime { WallTime(microseconds: start + day * Self.day) }
    /// Right after the first entry of a day.
    private static func since(_ day: Int64) -> WallTime { at(day) + .microseconds(1) }

    /// Four entries on each of six days, each day a segment; all but the last day's compressed where that is wanted.
    private func filled(packed: Bool) throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        let writer = try state.open(.withCheckpoints)
        for number in 0..<24 {
            #expect(
                writer.submit(
                    EntryDraft(
                        at: Self.at(Int64(number / 4)), mono: BootTime(microseconds: Int64(number)), body: .stopped(reason: "\(number)"))))
        }
        _ = take(writer) { $0.flatMap(\.entries).contains { $0.entry.body == .stopped(reason: "23") } }
        _ = writer.finish()
        if packed { try state.pack() }
        return state
    }

    private struct These: EntrySelection {
        var wanted: Set<Int>
        var words: [String] { [] }
        mutating func learn(_ entry: Entry, digest: Digest) {}
        func replacements() -> [EntryBody] { [] }
        func selects(_ entry: Entry, digest: Digest) -> Bool {
            if case .stopped(let reason) = entry.body, let number = Int(reason) { wanted.contains(number) } else { false }
        }
    }

    /// Empties these of the entries that are older than a day, and removes what can go.
    @discardableResult
    private func retain(_ state: StateDirectory, _ numbers: some Sequence<Int>, before day: Int64, disk: Disk = Disk()) throws
        -> ErasureReport?
    {
        let writer = try state.open(.withCheckpoints, disk: disk)
        let request = ErasureRequest(id: 3, kind: .retention, by: nil, selection: These(wanted: Set(numbers)), before: Self.since(day))
        #expect(writer.erase(request))
        let reports = take(writer) { reports in
            reports.contains { report in
                switch report {
                case .erased, .stalled: true
                default: false
                }
            }
        }
        let rest = writer.finish()
        return (reports + rest).compactMap { if case .erased(let report) = $0 { report } else { nil } }.last
    }

    private func baseFiles(_ state: StateDirectory) throws -> [String] {
        try state.segments.filter { String(decoding: try state.read($0), as: UTF8.self).contains("\"kind\":\"base\"") }
    }

    @Test("goes once nothing is left in it, for whoever reads the journal and however they do", arguments: [false, true])
    func goes(packed: Bool) throws {
        let state = try filled(packed: packed)
        let first = JournalCheck.run(state.path).findings.last
        var early: JournalPosition?
        var middle: JournalPosition?
        try JournalReader(stateDirectory: state.path).replay { entry, line in
            let chain = String(decoding: line.suffix(66).prefix(64), as: UTF8.self)
            let position = Digest(hex: chain).map { JournalPosition(seq: entry.seq, chain: $0) }
            if case .stopped("1") = entry.body { early = position }
            if case .stopped("14") = entry.body { middle = position }
            return true
        }
        // Someone reads the oldest segment at that moment, and goes on.
        let cursor = JournalReader(stateDirectory: state.path).cursor(after: 0)
        #expect(try cursor.next(through: 100, maximumBytes: 1).map(\.seq) == [1])

        let report = try retain(state, 0..<12, before: 3)
        #expect(report?.outcome == .done(entries: 12))
        let check = JournalCheck.run(state.path, since: [first, try #require(middle)])
        #expect(check.isGood, "\(check.text)")
        #expect(check.findings.firstSeq == 16, "four entries and a checkpoint a day")
        #expect(try baseFiles(state) == ["00000000000000000015.jsonl"])
        #expect(try state.numbers() == Array(12..<24))
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.journal).allSatisfy { $0 >= "00000000000000000015" })
        let old = JournalCheck.run(state.path, since: [try #require(early)])
        #expect(!old.isGood && old.text.contains("begins after it, since older entries have aged out"), "\(old.text)")
        // What was open is read to its end, in the form that it had; then comes what is there.
        var seen: [UInt64] = []
        while true {
            let lines = try cursor.next(through: 1000)
            if lines.isEmpty { break }
            seen += lines.map(\.seq)
        }
        #expect(seen.suffix(5) == Array((check.findings.last.seq - 4)...check.findings.last.seq))
        #expect(seen == seen.sorted() && Set(seen).count == seen.count)
        #expect(try JournalReader(stateDirectory: state.path).cursor(after: 5).next(through: 17).map(\.seq) == [15, 16, 17])
        // Of a backup, and of what is left after once more.
        let copy = try StateDirectory(inMemory: true)
        let backup = try JournalBackup.run(state.path, to: copy.path + "/backup", through: nil)
        #expect(backup.check.isGood && backup.check.findings.firstSeq == 16, "\(backup.check.text)")
        #expect(try retain(state, 12..<16, before: 4)?.outcome == .done(entries: 4))
        #expect(try baseFiles(state) == ["00000000000000000020.jsonl"])
        #expect(JournalCheck.run(state.path, since: [first]).isGood)
        // The base line is compressed like everything else, and removed all the same.
        try state.pack()
        #expect(JournalCheck.run(state.path, since: [first]).isGood)
        #expect(try retain(state, 16..<20, before: 5)?.outcome == .done(entries: 4))
        #expect(JournalCheck.run(state.path, since: [first]).isGood)
        #expect(try state.numbers() == Array(20..<24))
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.journal).allSatisfy { $0 >= "00000000000000000025" })
    }

    @Test("stays while there is anything in it, and no younger one goes before it")
    func stays() throws {
        let state = try filled(packed: true)
        let before = JournalCheck.run(state.path).findings.last
        #expect(try retain(state, 1..<12, before: 3)?.outcome == .done(entries: 11))
        #expect(try baseFiles(state).isEmpty)
        #expect(try retain(state, [0], before: 3)?.outcome == .done(entries: 1))
        #expect(try baseFiles(state) == ["00000000000000000015.jsonl"])
        #expect(JournalCheck.run(state.path, since: [before]).isGood)
        // Younger ones are not looked at, so a day without anything old costs nothing.
        #expect(try retain(state, 12..<24, before: 3)?.outcome == .done(entries: 0))
        #expect(try state.numbers() == Array(12..<24))
    }

    @Test("is whole, and is finished by the next one, whichever call fails or wherever it is killed", arguments: [false, true])
    func eachCall(kill: Bool) throws {
        let whole = try filled(packed: true)
        let first = JournalCheck.run(whole.path).findings.last
        let counting = Faults(0..<0, .error(EIO))
        try retain(try whole.copy(), 0..<12, before: 3, disk: counting.disk)
        #expect(counting.calls > 25)
        var halfWay = 0
        for number in 0..<counting.calls {
            let state = try whole.copy()
            _ = try? retain(state, 0..<12, before: 3, disk: Faults(number..<(kill ? Int.max : number + 1), .error(EIO)).disk)
            let names = try FileManager.default.contentsOfDirectory(atPath: state.journal)
            if try !baseFiles(state).isEmpty, names.contains(where: { $0 < "00000000000000000015" }) { halfWay += 1 }
            _ = try state.open(.withCheckpoints).finish()
            let check = JournalCheck.run(state.path, since: [first])
            #expect(check.isGood, "call \(number): \(check.text)")
            #expect(try state.numbers().suffix(12) == Array(12..<24), "call \(number)")
            try retain(state, 0..<12, before: 3)
            let after = JournalCheck.run(state.path, since: [first])
            #expect(after.isGood && after.findings.firstSeq == 16, "call \(number): \(after.text)")
            #expect(try state.numbers() == Array(12..<24), "call \(number)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: state.journal).allSatisfy { $0 >= "00000000000000000015" })
        }
        #expect(halfWay > 1)
    }
}
