// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import JournalFormat
import Synchronization

/// Where the long steps of an erasure run, one at a time, while the writer goes on writing.
final class ErasureThread: @unchecked Sendable {
    enum Done: Sendable {
        /// Nil where there is nothing to empty.
        case planned(Eraser.Found?)
        case carriedOut
        /// Nil where no segment is to go.
        case foundOldEnd(OldEnd?)
        case removed
    }

    private let outcome = Mutex<Result<Done, JournalError>?>(nil)
    private let inbox: JournalInbox
    // Owner: the writer's thread, which alone calls `start` and `wait`.
    private var thread: WorkerThread?

    init(inbox: JournalInbox) { self.inbox = inbox }

    /// Runs one step; the inbox gives the writer a turn once it is done.
    func start(_ step: @escaping @Sendable () throws(JournalError) -> Done) {
        wait()
        do throws(SystemCallError) {
            thread = try WorkerThread(name: "journal-erase") { [self] in
                let result: Result<Done, JournalError>
                do throws(JournalError) { result = .success(try step()) } catch { result = .failure(error) }
                outcome.withLock { $0 = result }
                inbox.poke()
            }
        } catch {
            let trouble = StorageTrouble(error)
            outcome.withLock { $0 = .failure(.storage(trouble)) }
            inbox.poke()
        }
    }

    /// What the step gave; nil while it runs, and where it was taken already.
    func take() -> Result<Done, JournalError>? {
        outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
    }

    /// Until the step is done.
    func wait() {
        thread?.join()
        thread = nil
    }
}
