// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux  // Its headers may be the first to declare `timespec`, which then is theirs.
import Glibc

/// A mutex with a condition that can wait with a limit. Its clock is the monotonic one, so that a step of the wall clock wakes nobody.
package final class Condition: @unchecked Sendable {
    // Owner: the C library's own synchronisation; the two are never moved and never read otherwise.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Only inside `withLock`: gives the lock up until somebody calls `wakeAll`. May also return without reason.
    package func wait() { pthread_cond_wait(condition, mutex) }

    /// The same, at most until `deadline` in microseconds of CLOCK_MONOTONIC; false once that has passed.
    package func wait(until deadline: Int64) -> Bool {
        var limit = timespec(tv_sec: Int(deadline / 1_000_000), tv_nsec: Int(deadline % 1_000_000) * 1000)
        return pthread_cond_timedwait(condition, mutex, &limit) != ETIMEDOUT
    }

    package func wakeAll() { pthread_cond_broadcast(condition) }

    /// Now, for deadlines.
    package static func now() -> Int64 {
        var now = timespec()
        _ = clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
