// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import DaybookVarlink

@Suite("Framing")
struct VarlinkFramingTests {
    private let messages: [[UInt8]] = [Array("{}".utf8), [], Array("ä\u{1F4D3}".utf8), [7], Array(repeating: 9, count: 20)]

    /// Everything that waits, as arrays.
    private func drain(_ framing: inout VarlinkFraming) -> [[UInt8]] {
        var found: [[UInt8]] = []
        while let message = framing.next() { found.append(Array(message)) }
        return found
    }

    @Test("gives the same messages, however the stream is cut in two or three")
    func everySplit() throws {
        let stream = Array(messages.map { $0 + [0] }.joined())
        for first in 0...stream.count {
            for second in first...stream.count {
                var framing = VarlinkFraming(messageLimit: 20, unreadLimit: stream.count)
                var found: [[UInt8]] = []
                for part in [stream[..<first], stream[first..<second], stream[second...]] {
                    try framing.receive(part)
                    found += drain(&framing)
                }
                #expect(found == messages, "cut at \(first) and \(second)")
                #expect(framing.unread == 0 && framing.waiting == 0)
            }
        }
    }

    @Test("gives the same messages when they are taken late", arguments: 1...12)
    func lateTaking(chunk: Int) throws {
        let many = (0..<50).flatMap { _ in messages }
        let stream = Array(many.map { $0 + [0] }.joined())
        var framing = VarlinkFraming(messageLimit: 20, unreadLimit: stream.count)
        var found: [[UInt8]] = []
        var position = 0
        var turn = 0
        while position < stream.count {
            let end = min(stream.count, position + chunk)
            try framing.receive(stream[position..<end])
            position = end
            turn += 1
            // Takes one at a time, and sometimes none, so that taken and waiting messages share the buffer.
            if turn % 3 != 0, let message = framing.next() { found.append(Array(message)) }
        }
        found += drain(&framing)
        #expect(found == many)
    }

    @Test("takes a message of the limit and refuses one byte more, finished or not", arguments: [true, false])
    func messageLimit(finished: Bool) throws {
        let end: [UInt8] = finished ? [0] : []
        var framing = VarlinkFraming(messageLimit: 100, unreadLimit: 1000)
        try framing.receive(Array(repeating: 1, count: 100) + end)
        #expect(framing.unread == 100 + end.count)
        #expect(throws: VarlinkFraming.Failure.messageTooLong(limit: 100)) {
            var framing = VarlinkFraming(messageLimit: 100, unreadLimit: 1000)
            try framing.receive(Array(repeating: 1, count: 101) + end)
        }
        #expect(throws: VarlinkFraming.Failure.messageTooLong(limit: 100)) {
            var framing = VarlinkFraming(messageLimit: 100, unreadLimit: 1000)
            try framing.receive([1, 0] + Array(repeating: 1, count: 60))
            try framing.receive(Array(repeating: 1, count: 41) + end)
        }
    }

    @Test("refuses one byte more than may wait, and counts only what is not taken")
    func unreadLimit() throws {
        var framing = VarlinkFraming(messageLimit: 100, unreadLimit: 10)
        try framing.receive([1, 0, 2, 0, 3, 0, 4, 0, 5, 0])
        _ = framing.next()
        try framing.receive([6, 0])
        #expect(throws: VarlinkFraming.Failure.tooMuchUnread(limit: 10)) { try framing.receive([7]) }
    }
}
