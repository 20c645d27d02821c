// SPDX-License-Identifier: Apache-2.0
import CDaybookBench
import FolderWatcher
import Glibc
import Inference

/// At which pace the kernel's queue overflows, and what stays in memory of folders that have come and gone.
struct LossBenchmark {
    struct Pace {
        var name: String
        var writers: Int32
        /// Microseconds between two files of a writer.
        var pause: Int32
        var files: Int32
    }

    static let person: uid_t = 61_002
    static let paces = [
        Pace(name: "2,500 files/s", writers: 1, pause: 400, files: 5000),
        Pace(name: "5,000 files/s", writers: 1, pause: 200, files: 10_000),
        Pace(name: "10,000 files/s", writers: 1, pause: 100, files: 20_000),
        Pace(name: "20,000 files/s", writers: 2, pause: 100, files: 20_000),
        Pace(name: "as fast as one program can", writers: 1, pause: 0, files: 30_000),
        Pace(name: "as fast as two can", writers: 2, pause: 0, files: 30_000),
    ]

    let options: BenchmarkOptions
    let folder: String

    init(_ options: BenchmarkOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    func run() throws {
        guard geteuid() == 0 else { return show("loss: skipped, it needs root\n") }
        let root = folder + "/share"
        guard bench_make_folders(root, EventBenchmark.folders) == 0, chmod(folder, 0o711) == 0 else {
            throw BenchmarkFailure.errno("cannot make folders in \(root)")
        }
        try overflows(root)
        try churn(root)
    }

    // MARK: Overflows

    private func overflows(_ root: String) throws {
        show(
            "| overflows: files made, written, closed and deleted | files/s reached | C loop, inotify | Daybook, inotify | C loop, fanotify | Daybook, fanotify |"
        )
        show("| --- | --- | --- | --- | --- | --- |")
        for (number, pace) in Self.paces.enumerated() {
            var cells: [Int] = []
            var slowest = Double.infinity
            for (interface, source) in [(BENCH_INOTIFY, WatchSource.inotify), (BENCH_FANOTIFY, .fanotify)] {
                let begin = bench_monotonic()
                cells.append(try loop(interface, root, pace))
                slowest = min(slowest, Double(pace.writers * pace.files) / Double(bench_monotonic() - begin) * 1e9)
                cells.append(try daybook(source, root, pace, "\(folder)/private-loss-\(number)-\(source.rawValue)"))
            }
            show("| \(pace.name) | \(rounded(slowest)) | \(cells.map(String.init).joined(separator: " | ")) |")
        }
        show("")
    }

    private func work(_ root: String, _ pace: Pace) throws {
        guard bench_files_as(Self.person, root, EventBenchmark.folders, pace.writers, pace.files, pace.pause) == 0 else {
            throw BenchmarkFailure.errno("cannot write below \(root)")
        }
    }

    private func loop(_ interface: bench_interface, _ root: String, _ pace: Pace) throws -> Int {
        let mask = interface == BENCH_INOTIFY ? UInt64(InotifyMask.folder.rawValue) : FanotifyMask.folder.rawValue
        guard let reader = bench_reader_start(interface, root, EventBenchmark.folders, mask, 0) else {
            throw BenchmarkFailure.errno("cannot watch \(root)")
        }
        let worked = Result { try work(root, pace) }
        var (events, cpu, overflows): (Int64, Int64, Int64) = (0, 0, 0)
        guard bench_reader_stop(reader, &events, &cpu, &overflows) == 0 else { throw BenchmarkFailure.errno("cannot end the loop") }
        try worked.get()
        return Int(overflows)
    }

    private func daybook(_ source: WatchSource, _ root: String, _ pace: Pace, _ privateFolder: String) throws -> Int {
        let pipeline = try Pipeline(share: root, privateFolder: privateFolder, by: source, person: Self.person, isLossAllowed: true)
        return try pipeline.measure { try work(root, pace) }.overflows
    }

    // MARK: Memory

    private func churn(_ root: String) throws {
        for source in [WatchSource.inotify, .fanotify] {
            let name = "\(folder)/private-churn-\(source.rawValue)"
            // The first ten rounds are the measure: from then on nothing may grow.
            let pipeline = try Pipeline(share: root, privateFolder: name, by: source, person: Self.person)
            let (after10, after100) = (Figure(), Figure())
            _ = try pipeline.measure {
                guard bench_churn_as(Self.person, root, 10) == 0 else { throw BenchmarkFailure.errno("cannot make folders") }
                after10.note()
                guard bench_churn_as(Self.person, root, 90) == 0 else { throw BenchmarkFailure.errno("cannot make folders") }
                after100.note()
            }
            let counts = pipeline.counts
            show(
                "\(source.rawValue): resident after 10,000 folders have come and gone \(after10.kilobytes) kB, after 100,000 \(after100.kilobytes) kB; "
                    + "\(counts.folders) folders, \(counts.watches) watches, \(counts.marks) marks at the end.")
        }
        show("")
    }

    /// The resident memory of this process, noted by another thread.
    private final class Figure: @unchecked Sendable {
        // Owner: the thread that works; read when it has ended.
        private(set) var kilobytes = 0

        func note() {
            guard let file = fopen("/proc/self/statm", "r") else { return }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 128)
            guard fgets(&line, 128, file) != nil else { return }
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
            kilobytes = (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4
        }
    }
}
