// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference

/// Who held which file open, as `/proc` was sampled while the trace was recorded.
struct TraceHolders {
    /// Samples were taken each 0.4 s, so that a look is answered this much later: by the first sample after it, never by a later one.
    static let latency = Duration.milliseconds(500)

    /// What `/proc` adds to the name of a file that is held, but was deleted or replaced: it was open under that name all the same.
    private static let deleted = " (deleted)"

    private struct Step {
        var at: BootTime
        var descriptor: Descriptor
        /// Nil where it was let go.
        var mode: Holder.Mode?
    }

    /// A held file that is replaced is let go under the one name and held under the other.
    private struct Descriptor: Hashable {
        var number: Int64
        var isDeleted: Bool
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
            let isDeleted = text.hasSuffix(Self.deleted)
            let path = isDeleted ? String(text.dropLast(Self.deleted.count)) : text
            steps[Key(pid: pid, path: PathBytes(path)), default: []].append(
                Step(
                    at: at, descriptor: Descriptor(number: line["fd"]?.integerValue ?? 0, isDeleted: isDeleted),
                    mode: kind == "hold" ? mode : nil))
        }
    }

    /// How a process held a file at an instant.
    func mode(_ pid: Int32, _ path: PathBytes, at: BootTime) -> Holder.Mode? {
        var open: [Descriptor: Holder.Mode] = [:]
        for step in steps[Key(pid: pid, path: path)] ?? [] where step.at <= at { open[step.descriptor] = step.mode }
        return open.values.contains(.writing) ? .writing : open.isEmpty ? nil : .reading
    }
}
