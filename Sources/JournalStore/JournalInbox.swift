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
        var drafts: [EntryDraft] = []
        /// Taken by the writer and not durable yet.
        var taken = 0
        /// As many as the writer waits for.
        var enough = 0
        var newSegments = 0
        var erasures: [ErasureRequest] = []
        var refusals = Refusals()
        var isUrgent = false
        var isClosed = false
        var lastDurable: JournalPosition
        var trouble: StorageTrouble?
    }

    private let condition = Condition()
    private let capacity: Int
    // Owner: `condition`; touched only within `withLock`.
    nonisolated(unsafe) private var state: State

    init(capacity: Int, position: JournalPosition) {
        self.capacity = capacity
        state = State(lastDurable: position)
    }

    func put(_ draft: EntryDraft) -> Bool {
        condition.withLock {
            guard !state.isClosed else { return false }
            guard state.drafts.count + state.taken < capacity else {
                state.refusals.count += 1
                if state.refusals.since == nil { state.refusals.since = draft.at }
                return false
            }
            state.drafts.append(draft)
            if state.drafts.count == 1 || state.drafts.count == state.enough { condition.wakeAll() }
            return true
        }
    }

    /// After everything that was put before it. False after `close`, and where too many wait.
    func put(_ erasure: ErasureRequest) -> Bool {
        condition.withLock {
            guard !state.isClosed, state.erasures.count < Self.erasureLimit else { return false }
            state.erasures.append(erasure)
            condition.wakeAll()
            return true
        }
    }

    static let erasureLimit = 16

    /// What waits is to be written now, not after the commit delay.
    func hurry() {
        condition.withLock {
            state.isUrgent = true
            condition.wakeAll()
        }
    }

    func close() {
        condition.withLock {
            state.isClosed = true
            condition.wakeAll()
        }
    }

    /// What the writer is to do next: the entries, and after them the erasure. Neither where the time has come.
    struct Work {
        var drafts: [EntryDraft] = []
        var erasure: ErasureRequest?
    }

    /// Waits for entries, then for `delay` in which more may come, or until `enough` are there; or for an erasure, where one may be had. Nil
    /// once closed and empty; nothing to do where there was nothing until `limit`, in microseconds of `Condition.now`.
    func take(delay: Duration, enough: Int, until limit: Int64?, erasures: Bool) -> Work? {
        condition.withLock {
            while state.drafts.isEmpty, !state.isClosed, !erasures || state.erasures.isEmpty {
                guard let limit else {
                    condition.wait()
                    continue
                }
                if Condition.now() >= limit { return Work() }
                _ = condition.wait(until: limit)
            }
            if state.drafts.isEmpty, state.isClosed { return nil }
            state.enough = enough
            let deadline = Condition.now() + delay.microseconds
            while delay > .zero, !state.drafts.isEmpty, state.drafts.count < enough, !state.isClosed, !state.isUrgent {
                if !condition.wait(until: deadline) || Condition.now() >= deadline { break }
            }
            let work = Work(drafts: state.drafts, erasure: erasures && !state.erasures.isEmpty ? state.erasures.removeFirst() : nil)
            state.drafts = []
            state.taken += work.drafts.count
            state.isUrgent = false
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
                lastDurable: state.lastDurable, waiting: state.drafts.count + state.taken, newSegments: state.newSegments,
                trouble: state.trouble)
        }
    }
}
