// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A session without its evidence and without texts: people, documents, assignments and boots by their numbers.
struct PackedSession: Sendable {
    enum State: UInt8, Sendable { case running, paused, ended }

    var id: UInt64
    var seq: UInt64
    var openedAt: Int64
    var notBefore: Int64
    /// Of its program; means something where `hasProcess`.
    var processStart: Int64 = 0
    /// Since when it is paused, or when it was closed.
    var stateAt: Int64 = 0
    /// Of its end.
    var notAfter: Int64 = 0
    /// The opening, or the last instant of any evidence.
    var lastSign: Int64
    var evidence = EvidencePool.Chain()
    var document: UInt32
    var person: UInt32
    var assignment: UInt32
    var boot: UInt32
    var pid: Int32 = 0
    var hasProcess = false
    /// Its evidence is in the index of its assignment: `evidence` has the place there, the count, and in `last` the sum.
    var isIndexed = false
    /// Evidence did not come in its order.
    var isUnsorted = false
    var source: IdentitySource
    var presence: Presence
    var state = State.running
    var ending = SessionEnding.closed
    var confidence = Confidence.none

    var isOpen: Bool { state != .ended }

    var end: SessionEnd? {
        guard state == .ended else { return nil }
        return SessionEnd(
            ending: ending, closedAt: BootTime(microseconds: stateAt), notAfter: BootTime(microseconds: notAfter), confidence: confidence)
    }

    mutating func stop(_ end: SessionEnd) {
        state = .ended
        stateAt = end.closedAt.microseconds
        notAfter = end.notAfter.microseconds
        ending = end.ending
        confidence = end.confidence
    }
}
