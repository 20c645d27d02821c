// SPDX-License-Identifier: Apache-2.0
import CDaybookBench
import FolderWatcher
import Glibc
import Inference

/// At which pace the bare loop's queue overflows, where the queue is so small that it can, and what becomes of Daybook's at half that pace.
struct SmallQueueBenchmark {
    /// Records. The kernel's usual 16,384 do not overflow at any pace that a small machine can make.
    static let sizes = [64, 256]
    /// Two programs make files; each pace is kept up for so long.
    static let seconds = 1.0
    static let writers: Int32 = 2
    /// As fast as they can, for the beginning.
    static let filesAtOnce: Int32 = 10_000
    static let halfPaceRuns = 5
    /// Both readers, as `Nice=` of daybookd.service; the programs that make files have 0.
    static let nice: Int32 = -5

    private let folder: String
    private var root: String { folder + "/share" }

    init(folder: String) { self.folder = folder }

    func run() throws {
        guard geteuid() == 0 else { return show("queue: skipped, it needs root\n") }
        guard bench_make_folders(root, EventBenchmark.folders) == 0, chmod(folder, 0o711) == 0 else {
            throw BenchmarkFailure.errno("cannot make folders in \(root)")
        }
        guard bench_set_nice(Self.nice) == 0 else { throw BenchmarkFailure.errno("cannot come before others") }
        defer { _ = bench_set_nice(0) }  // which is never refused
        // From here on the folders are theirs.
        _ = try work(Double(Self.writers))
        show(
            "| queue | source | C loop, each wake-up at once, overflows from (files/s) | half of it, reached | C loop: runs with overflows | Daybook: runs with overflows |"
        )
        show("| --- | --- | --- | --- | --- | --- |")
        for size in Self.sizes {
            for (interface, source) in [(BENCH_INOTIFY, WatchSource.inotify), (BENCH_FANOTIFY, .fanotify)] {
                try measure(size, interface, source)
            }
        }
        show("")
    }

    private func measure(_ size: Int, _ interface: bench_interface, _ source: WatchSource) throws {
        guard let pace = try overflowingPace(size, interface) else {
            return show("| \(size) | \(source.rawValue) | at no pace that this machine can make | – | – | – |")
        }
        var (reached, loopRuns, daybookRuns) = (0.0, 0, 0)
        for run in 0..<Self.halfPaceRuns {
            loopRuns += try loop(size, interface, pace / 2).overflows > 0 ? 1 : 0
            let name = "\(folder)/private-small-\(size)-\(source.rawValue)-\(run)"
            let pipeline = try SmallQueue.with(size) {
                try Pipeline(share: root, privateFolder: name, by: source, person: LossBenchmark.person, isLossAllowed: true)
            }
            let clock = Clock()
            daybookRuns += try pipeline.measure { clock.note(try work(pace / 2)) }.overflows > 0 ? 1 : 0
            reached += clock.pace / Double(Self.halfPaceRuns)
        }
        let runs = Self.halfPaceRuns
        show(
            "| \(size) | \(source.rawValue) | \(rounded(pace)) | \(rounded(reached)) | \(loopRuns) of \(runs) | \(daybookRuns) of \(runs) |"
        )
    }

    /// What was reached, noted by the thread that works.
    private final class Clock: @unchecked Sendable {
        // Owner: the thread that works; read when it has ended.
        private(set) var pace = 0.0

        func note(_ pace: Double) { self.pace = pace }
    }

    /// The least pace, to a quarter, at which the bare loop loses something; nil where it never does.
    private func overflowingPace(_ size: Int, _ interface: bench_interface) throws -> Double? {
        var lost = false
        var fastest = 0.0
        for _ in 0..<3 where !lost {
            let (overflows, pace) = try loop(size, interface, nil)
            (lost, fastest) = (overflows > 0, max(fastest, pace))
        }
        guard lost else { return nil }
        var (good, bad) = (0.0, fastest)
        while bad - good > bad / 4 {
            let middle = (good + bad) / 2
            // What happens now and then happens in one of three.
            var lost = false
            for _ in 0..<3 where !lost { lost = try loop(size, interface, middle).overflows > 0 }
            if lost { bad = middle } else { good = middle }
            if bad < 1 { return bad }
        }
        return bad
    }

    /// The pace that was reached, in files per second; as fast as they can where none is asked for.
    private func work(_ pace: Double?) throws -> Double {
        let files = pace.map { max(Self.writers, Int32($0 * Self.seconds)) / Self.writers } ?? Self.filesAtOnce
        let pause = pace.map { Int32(Double(Self.writers) / $0 * 1e6) } ?? 0
        let begin = bench_monotonic()
        guard bench_files_as(LossBenchmark.person, root, EventBenchmark.folders, Self.writers, files, pause) == 0 else {
            throw BenchmarkFailure.errno("cannot write below \(root)")
        }
        return Double(files * Self.writers) / (Double(bench_monotonic() - begin) / 1e9)
    }

    private func loop(_ size: Int, _ interface: bench_interface, _ pace: Double?) throws -> (overflows: Int, pace: Double) {
        let mask = interface == BENCH_INOTIFY ? UInt64(InotifyMask.folder.rawValue) : FanotifyMask.folder.rawValue
        let reader = try SmallQueue.with(size) { () throws in
            guard let reader = bench_reader_start(interface, root, EventBenchmark.folders, mask, 0) else {
                throw BenchmarkFailure.errno("cannot watch \(root)")
            }
            return reader
        }
        let worked = Result { try work(pace) }
        var (events, cpu, overflows): (Int64, Int64, Int64) = (0, 0, 0)
        guard bench_reader_stop(reader, &events, &cpu, &overflows) == 0 else { throw BenchmarkFailure.errno("cannot end the loop") }
        return (Int(overflows), try worked.get())
    }
}

/// The kernel's limit of waiting records, which an instance takes over when it is made: lowered for that moment, for the whole machine.
enum SmallQueue {
    private static let limits = ["/proc/sys/fs/inotify/max_queued_events", "/proc/sys/fs/fanotify/max_queued_events"]

    static func with<Made>(_ size: Int, _ make: () throws -> Made) throws -> Made {
        // Nothing may end this process before the limits are what they were.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var old: [(path: String, text: String)] = []
        defer { for (path, text) in old { _ = try? write(text, path) } }  // as it could be read, it can be written
        for path in limits {
            let text = try read(path)
            try write("\(size)\n", path)
            old.append((path, text))
        }
        return try make()
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw BenchmarkFailure.errno("cannot read \(path)") }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, 32, file) != nil else { throw BenchmarkFailure.errno("cannot read \(path)") }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func write(_ text: String, _ path: String) throws {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file != -1 else { throw BenchmarkFailure.errno("cannot set \(path)") }
        defer { close(file) }
        guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else { throw BenchmarkFailure.errno("cannot set \(path)") }
    }
}
