// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference

/// Who owns the files that were made while a trace was recorded. The live daemon asks `statx`; a trace has it only as the file-system uid of
/// the process that fanotify saw creating (or first writing) the same path. Nothing else of fanotify is used.
struct TraceOwners {
    private struct Making {
        var at: BootTime
        var uid: UInt32
        var isCreation: Bool
    }

    /// How far apart the two interfaces may report the same creation.
    private static let nearness = Duration.seconds(2)

    private var makings: [PathBytes: [Making]] = [:]
    private var owners: [PathBytes: UInt32] = [:]

    init(ifThere path: String) throws {
        guard let file = try TraceFile(ifThere: path) else { return }
        try file.forEachLine { line in
            guard let seconds = line["t"]?.doubleValue, let at = BootTime(traceSeconds: seconds),
                let text = line["path"]?.stringValue, let uid = line["fsuid"]?.integerValue.flatMap(UInt32.init(exactly:))
            else { return }
            let mask = (line["mask"]?.arrayValue ?? []).compactMap(\.stringValue)
            let isCreation = mask.contains("CREATE")
            guard isCreation || mask.contains("MODIFY") else { return }
            // Read a moment too late: smbd was itself again.
            if uid == 0, line["comm"]?.stringValue == "smbd" { return }
            makings[PathBytes(text), default: []].append(Making(at: at, uid: uid, isCreation: isCreation))
        }
    }

    mutating func created(_ path: PathBytes, at: BootTime) {
        owners[path] = nil
        let near = (makings[path] ?? []).filter { abs(($0.at - at).microseconds) <= Self.nearness.microseconds }
        let candidates = near.contains(where: \.isCreation) ? near.filter(\.isCreation) : near
        owners[path] = candidates.min { abs(($0.at - at).microseconds) < abs(($1.at - at).microseconds) }?.uid
    }

    /// It was looked at.
    mutating func isOwner(_ uid: UInt32, of path: PathBytes) { owners[path] = uid }

    mutating func renamed(from: PathBytes, to: PathBytes) { owners[to] = owners.removeValue(forKey: from) }

    mutating func deleted(_ path: PathBytes) { owners[path] = nil }

    func owner(of path: PathBytes) -> UInt32? { owners[path] }
}
