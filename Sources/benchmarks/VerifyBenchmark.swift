// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import Glibc
import JournalFormat
import JournalStore

/// `daybook verify` of a gigabyte beside `openssl dgst -sha256` of the same bytes, which hashes and nothing else.
struct VerifyBenchmark {
    static let bytes = 1 << 30

    let options: BenchmarkOptions
    let folder: String

    init(_ options: BenchmarkOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    func run() throws {
        let state = "\(folder)/verified"
        let (files, entries) = try write(state)
        var wall = Comparison("journal: verify of 1 GiB", unit: "MB/s", ["openssl dgst -sha256", "verify"])
        var cpu = Comparison("the same by processor time", unit: "MB/s", ["openssl dgst -sha256", "verify"])
        var own: Int32 = 0
        guard bench_process_clock(getpid(), &own) == 0 else { throw BenchmarkFailure.errno("no clock of this process") }
        for turn in 0...options.repetitions {
            let started = bench_monotonic()
            let hashed = try Program.cpu(["openssl", "dgst", "-sha256"] + files)
            let ended = bench_monotonic()
            let before = bench_read_clock(own)
            let result = JournalCheck.run(state)
            let used = bench_read_clock(own) - before
            let verified = bench_monotonic() - ended
            guard result.isGood, result.findings.entries == entries else { throw BenchmarkFailure("not good: \(result.text)") }
            if turn == 0 { continue }
            let megabytes = Double(Self.bytes) / 1e6
            wall.add(megabytes / (Double(ended - started) / 1e9), to: 0)
            wall.add(megabytes / (Double(verified) / 1e9), to: 1)
            cpu.add(megabytes / (hashed / 1e9), to: 0)
            cpu.add(megabytes / (Double(used) / 1e9), to: 1)
        }
        show(wall.text)
        show(cpu.text)
    }

    /// Segments of 64 MiB, as the writer makes them; their paths and how many entries they have.
    func write(_ state: String) throws -> (files: [String], entries: Int) {
        guard mkdir(state, 0o700) == 0, mkdir(state + "/journal", 0o700) == 0 else { throw BenchmarkFailure.errno("cannot make \(state)") }
        var encoder = EntryEncoder()
        var position = JournalPosition.start
        var files: [String] = []
        var left = Self.bytes
        while left > 0 {
            var segment: [UInt8] = []
            segment.reserveCapacity(65 << 20)
            let path = "\(state)/journal/\(JournalSegment.name(first: position.seq + 1))"
            while segment.count < min(left, 64 << 20) {
                let number = Int64(position.seq)
                let now = BootTime(microseconds: 1_000_000_000 + number * 1000)
                let evidence = Evidence(.saved, first: now, last: now + .milliseconds(900), count: 3)
                let entry = Entry(
                    seq: position.seq + 1, at: WallTime(microseconds: 1_773_529_140_000_000 + number * 1000),
                    boot: BootID(text: "0f2d6f0c9a1b4c7f8e5d3a2b1c0d9e8f"), mono: now,
                    body: .session(.evidence(ActivityID(UInt64(number % 200 + 1)), evidence), assignment: nil))
                let salt = Salt(high: position.seq &* 0x9e37_79b9_7f4a_7c15, low: position.seq &* 0xbf58_476d_1ce4_e5b9)
                guard let line = encoder.line(for: entry, salt: salt, after: position) else { throw BenchmarkFailure("a line is too long") }
                segment += line.bytes
                segment.append(0x0a)
                position = line.position
            }
            try writeFile(path, segment)
            files.append(path)
            left -= segment.count
        }
        return (files, Int(position.seq))
    }
}
