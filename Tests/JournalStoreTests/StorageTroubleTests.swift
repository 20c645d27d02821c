// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Dispatch
import Foundation
import JournalFormat
import JournalStore
import Synchronization
import Testing

@Suite("A disk that refuses", .serialized)
struct StorageTroubleTests {
    /// Submits entries while chosen calls fail, and checks that nothing acknowledged is lost, nothing comes twice and the journal is good.
    private func run(_ faults: Faults, _ what: String) throws {
        let state = try StateDirectory(inMemory: true)
        var options = JournalOptions.quick
        options.segmentBytes = 900
        options.maximumGroup = 2
        let writer: JournalWriter
        do { writer = try state.open(options, disk: faults.disk) } catch {
            // The very first calls make the folders; without them there is nothing to keep.
            guard case .storage = error else { throw error }
            return
        }
        var durable: [DurableEntry] = []
        var stalls = 0
        var ends = 0
        for number in 0..<12 {
            #expect(writer.submit(draft(number)), "\(what)")
            for report in take(writer, until: { $0.contains { !$0.entries.isEmpty } }) {
                switch report {
                case .durable(let entries): durable += entries
                case .stalled: stalls += 1
                case .resumed(_, let refused):
                    ends += 1
                    #expect(refused == 0)
                case .packed, .erased: break
                }
            }
        }
        for report in writer.finish() {
            durable += report.entries
            if case .resumed = report { ends += 1 }
        }
        #expect(stalls == ends, "\(what)")
        #expect(durable.map(\.entry.seq) == Array(1...UInt64(durable.count)), "\(what)")
        #expect(try state.numbers() == Array(0..<12), "\(what)")
        // The stored lines are the reported ones, in order.
        var lines: [[UInt8]] = []
        let summary = try JournalReader(stateDirectory: state.path).replay { _, line in
            lines.append(Array(line))
            return true
        }
        #expect(lines == durable.map(\.line), "\(what)")
        #expect(summary.unreadable == 0, "\(what)")
        let check = JournalCheck.run(state.path)
        #expect(check.isGood, "\(what): \(check.text)")
        let next = try state.open(options)
        #expect(next.opened == durable.last?.position, "\(what)")
        #expect(next.finish().isEmpty, "\(what)")
    }

    @Test(
        "loses nothing that it acknowledged and keeps what waits, whichever call fails and how",
        arguments: [.error(ENOSPC), .error(EDQUOT), .error(EIO), .error(EROFS), .short(100, ENOSPC), .short(420, EIO)] as [Disk.Fault])
    func eachCall(fault: Disk.Fault) throws {
        let counting = Faults(0..<0, fault)
        try run(counting, "none")
        #expect(counting.calls > 40)
        for number in 0..<counting.calls {
            try run(Faults(number..<(number + 1), fault), "\(fault) at \(number)")
            // Long enough to hit the attempts to mend it, too.
            try run(Faults(number..<(number + 5), fault), "\(fault) at \(number) and four more")
        }
    }

    /// Six groups that wait already when the first is written, so that each next one is encoded while one goes to the disk.
    private func runAhead(_ faults: Faults, _ what: String) throws {
        let state = try StateDirectory(inMemory: true)
        var options = JournalOptions.quick
        options.maximumGroup = 64
        options.segmentBytes = 100_000
        let submitted = DispatchSemaphore(value: 0)
        let isOpen = Atomic(false)
        let failing = faults.disk
        let disk = Disk { call in
            if call == .write, !isOpen.exchange(true, ordering: .acquiringAndReleasing) { submitted.wait() }
            return failing.fault(of: call)
        }
        let writer: JournalWriter
        do { writer = try state.open(options, disk: disk) } catch {
            guard case .storage = error else { throw error }
            return
        }
        for number in 0..<(6 * 64) { #expect(writer.submit(draft(number)), "\(what)") }
        submitted.signal()
        var durable: [DurableEntry] = []
        _ = take(writer) { reports in
            durable = reports.flatMap(\.entries)
            return durable.count { if case .stopped = $0.entry.body { true } else { false } } == 6 * 64
        }
        durable += writer.finish().flatMap(\.entries)
        #expect(durable.map(\.entry.seq) == Array(1...UInt64(durable.count)), "\(what)")
        #expect(try state.numbers() == Array(0..<(6 * 64)), "\(what)")
        #expect(try state.lines() == durable.map(\.line), "\(what)")
        let check = JournalCheck.run(state.path)
        #expect(check.isGood, "\(what): \(check.text)")
    }

    @Test(
        "loses and doubles nothing of what was encoded while the group before it was written, whichever call fails",
        arguments: [.error(ENOSPC), .error(EIO), .short(5000, ENOSPC), .short(420, EIO)] as [Disk.Fault])
    func aheadOfEachCall(fault: Disk.Fault) throws {
        let counting = Faults(0..<0, fault)
        try runAhead(counting, "none")
        #expect(counting.calls > 15)
        for number in 0..<counting.calls {
            try runAhead(Faults(number..<(number + 1), fault), "\(fault) at \(number)")
            try runAhead(Faults(number..<(number + 4), fault), "\(fault) at \(number) and three more")
        }
    }

    @Test("a flush that failed is never believed: what it should have saved is written again, elsewhere")
    func failedFlush() throws {
        let state = try StateDirectory()
        let writer = try state.open(disk: Faults(2..<3, .error(EIO), only: [.flush]).disk)
        #expect(writer.submit(draft(1)))
        _ = take(writer) { !$0.flatMap(\.entries).isEmpty }
        #expect(writer.submit(draft(2)))
        let reports = take(writer) { !$0.flatMap(\.entries).isEmpty }
        _ = writer.finish()
        guard case .stalled(let trouble) = try #require(reports.first) else { throw SystemCallError(call: "none", code: 0) }
        #expect(trouble.code == EIO)
        #expect(state.segments == ["00000000000000000001.jsonl", "00000000000000000002.jsonl"])
        let entries = reports.flatMap(\.entries).map(\.entry.body)
        #expect(entries.count == 2)
        guard case .repaired(let facts) = try #require(entries.first) else { throw SystemCallError(call: "none", code: 0) }
        #expect(facts.lastGoodSeq == 1)
        #expect(entries.last == draft(2).body)
        #expect(JournalCheck.run(state.path).isGood)
    }

    @Test("lines that a failed disk would not take back are replaced, and no reader sees them")
    func replaced() throws {
        let state = try StateDirectory()
        // Of the second group the flush fails, and so does cutting it off again.
        let faults = Faults(0..<1, .error(EIO), only: [.truncate])
        let flushes = Faults(2..<3, .error(EIO), only: [.flush])
        let (one, other) = (faults.disk, flushes.disk)
        let writer = try state.open(disk: Disk { call in call == .truncate ? one.fault(of: call) : other.fault(of: call) })
        #expect(writer.submit(draft(1)))
        _ = take(writer) { !$0.flatMap(\.entries).isEmpty }
        let cursor = JournalReader(stateDirectory: state.path).cursor(after: 0)
        #expect(try cursor.next(through: 1).map(\.seq) == [1])
        #expect(writer.submit(draft(2)))
        _ = take(writer) { !$0.flatMap(\.entries).isEmpty }
        let durable = writer.finish()
        #expect(durable.isEmpty || durable.flatMap(\.entries).isEmpty)
        let first = String(decoding: try state.read("00000000000000000001.jsonl"), as: UTF8.self)
        #expect(first.contains("\"reason\":\"2\""))
        #expect(try state.numbers() == [1, 2])
        #expect(try cursor.next(through: 9).map(\.seq) == [2, 3])
        let check = JournalCheck.run(state.path)
        #expect(check.isGood, "\(check.text)")
        #expect(check.findings.replaced == 1)
    }

    @Test(
        "keeps all on a small ext4 that fills up while segments are begun, compressed and signed",
        .enabled(if: geteuid() == 0, "mounting a small file system needs root"))
    func smallFileSystem() throws {
        let state = try StateDirectory()
        let (image, mounted) = (state.path + "/image", state.path + "/small")
        #expect(mkdir(mounted, 0o755) == 0)
        let made = try runProgram([
            "bash", "-c", "truncate -s 8M '\(image)' && mkfs.ext4 -q -m 0 '\(image)' && mount -o loop '\(image)' '\(mounted)'",
        ])
        // A container's root may have no loop devices; then there is nothing to see here.
        guard made.status == 0 else { return }
        defer { umount2(mounted, 2) }
        var options = JournalOptions.withCheckpoints
        options.segmentBytes = 200_000
        options.packAfter = .zero
        let writer = try JournalWriter(stateDirectory: mounted, boot: BootID(text: "b"), options: options, wake: nil)
        let ballast = mounted + "/ballast"
        var (submitted, durable, stalls, fills) = (0, 0, 0, 0)
        var packed = 0
        // On, also until the packer has had a processor.
        var isDone: Bool { fills >= 4 && (packed > 0 || submitted >= 24_000) }
        while !isDone || durable < submitted {
            while !isDone, submitted - durable < 4000, writer.submit(draft(submitted)) { submitted += 1 }
            guard let reports = writer.reports.takeWaiting() else { break }
            for report in reports {
                switch report {
                case .durable(let entries): durable += entries.count { if case .stopped = $0.entry.body { true } else { false } }
                case .packed(let count, _): packed += count
                case .erased: break
                case .resumed(_, let refused): #expect(refused == 0)
                case .stalled(let trouble):
                    #expect(trouble.code == ENOSPC)
                    stalls += 1
                    // Reading goes on; then somebody makes room.
                    let during = try JournalReader(stateDirectory: mounted).replay { _, _ in true }
                    #expect(during.entries >= durable)
                    _ = unlink(ballast)
                }
            }
            if durable > (fills + 1) * 3000, fills < 4, access(ballast, F_OK) != 0 {
                fills += 1
                // All that is left, byte by byte at the end.
                _ = try runProgram(["bash", "-c", "dd if=/dev/zero of='\(ballast)' bs=4k; sync '\(ballast)'"])
            }
        }
        // What is full now may be so at the end, too; there is room again for the last words.
        _ = unlink(ballast)
        _ = writer.finish()
        #expect(stalls > 0)
        #expect(packed > 0)
        _ = try JournalWriter(stateDirectory: mounted, boot: BootID(text: "b"), options: .withCheckpoints, wake: nil).finish()
        var numbers: [Int] = []
        try JournalReader(stateDirectory: mounted).replay { entry, _ in
            if case .stopped(let reason) = entry.body, let number = Int(reason) { numbers.append(number) }
            return true
        }
        #expect(numbers == Array(0..<submitted))
        let check = JournalCheck.run(mounted)
        #expect(check.isGood, "\(check.text)")
    }

    @Test("goes on by itself on a disk that was really full", .enabled(if: geteuid() == 0, "mounting a small file system needs root"))
    func reallyFull() throws {
        let state = try StateDirectory()
        let mounted = state.path + "/small"
        #expect(mkdir(mounted, 0o755) == 0)
        guard mount("tmpfs", mounted, "tmpfs", 0, "size=3m") == 0 else {
            // A container's root may not mount; then there is nothing to see here.
            return
        }
        defer { umount2(mounted, 2) }
        let ballast = mounted + "/ballast"
        #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 2900 << 10)))
        let writer = try JournalWriter(stateDirectory: mounted, boot: BootID(text: "b"), options: .quick, wake: nil)
        let submitted = 2000
        for number in 0..<submitted { #expect(writer.submit(draft(number))) }
        let first = take(writer) { reports in reports.contains { if case .stalled = $0 { true } else { false } } }
        let durable = first.flatMap(\.entries).count
        guard case .stalled(let trouble) = try #require(first.last) else { throw SystemCallError(call: "none", code: 0) }
        #expect(trouble.code == ENOSPC)
        #expect(durable < submitted)
        let during = try JournalReader(stateDirectory: mounted).replay { _, _ in true }
        #expect(during.entries >= durable)
        #expect(unlink(ballast) == 0)
        _ = take(writer) { reports in reports.contains { if case .resumed = $0 { true } else { false } } }
        _ = writer.finish()
        var numbers: [Int] = []
        try JournalReader(stateDirectory: mounted).replay { entry, _ in
            if case .stopped(let reason) = entry.body, let number = Int(reason) { numbers.append(number) }
            return true
        }
        #expect(numbers == Array(0..<submitted))
        #expect(JournalCheck.run(mounted).isGood)
    }
}
