// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Testing

@testable import DaybookVarlink

@Suite("A client")
struct VarlinkClientTests {
    @Test("gives each reply to its call, with several replies to one that asked for more")
    func matching() throws {
        var client = VarlinkClient()
        let first = client.call(VarlinkCall("a.b.One", more: true))
        let oneway = client.call(VarlinkCall("a.b.Two", oneway: true))
        let third = client.call(VarlinkCall("a.b.Three", ["x": 1]))
        #expect(first.bytes == Array(#"{"method":"a.b.One","parameters":{},"more":true}"#.utf8) + [0])
        #expect(oneway.bytes == Array(#"{"method":"a.b.Two","parameters":{},"oneway":true}"#.utf8) + [0])
        #expect(third.bytes == Array(#"{"method":"a.b.Three","parameters":{"x":1}}"#.utf8) + [0])
        let replies = [
            #"{"parameters":{"n":1},"continues":true}"#, #"{"parameters":{"n":2},"continues":false}"#,
            #"{"error":"a.b.Bad","parameters":{"n":3}}"#,
        ]
        let stream: [UInt8] = replies.flatMap { Array($0.utf8) + [0] }
        var found: [(VarlinkClient.CallID, VarlinkReply)] = []
        for byte in stream {
            try client.receive([byte])
            while let next = try client.next() { found.append((next.id, next.reply)) }
        }
        #expect(found.map(\.0) == [first.id, first.id, third.id])
        #expect(
            found.map(\.1) == [
                VarlinkReply(["n": 1], continues: true), VarlinkReply(["n": 2]), VarlinkReply(["n": 3], error: "a.b.Bad"),
            ])
        #expect(client.outstanding == 0)
        try client.receive(Array("{}".utf8) + [0])
        #expect(throws: VarlinkClient.Failure.replyWithoutCall) { try client.next() }
    }

    @Test("refuses what is no reply", arguments: ["", "[]", #"{"parameters":1}"#, #"{"error":1}"#, #"{"continues":"x"}"#])
    func notAReply(message: String) throws {
        var client = VarlinkClient()
        _ = client.call(VarlinkCall("a.b.C"))
        try client.receive(Array(message.utf8) + [0])
        #expect(throws: VarlinkClient.Failure.notAReply) { try client.next() }
    }
}
