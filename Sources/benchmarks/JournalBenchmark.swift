// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import DaybookLinux
import Glibc
import JournalFormat
import JournalStore

/// Appending beside a bare loop of write and fdatasync with the same bytes; reading beside a loop that counts lines.
struct JournalBenchmark {
    struct Case {
        var name: String
        /// Entries in one write with one flush; nil: as many as the writer makes one of.
        var group: Int?
        var total: Int
        /// Whether each group is waited for before the next is handed over; else the next ones come while one is flushed.
        var waits = false
    }

    static let cases = [
        Case(name: "one by one", group: 1, total: 200), Case(name: "groups of 16", group: 16, total: 3200),
        Case(name: "groups of 256", group: 256, total: 25_600), Case(name: "full queue", group: nil, total: 102_400),
        Case(name: "one by one, each waited for", group: 1, total: 200, waits: true),
        Case(name: "groups of 16, each waited for", group: 16, total: 3200, waits: true),
        Case(name: "groups of 256, each waited for", group: 256, total: 25_600, waits: true),
    ]

    let options: BenchmarkOptions
    let folder: String

    init(_ options: BenchmarkOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    func run() throws {
        for item in Self.cases { try append(item) }
        try read()
    }

    // MARK: Writing

    private func append(_ item: Case) throws {
        var table = Comparison("journal: \(item.name)", unit: "entries/s", ["C loop of write and fdatasync", "Daybook's writer"])
        for turn in 0...options.repetitions {
            let state = "\(folder)/state"
            let written = try write(item, state: state)
            let size = written.bytes / item.total
            // The writer makes no group greater than this.
            let group = item.group ?? JournalOptions().maximumGroup
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: size * group)
            let times = max(1, item.total / group)
            let bare = bench_write_and_sync("\(folder)/bare", bytes, bytes.count, Int32(times))
            guard bare > 0 else { throw BenchmarkFailure.errno("cannot write in \(folder)") }
            if turn == 0 { continue }
            table.add(Double(times * group) / Double(bare) * 1e9, to: 0)
            table.add(Double(item.total) / Double(written.time) * 1e9, to: 1)
        }
        show(table.text)
    }

    /// Writes a new journal, and says how long it took until all was durable.
    private func write(_ item: Case, state: String) throws -> (time: Int64, bytes: Int) {
        _ = try Program.run(["rm", "-rf", state])
        guard mkdir(state, 0o700) == 0 else { throw BenchmarkFailure.errno("cannot make \(state)") }
        var journal = JournalOptions()
        journal.commitDelay = .zero
        if let group = item.group {
            // The same batches as the loop beside it: a group is written when it is whole, in one write with one flush.
            journal.maximumGroup = group
            journal.commitDelay = .seconds(10)
        }
        journal.maximumWaiting = item.waits ? journal.maximumWaiting : min(journal.maximumWaiting, 16 * journal.maximumGroup)
        let writer = try JournalWriter(
            stateDirectory: state, boot: BootID(text: "00000000000000000000000000000000"), options: journal, wake: nil)
        var (submitted, durable, bytes) = (0, 0, 0)
        let before = bench_monotonic()
        while durable < item.total {
            let most = item.waits ? min(item.total, durable + (item.group ?? item.total)) : item.total
            while submitted < most, submitted - durable < journal.maximumWaiting, writer.submit(Self.draft(submitted)) { submitted += 1 }
            repeat {
                guard let reports = writer.reports.takeWaiting() else { throw BenchmarkFailure("the journal ended") }
                for report in reports {
                    guard case .durable(let entries) = report else { throw BenchmarkFailure("the disk refused: \(report)") }
                    durable += entries.count
                    for entry in entries { bytes += entry.lineLength + 1 }
                }
            } while item.waits && durable < most
        }
        let time = bench_monotonic() - before
        _ = writer.finish()
        return (time, bytes)
    }

    /// What is written most: a sign of work in a session.
    private static func draft(_ number: Int) -> EntryDraft {
        let now = BootTime(microseconds: 1_000_000_000 + Int64(number) * 1000)
        return EntryDraft(
            at: WallTime(microseconds: 1_773_529_140_000_000 + Int64(number) * 1000), mono: now,
            body: .session(
                .evidence(ActivityID(UInt64(number % 200 + 1)), Evidence(.saved, first: now, last: now + .milliseconds(900), count: 3)),
                assignment: nil))
    }

    // MARK: Reading

    private func read() throws {
        let state = "\(folder)/reading"
        let total = 100_000
        _ = try write(Case(name: "", group: nil, total: total), state: state)
        var table = Comparison("journal: reading \(total) entries", unit: "lines/s", ["C loop that counts lines", "replay", "verify"])
        for turn in 0...options.repetitions {
            let counted = try seconds {
                guard bench_count_lines(state + "/current.jsonl") == total else {
                    throw BenchmarkFailure("the journal has not \(total) lines")
                }
            }
            let replayed = try seconds {
                var entries = 0
                try JournalReader(stateDirectory: state).replay { _, _ in
                    entries += 1
                    return true
                }
                guard entries == total else { throw BenchmarkFailure("replay gave \(entries) entries") }
            }
            let verified = try seconds {
                let result = JournalCheck.run(state)
                guard result.isGood, result.findings.entries == total else { throw BenchmarkFailure("not good: \(result.text)") }
            }
            if turn == 0 { continue }
            for (row, time) in [counted, replayed, verified].enumerated() { table.add(Double(total) / time, to: row) }
        }
        show(table.text)
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let before = bench_monotonic()
        try body()
        return Double(bench_monotonic() - before) / 1e9
    }
}
