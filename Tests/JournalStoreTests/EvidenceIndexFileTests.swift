// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("Index files beside the segments")
struct EvidenceIndexFileTests {
    private func filled() throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        var options = JournalOptions.quick
        options.segmentBytes = 900
        let writer = try state.open(options)
        for number in 0..<12 { #expect(writer.submit(draft(number))) }
        _ = take(writer) { $0.flatMap(\.entries).count == 12 }
        _ = writer.finish()
        return state
    }

    private func text(_ index: StoredEvidenceIndex) -> String? { index.withContent { String(decoding: $0, as: UTF8.self) } }

    @Test("come back as they were written, for their owner alone, beside the segment with their first entry")
    func roundTrip() throws {
        let state = try filled()
        let output = try EvidenceIndexOutput(stateDirectory: state.path)
        let index = try #require(
            try output.add(seqs: [3, 7], content: Array("typed".utf8), contentVersion: 5, position: try state.position()))
        #expect(index.name.hasPrefix("00000000000000000003-") && index.name.hasSuffix(".evidence"))
        #expect(index.head.position == (try state.position()) && index.head.contentVersion == 5 && index.first == 3)
        // The same is found again and not written.
        let again = try #require(
            try output.add(seqs: [3, 7], content: Array("typed".utf8), contentVersion: 5, position: try state.position()))
        #expect(again.name == index.name)
        _ = try output.add(seqs: [4], content: Array("other".utf8), contentVersion: 5, position: try state.position())
        try output.sync()
        #expect(state.indexes.count == 2)
        output.finish(keeping: [index.name])
        #expect(state.indexes == [index.name])
        #expect(!FileManager.default.fileExists(atPath: "\(state.journal)/\(EvidenceIndexFile.temporaryFolder)"))
        let mode = try FileManager.default.attributesOfItem(atPath: "\(state.journal)/\(index.name)")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let read = try StoredEvidenceIndex(index.name, stateDirectory: state.path)
        #expect(text(read) == "typed" && read.head == index.head)
        // What maps it goes on when it has lost its name.
        SnapshotFile.discard(in: state.path)
        #expect(state.indexes.isEmpty && text(read) == "typed")
    }

    @Test("are refused with any bit another, cut anywhere, and with bytes behind them")
    func damage() throws {
        let state = try filled()
        let name = try state.writeIndex(of: [3, 7], "typed")
        let whole = try state.read(name)
        func isRefused(_ bytes: [UInt8]) throws -> Bool {
            try state.write(name, bytes)
            return (try? StoredEvidenceIndex(name, stateDirectory: state.path)) == nil
        }
        for index in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << UInt8(bit)
                #expect(try isRefused(bytes), "byte \(index), bit \(bit)")
            }
        }
        for length in 0..<whole.count { #expect(try isRefused(Array(whole.prefix(length))), "cut at \(length)") }
        #expect(try isRefused(whole + [0]))
        #expect(try !isRefused(whole))
    }

    @Test("that are made shorter while they are mapped say so instead of ending the process")
    func shorter() throws {
        let state = try filled()
        let name = try state.writeIndex(of: [3], String(repeating: "typed ", count: 5000))
        let index = try StoredEvidenceIndex(name, stateDirectory: state.path)
        #expect(truncate("\(state.journal)/\(name)", 200) == 0)
        #expect(text(index) == nil)
        #expect(index.withContent { $0[0] } == nil, "what was damaged once is not believed again")
    }

    @Test("are no segments: readers, checks and backups pass over them")
    func strangers() throws {
        let state = try filled()
        try state.writeIndex(of: [3], "typed")
        #expect(JournalCheck.run(state.path).isGood)
        #expect(try state.numbers() == Array(0..<12))
        let target = state.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: target) }
        let result = try JournalBackup.run(state.path, to: target, through: nil)
        #expect(result.check.isGood)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target + "/journal").allSatisfy { !$0.contains("evidence") })
    }

    @Test("go with an entry of theirs that is emptied; others stay")
    func erased() throws {
        let state = try filled()
        // Numbers begin at 0, entries at 1.
        let names = try [[UInt64(3), 7], [2], [4], [5, 6]].map { try state.writeIndex(of: $0, "typed \($0)") }
        let damaged = try state.writeIndex(of: [12], "x")
        try state.write(damaged, [1, 2, 3])
        let writer = try state.open()
        #expect(writer.erase(ErasureRequest(id: 1, kind: .forgotten, by: 0, selection: Numbers([3, 6]))))
        _ = take(writer) { $0.contains { if case .erased = $0 { true } else { false } } }
        _ = writer.finish()
        // Entries 4 and 7; and what nobody can read may have any.
        #expect(state.indexes == [names[1], names[3]].sorted())
    }

    @Test("that were begun before an erasure are never finished, whatever they would be")
    func takenAway() throws {
        let state = try filled()
        let output = try EvidenceIndexOutput(stateDirectory: state.path)
        let position = try state.position()
        _ = try output.add(seqs: [4], content: [1], contentVersion: 5, position: position)
        _ = try output.add(seqs: [6], content: [1], contentVersion: 5, position: position)
        let writer = try state.open()
        #expect(writer.erase(ErasureRequest(id: 1, kind: .forgotten, by: 0, selection: Numbers([3]))))
        _ = take(writer) { $0.contains { if case .erased = $0 { true } else { false } } }
        _ = writer.finish()
        #expect(state.indexes.count == 1)
        #expect(try output.add(seqs: [4], content: [2], contentVersion: 5, position: position) == nil)
        #expect(try output.add(seqs: [8], content: [2], contentVersion: 5, position: position) == nil)
        #expect(state.indexes.count == 1)
        #expect(!FileManager.default.fileExists(atPath: "\(state.journal)/\(EvidenceIndexFile.temporaryFolder)"))
    }

    @Test("are whole or not there, whichever call fails, and leave nothing that the next one does not remove")
    func eachCall() throws {
        let whole = try filled()
        let counting = Faults(0..<0, .error(EIO))
        try whole.copy().writeIndex(of: [3], "typed", disk: counting.disk)
        #expect(counting.calls >= 5)
        for number in 0..<counting.calls {
            for fault in [Disk.Fault.error(EIO), .short(9, ENOSPC)] {
                let state = try whole.copy()
                _ = try? state.writeIndex(of: [3], "typed", disk: Faults(number..<(number + 1), fault).disk)
                for name in state.indexes {
                    #expect(text(try StoredEvidenceIndex(name, stateDirectory: state.path)) == "typed", "call \(number)")
                }
                let name = try state.writeIndex(of: [3], "typed")
                #expect(state.indexes == [name])
                #expect(!FileManager.default.fileExists(atPath: "\(state.journal)/\(EvidenceIndexFile.temporaryFolder)"))
            }
        }
    }
}

extension StateDirectory {
    /// The names of all index files.
    var indexes: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: journal)) ?? []).filter { $0.hasSuffix(EvidenceIndexFile.ending) }.sorted()
    }

    /// Writes one and keeps all others; gives its name.
    @discardableResult
    func writeIndex(of seqs: [UInt64], _ content: String, disk: Disk = Disk()) throws -> String {
        let others = Set(indexes)
        let output = try EvidenceIndexOutput(stateDirectory: path, disk: disk)
        let index = try output.add(seqs: seqs, content: Array(content.utf8), contentVersion: 3, position: try position())
        try output.sync()
        guard let index else { throw CocoaError(.fileNoSuchFile) }
        output.finish(keeping: others.union([index.name]))
        return index.name
    }
}
