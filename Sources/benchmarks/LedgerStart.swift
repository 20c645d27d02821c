// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import DaemonService
import DaybookJSON
import DaybookLinux
import Glibc
import JournalFormat
import JournalStore
import Ledger
import Reports

/// A start of the daemon as far as the journal goes, in a process of its own: opening for writing, the ledger, and the questions of people.
enum LedgerStart {
    static let program = "benchmark"

    /// Prints `name value` lines.
    static func run(state: String, usesSnapshot: Bool) throws {
        let began = bench_monotonic()
        var options = JournalOptions()
        options.packAfter = nil
        let writer = try JournalWriter(stateDirectory: state, boot: SchoolYear.boot, options: options, wake: nil)
        let opened = bench_monotonic()
        let loaded = try LedgerOnDisk(
            stateDirectory: state, through: writer.opened.seq, program: program, erasing: usesSnapshot ? nil : [])
        let done = bench_monotonic()
        let ledger = loaded.ledger
        guard usesSnapshot == (loaded.snapshotSeq != nil) else {
            throw BenchmarkFailure("the snapshot was not used: \(loaded.refusal?.description ?? "")")
        }
        say("open", Double(opened - began) / 1e9)
        say("start", Double(done - began) / 1e9)
        var own: Int32 = 0
        guard bench_process_clock(getpid(), &own) == 0 else { throw BenchmarkFailure("no clock of this process") }
        say("start-cpu", Double(bench_read_clock(own)) / 1e9)
        say("entries", Double(ledger.lastSeq))
        say("resident", try status("VmRSS:"))
        say("peak", try status("VmHWM:"))

        guard let last = ledger.last else { throw BenchmarkFailure("the journal is empty") }
        let now = Moment(wall: last.wall + .seconds(3600), boot: last.boot, mono: last.mono + .seconds(3600))
        let assignments = ledger.allAssignments.filter { ledger.hasWork($0.id) }.map(\.id)
        say("report-bytes", Double(try reports("report", of: assignments, in: ledger, now: now)))
        let rows = try times("sessions") { turn in
            let found = ledger.sessions(SessionFilter(person: SchoolYear.person(turn * 37 % SchoolYear.students)))
            let rows = found.map { SessionRow($0, in: ledger, now: now).json }
            guard !rows.isEmpty else { throw BenchmarkFailure("there are no sessions") }
            return JSONValue.array(rows).encoded.count > 2 ? rows.count : 0
        }
        say("sessions-found", Double(rows))
        if !usesSnapshot {
            let before = bench_monotonic()
            let output = try SnapshotOutput(stateDirectory: state)
            let stamp = SnapshotFile.Stamp(
                position: writer.opened, journalBytes: loaded.journalBytes, contentVersion: Ledger.snapshotVersion, program: program)
            guard try LedgerOnDisk.write(ledger, stamp, to: output) else { throw BenchmarkFailure("no snapshot was written") }
            say("written", Double(bench_monotonic() - before) / 1e9)
        }
        _ = writer.finish()
    }

    /// Class reports of 25 of these, each once where there are so many; gives the size of the last one.
    @discardableResult
    static func reports(_ name: String, of assignments: [AssignmentID], in ledger: Ledger, now: Moment) throws -> Int {
        try times(name) { turn in
            let id = assignments[turn * 7919 % assignments.count]
            guard let report = ClassReport(of: id, in: ledger, now: now), report.rows.count == SchoolYear.classSize else {
                throw BenchmarkFailure("there is no report of \(id.text)")
            }
            return report.json.encoded.count
        }
    }

    /// Milliseconds of processor time, which is all that an answer from memory needs, in 25 turns: median and most.
    private static func times(_ name: String, _ body: (Int) throws -> Int) throws -> Int {
        var samples = Samples()
        var result = 0
        var own: Int32 = 0
        guard bench_process_clock(getpid(), &own) == 0 else { throw BenchmarkFailure.errno("no clock of this process") }
        for turn in 0..<25 {
            let before = bench_read_clock(own)
            result = try body(turn)
            samples.add(Double(bench_read_clock(own) - before) / 1e6)
        }
        say(name, samples.median)
        say("\(name)-most", samples.most)
        return result
    }

    static func say(_ name: String, _ value: Double) { show("\(name) \(value)") }

    /// Megabytes.
    static func status(_ key: String) throws -> Double {
        let text = String(decoding: try SmallFile.read("/proc/self/status"), as: UTF8.self)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({ Double($0) })
        else { throw BenchmarkFailure("the kernel tells no \(key)") }
        return kilobytes * 1024 / 1e6
    }
}
