// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The open descriptors of one name, as far as opens and closes tell. The kernel merges equal events that wait, so the count is a hint:
/// a close takes away the youngest handle that fits it, since probes and sniffers come and go while an editor holds on.
struct Handles: Equatable, Sendable {
    struct Handle: Equatable, Sendable {
        var openedAt: BootTime
        var hasWritten = false
    }

    /// More than these are not kept apart: nobody opens a document in so many programs.
    static let limit = 16

    private(set) var open: [Handle] = []

    var isEmpty: Bool { open.isEmpty }

    /// The oldest one.
    var first: Handle? { open.first }

    /// The oldest one that has written.
    var firstWriting: Handle? { open.first { $0.hasWritten } }

    mutating func opened(at: BootTime) {
        if open.count < Self.limit { open.append(Handle(openedAt: at)) }
    }

    /// A write belongs to the youngest handle, whose open the kernel reported last.
    mutating func written() {
        if !open.isEmpty { open[open.count - 1].hasWritten = true }
    }

    mutating func closed(afterWriting: Bool) -> Handle? {
        guard !open.isEmpty else { return nil }
        let index = open.lastIndex { $0.hasWritten == afterWriting } ?? open.count - 1
        return open.remove(at: index)
    }

    mutating func removeAll() { open = [] }

    /// Forgets handles opened at or after an instant.
    mutating func forget(since: BootTime) { open.removeAll { $0.openedAt >= since } }
}
