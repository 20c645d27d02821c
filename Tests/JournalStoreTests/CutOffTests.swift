// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("A journal whose end was cut off below a signed checkpoint")
struct CutOffTests {
    /// Entries 1 to 6 in one segment or several, and a checkpoint of them as entry 7.
    private func filled(segmentBytes: Int = 1 << 20) throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        var options = JournalOptions.withCheckpoints
        // Of segments that end with checkpoints the numbers would be others.
        options.signing = segmentBytes < 1 << 20 ? nil : JournalOptions.Signing()
        options.segmentBytes = segmentBytes
        options.maximumGroup = 1
        let writer = try state.open(options)
        for number in 1...6 { #expect(writer.submit(draft(number))) }
        _ = writer.finish()
        if options.signing == nil {
            let last = try state.open(.withCheckpoints)
            _ = last.finish()
        }
        #expect(CheckpointFiles.note(in: state.path)?.position?.seq == 6)
        #expect(JournalCheck.run(state.path).isGood)
        return state
    }

    private func seqs(_ state: StateDirectory) throws -> [UInt64] {
        var seqs: [UInt64] = []
        try JournalReader(stateDirectory: state.path).replay { entry, _ in
            seqs.append(entry.seq)
            return true
        }
        return seqs
    }

    private func repairs(_ state: StateDirectory) throws -> [RepairFacts] {
        try state.bodies().compactMap { if case .repaired(let facts) = $0 { facts } else { nil } }
    }

    @Test("goes on behind what the checkpoint covers, says so for good, and keeps the note", arguments: [0, 1, 3, 5, 6], [false, true])
    func cut(lines: Int, torn: Bool) throws {
        let state = try filled()
        let note = try #require(CheckpointFiles.note(in: state.path))
        let name = state.segments[0]
        let bytes = try state.read(name)
        let ends = [0] + bytes.indices.filter { bytes[$0] == 0x0a }.map { $0 + 1 }
        try state.write(name, Array(bytes[..<(ends[lines] + (torn ? 30 : 0))]))
        let writer = try state.open(.withCheckpoints)
        #expect(writer.cutOff == 6)
        #expect(writer.submit(draft(99)))
        let entries = writer.finish().flatMap(\.entries)
        _ = consume writer
        // Repaired, a checkpoint as the day of what comes is another, what was submitted, a checkpoint.
        #expect(entries.map(\.entry.seq) == [8, 9, 10, 11])
        #expect(try seqs(state) == (0..<lines).map { UInt64($0 + 1) } + [8, 9, 10, 11])
        let repair = try #require(try repairs(state).first)
        #expect(repair.lastGoodSeq == UInt64(lines))
        #expect(repair.reason.contains("cut off after entry \(lines), although a signed checkpoint covers entry 6"))
        #expect(repair.setAside == (torn ? "\(name).torn-8" : "checkpoint.lost-8"))
        #expect(CheckpointFiles.lostNotes(in: state.path).map(\.file) == ["checkpoint.lost-8"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: state.path + "/checkpoint.lost-8")) == Data(note.whole.utf8))
        #expect(CheckpointFiles.note(in: state.path)?.position?.seq == 10)

        // Also after further starts, with notes that are all good in themselves.
        let next = try state.open(.withCheckpoints)
        #expect(next.cutOff == nil)
        #expect(next.submit(draft(100)))
        _ = next.finish()
        _ = consume next
        #expect(try repairs(state).count == 1)
        let check = JournalCheck.run(state.path)
        #expect(check.exitCode == 1)
        // Of the last cut, only the checkpoint's own entry is missing: what it covers is there.
        #expect(check.text.contains("a checkpoint covers entry 6, which this journal does not show") == (lines < 6))
        #expect(check.text.contains("checkpoint.lost-8"))
        #expect(check.lostNotes == ["checkpoint.lost-8"])
        let losses = JournalLosses.found(in: state.path, cutOff: nil)
        #expect(losses.count == 1 && losses[0].contains("missing up to 6"))
        #expect(JournalLosses.found(in: state.path, cutOff: 6) == losses)
    }

    @Test("also where whole segments are gone, all of them too", arguments: [0, 1, 2])
    func segments(left: Int) throws {
        let state = try filled(segmentBytes: 100)
        try #require(state.segments.count > 3)
        let kept = UInt64(left == 0 ? 0 : (UInt64(state.segments[left].prefix(20)) ?? 0) - 1)
        for name in state.segments.dropFirst(left) { #expect(unlink("\(state.journal)/\(name)") == 0) }
        let writer = try state.open(.withCheckpoints)
        #expect(writer.submit(draft(99)))
        _ = writer.finish()
        #expect(try seqs(state) == (0..<kept).map { $0 + 1 } + [8, 9, 10, 11])
        #expect(try repairs(state).map(\.lastGoodSeq) == [kept])
        #expect(JournalCheck.run(state.path).exitCode == 1)
    }

    @Test("whichever call fails meanwhile, gives no number out twice, and keeps the note before it is replaced")
    func faults() throws {
        let state = try filled()
        let name = state.segments[0]
        let bytes = try state.read(name)
        let ends = bytes.indices.filter { bytes[$0] == 0x0a }
        try state.write(name, Array(bytes[...(ends[2] + 20)]))
        func attempt(_ faults: Faults, _ what: String) throws {
            let copy = try state.copy()
            if let writer = try? copy.open(.withCheckpoints, disk: faults.disk) {
                #expect(writer.submit(draft(99)))
                _ = writer.finish()
            }
            let next = try copy.open(.withCheckpoints)
            #expect(next.submit(draft(100)))
            _ = next.finish()
            let found = try seqs(copy)
            #expect(found.prefix(3) == [1, 2, 3] && found.dropFirst(3).first == 8, "\(what): \(found)")
            #expect(found == found.sorted() && Set(found).count == found.count, "\(what): \(found)")
            #expect(CheckpointFiles.lostNotes(in: copy.path).map(\.position.seq).contains(6), "\(what)")
            #expect(try copy.numbers().suffix(1) == [100], "\(what)")
            #expect(try repairs(copy).first?.setAside != nil, "\(what)")
        }
        let counting = Faults(0..<0, .error(EIO))
        try attempt(counting, "none")
        #expect(counting.calls > 15)
        for fault in [Disk.Fault.error(EIO), .short(40, ENOSPC)] {
            for number in 0..<counting.calls {
                try attempt(Faults(number..<(number + 1), fault), "\(fault) at \(number)")
                // A disk that refuses from here on is as good as a crash.
                try attempt(Faults(number..<1_000_000, fault), "\(fault) from \(number) on")
            }
        }
    }

    @Test("is not believed of a note that none of the journal's keys has signed")
    func foreignNote() throws {
        let state = try filled()
        let stranger = try #require(CheckpointSigner())
        let position = JournalPosition(seq: 1_000_000, chain: try state.position().chain)
        let forged = try #require(stranger.note(of: position))
        try Data(forged.whole.utf8).write(to: URL(fileURLWithPath: state.path + "/checkpoint"))
        let writer = try state.open(.withCheckpoints)
        #expect(writer.cutOff == nil)
        #expect(writer.submit(draft(99)))
        #expect(writer.finish().flatMap(\.entries).map(\.entry.seq) == [8, 9])
    }

    @Test("is kept in a backup")
    func backup() throws {
        let state = try filled()
        let name = state.segments[0]
        let bytes = try state.read(name)
        let ends = bytes.indices.filter { bytes[$0] == 0x0a }
        try state.write(name, Array(bytes[...ends[2]]))
        _ = try state.open(.withCheckpoints).finish()
        let place = try StateDirectory(inMemory: true)
        _ = try JournalBackup.run(state.path, to: place.path + "/backup", through: nil)
        #expect(CheckpointFiles.lostNotes(in: place.path + "/backup").map(\.position.seq) == [6])
    }
}
