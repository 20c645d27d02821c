// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

extension TimeOnTask {
    /// The stretches of one session. Inclusions hold by construction, as all sets come from the same signs: at least ⊆ active ⊆ at most and
    /// active ⊆ open. `asleep`: nobody can have worked then, so presence is believed for so much longer; it is not taken out here.
    package static func stretches(
        of session: WorkSession, rule: Rule, now: BootTime, asleep: IntervalSet = IntervalSet()
    ) -> Stretches {
        let opened = session.openedAt
        let lastSign = session.lastSign
        let closed: BootTime
        let latest: BootTime
        if let end = session.end {
            closed = max(end.closedAt, opened)
            latest = max(end.notAfter, closed)
        } else {
            // Points show nothing between them: such a session is open to its last sign, and may have gone on.
            closed = session.presence == .points ? lastSign : max(now, lastSign)
            latest = max(now, closed)
        }
        var signs = [opened..<opened]
        for sign in session.evidence where !sign.isInferred && !session.isClockwork(sign) {
            let first = min(max(sign.first, opened), closed)
            signs.append(first..<min(max(sign.last, first), closed))
        }
        signs.append(closed..<closed)
        signs.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }

        let limit = session.idleLimit(rule)
        let reading = session.isReading
        let most = max(rule.atMost, limit)
        var active: [Range<BootTime>] = []
        var atLeast: [Range<BootTime>] = []
        var atMost: [Range<BootTime>] = []
        func pause(_ from: BootTime, _ to: BootTime) {
            guard from < to else { return }
            // A viewer shows nothing between opening and closing, so its pause is cut at the limit; elsewhere a longer one is no work.
            if to - from <= limit { active.append(from..<to) } else if reading { active.append(from..<(from + limit)) }
            let provenFrom = max(from, firstProven)
            if to - from <= min(limit, rule.atLeast), provenFrom < min(to, proven) { atLeast.append(provenFrom..<min(to, proven)) }
            atMost.append(from..<min(to, asleep.instant(after: most, from: from)))
        }
        // A handle without a lock can outlast the person: what lies after the last sign is not proved to its end.
        var proven = closed
        if session.hasUncertainClose {
            proven = max(lastSign, closed - (closed - opened < lateClose ? leastLateClose : lateClose))
        } else if session.hasSharedProcess {
            proven = lastSign
        }
        // The start of its program is the best guess at when a document was opened. It proves nothing: the program may have been started first,
        // and the document chosen then. Nor does a reading by nobody in particular.
        let isGuess = !session.isOpeningProved || session.process?.startedAt == opened
        let firstProven = isGuess ? signs.dropFirst().first?.lowerBound ?? opened : opened
        var reached = opened
        for sign in signs {
            pause(reached, sign.lowerBound)
            // What was folded into one evidence has no long pause inside.
            active.append(sign)
            atLeast.append(sign)
            atMost.append(sign)
            reached = max(reached, sign.upperBound)
        }
        for sign in session.evidence where sign.isInferred {
            atMost.append(min(max(sign.first, opened), latest)..<min(max(sign.last, max(sign.first, opened)), latest))
        }
        let earliest = max(min(session.notBefore, opened), asleep.instant(before: most, from: opened))
        atMost.append(earliest..<opened)
        // A program that goes on saving keeps nobody there: the last person's sign is what is believed for so long.
        let believed = session.clockwork.isEmpty ? closed : min(closed, session.lastPersonalSign)
        atMost.append(closed..<min(latest, max(closed, asleep.instant(after: most, from: believed))))
        return Stretches(
            open: IntervalSet([opened..<closed]), active: IntervalSet(active), atLeast: IntervalSet(atLeast), atMost: IntervalSet(atMost))
    }
}

extension WorkSession {
    /// True where nothing was written or typed while the document's handle was held: a viewer or player, or an editor used to read.
    package var isReading: Bool {
        (presence == .held || presence == .process && hasOwnProcess)
            && !evidence.contains { [.saved, .typed, .lockChanged, .broughtIn].contains($0.kind) }
    }

    /// False where a program that had been running took the document up: it may have other things to do, so that its life says less.
    private var hasOwnProcess: Bool { process.map { openedAt - $0.startedAt <= TimeOnTask.launch } ?? true }

    /// True where all that ends it is the close of a handle.
    var hasUncertainClose: Bool {
        presence == .held && end.map { $0.ending == .closed } ?? true
            && !evidence.contains { $0.kind == .lockAppeared || $0.kind == .opened }
    }

    /// True where it ended with a process that had taken up other documents too: the person may have closed this one before.
    var hasSharedProcess: Bool { end.map { $0.ending == .process && $0.confidence < .good } ?? false }

    /// The longest pause that still counts as work, by what the evidence can show.
    package func idleLimit(_ rule: Rule) -> Duration {
        if isContinuous { return rule.idleContinuous }
        return isReading ? max(rule.atMost, rule.idleSavesOnly) : rule.idleSavesOnly
    }

    /// Good: presence seen from its beginning, or continuous signs. Fair: three saves or more. Thin: less than that.
    package var confidenceSoFar: Confidence {
        if presence != .points { return .good }
        if isContinuous || saves >= 3 { return .fair }
        let hasMark = evidence.contains { $0.kind == .typed || $0.kind == .read || $0.kind == .lockVanished }
        return hasMark || lastSign - openedAt >= TimeOnTask.leastPoints ? .thin : .none
    }
}
