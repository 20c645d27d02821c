// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("A compressed segment")
struct PackedSegmentTests {
    /// A journal of three segments of some frames each; the first two can be compressed.
    private func filled(_ count: Int = 4500, segmentBytes: Int = 600_000) throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        var options = JournalOptions.quick
        options.segmentBytes = segmentBytes
        options.maximumGroup = 64
        let writer = try state.open(options)
        for number in 1...count { #expect(writer.submit(draft(number))) }
        _ = writer.finish()
        return state
    }

    @Test("is the same to every reader: zstdcat, replay, a follower and the check")
    func same() throws {
        let state = try filled()
        let names = state.segments
        #expect(names.count == 3)
        let plain = try names.map { try state.read($0) }
        let lines = try state.lines()
        let before = JournalCheck.run(state.path)
        try state.pack()
        #expect(state.segments == [names[2]])
        #expect(state.packed == names.dropLast().map { $0 + ".zst" })
        for (name, bytes) in zip(state.packed, plain) {
            let unpacked = try runProgram(["zstdcat", "\(state.journal)/\(name)"])
            #expect(unpacked.status == 0)
            #expect(unpacked.output == bytes)
            #expect(try state.read(name).count < bytes.count / 2)
            var status = stat()
            #expect(lstat("\(state.journal)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o640)
        }
        #expect(try state.lines() == lines)
        #expect(JournalCheck.run(state.path) == before)
        let cursor = JournalReader(stateDirectory: state.path).cursor(after: 0)
        var followed: [[UInt8]] = []
        while case let more = try cursor.next(through: .max, maximumBytes: 5000), !more.isEmpty { followed += more.map(\.bytes) }
        #expect(followed == lines)
        // And the journal goes on.
        let writer = try state.open()
        #expect(writer.opened == before.findings.last)
        #expect(writer.submit(draft(4501)))
        _ = writer.finish()
        #expect(JournalCheck.run(state.path).findings.entries == 4501)
    }

    @Test("gives any entry without unpacking what is before it")
    func seeks() throws {
        let state = try filled()
        try state.pack()
        let reader = JournalReader(stateDirectory: state.path)
        for place in [0, 1, 2, 700, 799, 800, 1500, 1900, 2600, 3998, 4400, 4499] {
            var first: UInt64?
            var count = 0
            try reader.replay(after: UInt64(place), through: UInt64(place) + 2) { entry, _ in
                if first == nil { first = entry.seq }
                count += 1
                return true
            }
            #expect(first == UInt64(place) + 1)
            #expect(count == min(2, 4500 - place))
        }
        // Without the frames before: what they hold is broken, and nobody notices.
        let name = state.packed[0]
        var bytes = try state.read(name)
        for place in 20..<60 { bytes[place] = 0xff }
        try state.write(name, bytes)
        var first: UInt64?
        let summary = try reader.replay(after: 1300, through: 1310) { entry, _ in
            if first == nil { first = entry.seq }
            return true
        }
        #expect(first == 1301)
        #expect(summary.entries == 10)
        #expect(summary.unreadable == 0)
    }

    @Test("hides nothing behind a damaged frame: the rest is read, the damage counted, and the check names it")
    func damage() throws {
        let state = try filled(2500, segmentBytes: 500_000)
        try state.pack()
        let name = state.packed[0]
        let bytes = try state.read(name)
        let plain = try runProgram(["zstdcat", "\(state.journal)/\(name)"]).output
        var (bad, harmless) = (0, 0)
        for place in Array(0..<24) + Array(stride(from: 24, to: bytes.count - 40, by: 3001)) + Array((bytes.count - 40)..<bytes.count) {
            var broken = bytes
            broken[place] ^= 1 << UInt8(place % 8)
            try state.write(name, broken)
            let check = JournalCheck.run(state.path)
            if check.isGood {
                // A bit that no decoder looks at.
                #expect(try runProgram(["zstdcat", "\(state.journal)/\(name)"]).output == plain, "byte \(place)")
                harmless += 1
            } else {
                #expect(check.findings.firstBad?.place.segment == name, "byte \(place)")
                bad += 1
            }
            // Whatever it is, reading goes on, and behind the segment nothing is lost.
            var last: UInt64 = 0
            var entries = 0
            try JournalReader(stateDirectory: state.path).replay { entry, _ in
                last = entry.seq
                entries += 1
                return true
            }
            #expect(last == 2500, "byte \(place)")
            #expect(entries >= 1000, "byte \(place)")
            let writer = try state.open()
            #expect(writer.opened.seq == 2500)
            _ = writer.finish()
        }
        #expect(bad > 60)
        #expect(harmless < 12)
        for length in stride(from: 0, to: bytes.count, by: 4001) {
            try state.write(name, Array(bytes.prefix(length)))
            #expect(!JournalCheck.run(state.path).isGood, "cut at \(length)")
        }
    }

    @Test("a crash or a failing call at any step of making it loses nothing, and the next one finishes it")
    func interrupted() throws {
        let whole = try filled(900, segmentBytes: 100_000)
        let lines = try whole.lines()
        var number = 0
        var isDone = false
        var options = JournalOptions.quick
        options.packAfter = .zero
        options.retryDelay = .milliseconds(1)
        while !isDone {
            for fault in [Disk.Fault.error(ENOSPC), .short(1000, EIO)] {
                let state = try whole.copy()
                // From the N-th call on nothing works any more, as for a process that is killed there.
                let faults = Faults(number..<1_000_000, fault, only: [.openFile, .write, .flush, .rename, .syncFolder, .unlink, .setMode])
                let writer = try state.open(options, disk: faults.disk)
                // The first calls are those of opening the journal; without them nothing is compressed.
                var isWhole = false
                let ends = take(writer) { $0.contains { if case .durable = $0 { false } else { true } } }
                for case .packed(_, trouble: nil) in ends { isWhole = true }
                _ = writer.finish()
                #expect(try state.lines() == lines, "\(fault) from call \(number) on")
                #expect(JournalCheck.run(state.path).isGood, "\(fault) from call \(number) on")
                try state.pack()
                #expect(state.segments.count == 1)
                #expect(state.packed.count == whole.segments.count - 1)
                #expect(try state.lines() == lines, "\(fault) from call \(number) on, then packed")
                #expect(JournalCheck.run(state.path).isGood)
                isDone = isWhole
            }
            number += 1
        }
        #expect(number > 20)
    }

    @Test("that is not what the plain one says is made again; the plain one counts")
    func stranger() throws {
        let state = try filled(900, segmentBytes: 100_000)
        let lines = try state.lines()
        try state.write(state.segments[0] + ".zst", Array("nonsense".utf8))
        try state.write(state.segments[1] + ".zst", [])
        #expect(try state.lines() == lines)
        #expect(JournalCheck.run(state.path).isGood)
        try state.pack()
        #expect(try state.lines() == lines)
        #expect(JournalCheck.run(state.path).isGood)
    }

    @Test("is never made of a damaged segment, nor of one that is written or has not rested")
    func notYet() throws {
        let state = try filled(900, segmentBytes: 100_000)
        let count = state.segments.count
        #expect(chmod("\(state.journal)/\(state.segments[1])", 0o440) == 0)
        var options = JournalOptions.quick
        options.packAfter = .zero
        let writer = try state.open(options)
        _ = take(writer) { reports in reports.contains { if case .packed = $0 { true } else { false } } }
        _ = writer.finish()
        #expect(state.packed.count == count - 2)
        #expect(state.segments.count == 2)
        let young = try filled(900, segmentBytes: 100_000)
        var hour = JournalOptions.quick
        hour.packAfter = .seconds(3600)
        var old = [timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, "\(young.journal)/\(young.segments[0])", &old, 0) == 0)
        let other = try young.open(hour)
        _ = take(other) { reports in reports.contains { if case .packed(1, trouble: nil) = $0 { true } else { false } } }
        _ = other.finish()
        #expect(young.packed.count == 1)
    }

    @Test("may be the newest there is: the journal goes on in a new one")
    func newest() throws {
        let state = try filled(900, segmentBytes: 100_000)
        try state.pack()
        #expect(unlink("\(state.journal)/\(state.segments[0])") == 0)
        let last = try #require(try state.lines().last)
        let writer = try state.open()
        #expect(writer.submit(draft(1)))
        let durable = writer.finish().flatMap(\.entries)
        #expect(durable.count == 1)
        let seq = last.withUnsafeBytes { LineParts.seq(of: $0) }
        #expect(durable[0].entry.seq == (try #require(seq)) + 1)
        #expect(JournalCheck.run(state.path).isGood)
    }
}

@Suite("A new day")
struct NewDayTests {
    @Test("begins a segment, in UTC, also where the journal was opened in between and within one group")
    func days() throws {
        let state = try StateDirectory(inMemory: true)
        let midnight: Int64 = 1_773_532_800_000_000
        func at(_ offset: Int64) -> EntryDraft {
            EntryDraft(at: WallTime(microseconds: midnight + offset), mono: BootTime(microseconds: 1), body: .stopped(reason: "\(offset)"))
        }
        #expect(WallTime(microseconds: midnight).rfc3339.hasSuffix("T00:00:00.000000Z"))
        let first = try state.open()
        #expect(first.submit(at(-2)))
        _ = first.finish()
        var options = JournalOptions.quick
        options.commitDelay = .seconds(60)
        let second = try state.open(options)
        for offset in [-1, 0, 1, 86_399_999_999, 86_400_000_000] as [Int64] { #expect(second.submit(at(offset))) }
        _ = second.finish()
        #expect(state.segments == [1, 3, 6].map { JournalSegment.name(first: $0) })
        #expect(JournalCheck.run(state.path).isGood)
        let third = try state.open()
        #expect(third.submit(at(86_400_000_001)))
        _ = third.finish()
        #expect(state.segments.count == 3)
    }
}
