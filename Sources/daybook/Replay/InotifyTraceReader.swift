// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference

/// Turns recorded inotify events into changes, as the live watcher does: directory noise and reads dropped, renames paired.
struct InotifyTraceReader {
    private(set) var inputs: [InferenceInput] = []
    private(set) var end = BootTime(microseconds: 0)
    private var owners: TraceOwners
    /// The owner that `daybook record` wrote beside this event, as it looked right after it.
    private var said: UInt32?
    private var pairing = RenamePairing<Place>()

    private struct Place: Equatable, Sendable {
        var path: PathBytes
        var isFolder: Bool
    }

    init(owners: TraceOwners) { self.owners = owners }

    mutating func take(_ line: JSONValue) {
        guard let seconds = line["t"]?.doubleValue, let at = BootTime(traceSeconds: seconds) else { return }
        guard line["src"]?.stringValue == "inotify" else {
            if line["note"]?.stringValue == "end" { end = max(end, at) }
            return
        }
        for half in pairing.expired(at: at) { add(half.place, .movedOut, at: half.at) }
        end = max(end, at)
        let mask = Set((line["mask"]?.arrayValue ?? []).compactMap(\.stringValue))
        if mask.contains("Q_OVERFLOW") {
            inputs.append(.gap(share: nil, from: lastChange ?? at, at: at))
            return
        }
        guard let text = line["path"]?.stringValue, !text.isEmpty else { return }
        let place = Place(path: PathBytes(text), isFolder: mask.contains("ISDIR"))
        defer { said = nil }
        said = line["owner"]?.integerValue.flatMap(UInt32.init(exactly:))
        for (name, kind) in Self.kinds where mask.contains(name) {
            if place.isFolder, ![.created, .deleted].contains(kind) { continue }
            add(place, kind, at: at)
        }
        let cookie = UInt32(truncatingIfNeeded: line["cookie"]?.integerValue ?? 0)
        if mask.contains("MOVED_FROM"), let lost = pairing.left(place, cookie: cookie, at: at) {
            add(lost.place, .movedOut, at: lost.at)
        }
        if mask.contains("MOVED_TO") {
            if let half = pairing.arrived(cookie: cookie) {
                owners.renamed(from: half.place.path, to: place.path)
                add(place, .renamed(from: half.place.path), at: at)
            } else {
                add(place, .movedIn, at: at)
            }
        }
    }

    /// Halves without a partner left the tree.
    mutating func finish() {
        for half in pairing.expired(at: end + .seconds(3600)) { add(half.place, .movedOut, at: half.at) }
    }

    /// In the order in which one event's bits happened. ACCESS is not in the live mask, so it does not count here either.
    private static let kinds: [(String, Change.Kind)] = [
        ("CREATE", .created), ("OPEN", .opened), ("MODIFY", .modified), ("ATTRIB", .attributesChanged),
        ("CLOSE_WRITE", .closedAfterWriting), ("CLOSE_NOWRITE", .closedWithoutWriting), ("DELETE", .deleted),
    ]

    private var lastChange: BootTime? {
        for case .change(let change) in inputs.reversed() { return change.at }
        return nil
    }

    private mutating func add(_ place: Place, _ kind: Change.Kind, at: BootTime) {
        if kind == .created, !place.isFolder { owners.created(place.path, at: at) }
        if let said { owners.isOwner(said, of: place.path) }
        let owner = place.isFolder ? nil : owners.owner(of: place.path)
        if kind == .deleted { owners.deleted(place.path) }
        inputs.append(
            .change(
                Change(
                    at: at, share: 0, path: place.path, isFolder: place.isFolder, kind: kind,
                    facts: owner.map { FileFacts(type: .file, owner: $0) })))
    }
}
