// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import DaemonService
import DaybookLinux
import Inference
import JournalFormat
import JournalStore
import Ledger

/// A school year of which ten assignments go on: what the evidence of the others costs in memory, and what a look at one of them costs, before
/// and after it is in index files. In a process of its own.
enum LedgerEnded {
    static let goingOn = 10

    /// Ends all but ten assignments of a journal that has none ended, and moves their evidence. Prints `name value` lines.
    static func run(state: String) throws {
        var options = JournalOptions()
        options.packAfter = nil
        let writer = try JournalWriter(stateDirectory: state, boot: SchoolYear.boot, options: options, wake: nil)
        let loaded = try LedgerOnDisk(stateDirectory: state, through: writer.opened.seq, program: LedgerStart.program, erasing: [])
        var ledger = loaded.ledger
        guard let last = ledger.last else { throw BenchmarkFailure("the journal is empty") }
        var position = writer.opened
        var bodies = ledger.openSessions(boot: SchoolYear.boot).map { session in
            EntryBody.session(
                .stopped(
                    session.id,
                    SessionEnd(
                        ending: .closed, closedAt: session.work.lastSign, notAfter: session.work.lastSign, confidence: .good)),
                assignment: nil)
        }
        let all = ledger.allAssignments.sorted { $0.createdSeq < $1.createdSeq }.map(\.id)
        let ended = all.dropLast(goingOn)
        bodies += ended.map { .assignmentEnded($0, reason: AssignmentRecord.Ended.completed) }
        var waiting = bodies.count
        for body in bodies { _ = writer.submit(EntryDraft(at: last.wall, mono: last.mono, body: body)) }
        while waiting > 0, let reports = writer.reports.takeWaiting() {
            for case .durable(let entries) in reports {
                for entry in entries {
                    ledger.apply(entry.entry)
                    position = entry.position
                }
                waiting -= entries.count
            }
        }
        let now = Moment(wall: last.wall + .seconds(2 * 86_400), boot: last.boot, mono: last.mono + .seconds(2 * 86_400))
        LedgerStart.say("entries", Double(ledger.lastSeq))
        LedgerStart.say("ended", Double(ended.count))
        ProcessMemory.giveBack()
        LedgerStart.say("resident-before", try LedgerStart.status("VmRSS:"))
        try LedgerStart.reports("report-before", of: Array(ended), in: ledger, now: now)

        let began = bench_monotonic()
        let due = ledger.evidenceToIndex(now: now.wall)
        LedgerStart.say("choosing-ms", Double(bench_monotonic() - began) / 1e6)
        let indexes = try EvidenceIndexOutput(stateDirectory: state)
        let output = try SnapshotOutput(stateDirectory: state)
        let stamp = SnapshotFile.Stamp(
            position: position, journalBytes: loaded.journalBytes, contentVersion: Ledger.snapshotVersion, program: LedgerStart.program)
        guard let made = try LedgerOnDisk.write(ledger, stamp, to: output, indexing: due, to: indexes, in: state) else {
            throw BenchmarkFailure("no index was written")
        }
        let written = bench_monotonic()
        LedgerStart.say("writing", Double(written - began) / 1e9)
        ledger.use(made)
        LedgerStart.say("using-ms", Double(bench_monotonic() - written) / 1e6)
        let trimming = bench_monotonic()
        ProcessMemory.giveBack()
        LedgerStart.say("trimming-ms", Double(bench_monotonic() - trimming) / 1e6)
        LedgerStart.say("indexes", Double(made.count))
        LedgerStart.say("in-memory", Double(ledger.evidenceCounts.inMemory))
        LedgerStart.say("indexed", Double(ledger.evidenceCounts.indexed))
        LedgerStart.say("resident-after", try LedgerStart.status("VmRSS:"))
        try LedgerStart.reports("report-first", of: Array(ended.prefix(25)), in: ledger, now: now)
        LedgerStart.say("resident-looked-at", try LedgerStart.status("VmRSS:"))
        try LedgerStart.reports("report-again", of: Array(ended.prefix(25)), in: ledger, now: now)
        try LedgerStart.reports("report-going-on", of: Array(all.suffix(goingOn)), in: ledger, now: now)
        _ = writer.finish()
    }
}

extension LedgerBenchmark {
    /// Ten assignments go on and the rest has ended.
    func ended() throws {
        let state = "\(folder)/ended"
        try SchoolJournal(state: state).write(options.entries)
        let moved = try Answers(of: ["/proc/self/exe", "ledger-ended-move", state], in: folder)
        let with = try Answers(of: ["/proc/self/exe", "ledger-start", state, "with"], in: folder)
        show(
            """
            | ledger: \(rounded(moved["entries"])) entries, \(LedgerEnded.goingOn) assignments go on, \(rounded(moved["ended"])) have ended \
            | evidence in memory | in index files |
            |---|---|---|
            | resident, MB | \(rounded(moved["resident-before"])) | \(rounded(moved["resident-after"])) |
            | the same after a start with the snapshot, MB; the start, s | | \(rounded(with["resident"])); \(rounded(with["start"])) |
            | the same after looks at 25 ended ones, MB | | \(rounded(moved["resident-looked-at"])) |
            | class report of an ended one, ms of processor time: median, most | \(rounded(moved["report-before"])), \
            \(rounded(moved["report-before-most"])) | \(rounded(moved["report-first"])), \(rounded(moved["report-first-most"])) at first; \
            \(rounded(moved["report-again"])), \(rounded(moved["report-again-most"])) again |
            | class report of one that goes on, ms | | \(rounded(moved["report-going-on"])), \(rounded(moved["report-going-on-most"])) |
            | evidences in memory; in index files | | \(rounded(moved["in-memory"])); \(rounded(moved["indexed"])) |
            | choosing, on the loop, ms; writing them and the snapshot, on a thread, s | | \(rounded(moved["choosing-ms"])); \
            \(rounded(moved["writing"])) |
            | taking them into use, on the loop, ms; giving the memory back, ms | | \(rounded(moved["using-ms"])); \
            \(rounded(moved["trimming-ms"])) |

            """)
    }
}
