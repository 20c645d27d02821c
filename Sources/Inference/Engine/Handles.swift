// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The open descriptors of one name, as far as opens and closes tell. The kernel merges equal events that wait, so the count is a hint:
/// a close takes away the youngest handle that fits it, since probes and sniffers come and go while an editor holds on. Where the kernel names
/// processes, a close takes a handle of its own process only.
struct Handles: Equatable, Sendable {
    struct Handle: Equatable, Sendable {
        var openedAt: BootTime
        var hasWritten = false
        /// Nil where the kernel names no process.
        var doer: Doer?
        /// Opened within a second of another document by the same process, which only sniffed at it.
        var isNeighbour = false
        /// True once it is known to be presence.
        var isJudged = false

        /// Whether it may still turn out to be presence. What runs or interprets a file may hold it for hours.
        var awaitsJudgement: Bool { doer.map { !isJudged && $0.role != .runner } ?? false }
    }

    /// More than these are not kept apart: nobody opens a document in so many programs.
    static let limit = 16
    /// The same where processes are known, so that one of them cannot take the others' room.
    static let limitOfAll = 64
    static let limitOfProcess = 8

    private(set) var open: [Handle] = []

    var isEmpty: Bool { open.isEmpty }

    /// The oldest one.
    var first: Handle? { open.first }

    /// The oldest one that has written.
    var firstWriting: Handle? { open.first { $0.hasWritten } }

    mutating func opened(at: BootTime, by doer: Doer? = nil, isNeighbour: Bool = false, hasWritten: Bool = false) {
        if let doer {
            guard open.count < Self.limitOfAll, open.count(where: { $0.doer?.pid == doer.pid }) < Self.limitOfProcess else { return }
        } else if open.count >= Self.limit {
            return
        }
        open.append(Handle(openedAt: at, hasWritten: hasWritten, doer: doer, isNeighbour: isNeighbour))
    }

    /// A write belongs to the youngest handle, whose open the kernel reported last.
    mutating func written(by doer: Doer? = nil) {
        if let index = open.lastIndex(where: { doer == nil || $0.doer?.pid == doer?.pid }) { open[index].hasWritten = true }
    }

    mutating func closed(afterWriting: Bool, by doer: Doer? = nil) -> Handle? {
        func fits(_ handle: Handle) -> Bool {
            doer == nil || handle.doer?.pid == doer?.pid && (doer?.uid == nil || handle.doer?.uid == doer?.uid)
        }
        guard let youngest = open.lastIndex(where: fits) else { return nil }
        let index = open.lastIndex { fits($0) && $0.hasWritten == afterWriting } ?? youngest
        return open.remove(at: index)
    }

    mutating func removeAll() { open = [] }

    /// Forgets handles opened at or after an instant.
    mutating func forget(since: BootTime) { open.removeAll { $0.openedAt >= since } }

    // MARK: Of one process

    func contains(pid: Int32) -> Bool { open.contains { $0.doer?.pid == pid } }

    mutating func remove(pid: Int32) -> [Handle] {
        let gone = open.filter { $0.doer?.pid == pid }
        if !gone.isEmpty { open.removeAll { $0.doer?.pid == pid } }
        return gone
    }

    /// A file server is itself again between two requests: the same handle's next or last user is whose it is.
    mutating func know(_ doer: Doer) {
        guard doer.uid != nil else { return }
        for index in open.indices where open[index].doer?.pid == doer.pid && open[index].doer?.uid == nil {
            open[index].doer?.uid = doer.uid
        }
    }

    func uid(of pid: Int32) -> UInt32? { open.last { $0.doer?.pid == pid && $0.doer?.uid != nil }?.doer?.uid }

    mutating func markNeighbour(_ index: Int) { open[index].isNeighbour = true }

    /// Marks as judged what was opened up to an instant by one person.
    mutating func judge(where matches: (Handle) -> Bool) {
        for index in open.indices where matches(open[index]) { open[index].isJudged = true }
    }
}
