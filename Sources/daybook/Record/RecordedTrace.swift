// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

/// What was recorded of a share, with its real names, as long as it is in memory only. Instants are microseconds of the monotonic clock.
struct RecordedTrace {
    struct Event {
        var at: Int64
        var watch: Int32
        var mask: InotifyMask
        var cookie: UInt32
        /// Below the share; the watched folder itself where `isOfFolderItself`.
        var path: PathBytes
        var isOfFolderItself: Bool
        /// Who owned the file right after it; nil where that was not asked, or it was gone.
        var owner: UInt32?
    }

    /// What fanotify told, with the process behind it.
    struct ProcessEvent {
        var at: Int64
        /// By the names of the kernel's flags, merged as the kernel merged them.
        var mask: [String]
        var path: PathBytes
        var isFolder: Bool
        var pid: Int32
        var program: String?
        var realUID: UInt32?
        var effectiveUID: UInt32?
        var fileUID: UInt32?
        /// It had ended before it could be looked at.
        var isGone = false
    }

    /// A process was first seen, or ended.
    struct Process {
        var at: Int64
        var hasEnded: Bool
        var pid: Int32
        var program: String
        var realUID: UInt32
        var effectiveUID: UInt32
        /// On the monotonic clock.
        var startedAt: Int64?
    }

    /// A process took a file, or let it go.
    struct Hold {
        var at: Int64
        var isHeld: Bool
        var pid: Int32
        var path: PathBytes
        var program: String
        var realUID: UInt32
        var effectiveUID: UInt32
        var fileUID: UInt32
        var canWrite: Bool
    }

    /// A line of the tree at the end.
    struct Node {
        var path: PathBytes
        var type: Character
        var inode: UInt64
        var owner: UInt32
        var mode: UInt32
        var size: Int64
    }

    enum Line {
        /// A folder is watched from here on.
        case watch(at: Int64, watch: Int32, path: PathBytes)
        case event(Event)
        case note(at: Int64, String)
    }

    /// Beyond this, recording ends: a trace is for looking at.
    static let linesLimit = 2_000_000

    var lines: [Line] = []
    var holds: [Hold] = []
    /// Empty where fanotify could not be had; `withoutProcesses` says why.
    var processEvents: [ProcessEvent] = []
    var processes: [Process] = []
    var withoutProcesses: String?
    var tree: [Node] = []
    /// Changes that the kernel lost, and how often.
    var losses = 0
    /// Processes whose open files the kernel did not show, at most at once.
    var refused = 0
    var began: Int64 = 0
    var ended: Int64 = 0
    /// Why it ended before it was told to; nil otherwise.
    var trouble: String?

    var events: Int { lines.count { if case .event = $0 { true } else { false } } }

    /// Every path in it, with whether it is a folder.
    var paths: [(path: PathBytes, isFolder: Bool)] {
        lines.compactMap { line in
            switch line {
            case .watch(_, _, let path): (path, true)
            case .event(let event): (event.path, event.isOfFolderItself || event.mask.contains(.isFolder))
            case .note: nil
            }
        } + processEvents.map { ($0.path, $0.isFolder) } + holds.map { ($0.path, false) } + tree.map { ($0.path, $0.type == "d") }
    }

    var uids: Set<UInt32> {
        var uids = Set(holds.flatMap { [$0.realUID, $0.effectiveUID, $0.fileUID] } + tree.map(\.owner))
        for event in processEvents { uids.formUnion([event.realUID, event.effectiveUID, event.fileUID].compactMap(\.self)) }
        for case .event(let event) in lines { if let owner = event.owner { uids.insert(owner) } }
        return uids
    }
}
