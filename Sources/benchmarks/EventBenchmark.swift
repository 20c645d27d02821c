// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import Glibc
import Inference

/// Events, from the kernel to sessions, beside programs that only read them.
struct EventBenchmark {
    struct Workload {
        var name: String
        var saves: Int
        /// Microseconds between two saves.
        var pause: Int32
    }

    /// What a save is to inotify: CREATE, OPEN, MODIFY, CLOSE_WRITE, MOVED_FROM, MOVED_TO.
    static let eventsPerSave = 6
    static let folders: Int32 = 30
    /// What the kernel keeps by default is 16,384 records: a burst must be below that, or it measures the loss of events.
    static let workloads = [
        Workload(name: "a save each 0.5 ms", saves: 4000, pause: 500), Workload(name: "2,000 saves at once", saves: 2000, pause: 0),
    ]

    let options: BenchmarkOptions
    let folder: String

    init(_ options: BenchmarkOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    func run() throws {
        for workload in Self.workloads { try run(workload) }
    }

    private func run(_ workload: Workload) throws {
        var table = Comparison(
            "events: \(workload.name)", unit: "µs of CPU per event",
            ["C loop, batched (10 ms)", "C loop, each wake-up at once", "inotifywait -m -r", "Daybook, up to sessions"])
        let root = folder + "/share"
        guard bench_make_folders(root, Self.folders) == 0 else { throw BenchmarkFailure.errno("cannot make folders in \(root)") }
        let events = Double(workload.saves * Self.eventsPerSave)
        var sessions = 0
        for turn in 0...options.repetitions {
            let batched = try readLoop(root, workload, batch: 10)
            let direct = try readLoop(root, workload, batch: 0)
            let watched = try? inotifywait(root, workload)
            let measured = try Pipeline(share: root, privateFolder: folder + "/private-\(workload.saves)-\(turn)").measure {
                try Self.save(root, workload)
            }
            guard measured.changes >= workload.saves * 4, measured.sessionEvents > 0 else {
                throw BenchmarkFailure("the pipeline saw \(measured.changes) changes and \(measured.sessionEvents) events of sessions")
            }
            sessions = measured.sessionEvents
            // The first turn warms up files and code.
            if turn == 0 { continue }
            table.add(Double(batched) / 1000 / events, to: 0)
            table.add(Double(direct) / 1000 / events, to: 1)
            if let watched {
                table.add(Double(watched) / 1000 / events, to: 2)
            } else {
                table.skip(2, because: "inotifywait is not installed (Debian: inotify-tools)")
            }
            table.add(Double(measured.cpu) / 1000 / events, to: 3)
        }
        show(table.text)
        show("\(workload.saves) saves, \(Int(events)) events, \(sessions) events of sessions in each turn.\n")
    }

    /// The documents that are saved, as paths below the share.
    static var documents: [PathBytes] {
        (0..<folders).flatMap { folder in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            bench_folder_path("", folder, &buffer, buffer.count)
            let path = PathBytes(String(decoding: buffer.prefix { $0 != 0 }.dropFirst().map { UInt8(bitPattern: $0) }, as: UTF8.self))
            return (0..<BENCH_DOCUMENTS).map { path.appending(Array("essay\($0).docx".utf8)[...]) }
        }
    }

    static func save(_ root: String, _ workload: Workload) throws {
        guard bench_saves(root, folders, Int32(workload.saves), workload.pause) == 0 else {
            throw BenchmarkFailure.errno("cannot save below \(root)")
        }
    }

    private func readLoop(_ root: String, _ workload: Workload, batch: Int32) throws -> Int64 {
        guard let reader = bench_reader_start(BENCH_INOTIFY, root, Self.folders, UInt64(InotifyMask.folder.rawValue), batch) else {
            throw BenchmarkFailure.errno("cannot watch \(root)")
        }
        let saved = Result { try Self.save(root, workload) }
        var (events, cpu): (Int64, Int64) = (0, 0)
        guard bench_reader_stop(reader, &events, &cpu, nil) == 0 else { throw BenchmarkFailure.errno("cannot end the loop") }
        try saved.get()
        guard events == workload.saves * Self.eventsPerSave else {
            throw BenchmarkFailure("the loop saw \(events) events instead of \(workload.saves * Self.eventsPerSave)")
        }
        return cpu
    }

    private func inotifywait(_ root: String, _ workload: Workload) throws -> Int64 {
        var errors: Int32 = -1
        let kinds = "create,delete,open,modify,close,attrib,moved_from,moved_to,delete_self,move_self"
        let pid = try Program.start(["inotifywait", "-m", "-r", "-e", kinds, root], errors: &errors)
        defer {
            close(errors)
            kill(pid, SIGTERM)
            var ended = Program.Usage(status: 0, cpu: 0)
            _ = bench_wait(pid, &ended.status, &ended.cpu)
        }
        try waitFor("established", from: errors)
        var clock: Int32 = 0
        guard bench_process_clock(pid, &clock) == 0 else { throw BenchmarkFailure.errno("inotifywait has ended") }
        let before = bench_read_clock(clock)
        try Self.save(root, workload)
        // It has read everything when it rests.
        var used = bench_read_clock(clock)
        for _ in 0..<100 {
            usleep(100_000)
            let now = bench_read_clock(clock)
            if now == used { break }
            used = now
        }
        return used - before
    }

    /// Reads what a program says until the word comes.
    private func waitFor(_ word: String, from errors: Int32) throws {
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: said, as: UTF8.self).contains(word) {
            let count = read(errors, &buffer, buffer.count)
            guard count > 0 else { throw BenchmarkFailure("it ended: \(String(decoding: said, as: UTF8.self))") }
            said += buffer[..<count]
        }
    }
}
