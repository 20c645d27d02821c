// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Testing

@Suite("A client that is held", .serialized)
struct HoldTests {
    @Test("is read again from where it was, once it is released")
    func heldAndReleased() throws {
        let test = try ServerUnderTest()
        let held = try test.connect()
        let other = try test.connect()
        test.server.hold(held.id)
        try held.write([1, 2, 0])
        try other.write([3, 0])
        #expect(try test.loop.turn { test.received(other) == [3, 0] })
        #expect(test.received(held) == [])
        test.server.release(held.id)
        #expect(try test.loop.turn { test.received(held) == [1, 2, 0] })
    }

    @Test("is known to have hung up, wakes nobody without end, and ends when it is released")
    func hungUp() throws {
        let test = try ServerUnderTest()
        let client = try test.connect()
        test.server.hold(client.id)
        try client.write([1, 0])
        #expect(!test.server.isGone(client.id))
        client.hangUp()
        #expect(try test.loop.turn { test.server.isGone(client.id) })
        #expect(test.delegate.reason(client.id) == nil && test.received(client) == [])
        test.server.release(client.id)
        #expect(try test.reason(client) == .ended)
        #expect(test.received(client) == [1, 0], "what it sent before still counts")
        #expect(test.server.isGone(client.id))
    }
}
