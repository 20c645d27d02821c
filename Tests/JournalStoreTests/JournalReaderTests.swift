// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("The journal's reader")
struct JournalReaderTests {
    private func filled(_ count: Int, segmentBytes: Int = 5000) throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        var options = JournalOptions.quick
        options.segmentBytes = segmentBytes
        options.maximumGroup = 3
        let writer = try state.open(options)
        for number in 1...count { #expect(writer.submit(draft(number))) }
        _ = writer.finish()
        return state
    }

    @Test("begins after any entry and ends at any other")
    func ranges() throws {
        let state = try filled(60)
        #expect(state.segments.count > 3)
        let reader = JournalReader(stateDirectory: state.path)
        for first in 0...61 {
            for last in [first, first + 1, 30, 60, 100] {
                var seen: [UInt64] = []
                let summary = try reader.replay(after: UInt64(first), through: UInt64(last)) { entry, _ in
                    seen.append(entry.seq)
                    return true
                }
                #expect(seen == (1...60).filter { $0 > first && $0 <= last }.map { UInt64($0) }, "\(first) to \(last)")
                #expect(summary.entries == seen.count)
            }
        }
        var seen = 0
        try reader.replay { _, _ in
            seen += 1
            return seen < 7
        }
        #expect(seen == 7)
    }

    @Test("finds its place in a large segment by looking at a few of its lines")
    func seeks() throws {
        let state = try filled(4000, segmentBytes: 64 << 20)
        #expect(state.segments.count == 1)
        #expect(try state.read(state.segments[0]).count > 3 * 256 << 10)
        let reader = JournalReader(stateDirectory: state.path)
        for place in [1, 2, 799, 800, 1500, 2600, 3998, 3999] {
            var first: UInt64?
            try reader.replay(after: UInt64(place)) { entry, _ in
                first = entry.seq
                return false
            }
            #expect(first == UInt64(place) + 1)
        }
    }

    @Test("a follower sees every entry once, in order, and none that is not durable yet")
    func follows() throws {
        let state = try StateDirectory()
        var options = JournalOptions.quick
        options.segmentBytes = 3000
        options.maximumGroup = 4
        let writer = try state.open(options)
        let cursor = JournalReader(stateDirectory: state.path).cursor(after: 0)
        var seen: [UInt64] = []
        var durable: [DurableEntry] = []
        for round in 0..<40 {
            for number in 0..<5 { #expect(writer.submit(draft(round * 5 + number))) }
            durable += take(writer) { !$0.flatMap(\.entries).isEmpty }.flatMap(\.entries)
            let last = durable.last?.position.seq ?? 0
            while true {
                let lines = try cursor.next(through: last, maximumBytes: round % 2 == 0 ? 1 : 1 << 20)
                if lines.isEmpty { break }
                for line in lines { #expect(line.bytes == durable[Int(line.seq) - 1].line) }
                seen += lines.map(\.seq)
            }
            #expect(seen == Array(1..<(last + 1)))
        }
        durable += writer.finish().flatMap(\.entries)
        seen += try cursor.next(through: .max).map(\.seq)
        #expect(seen == Array(1...200))
        #expect(try cursor.next(through: .max).isEmpty)
    }

    @Test("leaves out what it cannot read, counts it, and goes on")
    func unreadable() throws {
        let state = try filled(30)
        var bytes = try state.read(state.segments[1])
        let text = String(decoding: bytes, as: UTF8.self)
        let second = try #require(text.split(separator: "\n").dropFirst().first)
        let place = try #require(text.ranges(of: second).first).lowerBound
        bytes[text.utf8.distance(from: text.startIndex, to: place)] = UInt8(ascii: "[")
        try state.write(state.segments[1], bytes)
        var seen = 0
        let summary = try JournalReader(stateDirectory: state.path).replay { _, _ in
            seen += 1
            return true
        }
        #expect(seen == 29)
        #expect(summary.unreadable == 1)
        #expect(summary.firstUnreadable?.segment == state.segments[1])
    }

    @Test("says that there is no journal, and reads an empty one")
    func absent() throws {
        let state = try StateDirectory()
        let reader = JournalReader(stateDirectory: state.path)
        #expect(throws: JournalError.absent(state: state.path)) { try reader.replay { _, _ in true } }
        #expect(JournalCheck.run(state.path).exitCode == 1)
        #expect(JournalCheck.run(state.path + "/nothing").exitCode == 1)
        _ = try state.open().finish()
        #expect(try reader.replay { _, _ in true } == JournalReader.Summary())
        let check = JournalCheck.run(state.path)
        #expect(check.isGood)
        #expect(check.text == "good: the journal has no entry yet.\n")
    }
}

@Suite("A check without a daemon")
struct JournalCheckTests {
    @Test("tells the first bad place to people and to programs")
    func reports() throws {
        let state = try StateDirectory()
        let writer = try state.open()
        for number in 1...3 { #expect(writer.submit(draft(number))) }
        let durable = writer.finish().flatMap(\.entries)
        let chain = durable[2].position.chain.hex
        let good = JournalCheck.run(state.path)
        #expect(good.text == "good: entries 1 to 3 in 1 segment.\nLast: 3, chain \(chain)\n")
        #expect(
            good.json.members.map(\.key) == [
                "good", "segments", "entries", "erased", "replaced", "unchecked", "repairs", "firstSeq", "lastSeq", "chain",
                "checkpoints", "foreignCheckpoints", "covered", "known", "lostCheckpoints", "damagedPlans", "setAside",
                "firstBad",
            ])
        #expect(good.json["chain"] == .string(chain))
        // The folder itself may be named, too.
        #expect(JournalCheck.run(state.journal) == good)

        var bytes = try state.read(state.segments[0])
        let second = durable[0].line.count + 1
        bytes[second + 30] ^= 1
        try state.write(state.segments[0], bytes)
        let bad = JournalCheck.run(state.path)
        #expect(bad.exitCode == 1)
        #expect(
            bad.text.hasPrefix(
                "not good: 00000000000000000001.jsonl, line 2 (byte \(second)): the line's bytes were changed after it was written\n"))
        #expect(bad.json["firstBad"]?["line"] == 2)
        #expect(bad.json["firstBad"]?["offset"] == .integer(Int64(second)))
        #expect(bad.json["good"] == false)
    }

    @Test("of the newest segment alone finds what was changed in it, and takes half a line for none")
    func newest() throws {
        let state = try StateDirectory()
        let writer = try state.open()
        for number in 1...3 { #expect(writer.submit(draft(number))) }
        let durable = writer.finish().flatMap(\.entries)
        let name = try #require(state.segments.last)
        #expect(try NewestSegmentCheck.run(state.path) == NewestSegmentCheck(segment: name, entries: 3, segments: 1))
        let whole = try state.read(name)
        try state.write(name, Array(whole.dropLast(20)))
        #expect(try NewestSegmentCheck.run(state.path)?.entries == 2)
        #expect(try NewestSegmentCheck.run(state.path)?.bad == nil)
        // A line that is taken out.
        let second = durable[0].line.count + 1
        try state.write(name, Array(whole[..<second] + whole[(second + durable[1].line.count + 1)...]))
        #expect(try NewestSegmentCheck.run(state.path)?.bad?.problem == .wrongNumber(expected: 2, found: 3))
        var changed = whole
        changed[second + 30] ^= 1
        try state.write(name, changed)
        #expect(try NewestSegmentCheck.run(state.path)?.bad?.line == 2)
        #expect(throws: JournalError.absent(state: state.path + "/no")) { try NewestSegmentCheck.run(state.path + "/no") }
    }

    @Test("does not take a line that a daemon is just writing for damage")
    func halfALine() throws {
        let state = try StateDirectory()
        let writer = try state.open()
        #expect(writer.submit(draft(1)))
        #expect(writer.submit(draft(2)))
        _ = writer.finish()
        let whole = try state.read(state.segments[0])
        try state.write(state.segments[0], Array(whole.dropLast(20)))
        #expect(JournalCheck.run(state.path).findings.firstBad?.problem == .unfinished(bytes: 0, zeros: 0).with(whole.count))
        let name = state.segments[0]
        let finisher = try WorkerThread(name: "finisher") {
            guard let file = FileHandle(forWritingAtPath: "\(state.journal)/\(name)") else { return }
            _ = try? file.seekToEnd()
            file.write(Data(whole.suffix(20)))
        }
        let result = JournalCheck.run(state.path)
        finisher.join()
        #expect(result.isGood)
    }

    @Test("agrees with the twenty lines of Python in the documentation, on good bytes and on bad")
    func independent() throws {
        let script = try documentedScript()
        let state = try StateDirectory()
        var options = JournalOptions.quick
        options.segmentBytes = 2000
        options.maximumGroup = 2
        let writer = try state.open(options)
        for number in 1...40 { #expect(writer.submit(draft(number))) }
        let last = try #require(writer.finish().flatMap(\.entries).last)
        #expect(state.segments.count > 2)
        let good = try python(script, state.journal)
        #expect(good.status == 0)
        #expect(good.output == "40 \(last.position.chain.hex)\n")
        let name = state.segments[1]
        let bytes = try state.read(name)
        for place in stride(from: 0, to: bytes.count, by: 97) {
            var broken = bytes
            broken[place] ^= 0x02
            try state.write(name, broken)
            #expect(JournalCheck.run(state.path).exitCode == 1, "byte \(place)")
            #expect(try python(script, state.journal).status != 0, "byte \(place)")
        }
    }

    @Test("and the documentation gives the limits that are in force")
    func limits() throws {
        let page = try page()
        let options = JournalOptions()
        for (row, value) in [
            ("| a line |", "\(JournalFormat.longestLine >> 20) MiB"), ("| a segment |", "\(options.segmentBytes >> 20) MiB"),
            ("| entries in one write |", "1,024"), ("| entries that wait for the disk |", "16,384"),
            ("| the commit delay |", "\(Int(options.commitDelay.seconds * 1000)) ms"),
            ("| the rest before it is compressed |", "\(Int((options.packAfter ?? .zero).seconds / 3600)) h"),
            ("| the time without a checkpoint |", "\(Int(options.checkpointInterval.seconds / 3600)) h"),
            ("| a try again after trouble |", "every \(Int(options.retryDelay.seconds)) s"),
        ] {
            #expect(page.contains("\(row) \(value) |"), "\(row)")
        }
        #expect(options.maximumGroup == 1024)
        #expect(options.maximumWaiting == 16_384)
    }

    private func page() throws -> String {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Documentation/Journal.md")
        return try String(contentsOf: page, encoding: .utf8)
    }

    private func documentedScript() throws -> String {
        let text = try page()
        let start = try #require(text.ranges(of: "```python\n").first).upperBound
        let rest = text[start...]
        return String(rest[..<(try #require(rest.ranges(of: "```").first).lowerBound)])
    }

    private func python(_ script: String, _ folder: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, folder]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

extension LineProblem {
    /// The cut line of a journal of two equal lines, less twenty bytes.
    fileprivate func with(_ whole: Int) -> LineProblem { .unfinished(bytes: whole / 2 - 20, zeros: 0) }
}
