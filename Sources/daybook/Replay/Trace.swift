// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference

/// A recorded trace, as inputs on the trace's own clock, and what else the machine would have answered while it was recorded.
struct Trace {
    enum Source: String { case inotify, fanotify }

    /// The folder's name.
    let name: String
    private(set) var inputs: [InferenceInput] = []
    /// The last instant of watching.
    private(set) var end = BootTime(microseconds: 0)
    /// When processes ended, and which files they held.
    let processes: TraceProcesses
    let holders: TraceHolders?

    init(folder: String, source: Source) throws {
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        name = folder.split(separator: "/").last.map(String.init) ?? folder
        processes = try TraceProcesses(folder: folder)
        holders = try TraceHolders(ifThere: folder + "/holders.jsonl")
        let owners = try TraceOwners(ifThere: folder + "/fanotify.jsonl")
        switch source {
        case .inotify:
            var reader = InotifyTraceReader(owners: owners)
            try TraceFile(folder + "/events.jsonl").forEachLine { line in reader.take(line) }
            reader.finish()
            inputs = reader.inputs
            end = reader.end
        case .fanotify:
            guard let file = try TraceFile(ifThere: folder + "/fanotify.jsonl") else {
                throw CommandFailure("\(folder) has no fanotify.jsonl: it was recorded with inotify only, which --source inotify reads")
            }
            let names = try TraceNames(ifThere: folder + "/events.jsonl")
            var reader = FanotifyTraceReader(names: names, owners: owners, processes: processes)
            try file.forEachLine { line in reader.take(line) }
            reader.finish()
            inputs = reader.inputs
            end = max(reader.end, names.end)
        }
    }
}

extension BootTime {
    /// Seconds of a trace; nil for what is no sensible time.
    init?(traceSeconds seconds: Double) {
        guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return nil }
        self.init(microseconds: Int64((seconds * 1_000_000).rounded()))
    }
}
