// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A share that goes and comes back.
extension Document {
    /// Nobody can work here any more. What lasted goes on if the share is back soon and shows it again; else it ended now.
    mutating func lost(at: BootTime, _ desk: inout Desk) {
        for index in sessions.indices.reversed() {
            if sessions[index].id == nil {
                end(index, .closed, closedAt: sessions[index].lastLife, notAfter: at, &desk)
            } else if sessions[index].closing == nil, sessions[index].presence != .points {
                let closedAt = isSurelyThere(sessions[index]) ? max(at, sessions[index].lastLife) : sessions[index].lastLife
                sessions[index].closing = TrackedSession.Closing(
                    at: closedAt, due: at + desk.limits.resume, ending: .censored, notAfter: max(at, closedAt), isAway: true)
            }
        }
        // What is opened and closed from now on is not seen.
        handles.removeAll()
        isSwept = false
        for place in companions.indices { companions[place].handles.removeAll() }
    }

    /// The share is back: locks are looked for, and `/proc` is asked for handles anyway.
    mutating func regained(at: BootTime, _ desk: inout Desk) {
        for index in sessions.indices where sessions[index].closing?.isAway ?? false {
            if sessions[index].hasLiveProcess {
                sessions[index].closing = nil
                continue
            }
            sessions[index].closing?.isAway = false
            sessions[index].closing?.due = at + desk.limits.resume
            for name in sessions[index].locks + sessions[index].marks where companion(name)?.isPresent ?? false {
                desk.effects.append(.inspect(share: share, path: path.folder.appending(name)))
            }
        }
    }

    /// It vanished at some time since an instant. Until then it was there; more is not known.
    mutating func companionMissing(_ kind: CompanionKind, _ name: [UInt8], since: BootTime?, at: BootTime, _ desk: inout Desk) {
        let index = sessions.firstIndex { $0.locks.contains(name) }
        let before = index.flatMap { sessions[$0].id }
        companionVanished(kind, name, at: at, &desk)
        guard let since, let before, let index = sessions.firstIndex(where: { $0.id == before }),
            let closing = sessions[index].closing, closing.ending == .companion, closing.at == at
        else { return }
        let lastSign = sessions[index].lastSign
        sessions[index].closing = TrackedSession.Closing(
            at: min(at, max(since, lastSign)), due: closing.due, ending: .censored, notAfter: at)
    }

    /// Its session goes on, where that was in doubt since a restart or a loss.
    mutating func companionIsThere(_ name: [UInt8]) {
        guard companion(name)?.showsPresence ?? false,
            let index = sessions.firstIndex(where: { $0.locks.contains(name) || $0.marks.contains(name) }),
            sessions[index].closing?.ending == .censored, sessions[index].closing?.isAway == false
        else { return }
        sessions[index].closing = nil
    }
}
