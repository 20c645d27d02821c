// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import DaybookLinux
import Glibc
import JournalFormat
import JournalStore

/// Emptying one entry of two hundred in a gigabyte of journal, beside `daybook verify` of the same bytes; and how long an entry that comes
/// meanwhile waits until it is durable.
struct ForgetBenchmark {
    /// One session of two hundred that take turns.
    private struct OneSession: EntrySelection {
        mutating func learn(_ entry: Entry, digest: Digest) {}
        func selects(_ entry: Entry, digest: Digest) -> Bool {
            if case .session(let event, _) = entry.body { event.id == ActivityID(7) } else { false }
        }
        func replacements() -> [EntryBody] { [] }
        var words: [String] { ["nobody-of-this-name"] }
    }

    let options: BenchmarkOptions
    let folder: String

    func run() throws {
        var times = Comparison("journal: one session of 200 forgotten in 1 GiB", unit: "s", ["verify", "forget"])
        var waits = Comparison(
            "an entry each 5 ms, one by one, until it is durable", unit: "ms",
            ["median, nothing else", "longest, nothing else", "median, while forgetting", "longest, while forgetting"])
        for turn in 0..<max(2, min(options.repetitions, 5)) {
            let state = "\(folder)/forgotten-\(turn)"
            let (_, entries) = try VerifyBenchmark(options, folder: folder).write(state)
            var clock = bench_monotonic()
            guard JournalCheck.run(state).isGood else { throw BenchmarkFailure("the journal is not good") }
            let verified = bench_monotonic() - clock
            var journal = JournalOptions()
            journal.commitDelay = .zero
            journal.packAfter = nil
            let writer = try JournalWriter(stateDirectory: state, boot: BootID(text: "b"), options: journal, wake: nil)
            let (alone, _) = try Self.append(to: writer, until: { _, count in count == 500 })
            clock = bench_monotonic()
            guard writer.erase(ErasureRequest(id: 1, kind: .forgotten, by: 0, selection: OneSession())) else {
                throw BenchmarkFailure("the writer is closed")
            }
            let (during, done) = try Self.append(to: writer, until: { done, _ in done != nil })
            let erased = bench_monotonic() - clock
            for (row, times) in [alone, during].enumerated() {
                waits.add(times[times.count / 2], to: 2 * row)
                waits.add(times[times.count - 1], to: 2 * row + 1)
            }
            _ = writer.finish()
            guard case .done(let count) = done?.outcome, count > entries / 210 else { throw BenchmarkFailure("not erased: \(done as Any)") }
            let check = JournalCheck.run(state)
            let all = entries + alone.count + during.count
            guard check.isGood, check.findings.erased == count, check.findings.entries > all else {
                throw BenchmarkFailure("not good: \(check.text)")
            }
            _ = try Program.run(["rm", "-rf", state])
            times.add(Double(verified) / 1e9, to: 0)
            times.add(Double(erased) / 1e9, to: 1)
        }
        show(times.text)
        show(waits.text)
    }

    /// Appends entries one after another, each once the one before is durable and 5 ms have passed; the sorted waiting times in milliseconds.
    private static func append(
        to writer: JournalWriter, until isOver: (ErasureReport?, Int) -> Bool
    ) throws -> (waits: [Double], done: ErasureReport?) {
        var waits: [Double] = []
        var done: ErasureReport?
        while !isOver(done, waits.count) {
            let before = bench_monotonic()
            let body = EntryBody.stopped(reason: "while others are forgotten")
            guard writer.submit(EntryDraft(at: WallTime(microseconds: 1_773_529_140_000_000), mono: BootTime(microseconds: 1), body: body))
            else { throw BenchmarkFailure("the writer is full") }
            var isDurable = false
            while !isDurable, let reports = writer.reports.takeWaiting() {
                for report in reports {
                    switch report {
                    case .durable(let entries): isDurable = isDurable || entries.contains { $0.entry.body == body }
                    case .erased(let report): done = report
                    default: break
                    }
                }
            }
            waits.append(Double(bench_monotonic() - before) / 1e6)
            usleep(5000)
        }
        return (waits.sorted(), done)
    }
}
