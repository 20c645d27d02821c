// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Synchronization

/// What other threads ask of the watcher's thread, and what it lets them see.
final class Mailbox: Sendable {
    enum Request: Sendable {
        case reconfigure([WatchedShare], id: UInt64)
        case examine([(share: Int, path: PathBytes)], since: BootTime?, id: UInt64)
        /// A marker's second file could not be touched.
        case release(slot: Int)
    }

    let wake: Wakeup
    private let requests = Mutex<[Request]>([])
    private let shown = Mutex(WatcherCounts())
    private let stopped = Atomic(false)

    init() throws(SystemCallError) { wake = try Wakeup() }

    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() {
        stopped.store(true, ordering: .relaxed)
        wake.signal()
    }

    func post(_ request: Request) {
        requests.withLock { $0.append(request) }
        wake.signal()
    }

    func take() -> [Request] {
        requests.withLock { waiting in
            let taken = waiting
            waiting = []
            return taken
        }
    }

    var counts: WatcherCounts {
        get { shown.withLock { $0 } }
        set { shown.withLock { $0 = newValue } }
    }
}
