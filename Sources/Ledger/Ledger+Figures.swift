// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// Now, on both clocks.
package struct Moment: Equatable, Sendable {
    package var wall: WallTime
    package var boot: BootID
    package var mono: BootTime

    package init(wall: WallTime, boot: BootID, mono: BootTime) {
        self.wall = wall
        self.boot = boot
        self.mono = mono
    }
}

extension Ledger {
    /// Time on task of one person over several sessions, documents and runs of the machine: the union, never the sum. Mere touches do not
    /// count, nor what was recorded while the machine slept or recording was off.
    ///
    /// `atMost` is always given where there is a session: presence on this server. What was done elsewhere nobody can bound.
    package func figures(for sessions: [SessionRecord], of person: PersonID?, rule: Rule, now: Moment) -> TimeFigures {
        Self.joined(byBoot(sessions).map { boot, works in figures(for: works, of: person, boot: boot, rule: rule, now: now, within: nil) })
    }

    /// The same for each local day that the sessions touch, in order. The days' figures add up to the whole: an interval that crosses
    /// midnight is split there.
    package func figuresByDay(
        for sessions: [SessionRecord], of person: PersonID?, rule: Rule, now: Moment, clock: LocalClock
    ) -> [(date: CivilDate, figures: TimeFigures)] {
        var parts: [CivilDate: [TimeFigures]] = [:]
        for (boot, all) in byBoot(sessions) {
            // A term has a hundred days and a hundred sessions: each is looked at on its own days only.
            for run in daysApart(all, of: person, in: boot, rule: rule, now: now, clock: clock) {
                let works = run.map(\.work)
                guard let first = run.map(\.from).min(), let last = run.map(\.to).max() else { continue }
                let end = last + .microseconds(1)
                let opening = wallTime(of: first, in: boot)
                var days = clock.days(from: opening, to: wallTime(of: end, in: boot)).map { (date: $0.date, to: $0.to) }
                if days.isEmpty { days = [(clock.civil(opening).date, opening)] }
                var from = first
                for (index, day) in days.enumerated() {
                    // The last border is the end itself: where the wall clock stepped back, nothing may be lost.
                    let isLast = index == days.count - 1
                    let border = isLast ? end : min(end, max(from, clocks.bootTime(of: day.to, in: boot) ?? end))
                    if from < border {
                        let figures = figures(for: works, of: person, boot: boot, rule: rule, now: now, within: from..<border)
                        if figures != .nothing { parts[day.date, default: []].append(figures) }
                    }
                    from = border
                }
            }
        }
        return parts.keys.sorted().map { ($0, Self.joined(parts[$0] ?? [])) }
    }

    /// A session, and from when to when it can count for anything.
    private struct Reach {
        var work: WorkSession
        var from: BootTime
        var to: BootTime
    }

    /// Sessions of one boot in runs that share no day, and between which no pause is short enough to count.
    private func daysApart(
        _ works: [WorkSession], of person: PersonID?, in boot: BootID, rule: Rule, now: Moment, clock: LocalClock
    ) -> [[Reach]] {
        let last = instant(now, in: boot)
        let off = excluded(for: person, in: boot)
        let reaches = works.map { work in
            let parts = TimeOnTask.stretches(of: work, rule: rule, now: last, asleep: off)
            let starts = [work.openedAt, parts.atMost.stretches.first?.lowerBound].compactMap { $0 }
            let ends = [
                work.openedAt, work.lastSign, work.end?.closedAt, parts.atMost.stretches.last?.upperBound,
                parts.open.stretches.last?.upperBound,
            ].compactMap { $0 }
            return Reach(work: work, from: starts.min() ?? work.openedAt, to: ends.max() ?? work.openedAt)
        }
        let pause = max(rule.idleContinuous, rule.idleSavesOnly, rule.atMost)
        var runs: [[Reach]] = []
        var end = BootTime(microseconds: .min)
        for reach in reaches.sorted(by: { ($0.from, $0.work.id) < ($1.from, $1.work.id) }) {
            let isApart =
                runs.isEmpty
                || reach.from > end && reach.from - end > pause
                    && clock.civil(wallTime(of: end, in: boot)).date < clock.civil(wallTime(of: reach.from, in: boot)).date
            if isApart { runs.append([reach]) } else { runs[runs.count - 1].append(reach) }
            end = isApart ? reach.to : max(end, reach.to)
        }
        return runs
    }

    /// When documents stood open with nobody believed to be at them, e.g. over night: on the wall clock, in order. Nothing of it counts.
    package func leftOpen(
        in sessions: [SessionRecord], of person: PersonID?, rule: Rule, now: Moment
    ) -> [(from: WallTime, to: WallTime)] {
        byBoot(sessions).flatMap { boot, works in
            TimeOnTask.leftOpen(in: works, rule: rule, now: instant(now, in: boot), excluding: excluded(for: person, in: boot)).stretches
                .map { (from: wallTime(of: $0.lowerBound, in: boot), to: wallTime(of: $0.upperBound, in: boot)) }
        }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    /// Whether a session goes on with somebody at it: it has not ended and its timer is not standing.
    package func isWorking(_ session: SessionRecord, now: Moment) -> Bool {
        session.boot == now.boot && session.work.state == .running
    }

    func byBoot(_ sessions: [SessionRecord]) -> [(BootID, [WorkSession])] {
        var order: [BootID] = []
        var groups: [BootID: [WorkSession]] = [:]
        for session in sessions where TimeOnTask.confidence(of: session.work) > .none {
            if groups[session.boot] == nil { order.append(session.boot) }
            groups[session.boot, default: []].append(withClockwork(session))
        }
        return order.map { ($0, groups[$0] ?? []) }
    }

    private func instant(_ now: Moment, in boot: BootID) -> BootTime {
        boot == now.boot ? now.mono : lastInstant(in: boot) ?? BootTime(microseconds: 0)
    }

    func figures(
        for works: [WorkSession], of person: PersonID?, boot: BootID, rule: Rule, now: Moment, within window: Range<BootTime>?
    ) -> TimeFigures {
        let last = instant(now, in: boot)
        return TimeOnTask.figures(
            for: works, rule: rule, now: last, within: window, excluding: excluded(for: person, in: boot), boundsBroughtIn: true)
    }

    /// Figures of stretches that cannot overlap: sums, with the confidence that at least half of the time has.
    static func joined(_ parts: [TimeFigures]) -> TimeFigures {
        let parts = parts.filter { $0 != .nothing }
        guard parts.count != 1 else { return parts[0] }
        var total = TimeFigures.nothing
        guard !parts.isEmpty else { return total }
        func sum(_ left: Duration?, _ right: Duration?) -> Duration? { left.map { $0 + (right ?? .zero) } ?? right }
        for part in parts {
            total.open = sum(total.open, part.open)
            total.active = sum(total.active, part.active)
            total.atMost = sum(total.atMost, part.atMost)
            total.atLeast += part.atLeast
            total.saves &+= part.saves
            total.leftOpen += part.leftOpen
        }
        total.isBroughtIn = parts.allSatisfy(\.isBroughtIn)
        let ranked = parts.map { ($0.confidence, $0.active ?? .zero) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        let whole = ranked.reduce(Duration.zero) { $0 + $1.1 }
        var reached = Duration.zero
        total.confidence = ranked.last?.0 ?? .none
        for (confidence, length) in ranked where whole > .zero {
            reached += length
            if reached * 2 >= whole {
                total.confidence = confidence
                break
            }
        }
        return total
    }
}
