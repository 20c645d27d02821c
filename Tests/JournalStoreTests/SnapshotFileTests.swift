// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("The snapshot beside the journal")
struct SnapshotFileTests {
    /// A journal of twelve entries with a snapshot of all.
    private func filled() throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        var options = JournalOptions.quick
        options.segmentBytes = 900
        let writer = try state.open(options)
        for number in 0..<12 { #expect(writer.submit(draft(number))) }
        _ = take(writer) { $0.flatMap(\.entries).count == 12 }
        _ = writer.finish()
        #expect(try state.writeSnapshot(of: "all of it"))
        return state
    }

    @Test("comes back as it was written, for its owner alone, and a newer one takes its place")
    func roundTrip() throws {
        let state = try filled()
        let found = try state.readSnapshot().get()
        #expect(found.content == "all of it" && found.seq == 12)
        let mode = try FileManager.default.attributesOfItem(atPath: state.snapshot)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try state.writeSnapshot(of: String(repeating: "more ", count: 200_000)))
        #expect(try state.readSnapshot().get().content.count == 1_000_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path).filter { $0.hasSuffix(".new") }.isEmpty)
    }

    @Test("is refused with any bit another, cut anywhere, and with bytes behind it")
    func damage() throws {
        let state = try filled()
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: state.snapshot)))
        func put(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: state.snapshot)) }
        for index in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << UInt8(bit)
                try put(bytes)
                // Of the form of the file nothing else can be believed.
                let expected: SnapshotFile.Refusal = (8..<12).contains(index) ? .otherVersion : .damaged
                #expect(state.refusal() == expected, "byte \(index), bit \(bit)")
            }
        }
        for length in 0..<whole.count {
            try put(Array(whole.prefix(length)))
            #expect(state.refusal() == .damaged, "cut at \(length)")
        }
        try put(whole + [0])
        #expect(state.refusal() == .damaged)
        // Without reading all of that.
        try put(whole)
        #expect(truncate(state.snapshot, 16 << 30) == 0)
        #expect(state.refusal() == .damaged)
        try put(whole)
        #expect(state.refusal() == nil)
    }

    @Test("is refused where it is of another version, of another journal, ahead of this one, or not there")
    func strangers() throws {
        let state = try filled()
        #expect(state.refusal(version: 4) == .otherVersion)
        #expect(state.refusal(program: "9.8") == .otherVersion)
        #expect(state.refusal(through: 11) == .otherJournal)
        let other = try filled()
        try FileManager.default.removeItem(atPath: other.snapshot)
        #expect(other.refusal() == .absent)
        // The same entries with other salts.
        try FileManager.default.copyItem(atPath: state.snapshot, toPath: other.snapshot)
        #expect(other.refusal() == .otherJournal)
        let last = try #require(state.segments.last)
        try FileManager.default.removeItem(atPath: "\(state.journal)/\(last)")
        #expect(state.refusal() == .otherJournal)
        try FileManager.default.removeItem(atPath: state.snapshot)
        try FileManager.default.createDirectory(atPath: state.snapshot, withIntermediateDirectories: false)
        #expect(state.refusal() == .unreadable("Invalid argument"))
    }

    @Test("fits a compressed segment and a journal that has grown")
    func later() throws {
        let state = try filled()
        try state.pack()
        #expect(state.refusal() == nil)
        let writer = try state.open(.quick)
        #expect(writer.submit(draft(12)))
        _ = writer.finish()
        #expect(state.refusal() == nil)
        #expect(try state.readSnapshot().get().seq == 12)
    }

    @Test("is the old one or the new one, whichever call fails")
    func eachCall() throws {
        let whole = try filled()
        let counting = Faults(0..<0, .error(EIO))
        #expect(try whole.copy().writeSnapshot(of: "new", disk: counting.disk))
        #expect(counting.calls >= 4)
        for number in 0..<counting.calls {
            for fault in [Disk.Fault.error(EIO), .short(9, ENOSPC)] {
                let state = try whole.copy()
                #expect(throws: JournalError.self) {
                    try state.writeSnapshot(of: "new", disk: Faults(number..<(number + 1), fault).disk)
                }
                #expect(["all of it", "new"].contains(try state.readSnapshot().get().content), "call \(number)")
                #expect(!FileManager.default.fileExists(atPath: "\(state.path)/\(SnapshotFile.temporaryName)"))
            }
        }
    }

    @Test("that was begun before an erasure is never finished")
    func takenAway() throws {
        let state = try filled()
        let output = try SnapshotOutput(stateDirectory: state.path)
        output.begin(SnapshotFile.Stamp(position: try state.position(), journalBytes: 1, contentVersion: 3, program: "9.9"))
        let writer = try state.open()
        #expect(writer.erase(ErasureRequest(id: 1, kind: .forgotten, by: 0, selection: Numbers([3]))))
        _ = take(writer) { $0.contains { if case .erased = $0 { true } else { false } } }
        #expect(state.refusal() == .absent)
        #expect(try output.finish() == false)
        _ = writer.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path).filter { $0.contains("snapshot") }.isEmpty)
        #expect(try state.writeSnapshot(of: "without 3"))
        #expect(state.refusal() == nil)
    }
}
