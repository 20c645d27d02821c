// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A session without its evidence: what indexes and filters look at.
struct SessionHead: Sendable {
    var id: ActivityID
    var seq: UInt64
    var document: DocumentRef
    var attribution: Attribution
    var assignment: AssignmentID?
    var boot: BootID
    var openedAt: BootTime
    var lastSign: BootTime
    var end: SessionEnd?

    var person: PersonID? { attribution.person }
    var isOpen: Bool { end == nil }
}
