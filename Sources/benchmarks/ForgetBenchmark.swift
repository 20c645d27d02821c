// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import DaybookLinux
import Glibc
import JournalFormat
import JournalStore

/// Emptying one entry of two hundred in a gigabyte of journal, beside `daybook verify` of the same bytes. Entries wait for as long.
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
            clock = bench_monotonic()
            guard writer.erase(ErasureRequest(id: 1, kind: .forgotten, by: 0, selection: OneSession())) else {
                throw BenchmarkFailure("the writer is closed")
            }
            var done: ErasureReport?
            while done == nil, let reports = writer.reports.takeWaiting() {
                for case .erased(let report) in reports { done = report }
            }
            let erased = bench_monotonic() - clock
            _ = writer.finish()
            guard case .done(let count) = done?.outcome, count > entries / 210 else { throw BenchmarkFailure("not erased: \(done as Any)") }
            let check = JournalCheck.run(state)
            guard check.isGood, check.findings.erased == count else { throw BenchmarkFailure("not good: \(check.text)") }
            _ = try Program.run(["rm", "-rf", state])
            times.add(Double(verified) / 1e9, to: 0)
            times.add(Double(erased) / 1e9, to: 1)
        }
        show(times.text)
    }
}
