// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import Glibc
import Ledger

/// The ledger of ten million entries of assignments that go on: what an entry costs, what a start costs, and what questions cost, beside
/// SQLite and jq with the same facts.
struct LedgerBenchmark {
    let options: BenchmarkOptions
    let folder: String

    init(_ options: BenchmarkOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    func run() throws {
        costs()
        try starts()
    }

    /// Entries are made before the clock starts; then the next 10,000 are added to a ledger that has so many.
    private func costs() {
        var text =
            "| entries so far | ns of processor time for each of the next 10,000 (least, median, most of ten times) | ratio |\n|---|---|---|\n"
        var year = SchoolYear()
        var ledger = Ledger()
        var done = 0
        var baseline = 0.0
        var own: Int32 = 0
        guard bench_process_clock(getpid(), &own) == 0 else { return }
        for size in [10_000, 100_000, 1_000_000, options.entries].filter({ $0 <= options.entries }) {
            while done < size - 100_000 || done < min(10_000, size) {
                for entry in year.entries(10_000) { ledger.apply(entry) }
                done += 10_000
            }
            var samples = Samples()
            for _ in 0..<10 {
                let entries = year.entries(10_000)
                let before = bench_read_clock(own)
                for entry in entries { ledger.apply(entry) }
                samples.add(Double(bench_read_clock(own) - before) / 1e4)
                done += 10_000
            }
            if baseline == 0 { baseline = samples.median }
            text += "| \(rounded(Double(size))) | \(rounded(samples.least)) · \(rounded(samples.median)) · \(rounded(samples.most)) "
            text += "| \(rounded(samples.median / baseline)) |\n"
        }
        show(text)
    }

    private func starts() throws {
        let state = "\(folder)/school"
        try SchoolJournal(state: state).write(options.entries, tables: true)
        let own = try Answers(of: ["/proc/self/exe", "ledger-start", state, "without"], in: folder)
        var with = try Answers(of: ["/proc/self/exe", "ledger-start", state, "with"], in: folder)
        for _ in 1..<max(1, options.repetitions) {
            let more = try Answers(of: ["/proc/self/exe", "ledger-start", state, "with"], in: folder)
            if more["start"] < with["start"] { with = more }
        }
        try writeFile("\(folder)/questions.py", Array(SQLiteQuestions.script.utf8))
        let made = try Answers(of: ["python3", "\(folder)/questions.py", state, "make"], in: folder)
        let sqlite = try Answers(of: ["python3", "\(folder)/questions.py", state, "ask"], in: folder)
        let jq = try Program.cpu(["sh", "-c", "cat '\(state)'/journal/*.jsonl | jq -cn '\(SQLiteQuestions.jq)'"]) / 1e6
        func ratio(_ value: Double, _ base: Double) -> String { rounded(value / base) }
        show(
            """
            | ledger: \(rounded(own["entries"])) hot entries | Daybook | SQLite | ratio | jq |
            |---|---|---|---|---|
            | start with the snapshot, or opening, s | \(rounded(with["start"])) | \(rounded(sqlite["start"])) | | |
            | start without it, or building and indexing, s | \(rounded(own["start"])) | \(rounded(made["make"])) \
            | \(ratio(own["start"], made["make"])) | |
            | the same by processor time: with, without, s | \(rounded(with["start-cpu"])), \(rounded(own["start-cpu"])) \
            | \(rounded(made["make-cpu"])) | \(ratio(own["start-cpu"], made["make-cpu"])) | |
            | writing the snapshot, s | \(rounded(own["written"])) | | | |
            | class report, ms of processor time (median, most) | \(rounded(with["report"])), \(rounded(with["report-most"])) | \(rounded(sqlite["report"])), \
            \(rounded(sqlite["report-most"])) | \(ratio(with["report"], sqlite["report"])) | |
            | sessions of one student (\(rounded(with["sessions-found"]))), ms | \(rounded(with["sessions"])), \
            \(rounded(with["sessions-most"])) | \(rounded(sqlite["sessions"])), \(rounded(sqlite["sessions-most"])) \
            | \(ratio(with["sessions"], sqlite["sessions"])) | \(rounded(jq)) |
            | resident, MB (after a start with the snapshot, without; peak) | \(rounded(with["resident"])), \(rounded(own["resident"])); \
            \(rounded(with["peak"])), \(rounded(own["peak"])) | \(rounded(sqlite["resident"])) | | |
            | on the disk beside the journal, MB | \(rounded(try size("\(state)/ledger.snapshot"))) | \(rounded(made["bytes"] / 1e6)) | | |

            """)
    }

    private func size(_ path: String) throws -> Double {
        var status = stat()
        guard stat(path, &status) == 0 else { throw BenchmarkFailure.errno("there is no \(path)") }
        return Double(status.st_size) / 1e6
    }

    /// A journal ten times as large, compressed: what a start costs.
    func large(_ count: Int) throws {
        let state = "\(folder)/large"
        try SchoolJournal(state: state).write(count, packed: true)
        let own = try Answers(of: ["/proc/self/exe", "ledger-start", state, "without"], in: folder)
        let with = try Answers(of: ["/proc/self/exe", "ledger-start", state, "with"], in: folder)
        for name in ["entries", "start", "written", "resident", "report", "sessions"] {
            show("\(name) \(rounded(own[name])) without, \(rounded(with[name])) with the snapshot")
        }
        _ = try Program.run(["du", "-sm", state + "/journal"])
    }
}

/// What a program said, as `name value` lines.
struct Answers {
    private var values: [String: Double] = [:]

    init(of arguments: [String], in folder: String) throws {
        let path = "\(folder)/answers"
        let words = arguments.map { "'\($0)'" }.joined(separator: " ").replacing("/proc/self/exe", with: Self.own)
        _ = try Program.cpu(["sh", "-c", "\(words) > '\(path)'"])
        guard let file = fopen(path, "r") else { throw BenchmarkFailure.errno("there is no answer") }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let parts = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
                whereSeparator: \.isWhitespace)
            if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
        }
    }

    subscript(name: String) -> Double { values[name] ?? .nan }

    private static let own: String = Program.sibling("benchmarks") ?? "benchmarks"
}
