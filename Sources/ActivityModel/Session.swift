// SPDX-License-Identifier: Apache-2.0

/// Numbers the activities (timers) of one journal; never used twice.
package struct ActivityID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    package static func < (left: ActivityID, right: ActivityID) -> Bool { left.rawValue < right.rawValue }
}

/// What a session's presence rests on, best first.
package enum Presence: String, Sendable {
    /// The document's own handle is held (LibreOffice, viewers, SMB).
    case held
    /// A lock, owner or swap file beside it is there and alive.
    case companion
    /// The program that opened it still runs.
    case process
    /// Single reads and saves, joined by the idle limit.
    case points
}

/// One observed fact of a session. `first == last` for a single event; continuous signs are folded (first, last, count).
package struct Evidence: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case opened, closed, saved, typed, read
        case lockAppeared = "lock-appeared"
        case lockVanished = "lock-vanished"
        case lockChanged = "lock-changed"
        /// A file that came whole in one save; what was done elsewhere is not known.
        case broughtIn = "brought-in"
    }

    package var kind: Kind
    package var first: BootTime
    package var last: BootTime
    package var count: Int
    /// True where a scan found it afterwards: it happened at some time from `first` to `last`.
    package var isInferred: Bool
    /// True for signs that come every few seconds while somebody types, so that the short idle limit applies.
    package var isContinuous: Bool

    package init(
        _ kind: Kind, first: BootTime, last: BootTime? = nil, count: Int = 1, isInferred: Bool = false, isContinuous: Bool = false
    ) {
        self.kind = kind
        self.first = first
        self.last = last ?? first
        self.count = count
        self.isInferred = isInferred
        self.isContinuous = isContinuous
    }
}

/// How a session ended. The raw values stand in the journal, in `replay` and in `sessions`.
package enum SessionEnding: String, Sendable {
    /// The document's handle was closed.
    case closed
    /// Its lock or swap file went.
    case companion
    /// Nothing was heard for longer than the limit.
    case idle
    /// It was cut off by the end of watching, a gap, or a shutdown.
    case censored
    /// The program that had opened it ended.
    case process
}

/// How well a session's times are known. `none` marks a mere touch, which no report counts.
package enum Confidence: String, Comparable, Sendable, CaseIterable {
    case none, thin, fair, good

    package static func < (left: Confidence, right: Confidence) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .thin: 1
        case .fair: 2
        case .good: 3
        }
    }
}

/// A process of one boot: the number alone is given to another one later.
package struct ProcessID: Hashable, Sendable {
    package var pid: Int32
    package var startedAt: BootTime

    package init(pid: Int32, startedAt: BootTime) {
        self.pid = pid
        self.startedAt = startedAt
    }
}

/// The beginning of a session.
package struct SessionStart: Equatable, Sendable {
    package var id: ActivityID
    package var document: DocumentRef
    package var attribution: Attribution
    package var presence: Presence
    /// Best estimate of when the person opened the document.
    package var openedAt: BootTime
    /// The earliest that it can have been; the bound "at most" reaches back to here.
    package var notBefore: BootTime
    /// The program by which the person has it open, where the kernel told: after a restart its end is still the person's close.
    package var process: ProcessID?
    /// False where somebody read the document at `openedAt` of whom nothing is known, so that it need not have been this person: the best
    /// guess, and no proof.
    package var isOpeningProved: Bool

    package init(
        id: ActivityID, document: DocumentRef, attribution: Attribution, presence: Presence, openedAt: BootTime, notBefore: BootTime,
        process: ProcessID? = nil, isOpeningProved: Bool = true
    ) {
        self.id = id
        self.document = document
        self.attribution = attribution
        self.presence = presence
        self.openedAt = openedAt
        self.notBefore = notBefore
        self.process = process
        self.isOpeningProved = isOpeningProved
    }
}

/// The end of a session.
package struct SessionEnd: Equatable, Sendable {
    package var ending: SessionEnding
    /// Best estimate of when the person closed the document.
    package var closedAt: BootTime
    /// The latest that it can have been; the bound "at most" reaches to here.
    package var notAfter: BootTime
    package var confidence: Confidence

    package init(ending: SessionEnding, closedAt: BootTime, notAfter: BootTime, confidence: Confidence) {
        self.ending = ending
        self.closedAt = closedAt
        self.notAfter = notAfter
        self.confidence = confidence
    }
}

/// What inference says of sessions, in order. The same events, read back from the journal, rebuild the sessions.
package enum SessionEvent: Equatable, Sendable {
    case started(SessionStart)
    case evidence(ActivityID, Evidence)
    /// Better knowledge of who it is; replaces what `started` said.
    case attributed(ActivityID, Attribution)
    /// The document was renamed or moved while open.
    case moved(ActivityID, DocumentRef)
    /// No sign for longer than the idle limit: the timer stands since `at`, which is the last sign plus nothing.
    case paused(ActivityID, at: BootTime)
    case resumed(ActivityID, at: BootTime)
    case stopped(ActivityID, SessionEnd)
    /// What a lock beside the document says inside. For people to read; figures and identity know nothing of it.
    case lockSays(ActivityID, LockWords, at: BootTime)
    /// How far a program on this machine had read an audio or video document. Figures know nothing of it.
    case delivered(ActivityID, Delivery, at: BootTime)

    package var id: ActivityID {
        switch self {
        case .started(let start): start.id
        case .evidence(let id, _), .attributed(let id, _), .moved(let id, _), .paused(let id, _), .resumed(let id, _),
            .stopped(let id, _), .lockSays(let id, _, _), .delivered(let id, _, _):
            id
        }
    }
}
