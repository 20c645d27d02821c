// SPDX-License-Identifier: Apache-2.0

/// A bounded queue from one thread to several, in which nobody's work delays the others': of each owner one element at a time is being
/// worked on, so what an owner put in is also worked on in its order.
package final class FairQueue<Owner: Hashable & Sendable, Element: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let owner: Owner
        let element: Element
        let size: Int
    }

    /// What may wait: elements and the sum of their sizes, of all and of each owner.
    package struct Limits: Sendable {
        package var elements: Int
        package var elementsPerOwner: Int
        package var size: Int
        package var sizePerOwner: Int

        package init(elements: Int, elementsPerOwner: Int, size: Int, sizePerOwner: Int) {
            self.elements = elements
            self.elementsPerOwner = elementsPerOwner
            self.size = size
            self.sizePerOwner = sizePerOwner
        }
    }

    private let lock = Lock()
    private let limits: Limits
    // Owner: `lock`. Written only between `lock.acquire` and `lock.release`.
    nonisolated(unsafe) private var waiting: [Waiting] = []
    nonisolated(unsafe) private var busy: Set<Owner> = []
    nonisolated(unsafe) private var isClosed = false

    package init(limits: Limits) { self.limits = limits }

    /// Adds at the end; false where there is no room now, for this owner or for anybody. An element that is alone is taken whatever its size.
    package func put(_ element: Element, of owner: Owner, size: Int) -> Bool {
        lock.acquire()
        defer { lock.release() }
        let theirs = waiting.filter { $0.owner == owner }
        guard !isClosed, waiting.count < limits.elements, theirs.count < limits.elementsPerOwner,
            waiting.isEmpty || waiting.reduce(size, { $0 + $1.size }) <= limits.size,
            theirs.isEmpty || theirs.reduce(size, { $0 + $1.size }) <= limits.sizePerOwner
        else { return false }
        waiting.append(Waiting(owner: owner, element: element, size: size))
        lock.wakeAll()
        return true
    }

    /// Waits for the first element of an owner of whom nothing is being worked on; nil once the queue is closed. Whoever took it calls
    /// `done` when it is done.
    package func take() -> (owner: Owner, element: Element)? {
        lock.acquire()
        defer { lock.release() }
        while true {
            if isClosed { return nil }
            if let index = waiting.firstIndex(where: { !busy.contains($0.owner) }) {
                let next = waiting.remove(at: index)
                busy.insert(next.owner)
                return (next.owner, next.element)
            }
            lock.wait()
        }
    }

    package func done(_ owner: Owner) {
        lock.acquire()
        busy.remove(owner)
        lock.release()
        lock.wakeAll()
    }

    package var hasClosed: Bool {
        lock.acquire()
        defer { lock.release() }
        return isClosed
    }

    /// Gives nothing out any more; what waits is dropped.
    package func close() {
        lock.acquire()
        isClosed = true
        waiting = []
        lock.release()
        lock.wakeAll()
    }
}
