// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A lock, owner or swap file that is there, or that vanished a moment ago.
struct Companion: Equatable, Sendable {
    let kind: CompanionKind
    /// In the document's folder.
    let name: [UInt8]
    var appearedAt: BootTime
    var owner: UInt32?
    /// The process that made it, where the kernel names it and it is a program of the person's.
    var pid: Int32?
    var handles = Handles()
    /// True once a handle lasted, so that losing it means that the program ended.
    var wasHeld = false
    /// True for one left over from a crash: no presence, until it is written or held again.
    var isStale = false
    /// True where it was deleted while its program still held it.
    var wasStolen = false
    var vanishedAt: BootTime?
    /// When it was last written.
    var changedAt: BootTime
    /// When it is to be read for what it says.
    var readDue: BootTime?

    init(kind: CompanionKind, name: [UInt8], at: BootTime) {
        self.kind = kind
        self.name = name
        appearedAt = at
        changedAt = at
    }

    var isPresent: Bool { vanishedAt == nil }
    var showsPresence: Bool { isPresent && !isStale }
}
