// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import JournalFormat

/// What waits for the disk: filled by the loop, emptied by the writer thread. An entry counts until it is durable, so that a disk that
/// refuses cannot fill the memory.
final class JournalInbox: Sendable {
    struct Refusals: Equatable {
        var count = 0
        /// The time of the first refused entry.
        var since: WallTime?
    }

    private struct State {
        /// What waits, as the groups that it will be written in: entries of one day, at most so many. All but the last are whole.
        var groups: [[EntryDraft]] = []
        var waiting = 0
        /// Taken by the writer and not durable yet.
        var taken = 0
        /// All that ever came, and all that ever was taken.
        var came: UInt64 = 0
        var went: UInt64 = 0
        var newSegments = 0
        /// With how many entries came before each.
        var erasures: [(request: ErasureRequest, after: UInt64)] = []
        /// Called once a group is whole.
        var whenFull: (@Sendable () -> Void)?
        var refusals = Refusals()
        var isUrgent = false
        /// The writer is wanted for something else than entries.
        var isPoked = false
        var isClosed = false
        var lastDurable: JournalPosition
        var trouble: StorageTrouble?
    }

    private let condition = Condition()
    private let capacity: Int
    /// Entries in one group.
    private let groupSize: Int
    // Owner: `condition`; touched only within `withLock`.
    nonisolated(unsafe) private var state: State

    /// A smaller group is encoded sooner than another thread is woken for it.
    private static let worthAhead = 64

    init(capacity: Int, groupSize: Int, position: JournalPosition) {
        self.capacity = capacity
        self.groupSize = max(1, groupSize)
        state = State(lastDurable: position)
    }

    func put(_ draft: EntryDraft) -> Bool {
        var (wakes, whenFull): (Bool, (@Sendable () -> Void)?) = (false, nil)
        let isTaken = condition.withLock {
            guard !state.isClosed else { return false }
            guard state.waiting + state.taken < capacity else {
                state.refusals.count += 1
                if state.refusals.since == nil { state.refusals.since = draft.at }
                return false
            }
            let last = state.groups.count - 1
            if last >= 0, state.groups[last].count < groupSize, state.groups[last][0].at.day == draft.at.day {
                state.groups[last].append(draft)
            } else {
                state.groups.append([draft])
            }
            state.waiting += 1
            state.came += 1
            let isFull = isFull(0)
            wakes = state.waiting == 1 || isFull
            if isFull, state.whenFull != nil { swap(&whenFull, &state.whenFull) }
            return true
        }
        // Whoever is woken wants the lock.
        if wakes { condition.wakeAll() }
        whenFull?()
        return isTaken
    }

    /// Whether nothing more will come to a group.
    private func isFull(_ index: Int) -> Bool {
        index < state.groups.count && (index + 1 < state.groups.count || state.groups[index].count >= groupSize)
    }

    private func takeGroup() -> [EntryDraft] {
        let group = state.groups.removeFirst()
        state.waiting -= group.count
        state.taken += group.count
        state.went += UInt64(group.count)
        return group
    }

    // MARK: - Encoding ahead

    /// Whether a group waits that is whole, and worth another thread's work.
    var hasFullGroup: Bool { condition.withLock { groupSize >= Self.worthAhead && isFull(0) } }

    /// Calls once there is such a group; true where there is one already, and then nobody is called.
    func callWhenFull(_ body: @escaping @Sendable () -> Void) -> Bool {
        condition.withLock {
            if groupSize < Self.worthAhead { return false }
            if isFull(0) { return true }
            state.whenFull = body
            return false
        }
    }

    func callNobody() { condition.withLock { state.whenFull = nil } }

    func takeFullGroup() -> [EntryDraft]? {
        condition.withLock { isFull(0) && groupSize >= Self.worthAhead ? takeGroup() : nil }
    }

    // MARK: - The writer's side

    /// After everything that was put before it. False after `close`, and where too many wait.
    func put(_ erasure: ErasureRequest) -> Bool {
        let isTaken = condition.withLock {
            guard !state.isClosed, state.erasures.count < Self.erasureLimit else { return false }
            state.erasures.append((erasure, state.came))
            return true
        }
        if isTaken { condition.wakeAll() }
        return isTaken
    }

    /// Gives the writer a turn.
    func poke() {
        condition.withLock { state.isPoked = true }
        condition.wakeAll()
    }

    static let erasureLimit = 16

    /// What waits is to be written now, not after the commit delay.
    func hurry() {
        condition.withLock { state.isUrgent = true }
        condition.wakeAll()
    }

    func close() {
        condition.withLock { state.isClosed = true }
        condition.wakeAll()
    }

    /// What the writer is to do next: the entries, and after them the erasure. Neither where the time has come.
    struct Work {
        var drafts: [EntryDraft] = []
        var erasure: ErasureRequest?
    }

    /// Waits for entries, then for `delay` in which more may come, or until a group is whole; or for an erasure, where one may be had. Nil
    /// once closed and empty; nothing to do where there was nothing until `limit`, in microseconds of `Condition.now`.
    func take(delay: Duration, until limit: Int64?, erasures: Bool) -> Work? {
        condition.withLock {
            while state.groups.isEmpty, !state.isClosed, !state.isPoked, !erasures || state.erasures.isEmpty {
                guard let limit else {
                    condition.wait()
                    continue
                }
                if Condition.now() >= limit { return Work() }
                _ = condition.wait(until: limit)
            }
            if state.groups.isEmpty, state.isClosed { return nil }
            if state.isPoked {
                state.isPoked = false
                return Work()
            }
            if delay > .zero {
                let deadline = Condition.now() + delay.microseconds
                while !state.groups.isEmpty, !isFull(0), !state.isClosed, !state.isUrgent, !state.isPoked {
                    if !condition.wait(until: deadline) || Condition.now() >= deadline { break }
                }
            }
            var work = Work()
            if !state.groups.isEmpty { work.drafts = takeGroup() }
            if erasures, let first = state.erasures.first, first.after <= state.went {
                work.erasure = state.erasures.removeFirst().request
            }
            if state.groups.isEmpty { state.isUrgent = false }
            return work
        }
    }

    /// So many of the taken ones are durable (or given up) and make room.
    func settle(_ count: Int, position: JournalPosition) {
        condition.withLock {
            state.taken -= count
            state.lastDurable = position
        }
    }

    func noteNewSegment() { condition.withLock { state.newSegments += 1 } }

    func note(_ trouble: StorageTrouble?) { condition.withLock { state.trouble = trouble } }

    /// What was refused since the last call.
    func takeRefusals() -> Refusals {
        condition.withLock {
            let refusals = state.refusals
            state.refusals = Refusals()
            return refusals
        }
    }

    /// Waits until the time has passed or the inbox is closed; true where it is closed.
    func waitForRetry(_ delay: Duration) -> Bool {
        condition.withLock {
            let deadline = Condition.now() + delay.microseconds
            while !state.isClosed, Condition.now() < deadline { _ = condition.wait(until: deadline) }
            return state.isClosed
        }
    }

    var status: JournalStatus {
        condition.withLock {
            JournalStatus(
                lastDurable: state.lastDurable, waiting: state.waiting + state.taken, newSegments: state.newSegments,
                trouble: state.trouble)
        }
    }
}
