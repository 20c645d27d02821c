// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A reading over a file server that adds to a session, for as long as it may still turn out to be the first of many.
struct HeldReading: Equatable, Sendable {
    var evidence: Evidence
    /// When it is believed.
    var due: BootTime
    let doer: Doer
}

/// A connection that reads one document after the other fetches a folder, or shows a list with previews. The first of them looks like
/// somebody's opening until the second one comes.
extension Document {
    mutating func holdReading(_ index: Int, _ first: BootTime, _ last: BootTime, by doer: Doer, _ desk: inout Desk) {
        let due = last + ProcessTable.burstPause
        if var held = sessions[index].heldReading, held.doer.pid == doer.pid, first - held.evidence.first < desk.limits.opening {
            held.evidence.last = max(held.evidence.last, first)
            held.evidence.count &+= 1
            held.due = max(held.due, due)
            sessions[index].heldReading = held
            return
        }
        believeReading(index, &desk)
        sessions[index].heldReading = HeldReading(evidence: Evidence(.read, first: first), due: due, doer: doer)
    }

    mutating func believeReading(_ index: Int, _ desk: inout Desk) {
        guard let held = sessions[index].heldReading else { return }
        sessions[index].heldReading = nil
        sign(index, held.evidence, &desk)
        join(index, held.doer, .connection, at: held.evidence.first, &desk)
    }

    /// Nothing more will be told before the daemon stops.
    mutating func believeReadings(_ desk: inout Desk) {
        for index in sessions.indices { believeReading(index, &desk) }
    }
}
