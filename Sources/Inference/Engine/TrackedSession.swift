// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A session that goes on, or one that is about to be believed.
struct TrackedSession: Equatable, Sendable {
    struct Closing: Equatable, Sendable {
        var at: BootTime
        var due: BootTime
        var ending: SessionEnding
        /// The latest that it can have been, where that is later than `at`.
        var notAfter: BootTime?
        /// True where a stale mark went: a save that follows at once shows that it was none.
        var isStaleMark = false
        /// True once it was asked whether the document is held after all.
        var wasAsked = false
        /// True where the share went away: not even its program's life is presence there.
        var isAway = false
    }

    /// Nil until it is journaled.
    var id: ActivityID?
    /// The person's uid where something showed it.
    var uid: UInt32?
    var source = IdentitySource.assumed
    /// As last journaled.
    var attribution = Attribution.unknown
    var openedAt: BootTime
    var notBefore: BootTime
    /// False where nobody in particular read the document at `openedAt`.
    var isOpeningProved = true
    /// Names of the companions whose end is this session's end.
    var locks: [[UInt8]] = []
    /// Names of the companions that show unsaved changes.
    var marks: [[UInt8]] = []
    /// True where the document's own handle is this session's presence.
    var holdsDocument = false
    var presence = Presence.points
    /// The processes by which the person has it open, where the kernel names them.
    var openers: [Opener] = []
    /// True where one of them took up other documents too, so that its end is only the latest close.
    var isShared = false
    /// True where the program had been running before it took the document up: its end may have to do with something else.
    var isLateComer = false
    /// When the last connection that it came over ended: nobody works over one that is gone.
    var connectionEndedAt: BootTime?
    /// When the daemon came back to it: what had ended by then ended unseen.
    var resumedAt: BootTime?
    /// True where somebody read it over a file server, which shows nothing of what runs at the other end.
    var wasReadAfar = false
    /// When it is to be journaled if it is still there.
    var startDue: BootTime?
    /// When a program read the document of a session that had nothing but points; believed once the program has lived for a while.
    var takenUpAt: BootTime?
    var lastSign: BootTime
    /// The last instant at which its program was seen alive; at or after `lastSign`.
    var lastLife: BootTime
    var saves = 0
    var isContinuous = false
    var hasMark = false
    /// True while another person's program has its lock taken away, so that nothing tells when it closes.
    var hasLostLock = false
    var isPaused = false
    /// Evidence from before the journaled start.
    var waiting: [Evidence] = []
    /// Continuous signs that are still being put together.
    var fold: Evidence?
    var closing: Closing?
    /// A reading that is not believed yet.
    var heldReading: HeldReading?
    /// What its locks said inside.
    var said: [LockWords] = []
    /// In how many windows of lock-stealing programs (nano) this person has the document.
    var windows = 1

    init(openedAt: BootTime, notBefore: BootTime) {
        self.openedAt = openedAt
        self.notBefore = notBefore
        lastSign = openedAt
        lastLife = openedAt
    }

    /// The process to look for after a restart.
    var process: ProcessID? {
        let opener = openers.first { $0.tie == .process } ?? openers.first { $0.tie != .connection }
        return opener.flatMap { opener in opener.startedAt.map { ProcessID(pid: opener.pid, startedAt: $0) } }
    }

    var hasLiveProcess: Bool { openers.contains { $0.tie == .process } }

    /// True where its program runs, or ended a moment ago.
    var wasInProgram: Bool { hasLiveProcess || closing?.ending == .process }

    /// More are not kept apart: nobody opens a document in so many programs.
    static let openerLimit = 16

    /// The longest pause that still counts as work.
    func idleLimit(_ rule: Rule) -> Duration {
        if isContinuous { return rule.idleContinuous }
        let isReading = (holdsDocument || hasLiveProcess && !isLateComer) && locks.isEmpty && saves == 0 && !hasMark
        return isReading ? max(rule.atMost, rule.idleSavesOnly) : rule.idleSavesOnly
    }

    func confidence(_ ending: SessionEnding, closedAt: BootTime) -> Confidence {
        if presence == .points {
            if isContinuous || saves >= 3 { return .fair }
            // A read right before a write is what programs do; and a lone save has no length at all.
            if !hasMark, !wasReadAfar, !hasLostLock, closedAt - openedAt < TimeOnTask.leastPoints { return .none }
            return .thin
        }
        switch ending {
        case .closed, .companion: return .good
        case .process: return isShared || isLateComer ? .fair : .good
        case .idle, .censored: return isContinuous || saves >= 3 ? .fair : .thin
        }
    }
}
