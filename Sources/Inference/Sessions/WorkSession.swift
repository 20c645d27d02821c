// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// One continuous stretch of one person's work on one document, as its events add up.
///
/// A pure fold: `WorkSession(start)` and then `apply` for each later event of the same id. The engine's own sessions and the ones that the
/// ledger rebuilds from the journal are the same values. Times are on the boot clock of one boot.
package struct WorkSession: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case running
        /// No sign for longer than the idle limit; the timer stands since this instant, the last sign.
        case paused(since: BootTime)
        case ended(SessionEnd)
    }

    package let id: ActivityID
    package private(set) var document: DocumentRef
    package private(set) var attribution: Attribution
    /// As it began, or better: points become a companion's presence once a lock appears (a document that was brought in and then opened),
    /// and that becomes points where another person's program takes the lock away.
    package private(set) var presence: Presence
    /// Best estimate of when the person opened the document.
    package let openedAt: BootTime
    /// The earliest that it can have been.
    package let notBefore: BootTime
    /// The program by which it began, where the kernel told.
    package let process: ProcessID?
    /// False where it need not have been this person who opened the document then.
    package let isOpeningProved: Bool
    /// Ordered by `first`, then `last`, then kind; events of one instant come out the same in whatever order they went in.
    package private(set) var evidence: [Evidence] = []
    package private(set) var state = State.running
    /// What its locks say inside, each thing once; shown, and nothing else.
    package private(set) var lockWords: [LockWords] = []
    /// How far an audio or video document was read; shown, and nothing else.
    package private(set) var delivery: Delivery?
    /// When a program saved by itself, by the clock and without a change: presence, but no sign of a person. Events do not say it; whoever
    /// knows what the saves held sets it before figures are made.
    package var clockwork = IntervalSet()

    package init(_ start: SessionStart) {
        id = start.id
        document = start.document
        attribution = start.attribution
        presence = start.presence
        openedAt = start.openedAt
        notBefore = min(start.notBefore, start.openedAt)
        process = start.process
        isOpeningProved = start.isOpeningProved
    }

    /// As its events have made it: of the presence it has now, with its signs in their order.
    package init(
        _ start: SessionStart, evidence: [Evidence], state: State, lockWords: [LockWords] = [], delivery: Delivery? = nil
    ) {
        self.init(start)
        self.evidence = evidence
        self.state = state
        self.lockWords = lockWords
        self.delivery = delivery
    }

    /// Takes the next event in. Events of other sessions, and anything after the end, change nothing.
    package mutating func apply(_ event: SessionEvent) {
        guard event.id == id, end == nil else { return }
        switch event {
        case .started: break
        case .evidence(_, let sign):
            presence = Self.presence(presence, after: sign) ?? presence
            insert(sign)
        case .attributed(_, let better): attribution = better
        case .moved(_, let place): document = place
        case .paused(_, let at): state = .paused(since: at)
        case .resumed: state = .running
        case .stopped(_, let end): state = .ended(end)
        case .lockSays(_, let words, _): Self.keep(words, in: &lockWords)
        case .delivered(_, let new, _): delivery = Delivery.further(delivery, new)
        }
    }

    /// Adds what a lock says to what a session has of it: each thing once, so many at most.
    package static func keep(_ words: LockWords, in kept: inout [LockWords]) {
        if kept.count < LockWords.limitOfSession, !kept.contains(words) { kept.append(words) }
    }

    /// How it ended; nil while it goes on.
    package var end: SessionEnd? { if case .ended(let end) = state { end } else { nil } }

    /// The last instant at which a person can be seen: the opening, or the last evidence.
    package var lastSign: BootTime { evidence.reduce(openedAt) { max($0, $1.last) } }

    /// True for saves that a program made by itself.
    func isClockwork(_ sign: Evidence) -> Bool {
        sign.kind == .saved && !clockwork.isEmpty && clockwork.stretches.contains { $0.contains(sign.last) }
    }

    /// The last sign that no program made by itself.
    var lastPersonalSign: BootTime { evidence.reduce(openedAt) { isClockwork($1) ? $0 : max($0, $1.last) } }

    /// How often the document was saved.
    package var saves: Int { evidence.reduce(0) { $1.isSave ? $0 &+ max(0, $1.count) : $0 } }

    /// True where the file came whole in one save and nothing else was seen, so that what was done elsewhere is not known.
    package var isBroughtIn: Bool { isLoneSave && evidence.contains { $0.kind == .broughtIn } }

    /// True where signs come every few seconds while somebody types, so that the short idle limit applies.
    package var isContinuous: Bool { evidence.contains(where: \.isContinuous) }

    /// True where saves are all that was seen.
    package var isOnlySaves: Bool { presence == .points && saves > 0 && evidence.allSatisfy(\.isSave) }

    /// True for a single save without anything that lasts: its duration is unknown, never 0.
    package var isLoneSave: Bool { isLonePoint && saves > 0 }

    /// True for a single save, or a single reading over a file server: nothing says how long it took.
    package var isLonePoint: Bool { presence == .points && lastSign == openedAt && !evidence.isEmpty }

    /// What presence rests on after a sign; nil where the sign changes nothing.
    package static func presence(_ presence: Presence, after sign: Evidence) -> Presence? {
        switch (sign.kind, presence) {
        case (.lockAppeared, .points): .companion
        // Another's program took the lock away: what comes then are single signs.
        case (.lockVanished, .companion): .points
        case (.opened, .points): .process
        default: nil
        }
    }

    /// Signs as `evidence` has them, from the order in which they came.
    package static func inOrder(_ signs: [Evidence]) -> [Evidence] {
        signs.enumerated().sorted { left, right in
            if precedes(left.element, right.element) { return true }
            return precedes(right.element, left.element) ? false : left.offset < right.offset
        }.map(\.element)
    }

    private mutating func insert(_ sign: Evidence) {
        var index = evidence.endIndex
        while index > 0, Self.precedes(sign, evidence[index - 1]) { index -= 1 }
        evidence.insert(sign, at: index)
    }

    /// Whether a sign comes before another by its time, whichever came first.
    package static func precedes(_ left: Evidence, _ right: Evidence) -> Bool {
        (left.first, left.last, left.kind.rawValue, left.count) < (right.first, right.last, right.kind.rawValue, right.count)
    }
}

extension Evidence {
    /// A save in place, by rename, or a file that came whole.
    package var isSave: Bool { kind == .saved || kind == .broughtIn }
}
