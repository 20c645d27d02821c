// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import JournalFormat

/// Encodes the next group while the writer waits for the disk, where a whole one waits already: on a thread that is made for the first such
/// group, which a school may never see. Nothing of it is on the disk before the writer takes it, and should the group before it fail, it
/// is encoded anew.
final class AheadEncoder: @unchecked Sendable {
    private enum State {
        case idle
        /// The group that the next one follows.
        case asked(after: JournalPosition, first: UInt64)
        case working
        case done(LineGroup)
        case stopped
    }

    private let inbox: JournalInbox
    private let condition = Condition()
    // Owner: `condition`; touched only within `withLock`.
    private var state = State.idle
    // Owner: the writer's thread.
    private var thread: WorkerThread?
    // Owner: the thread of this encoder.
    private var encoder: GroupEncoder

    init(boot: BootID, inbox: JournalInbox) {
        self.inbox = inbox
        encoder = GroupEncoder(boot: boot)
    }

    /// From here to `finish`, the next whole group that waits is encoded as the one after `group`.
    func begin(after group: LineGroup) {
        if thread == nil {
            guard inbox.hasFullGroup else { return }
            // Without a thread there is no help, and no harm.
            thread = try? WorkerThread(name: "journal-ahead") { [self] in work() }
            if thread == nil { return }
        }
        condition.withLock { state = .asked(after: group.position, first: group.next) }
        if inbox.callWhenFull({ [condition] in condition.wakeAll() }) { condition.wakeAll() }
    }

    /// What was encoded since `begin`; nil where nothing was taken.
    func finish() -> LineGroup? {
        guard thread != nil else { return nil }
        inbox.callNobody()
        return condition.withLock {
            while case .working = state { condition.wait() }
            defer { if case .stopped = state {} else { state = .idle } }
            if case .done(let group) = state { return group }
            return nil
        }
    }

    func stop() {
        condition.withLock { state = .stopped }
        condition.wakeAll()
        thread?.join()
    }

    private func work() {
        while true {
            let asked: (after: JournalPosition, first: UInt64, drafts: [EntryDraft])? = condition.withLock {
                while true {
                    if case .stopped = state { return nil }
                    if case .asked(let after, let first) = state, let drafts = inbox.takeFullGroup() {
                        state = .working
                        return (after, first, drafts)
                    }
                    condition.wait()
                }
            }
            guard let asked else { return }
            let group = encoder.group(asked.drafts, after: asked.after, first: asked.first)
            condition.withLock { if case .working = state { state = .done(group) } }
            condition.wakeAll()
        }
    }
}
