// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// From evidence to time, on query, by the same rule as the live timers.
///
/// Signs are the opening, each evidence and the close. *Active* is the union of the pauses between neighbouring signs that are not longer
/// than the idle limit for the kind of evidence; *at least* the same with `Rule.atLeast`; *at most* reaches from the earliest opening to the
/// latest close and believes no pause beyond `Rule.atMost`; *open* is the presence itself.
package enum TimeOnTask {
    /// From the first to the last sign of single points it must be at least this long: a read right before a write is what programs do.
    package static let leastPoints = Duration.seconds(5)
    /// A handle without a lock file may be kept this long after the person has closed the document (Windows over SMB): no proof of work.
    package static let lateClose = Duration.seconds(10)
    /// A program that was started at most this long before the document was opened was started for it.
    package static let launch = Duration.seconds(10)
    /// The same where it was held for less than that, so that it was not kept until the time was up.
    package static let leastLateClose = Duration.seconds(1)

    /// The stretches behind one session's figures.
    package struct Stretches: Equatable, Sendable {
        package var open: IntervalSet
        package var active: IntervalSet
        package var atLeast: IntervalSet
        package var atMost: IntervalSet
    }

    /// Figures of one session. `now` ends what goes on; `window` cuts out e.g. a day; `excluding` are stretches in which nobody can have
    /// worked (the machine slept) or nothing may be counted (recording was off).
    package static func figures(
        for session: WorkSession, rule: Rule, now: BootTime, within window: Range<BootTime>? = nil, excluding: IntervalSet = IntervalSet()
    ) -> TimeFigures {
        figures(for: [session], rule: rule, now: now, within: window, excluding: excluding)
    }

    /// Figures of one person over several sessions and documents of one boot: the union, never the sum. What the live timer took for two
    /// sessions is one where this rule's limit is longer. `boundsBroughtIn`: at most is presence on this server also for a file that was brought in.
    package static func figures(
        for sessions: some Sequence<WorkSession>, rule: Rule, now: BootTime, within window: Range<BootTime>? = nil,
        excluding: IntervalSet = IntervalSet(), boundsBroughtIn: Bool = false
    ) -> TimeFigures {
        var total = TimeFigures.nothing
        var open = IntervalSet()
        var active = IntervalSet()
        var atLeast = IntervalSet()
        var atMost = IntervalSet()
        var unbounded = false
        var known = false
        var shares: [(Confidence, Duration)] = []
        var isBroughtIn = true
        var any = false
        func cut(_ set: IntervalSet) -> IntervalSet {
            let inside = window.map { set.clipped(to: $0) } ?? set
            return excluding.isEmpty ? inside : inside.subtracting(excluding)
        }
        let all = Array(sessions)
        for session in all {
            let parts = stretches(of: session, rule: rule, now: now, asleep: excluding)
            let saves = savesInside(session, window)
            let most = cut(parts.atMost)
            let present = cut(parts.open)
            // A session that has nothing inside the window says nothing about it.
            if window != nil, most.isEmpty, present.isEmpty, saves == 0 { continue }
            any = true
            isBroughtIn = isBroughtIn && session.isBroughtIn
            total.saves &+= saves
            if session.isBroughtIn { unbounded = true }
            if !session.isLonePoint { known = true }
            atMost = atMost.union(most)
            // A single point has no length, whatever its end says.
            let worked = session.isLonePoint ? IntervalSet() : cut(parts.active)
            shares.append((confidence(of: session), worked.length))
            if session.isLonePoint { continue }
            open = open.union(present)
            active = active.union(worked)
            atLeast = atLeast.union(cut(parts.atLeast))
        }
        if all.count > 1 {
            let joints = joints(between: all, rule: rule)
            let joined = cut(joints.active)
            if !joined.isEmpty {
                // Two lone saves that belong together have a length.
                (any, known, isBroughtIn) = (true, true, false)
                open = open.union(joined)
                active = active.union(joined)
                atLeast = atLeast.union(cut(joints.atLeast))
                atMost = atMost.union(joined)
            }
        }
        guard any else { return .nothing }
        total.isBroughtIn = isBroughtIn
        total.atLeast = atLeast.length
        total.atMost = unbounded && !boundsBroughtIn ? nil : atMost.length
        if known {
            total.open = open.length
            total.active = active.length
            total.leftOpen = open.subtracting(atMost).length
        }
        total.confidence = combined(shares)
        return total
    }

    /// When documents stood open with nobody believed to be at them: in `open`, in no other figure. Their length is `leftOpen`.
    package static func leftOpen(
        in sessions: [WorkSession], rule: Rule, now: BootTime, excluding: IntervalSet = IntervalSet()
    ) -> IntervalSet {
        var open = IntervalSet()
        var atMost = joints(between: sessions, rule: rule).active
        for session in sessions {
            let parts = stretches(of: session, rule: rule, now: now, asleep: excluding)
            atMost = atMost.union(parts.atMost)
            if !session.isLoneSave { open = open.union(parts.open) }
        }
        return open.subtracting(atMost).subtracting(excluding)
    }

    /// How well one session's times are known: the end's word once it has ended, else by the evidence so far. A lone save of somebody who
    /// can be named is no mere touch, though its duration is unknown.
    package static func confidence(of session: WorkSession) -> Confidence {
        let confidence = session.end?.confidence ?? session.confidenceSoFar
        // A second save right after the first takes nothing away.
        return session.isOnlySaves && session.attribution.person != nil ? max(confidence, .thin) : confidence
    }

    /// The confidence that at least half of the time has.
    private static func combined(_ shares: [(Confidence, Duration)]) -> Confidence {
        let sorted = shares.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        let whole = sorted.reduce(Duration.zero) { $0 + $1.1 }
        guard whole > .zero else { return sorted.last?.0 ?? .none }
        var sum = Duration.zero
        for (confidence, length) in sorted {
            sum += length
            if sum * 2 >= whole { return confidence }
        }
        return sorted.last?.0 ?? .none
    }

    private static func savesInside(_ session: WorkSession, _ window: Range<BootTime>?) -> Int {
        guard let window else { return session.saves }
        return session.evidence.reduce(0) { sum, sign in
            sign.isSave && window.contains(sign.last) ? sum &+ max(0, sign.count) : sum
        }
    }
}
