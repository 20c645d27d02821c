// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("Any mixture")
struct JournalModelTests {
    /// What the journal must hold, and the journal.
    private struct World {
        var state: StateDirectory
        /// The numbers on the disk, in order.
        var numbers: [Int] = []
        var next = 0
        var day: Int64 = 0
        var dayOf: [Int: Int64] = [:]
        var shortenings = 0
        /// Notes kept elsewhere.
        var notes: [JournalPosition] = []
        var random: SeededGenerator

        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        mutating func options() -> JournalOptions {
            var options = chance(80) ? JournalOptions.withCheckpoints : .quick
            options.segmentBytes = Int.random(in: 500...6000, using: &random)
            options.maximumGroup = Int.random(in: 1...8, using: &random)
            options.packAfter = chance(60) ? .zero : nil
            options.commitDelay = chance(50) ? .zero : .milliseconds(1)
            options.retryDelay = .milliseconds(1)
            return options
        }

        mutating func draft() -> EntryDraft {
            if chance(3) { day += 1 }
            defer { next += 1 }
            dayOf[next] = day
            return EntryDraft(
                at: WallTime(microseconds: 1_773_529_140_000_000 + day * 86_400_000_000), mono: BootTime(microseconds: 1),
                body: .stopped(reason: "\(next)"))
        }

        /// Appends and waits for all of it; with a disk that fails now and then but recovers.
        mutating func append(faults: Bool) throws {
            let (start, count) = (Int.random(in: 0...60, using: &random), Int.random(in: 1...6, using: &random))
            let fault: Disk.Fault = chance(50) ? .error(EIO) : .short(Int.random(in: 0...500, using: &random), ENOSPC)
            let disk = faults ? Faults(start..<(start + count), fault).disk : Disk()
            let writer: JournalWriter
            do { writer = try state.open(options(), disk: disk) } catch {
                guard faults, case .storage = error else { throw error }
                return
            }
            let first = next
            for _ in 0..<Int.random(in: 0...40, using: &random) { #expect(writer.submit(draft())) }
            _ = take(writer) { $0.flatMap(\.entries).count { if case .stopped = $0.entry.body { true } else { false } } == next - first }
            _ = writer.finish()
            numbers += first..<next
        }

        /// From some call on nothing is written any more, as if the process had ended there.
        mutating func crash() throws {
            let start = Int.random(in: 0...80, using: &random)
            var options = options()
            options.retryDelay = .seconds(3600)
            let fault: Disk.Fault = chance(50) ? .error(EIO) : .short(Int.random(in: 0...300, using: &random), EIO)
            guard let writer = try? state.open(options, disk: Faults(start..<1_000_000, fault).disk) else { return }  // it ended there
            let first = next
            for _ in 0..<Int.random(in: 0...40, using: &random) { #expect(writer.submit(draft())) }
            let acknowledged = writer.finish().flatMap(\.entries).compactMap { entry -> Int? in
                if case .stopped(let reason) = entry.entry.body { Int(reason) } else { nil }
            }
            #expect(acknowledged == Array(first..<(first + acknowledged.count)))
            let kept = try state.numbers()
            // What was not acknowledged may be there, in order and up to some entry.
            let more = kept.count - numbers.count
            #expect(more >= acknowledged.count)
            #expect(kept == numbers + Array(first..<(first + max(0, more))))
            numbers = kept
        }

        /// Empties some entries, on a disk that fails now and then, or from some call on; the next start finishes it.
        mutating func erase() throws {
            let wanted = Set(numbers.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
            let (start, isCrash) = (Int.random(in: 0...90, using: &random), chance(40))
            let disk = chance(40) ? Disk() : Faults(start..<(isCrash ? 1_000_000 : start + 3), .error(EIO)).disk
            var isDone = false
            if let writer = try? state.open(options(), disk: disk) {  // else it ended there
                _ = writer.erase(ErasureRequest(id: 1, kind: .retention, by: nil, selection: Numbers(wanted)))
                for report in take(
                    writer,
                    until: { reports in
                        reports.contains { report in
                            switch report {
                            case .erased, .stalled: true
                            default: false
                            }
                        }
                    }) + writer.finish()
                {
                    if case .erased(let answer) = report {
                        if case .refused = answer.outcome {} else { isDone = true }
                    }
                }
            }
            isDone = isDone || FileManager.default.fileExists(atPath: state.path + "/erasing")
            _ = try state.open(.quick).finish()
            let kept = numbers.filter { !wanted.contains($0) }
            let found = try state.numbers()
            #expect(found == kept || (!isDone && found == numbers))
            numbers = found
        }

        /// Writes what the entries add up to, on a disk that may fail.
        mutating func snapshot() throws {
            let start = Int.random(in: 0...12, using: &random)
            let disk = chance(50) ? Disk() : Faults(start..<(start + 1), .error(EIO)).disk
            guard try state.position().seq > 0 else { return }
            let content = numbers.map(String.init).joined(separator: " ")
            _ = try? state.writeSnapshot(of: content, disk: disk)  // then there is the one before, or none
        }

        /// What a start with the snapshot knows.
        func started() throws -> [Int] {
            guard case .success(let (content, seq)) = state.readSnapshot() else { return try state.numbers() }
            var found = content.split(separator: " ").compactMap { Int($0) }
            try JournalReader(stateDirectory: state.path).replay(after: seq) { entry, _ in
                if case .stopped(let reason) = entry.body, let number = Int(reason) { found.append(number) }
                return true
            }
            return found
        }

        /// Days that are older go, also from a disk that fails or a process that ends; segments at the old end go with them.
        mutating func retain() throws {
            let limit = Int64.random(in: 0...(day + 1), using: &random)
            let old = numbers.filter { (dayOf[$0] ?? 0) < limit }
            // Mostly all of them, so that segments go.
            let wanted = Set(chance(70) ? old : old.filter { _ in Int.random(in: 0..<2, using: &random) == 0 })
            let (start, isCrash) = (Int.random(in: 0...120, using: &random), chance(40))
            let disk = chance(50) ? Disk() : Faults(start..<(isCrash ? 1_000_000 : start + 3), .error(EIO)).disk
            if let writer = try? state.open(options(), disk: disk) {  // else it ended there
                let before = WallTime(microseconds: 1_773_529_140_000_001 + limit * 86_400_000_000)
                let selection = Numbers(wanted, replaces: false)
                _ = writer.erase(ErasureRequest(id: 1, kind: .retention, by: nil, selection: selection, before: before))
                _ = take(writer) { reports in
                    reports.contains { report in
                        switch report {
                        case .erased, .stalled: true
                        default: false
                        }
                    }
                }
                _ = writer.finish()
            }
            _ = try state.open(.quick).finish()
            let found = try state.numbers()
            // Only those of whole segments that are older may have gone, all at once or none.
            #expect(found.filter { !wanted.contains($0) } == numbers.filter { !wanted.contains($0) })
            #expect(found == found.sorted())
            numbers = found
            let base = JournalCheck.run(state.path).findings.firstSeq
            if base > 1 { shortenings += 1 }
            notes.removeAll { $0.seq + 1 < base }
        }

        /// A backup beside a writer; and sometimes it becomes the journal.
        mutating func backUp() throws {
            let copy = try StateDirectory(inMemory: true)
            let target = copy.path + "/backup"
            let writer = try state.open(options())
            let first = next
            for _ in 0..<Int.random(in: 1...20, using: &random) { #expect(writer.submit(draft())) }
            let durable = take(writer) { !$0.flatMap(\.entries).isEmpty }.flatMap(\.entries)
            let last = try #require(durable.last).entry.seq
            let result = try JournalBackup.run(state.path, to: target, through: last)
            #expect(result.check.isGood, "\(result.check.text)")
            #expect(result.check.findings.last.seq == last)
            _ = writer.finish()
            numbers += first..<next
            guard chance(30) else { return }
            // What came after the backup is lost, as it is after a disaster; its notes with it.
            for name in try FileManager.default.contentsOfDirectory(atPath: target) {
                try FileManager.default.moveItem(atPath: "\(target)/\(name)", toPath: "\(copy.path)/\(name)")
            }
            state = copy
            let kept = try state.numbers()
            #expect(kept == Array(numbers.prefix(kept.count)))
            numbers = kept
            notes.removeAll { $0.seq > last }
        }
    }

    @Test(
        "of appends, failing calls, crashes, days, segments, compression, snapshots, backups and restores equals the model",
        arguments: 1...4)
    func mixture(seed: UInt64) throws {
        var world = World(state: try StateDirectory(inMemory: true), random: SeededGenerator(seed: seed))
        for step in 0..<40 {
            switch Int.random(in: 0..<100, using: &world.random) {
            case ..<35: try world.append(faults: false)
            case ..<60: try world.append(faults: true)
            case ..<80: try world.crash()
            case ..<88: try world.backUp()
            case ..<94: try world.erase()
            case ..<95: try world.snapshot()
            case ..<98: try world.retain()
            default: try world.state.pack()
            }
            if step % 3 == 2 {
                // An orderly start and stop mends all.
                _ = try world.state.open(.quick).finish()
                let check = JournalCheck.run(world.state.path, since: world.notes)
                #expect(check.isGood, "seed \(seed), step \(step): \(check.text)")
                if check.findings.last.seq > 0 { world.notes.append(check.findings.last) }
            }
            #expect(try world.state.numbers() == world.numbers, "seed \(seed), step \(step)")
            #expect(try world.started() == world.numbers, "seed \(seed), step \(step), with the snapshot")
            if step % 2 == 0 { try world.snapshot() }
        }
        #expect(world.numbers.count > 100)
    }
}
