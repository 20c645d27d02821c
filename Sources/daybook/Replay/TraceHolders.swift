// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference

/// Who held which file open, as `/proc` was sampled while the trace was recorded.
struct TraceHolders {
    /// Samples were taken each 0.4 s, so that a look is answered this much later: by the first sample after it, never by a later one.
    static let latency = Duration.milliseconds(500)

    private struct Step {
        var at: BootTime
        var descriptor: Int64
        /// Nil where it was let go.
        var mode: Holder.Mode?
    }

    private struct Key: Hashable {
        var pid: Int32
        var path: PathBytes
    }

    private var steps: [Key: [Step]] = [:]

    init?(ifThere path: String) throws {
        guard let file = try TraceFile(ifThere: path) else { return nil }
        try file.forEachLine { line in
            guard let seconds = line["t"]?.doubleValue, let at = BootTime(traceSeconds: seconds), let text = line["path"]?.stringValue,
                let pid = line["pid"]?.integerValue.flatMap(Int32.init(exactly:)), let kind = line["ev"]?.stringValue,
                kind == "hold" || kind == "release"
            else { return }
            let mode: Holder.Mode? =
                switch line["mode"]?.stringValue {
                case "w", "rw": .writing
                case "r": .reading
                default: nil
                }
            if kind == "hold", mode == nil { return }
            steps[Key(pid: pid, path: PathBytes(text)), default: []].append(
                Step(at: at, descriptor: line["fd"]?.integerValue ?? 0, mode: kind == "hold" ? mode : nil))
        }
    }

    /// How a process held a file at an instant.
    func mode(_ pid: Int32, _ path: PathBytes, at: BootTime) -> Holder.Mode? {
        var open: [Int64: Holder.Mode] = [:]
        for step in steps[Key(pid: pid, path: path)] ?? [] where step.at <= at { open[step.descriptor] = step.mode }
        return open.values.contains(.writing) ? .writing : open.isEmpty ? nil : .reading
    }
}
