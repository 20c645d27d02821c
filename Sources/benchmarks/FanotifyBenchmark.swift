// SPDX-License-Identifier: Apache-2.0
import CDaybookBench
import FolderWatcher
import Glibc
import Inference

/// The same saves by somebody else's process, seen through fanotify: beside a loop that reads its records as they come and counts them.
struct FanotifyBenchmark {
    struct Workload {
        var name: String
        var saves: Int
        /// Microseconds between two saves.
        var pause: Int32
        /// Whether they are in a place where nothing counts, in a folder that has to be watched all the same.
        var isOutside: Bool
    }

    static let person: uid_t = 61_002
    static let workloads = [
        Workload(name: "documents, a save each 0.5 ms", saves: 4000, pause: 500, isOutside: false),
        Workload(name: "documents, 2,000 saves at once", saves: 2000, pause: 0, isOutside: false),
        Workload(name: "outside the layouts, a save each 0.5 ms", saves: 4000, pause: 500, isOutside: true),
        Workload(name: "outside the layouts, 2,000 saves at once", saves: 2000, pause: 0, isOutside: true),
    ]

    let options: BenchmarkOptions
    let folder: String

    init(_ options: BenchmarkOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    func run() throws {
        guard geteuid() == 0 else { return show("fanotify: skipped, it needs root\n") }
        for workload in Self.workloads { try run(workload) }
    }

    private func run(_ workload: Workload) throws {
        var table = Comparison(
            "fanotify: \(workload.name)", unit: "µs of CPU per event",
            ["C loop, each wake-up at once", "the same, with a pidfd for each", "Daybook's watcher", "Daybook, up to sessions"])
        let root = folder + "/share"
        // Whoever saves must reach it.
        guard bench_make_folders(root, EventBenchmark.folders) == 0, chmod(folder, 0o711) == 0 else {
            throw BenchmarkFailure.errno("cannot make folders in \(root)")
        }
        // As inotify counts: what fanotify joins is joined for all of them.
        let events = Double(workload.saves * EventBenchmark.eventsPerSave)
        var records: Int64 = 0
        var changes = 0
        for turn in 0...options.repetitions {
            let (direct, count) = try readLoop(BENCH_FANOTIFY, root, workload)
            let (withProcess, _) = try readLoop(BENCH_FANOTIFY_PIDFD, root, workload)
            let name = "\(folder)/private-fanotify-\(workload.saves)-\(workload.isOutside)-\(turn)"
            let measured = try Pipeline(share: root, privateFolder: name, by: .fanotify, person: Self.person).measure {
                try Self.save(root, workload)
            }
            guard workload.isOutside ? measured.changes == 0 : measured.changes >= workload.saves else {
                throw BenchmarkFailure("the pipeline saw \(measured.changes) changes")
            }
            (records, changes) = (count, measured.changes)
            // The first turn warms up files and code.
            if turn == 0 { continue }
            table.add(Double(direct) / 1000 / events, to: 0)
            table.add(Double(withProcess) / 1000 / events, to: 1)
            table.add(Double(measured.watcherCPU) / 1000 / events, to: 2)
            table.add(Double(measured.cpu) / 1000 / events, to: 3)
        }
        show(table.text)
        show(
            "\(workload.saves) saves, \(Int(events)) events, \(records) records of the kernel's and \(changes) changes in the last turn.\n")
    }

    private static func save(_ root: String, _ workload: Workload) throws {
        let folders = workload.isOutside ? 0 : EventBenchmark.folders
        guard bench_saves_as(person, root, folders, Int32(workload.saves), workload.pause) == 0 else {
            throw BenchmarkFailure.errno("cannot save below \(root)")
        }
    }

    private func readLoop(_ interface: bench_interface, _ root: String, _ workload: Workload) throws -> (cpu: Int64, records: Int64) {
        guard let reader = bench_reader_start(interface, root, EventBenchmark.folders, FanotifyMask.folder.rawValue, 0) else {
            throw BenchmarkFailure.errno("cannot watch \(root)")
        }
        let saved = Result { try Self.save(root, workload) }
        var (events, cpu, overflows): (Int64, Int64, Int64) = (0, 0, 0)
        guard bench_reader_stop(reader, &events, &cpu, &overflows) == 0 else { throw BenchmarkFailure.errno("cannot end the loop") }
        try saved.get()
        guard events > 0, overflows == 0 else { throw BenchmarkFailure("the loop saw \(events) records and \(overflows) overflows") }
        return (cpu, events)
    }
}
