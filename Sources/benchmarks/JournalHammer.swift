// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import JournalFormat
import JournalStore

/// `benchmarks hammer STATE FIRST`: writes numbered entries from FIRST on as fast as the journal takes them, with small segments that are compressed
/// at once and many checkpoints, and says on standard output which number was acknowledged last, until it is killed. For the test that kills it.
enum JournalHammer {
    static func run(state: String, first: Int) throws {
        var options = JournalOptions()
        options.segmentBytes = 30_000
        options.commitDelay = .zero
        options.maximumGroup = Int.random(in: 1...40)
        if Bool.random() {
            // Large enough for the next group to be encoded while one is written.
            options.maximumGroup = 64
            options.segmentBytes = 150_000
        }
        options.packAfter = .zero
        options.signing = JournalOptions.Signing()
        options.checkpointInterval = .milliseconds(3)
        let writer = try JournalWriter(stateDirectory: state, boot: BootID(text: "b00t"), options: options, wake: nil)
        var submitted = first
        var acknowledged = first - 1
        while true {
            while submitted - acknowledged < 400, writer.submit(draft(submitted)) { submitted += 1 }
            guard let reports = writer.reports.takeWaiting() else { throw BenchmarkFailure("the journal ended") }
            for case .durable(let entries) in reports {
                for case .stopped(let reason) in entries.map(\.entry.body) { acknowledged = Int(reason) ?? acknowledged }
            }
            // In one call, so that a line is written or not.
            let line = Array("\(acknowledged)\n".utf8)
            guard write(1, line, line.count) == line.count else { return }
        }
    }

    private static func draft(_ number: Int) -> EntryDraft {
        // A day has 500 entries.
        EntryDraft(
            at: WallTime(microseconds: 1_773_529_140_000_000 + Int64(number) * 172_800_000), mono: BootTime(microseconds: Int64(number)),
            body: .stopped(reason: "\(number)"))
    }
}
