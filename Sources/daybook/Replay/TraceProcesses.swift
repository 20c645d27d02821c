// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

/// The processes of a trace: their own names (an event shows a thread's), and when they ended.
struct TraceProcesses {
    private var names: [Int32: String] = [:]
    private var starts: [Int32: BootTime] = [:]
    private var ends: [Int32: [BootTime]] = [:]

    init(folder: String) throws {
        var threads: [Int32: String] = [:]
        try TraceFile(ifThere: folder + "/holders.jsonl")?.forEachLine { line in
            if let pid = Self.pid(line), let name = line["comm"]?.stringValue { names[pid] = name }
        }
        try TraceFile(ifThere: folder + "/fanotify.jsonl")?.forEachLine { line in
            guard let pid = Self.pid(line), let name = line["comm"]?.stringValue else { return }
            if line["tid"]?.integerValue == Int64(pid) {
                if names[pid] == nil { names[pid] = name }
            } else if threads[pid] == nil {
                // GLib's workers: `pool-gedit`.
                threads[pid] = name.hasPrefix("pool-") ? String(name.dropFirst(5)) : name
            }
        }
        names.merge(threads) { own, _ in own }
        try TraceFile(ifThere: folder + "/procs.jsonl")?.forEachLine { line in
            guard let pid = Self.pid(line), let seconds = line["t"]?.doubleValue, let at = BootTime(traceSeconds: seconds) else { return }
            if let start = line["started"]?.doubleValue.flatMap({ BootTime(traceSeconds: $0) }) { starts[pid] = start }
            if line["ev"]?.stringValue == "exit" { ends[pid, default: []].append(at) }
        }
    }

    func name(of pid: Int32) -> String? { names[pid] }

    /// Where the trace has it.
    func start(of pid: Int32) -> BootTime? { starts[pid] }

    /// When it ended; nil where the trace does not show an end.
    func end(of pid: Int32) -> BootTime? { ends[pid]?.last }

    private static func pid(_ line: JSONValue) -> Int32? {
        line["pid"]?.integerValue.flatMap(Int32.init(exactly:)).flatMap { $0 > 0 ? $0 : nil }
    }
}
