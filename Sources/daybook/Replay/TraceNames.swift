// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference

/// Which names were there when, as inotify told it in the same trace. The live daemon asks `fstatat` right after each event; this is the same
/// answer: only what had happened by then.
struct TraceNames {
    /// How much later than fanotify inotify may have been read.
    private static let nearness = Duration.milliseconds(1)

    private var changes: [PathBytes: [(at: BootTime, isThere: Bool)]] = [:]
    /// The last instant of watching.
    private(set) var end = BootTime(microseconds: 0)

    init(ifThere path: String) throws {
        guard let file = try TraceFile(ifThere: path) else { return }
        try file.forEachLine { line in
            guard let seconds = line["t"]?.doubleValue, let at = BootTime(traceSeconds: seconds) else { return }
            guard line["src"]?.stringValue == "inotify" else {
                if line["note"]?.stringValue == "end" { end = max(end, at) }
                return
            }
            end = max(end, at)
            guard let text = line["path"]?.stringValue, !text.isEmpty else { return }
            let mask = (line["mask"]?.arrayValue ?? []).compactMap(\.stringValue)
            if mask.contains("CREATE") || mask.contains("MOVED_TO") {
                changes[PathBytes(text), default: []].append((at, true))
            } else if mask.contains("DELETE") || mask.contains("MOVED_FROM") {
                changes[PathBytes(text), default: []].append((at, false))
            }
        }
    }

    /// Nil where nothing was told of the name until then.
    func isThere(_ path: PathBytes, at: BootTime) -> Bool? {
        changes[path]?.last { $0.at <= at + Self.nearness }?.isThere
    }
}
