// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("The halves of a rename")
struct RenamePairingTests {
    private func at(_ milliseconds: Int64) -> BootTime { BootTime(microseconds: milliseconds * 1000) }

    @Test("find each other however they are interleaved, once")
    func interleaved() {
        var pairing = RenamePairing<String>(window: .milliseconds(100), capacity: 8)
        for number in 0..<8 as Range<UInt32> { #expect(pairing.left("\(number)", cookie: number, at: at(0)) == nil) }
        for number in [5, 0, 7, 1, 6, 2, 4, 3] as [UInt32] { #expect(pairing.arrived(cookie: number)?.place == "\(number)") }
        for number in 0..<8 as Range<UInt32> { #expect(pairing.arrived(cookie: number) == nil) }
        #expect(pairing.deadline == nil)
    }

    @Test("are as many as the limit; one more, and the oldest has left")
    func capacity() {
        var pairing = RenamePairing<Int>(window: .milliseconds(100), capacity: 3)
        for number in 0..<3 { #expect(pairing.left(number, cookie: UInt32(number), at: at(0)) == nil) }
        #expect(pairing.left(3, cookie: 3, at: at(1))?.place == 0)
        #expect(pairing.arrived(cookie: 0) == nil)
        #expect(pairing.arrived(cookie: 1)?.place == 1)
    }

    @Test("have left once the window is over, and not a moment before")
    func window() {
        var pairing = RenamePairing<String>(window: .milliseconds(100), capacity: 8)
        #expect(pairing.left("a", cookie: 1, at: at(0)) == nil)
        #expect(pairing.left("b", cookie: 2, at: at(60)) == nil)
        #expect(pairing.deadline == at(100))
        #expect(pairing.expired(at: at(100)).isEmpty)
        #expect(pairing.expired(at: at(101)).map(\.place) == ["a"])
        #expect(pairing.arrived(cookie: 1) == nil)
        #expect(pairing.arrived(cookie: 2)?.place == "b")
    }
}
