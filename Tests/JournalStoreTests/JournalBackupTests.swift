// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Synchronization
import Testing

@Suite("A backup")
struct JournalBackupTests {
    private func filled(_ state: StateDirectory, _ numbers: ClosedRange<Int>) throws {
        var options = JournalOptions.withCheckpoints
        options.segmentBytes = 5000
        options.maximumGroup = 4
        let writer = try state.open(options)
        for number in numbers { #expect(writer.submit(draft(number))) }
        _ = writer.finish()
    }

    @Test("has the journal up to the last acknowledged entry, whole, while the writer goes on")
    func running() throws {
        let state = try StateDirectory(inMemory: true)
        try filled(state, 1...60)
        try state.pack()
        var options = JournalOptions.withCheckpoints
        options.segmentBytes = 5000
        let writer = try state.open(options)
        let isEnough = Flag()
        let feeder = try WorkerThread(name: "feeder") {
            var number = 61
            while !isEnough.value.load(ordering: .acquiring) {
                if writer.submit(draft(number)) { number += 1 } else { sched_yield() }
            }
            writer.close()
        }
        let place = try StateDirectory(inMemory: true)
        var (backups, last) = (0, UInt64(0))
        while let reports = writer.reports.takeWaiting() {
            last = reports.flatMap(\.entries).last?.entry.seq ?? last
            guard last > 0, backups < 6 else {
                isEnough.value.store(backups == 6, ordering: .releasing)
                continue
            }
            #expect(JournalBackup.isWritten(state.path))
            let target = "\(place.path)/\(backups)"
            let result = try JournalBackup.run(state.path, to: target, through: last)
            #expect(result.check.isGood, "\(result.check.text)")
            #expect(result.check.findings.last.seq == last)
            let copied = JournalReader(stateDirectory: target)
            var entries = 0
            try copied.replay { _, _ in
                entries += 1
                return true
            }
            #expect(entries == Int(last))
            #expect(access(target + "/journal.key", F_OK) != 0)
            #expect(CheckpointFiles.keys(in: target) == CheckpointFiles.keys(in: state.path))
            backups += 1
        }
        feeder.join()
        #expect(backups == 6)
        _ = writer.finish()
        #expect(throws: JournalBackup.Failure.exists("\(place.path)/0")) {
            try JournalBackup.run(state.path, to: "\(place.path)/0", through: nil)
        }
    }

    @Test("that is restored goes on with its next number, none stands in it twice, and a later note tells what is missing")
    func restored() throws {
        let state = try StateDirectory(inMemory: true)
        try filled(state, 1...50)
        let place = try StateDirectory(inMemory: true)
        let copied = try JournalBackup.run(state.path, to: place.path + "/backup", through: nil)
        #expect(copied.check.isGood)
        let early = try #require(CheckpointFiles.note(in: state.path)?.position)
        try filled(state, 51...80)
        let late = try #require(CheckpointFiles.note(in: state.path)?.position)

        let restored = try StateDirectory(inMemory: true)
        #expect(try runProgram(["cp", "-a", place.path + "/backup/.", restored.path]).status == 0)
        #expect(JournalCheck.run(restored.path, since: [early]).isGood)
        #expect(JournalCheck.run(restored.path, since: [late]).findings.known.first?.answer == .endsBefore)
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: restored.path + "/current.jsonl")
        #expect(target == "journal/" + (try #require(restored.segments.last)))
        try filled(restored, 101...160)
        #expect(try restored.numbers() == Array(1...50) + Array(101...160))
        var seqs: [UInt64] = []
        try JournalReader(stateDirectory: restored.path).replay { entry, _ in
            seqs.append(entry.seq)
            return true
        }
        #expect(seqs == Array(1...UInt64(seqs.count)))
        let check = JournalCheck.run(restored.path, since: [early])
        #expect(check.isGood, "\(check.text)")
        // A new key was made; the old one's checkpoints stay good.
        #expect(CheckpointFiles.keys(in: restored.path).count == 2)
        #expect(check.findings.foreignCheckpoints == 0)
        #expect(JournalCheck.run(restored.path, since: [late]).findings.known.first?.answer == .different)
    }

    @Test("of a damaged journal is made all the same, and says so; bytes that were set aside are in it")
    func damaged() throws {
        let state = try StateDirectory(inMemory: true)
        try filled(state, 1...50)
        let name = state.segments[1]
        var bytes = try state.read(name)
        bytes[200] ^= 1
        try state.write(name, bytes)
        try state.write(name + ".torn-7", [1, 2, 3])
        let place = try StateDirectory(inMemory: true)
        let result = try JournalBackup.run(state.path, to: place.path + "/backup", through: nil)
        #expect(result.check.findings.firstBad?.place.segment == name)
        #expect(FileManager.default.contents(atPath: "\(place.path)/backup/journal/\(name)") == Data(bytes))
        #expect(FileManager.default.contents(atPath: "\(place.path)/backup/journal/\(name).torn-7") == Data([1, 2, 3]))
        #expect(throws: JournalBackup.Failure.journal(.absent(state: place.path + "/none"))) {
            try JournalBackup.run(place.path + "/none", to: place.path + "/other", through: nil)
        }
    }

    @Test("is whole or not there, whichever call fails", arguments: [.error(EIO), .short(700, ENOSPC)] as [Disk.Fault])
    func faults(fault: Disk.Fault) throws {
        let state = try StateDirectory(inMemory: true)
        try filled(state, 1...40)
        try state.pack()
        let place = try StateDirectory(inMemory: true)
        var number = 0
        while true {
            let faults = Faults(number..<(number + 1), fault)
            let target = "\(place.path)/\(number)"
            do throws(JournalBackup.Failure) {
                let result = try JournalBackup.run(state.path, to: target, through: nil, disk: faults.disk)
                #expect(result.check.isGood)
                #expect(faults.calls <= number)
                break
            } catch {
                guard case .target(_, let reason) = error else {
                    Issue.record("call \(number): \(error)")
                    break
                }
                #expect(!reason.isEmpty)
                // The very last call flushes the name of a backup that is whole already.
                if access(target, F_OK) == 0 { #expect(JournalCheck.run(target).isGood, "call \(number)") }
                #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).allSatisfy { !$0.contains("unfinished") })
            }
            number += 1
        }
        #expect(number > 15)
    }
}

private final class Flag: Sendable {
    let value = Atomic(false)
}
