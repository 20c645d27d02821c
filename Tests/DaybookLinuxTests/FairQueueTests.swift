// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Synchronization
import Testing

@Suite("A fair queue")
struct FairQueueTests {
    private func queue(elements: Int = 4, perOwner: Int = 2, size: Int = 100, sizePerOwner: Int = 50) -> FairQueue<String, Int> {
        FairQueue(limits: .init(elements: elements, elementsPerOwner: perOwner, size: size, sizePerOwner: sizePerOwner))
    }

    @Test("gives out nothing of an owner of whom something is being worked on, and each owner's in its order")
    func order() {
        let queue = queue()
        for (owner, element) in [("a", 1), ("a", 2), ("b", 3)] { #expect(queue.put(element, of: owner, size: 1)) }
        #expect(queue.take()?.element == 1)
        #expect(queue.take()?.element == 3)
        queue.done("a")
        #expect(queue.take()?.element == 2)
    }

    @Test("refuses one element, one byte beyond a limit, and takes what is alone")
    func limits() {
        let queue = queue()
        #expect(queue.put(1, of: "a", size: 25))
        #expect(!queue.put(2, of: "a", size: 26))
        #expect(queue.put(2, of: "a", size: 25))
        #expect(!queue.put(3, of: "a", size: 0))
        #expect(!queue.put(3, of: "b", size: 51))
        #expect(queue.put(3, of: "b", size: 50))
        #expect(queue.put(4, of: "c", size: 0))
        #expect(!queue.put(5, of: "d", size: 0))
        let empty = self.queue()
        #expect(empty.put(1, of: "a", size: 1_000_000))
    }

    @Test("lets others go on while one worker waits, and ends all of them when it is closed")
    func workers() throws {
        let queue = queue(elements: 100, perOwner: 100, size: 1000, sizePerOwner: 1000)
        let seen = Mutex<[String: [Int]]>([:])
        for element in 0..<90 { #expect(queue.put(element, of: ["a", "b", "c"][element % 3], size: 1)) }
        // Owner a is at work and never done: the other two must be served to their end all the same.
        let held = try #require(queue.take())
        #expect(held.owner == "a")
        let finished = HandOver<Bool>(capacity: 10, wake: nil)
        let workers = try (0..<3).map { _ in
            try WorkerThread(name: "worker") {
                while let (owner, element) = queue.take() {
                    let count = seen.withLock { seen in
                        seen[owner, default: []].append(element)
                        return (seen["b"]?.count ?? 0) + (seen["c"]?.count ?? 0)
                    }
                    queue.done(owner)
                    if count == 60 { _ = finished.put(true) }
                }
            }
        }
        #expect(finished.takeWaiting() != nil)
        queue.close()
        for worker in workers { worker.join() }
        #expect(seen.withLock { $0 } == ["b": Array(stride(from: 1, to: 90, by: 3)), "c": Array(stride(from: 2, to: 90, by: 3))])
        #expect(!queue.put(1, of: "z", size: 1))
        #expect(queue.take() == nil)
    }
}
