// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Testing

@Suite("A hand-over between threads")
struct HandOverTests {
    @Test("keeps every element in order, also through a queue of one")
    func order() throws {
        let queue = HandOver<Int>(capacity: 1, wake: nil)
        let producer = try WorkerThread(name: "producer") {
            for number in 0..<5000 { _ = queue.putWaiting(number) }
            queue.close()
        }
        var taken: [Int] = []
        while let more = queue.takeWaiting() { taken.append(contentsOf: more) }
        producer.join()
        #expect(taken == Array(0..<5000))
    }

    @Test("refuses one more than its capacity")
    func bounded() {
        let queue = HandOver<Int>(capacity: 2, wake: nil)
        #expect(queue.put(1))
        #expect(queue.put(2))
        #expect(!queue.put(3))
        #expect(queue.takeAll() == [1, 2])
        #expect(queue.put(4))
        queue.close()
        #expect(!queue.put(5))
        #expect(queue.takeWaiting() == [4])
        #expect(queue.takeWaiting() == nil)
    }

    @Test("takes an element in behind the last one where it is told how, also when it is full")
    func joined() {
        let queue = HandOver<[Int]>(capacity: 1, wake: nil)
        let joining: (inout [Int], [Int]) -> Bool = { last, next in
            guard last.count + next.count <= 3 else { return false }
            last += next
            return true
        }
        for number in 1...3 { #expect(queue.putWaiting([number], joining: joining)) }
        #expect(!queue.put([4]))
        #expect(queue.takeAll() == [[1, 2, 3]])
        #expect(queue.putWaiting([4, 5], joining: joining))
        queue.close()
        #expect(!queue.putWaiting([6], joining: joining))
        #expect(queue.takeWaiting() == [[4, 5]])
    }
}
