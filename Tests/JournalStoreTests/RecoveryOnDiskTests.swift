// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("Recovery")
struct RecoveryOnDiskTests {
    /// A journal of five entries, and where each line begins.
    private func sample() throws -> (bytes: [UInt8], starts: [Int]) {
        let state = try StateDirectory()
        let writer = try state.open()
        for number in 1...5 { #expect(writer.submit(draft(number))) }
        let lines = writer.finish().flatMap(\.entries).map(\.line)
        var starts = [0]
        for line in lines { starts.append((starts.last ?? 0) + line.count + 1) }
        return (lines.flatMap { $0 + [0x0a] }, starts)
    }

    private func state(_ bytes: [UInt8], name: String = "00000000000000000001.jsonl") throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        try FileManager.default.createDirectory(atPath: state.journal, withIntermediateDirectories: false)
        try state.write(name, bytes)
        return state
    }

    private func repairs(_ state: StateDirectory) throws -> [RepairFacts] {
        try state.bodies().compactMap { if case .repaired(let facts) = $0 { facts } else { nil } }
    }

    @Test("keeps every whole entry wherever the file was cut, sets the rest aside, and says so", arguments: [0, 3])
    func cuts(zeros: Int) throws {
        let (bytes, starts) = try sample()
        for length in stride(from: 0, to: bytes.count, by: 13) {
            let cut = Array(bytes.prefix(length)) + [UInt8](repeating: 0, count: zeros)
            let state = try state(cut)
            let whole = starts.count { $0 <= length } - 1
            let tail = Array(cut[starts[whole]...])
            let writer = try state.open()
            #expect(writer.opened.seq == UInt64(whole))
            #expect(writer.submit(draft(99)))
            let durable = writer.finish().flatMap(\.entries)
            #expect(durable.count == (tail.isEmpty ? 1 : 2), "cut at \(length)")
            #expect(try state.numbers() == Array(1..<(whole + 1)) + [99], "cut at \(length)")
            #expect(JournalCheck.run(state.path).isGood, "cut at \(length)")
            let repairs = try repairs(state)
            if tail.isEmpty {
                #expect(repairs.isEmpty)
            } else {
                let repair = try #require(repairs.first)
                #expect(repairs.count == 1)
                #expect(repair.lastGoodSeq == UInt64(whole))
                #expect(repair.bytes == Int64(tail.count))
                #expect(try state.read(#require(repair.setAside)) == tail, "cut at \(length)")
            }
            // And nothing is left to do for the next one.
            let next = try state.open()
            #expect(next.finish().isEmpty)
        }
    }

    @Test("finishes what an interrupted repair began, whichever of its calls failed")
    func interrupted() throws {
        let (bytes, starts) = try sample()
        var calls = 1
        var number = 0
        while number < calls {
            let state = try state(Array(bytes.prefix(starts[3] + 40)))
            let faults = Faults(number..<1_000_000, .error(EIO))
            var options = JournalOptions.quick
            options.retryDelay = .seconds(3600)
            do {
                let broken = try state.open(options, disk: faults.disk)
                _ = broken.finish()
            } catch {
                // Without its folder the journal cannot even be opened; that is the first call.
                #expect(number == 0, "call \(number): \(error)")
            }
            let writer = try state.open()
            #expect(writer.submit(draft(99)))
            _ = writer.finish()
            #expect(try state.numbers() == [1, 2, 3, 99], "call \(number)")
            let repairs = try repairs(state)
            #expect(repairs.count == 1, "call \(number)")
            #expect(try state.read(#require(repairs.first?.setAside)) == Array(bytes[starts[3]..<(starts[3] + 40)]), "call \(number)")
            #expect(JournalCheck.run(state.path).isGood, "call \(number)")
            if number == 0 {
                // How many calls an undisturbed repair makes.
                let counting = Faults(0..<0, .error(EIO))
                let undisturbed = try self.state(Array(bytes.prefix(starts[3] + 40)))
                _ = try undisturbed.open(disk: counting.disk).finish()
                calls = counting.calls
                #expect(calls > 8)
            }
            number += 1
        }
    }

    @Test("leaves a damaged segment as it is, goes on in a new one with new numbers, and stays loud")
    func damage() throws {
        let (bytes, starts) = try sample()
        for place in stride(from: 0, to: bytes.count - 1, by: 37) {
            var broken = bytes
            broken[place] ^= 0x10
            let state = try state(broken)
            let good = (starts.lastIndex { $0 <= place } ?? 0)
            let writer = try state.open()
            #expect(writer.opened.seq == UInt64(good), "byte \(place)")
            #expect(writer.submit(draft(99)))
            let durable = writer.finish().flatMap(\.entries)
            #expect(durable.count == 2)
            #expect(try #require(durable.first).entry.seq > 5, "byte \(place)")
            guard case .repaired(let facts) = durable[0].entry.body else {
                Issue.record("byte \(place): no repair")
                continue
            }
            #expect(facts.lastGoodSeq == UInt64(good))
            #expect(facts.setAside == "00000000000000000001.jsonl")
            #expect(try state.read("00000000000000000001.jsonl") == broken, "byte \(place)")
            var status = stat()
            #expect(lstat(state.journal + "/00000000000000000001.jsonl", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o440)
            let result = JournalCheck.run(state.path)
            #expect(result.findings.firstBad?.place.line == good + 1, "byte \(place)")
            #expect(result.findings.last == durable[1].position, "byte \(place)")
            #expect(result.exitCode == 1)
            // The next start finds nothing more to do.
            let next = try state.open()
            #expect(next.opened == durable[1].position)
            #expect(next.finish().isEmpty)
        }
    }

    @Test("a copy of the files at any moment of writing recovers to all that had been reported by then")
    func anyMoment() throws {
        let state = try StateDirectory()
        var options = JournalOptions.quick
        options.segmentBytes = 20_000
        options.maximumGroup = 7
        let writer = try state.open(options)
        let feeder = try WorkerThread(name: "feeder") {
            for number in 0..<3000 { while !writer.submit(draft(number)) { sched_yield() } }
            writer.close()
        }
        var reported = 0
        var rounds = 0
        while let reports = writer.reports.takeWaiting() {
            reported += reports.flatMap(\.entries).count
            rounds += 1
            guard rounds % 8 == 0 else { continue }
            // The same bytes as a killed process leaves: what was written, up to somewhere in a line.
            let copy = try StateDirectory(inMemory: true)
            try FileManager.default.createDirectory(atPath: copy.journal, withIntermediateDirectories: false)
            for name in state.segments { try copy.write(name, try state.read(name)) }
            let recovered = try copy.open(options)
            _ = recovered.finish()
            let numbers = try copy.numbers()
            #expect(numbers.count >= reported, "after \(reported)")
            #expect(numbers == Array(0..<numbers.count))
            let check = JournalCheck.run(copy.path)
            #expect(check.isGood, "after \(reported): \(check.text)")
        }
        feeder.join()
        #expect(reported == 3000)
        #expect(rounds > 8)
        #expect(JournalCheck.run(state.path).isGood)
    }

    @Test("strange things in the folder neither hang nor mislead it")
    func strange() throws {
        let (bytes, _) = try sample()
        let state = try state(bytes)
        try state.write("notes.txt", Array("hello".utf8))
        try state.write("abc.jsonl", Array("hello\n".utf8))
        try state.write("00000000000000000001.jsonl.torn-9", [1, 2])
        let writer = try state.open()
        #expect(writer.opened.seq == 5)
        _ = writer.finish()
        #expect(JournalCheck.run(state.path).isGood)
        #expect(mkfifo(state.journal + "/00000000000000000006.jsonl", 0o600) == 0)
        #expect(throws: JournalError.unreadable(segment: "00000000000000000006.jsonl", reason: "it is no plain file")) { try state.open() }
        #expect(JournalCheck.run(state.path).exitCode == 1)
        #expect(unlink(state.journal + "/00000000000000000006.jsonl") == 0)
        #expect(symlink("/etc/passwd", state.journal + "/00000000000000000006.jsonl") == 0)
        #expect(throws: JournalError.unreadable(segment: "00000000000000000006.jsonl", reason: "it is no plain file")) { try state.open() }
        #expect(unlink(state.journal + "/00000000000000000006.jsonl") == 0)
        try state.write("1.jsonl", bytes)
        #expect(throws: JournalError.self) { try state.open() }
    }
}
