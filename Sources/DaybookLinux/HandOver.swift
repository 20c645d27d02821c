// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A bounded queue from one thread to another that says when there is something to take.
///
/// The order of `put` is the order of `takeAll`. Nothing is dropped: a full queue refuses (`put`) or makes the producer wait
/// (`putWaiting`), so that whoever reads the kernel stops reading and the kernel's own overflow report tells the loss.
package final class HandOver<Element: Sendable>: Sendable {
    private let lock = Lock()
    private let capacity: Int
    private let wake: Wakeup?
    // Owner: `lock`. Written only between `lock.acquire` and `lock.release`.
    nonisolated(unsafe) private var elements: [Element] = []
    nonisolated(unsafe) private var isClosed = false

    /// `wake` is signalled when the queue stops being empty, and at `close`: its owner resets it and then takes all. Nil for a consumer that
    /// blocks in `takeWaiting`.
    package init(capacity: Int, wake: Wakeup?) {
        precondition(capacity > 0, "a queue without room would stop its producer for ever")
        self.capacity = capacity
        self.wake = wake
    }

    /// Adds at the end; false where the queue is full or closed.
    package func put(_ element: Element) -> Bool {
        lock.acquire()
        guard !isClosed, elements.count < capacity else {
            lock.release()
            return false
        }
        add(element)
        return true
    }

    /// Adds at the end as soon as there is room; false where the queue was closed meanwhile. Never call it on the loop thread.
    ///
    /// `joining` may take the element in behind the last one that waits, which needs no room; false where it did not.
    package func putWaiting(_ element: Element, joining: (inout Element, Element) -> Bool = { _, _ in false }) -> Bool {
        lock.acquire()
        while !isClosed {
            if let last = elements.indices.last, joining(&elements[last], element) {
                lock.release()
                return true
            }
            if elements.count < capacity { break }
            lock.wait()
        }
        guard !isClosed else {
            lock.release()
            return false
        }
        add(element)
        return true
    }

    /// With the lock held; releases it.
    private func add(_ element: Element) {
        let wasEmpty = elements.isEmpty
        elements.append(element)
        lock.release()
        // Whoever is woken wants the lock.
        if wasEmpty { lock.wakeAll() }
        // One system call a batch, not one an element: whoever takes takes all, so an earlier signal still stands for this element.
        if wasEmpty { wake?.signal() }
    }

    /// Everything that waits, oldest first; empty where there is nothing. Never blocks.
    package func takeAll() -> [Element] {
        lock.acquire()
        defer { lock.release() }
        if elements.isEmpty { return [] }
        let taken = elements
        elements = []
        lock.wakeAll()
        return taken
    }

    /// Waits until there is something, and takes it all; nil once the queue is closed and empty.
    package func takeWaiting() -> [Element]? {
        lock.acquire()
        defer { lock.release() }
        while elements.isEmpty, !isClosed { lock.wait() }
        if elements.isEmpty { return nil }
        let taken = elements
        elements = []
        lock.wakeAll()
        return taken
    }

    /// No more elements; what waits can still be taken.
    package func close() {
        lock.acquire()
        isClosed = true
        lock.release()
        lock.wakeAll()
        wake?.signal()
    }

    /// Whether `close` was called. Whoever serves a batch looks at it in between, so as not to work for nobody.
    package var hasClosed: Bool {
        lock.acquire()
        defer { lock.release() }
        return isClosed
    }

    /// How many wait.
    package var count: Int {
        lock.acquire()
        defer { lock.release() }
        return elements.count
    }
}

/// A mutex with a condition, at a stable address. Swift's `Mutex` has no condition to wait for.
final class Lock: @unchecked Sendable {
    // Owner: the C library's own synchronisation; the two are never moved and never read otherwise.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func acquire() { pthread_mutex_lock(mutex) }
    func release() { pthread_mutex_unlock(mutex) }
    func wait() { pthread_cond_wait(condition, mutex) }
    func wakeAll() { pthread_cond_broadcast(condition) }
}
