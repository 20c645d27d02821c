// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("The journal's writer")
struct JournalWriterTests {
    @Test("numbers entries from 1 without holes and reports exactly what stands on the disk")
    func writes() throws {
        let state = try StateDirectory()
        let writer = try state.open()
        #expect(writer.opened == .start)
        for number in 1...500 { #expect(writer.submit(draft(number))) }
        let durable = writer.finish().flatMap(\.entries)
        #expect(durable.map(\.entry.seq) == Array(1...500))
        #expect(durable.map(\.entry.body) == (1...500).map { draft($0).body })
        #expect(durable.map(\.entry.at) == (1...500).map { draft($0).at })
        #expect(durable.allSatisfy { $0.entry.boot == BootID(text: "b00t") })
        #expect(try state.read(state.segments[0]) == durable.flatMap { $0.line + [0x0a] })
        #expect(state.segments == ["00000000000000000001.jsonl"])
        #expect(writer.status == JournalStatus(lastDurable: durable[499].position, waiting: 0, newSegments: 1, trouble: nil))
        #expect(Set(try durable.map { try JSONValue(parsing: $0.line)["salt"]?.stringValue ?? "" }).count == 500)
        let result = JournalCheck.run(state.path)
        #expect(result.isGood)
        #expect(result.findings.entries == 500)
        #expect(result.findings.last == durable[499].position)
    }

    @Test("gives its files to the owner and the group, and points current.jsonl at the newest segment")
    func modes() throws {
        let state = try StateDirectory()
        let nested = StatePath(state.path + "/state")
        let writer = try JournalWriter(stateDirectory: nested.path, boot: BootID(text: "b"), options: .quick, wake: nil)
        #expect(writer.submit(draft(1)))
        _ = writer.finish()
        #expect(nested.mode("") == 0o750)
        #expect(nested.mode("/journal") == 0o750)
        #expect(nested.mode("/journal/00000000000000000001.jsonl") == 0o640)
        #expect(nested.mode("/lock") == 0o640)
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: nested.path + "/current.jsonl")
        #expect(target == "journal/00000000000000000001.jsonl")
    }

    @Test("lets no second one in, in this process or another")
    func lock() throws {
        let state = try StateDirectory()
        let writer = try state.open()
        #expect(throws: JournalError.inUse(state: state.path)) { try state.open() }
        _ = writer.finish()
        _ = consume writer
        let next = try state.open()
        _ = next.finish()
    }

    @Test("goes on where the last one stopped")
    func reopens() throws {
        let state = try StateDirectory()
        for round in 0..<5 {
            let writer = try state.open()
            #expect(writer.opened.seq == UInt64(round * 3))
            for number in 0..<3 { #expect(writer.submit(draft(round * 3 + number))) }
            _ = writer.finish()
        }
        #expect(try state.numbers() == Array(0..<15))
        #expect(JournalCheck.run(state.path).findings.last.seq == 15)
        #expect(state.segments.count == 1)
    }

    @Test("begins a new segment at the size asked for, and the chain goes on")
    func rotates() throws {
        let state = try StateDirectory()
        var options = JournalOptions.quick
        options.segmentBytes = 2000
        options.maximumGroup = 1
        let writer = try state.open(options)
        for number in 1...100 { #expect(writer.submit(draft(number))) }
        let durable = writer.finish().flatMap(\.entries)
        #expect(durable.count == 100)
        #expect(state.segments.count > 10)
        for name in state.segments.dropLast() {
            let size = try state.read(name).count
            #expect(size >= 2000)
            #expect(size < 2000 + 400)
        }
        let result = JournalCheck.run(state.path)
        #expect(result.isGood)
        #expect(result.findings.segments == state.segments.count)
        #expect(try state.numbers() == Array(1...100))
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: state.path + "/current.jsonl")
        #expect(target == "journal/" + state.segments[state.segments.count - 1])
        // The last segment's beginning gives the chain on.
        let next = try state.open(options)
        #expect(next.opened == durable[99].position)
        _ = next.finish()
    }

    @Test("waits for company: one flush serves what comes within the commit delay, and hurrying ends the wait")
    func groups() throws {
        let state = try StateDirectory()
        let flushes = Faults(0..<0, .error(EIO), only: [.flush])
        var options = JournalOptions()
        options.commitDelay = .seconds(60)
        let writer = try state.open(options, disk: flushes.disk)
        for number in 1...200 { #expect(writer.submit(draft(number))) }
        let before = writer.reports.takeAll()
        #expect(before.isEmpty)
        writer.hurry()
        let reports = take(writer) { $0.flatMap(\.entries).count == 200 }
        #expect(reports.count == 1)
        // The other one is that of the new segment.
        #expect(flushes.calls == 2)
        #expect(writer.submit(draft(201)))
        // Closing does not wait for the delay either.
        #expect(writer.finish().flatMap(\.entries).count == 1)
    }

    @Test("does not wait any longer once a group is full")
    func fullGroups() throws {
        let state = try StateDirectory()
        var options = JournalOptions()
        options.commitDelay = .seconds(3600)
        options.maximumGroup = 8
        let writer = try state.open(options)
        for round in 0..<5 {
            for number in 0..<8 { #expect(writer.submit(draft(round * 8 + number))) }
            #expect(take(writer) { !$0.flatMap(\.entries).isEmpty }.flatMap(\.entries).count == 8)
        }
        _ = writer.finish()
    }

    @Test("refuses one entry more than may wait, and says afterwards how many were lost")
    func bounded() throws {
        let state = try StateDirectory()
        let faults = Faults(0..<1_000_000, .error(ENOSPC), only: [.write])
        var options = JournalOptions.quick
        options.maximumWaiting = 8
        options.retryDelay = .seconds(3600)
        let writer = try state.open(options, disk: faults.disk)
        #expect(writer.submit(draft(1)))
        let stalled = take(writer) { !$0.isEmpty }
        guard case .stalled(let trouble) = try #require(stalled.first) else { throw SystemCallError(call: "none", code: 0) }
        #expect(trouble.code == ENOSPC)
        #expect(trouble.description.contains("full"))
        for number in 2...8 { #expect(writer.submit(draft(number))) }
        #expect(!writer.submit(draft(9)))
        #expect(writer.status.waiting == 8)
        #expect(writer.status.trouble == trouble)
        // Reading goes on meanwhile.
        #expect(try state.bodies().isEmpty)
        let rest = writer.finish()
        #expect(rest.flatMap(\.entries).isEmpty)
        #expect(writer.status.waiting == 8)
        #expect(!writer.submit(draft(10)))
    }

    @Test("an entry longer than a line may be leaves a gap in its place, not a hole and not a stop")
    func tooLong() throws {
        let state = try StateDirectory()
        let writer = try state.open()
        let long = EntryDraft(
            at: draft(1).at, mono: draft(1).mono, body: .started(version: String(repeating: "x", count: JournalFormat.longestLine)))
        #expect(writer.submit(long))
        #expect(writer.submit(draft(2)))
        let durable = writer.finish().flatMap(\.entries)
        #expect(durable.map(\.entry.body) == [.gap(GapFacts(cause: .storage, from: draft(1).at, to: draft(1).at, lost: 1)), draft(2).body])
        #expect(JournalCheck.run(state.path).isGood)
    }

    @Test("signals the eventfd it was given")
    func wakes() throws {
        let state = try StateDirectory()
        let wake = try Wakeup()
        let writer = try JournalWriter(stateDirectory: state.path, boot: BootID(text: "b"), options: .quick, wake: wake)
        #expect(writer.submit(draft(1)))
        let ready = wake.descriptor.withRaw { raw in
            var poller = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            return poll(&poller, 1, 10_000)
        }
        #expect(ready == 1)
        _ = writer.finish()
    }
}

private struct StatePath {
    let path: String
    init(_ path: String) { self.path = path }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        return lstat(path + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }
}
