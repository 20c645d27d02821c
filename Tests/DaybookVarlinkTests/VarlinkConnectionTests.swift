// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Testing

@testable import DaybookVarlink

@Suite("A connection")
struct VarlinkConnectionTests {
    static let service = VarlinkService(
        interfaces: [DaybookInterfaces.reports, DaybookInterfaces.journal], vendor: "Daybook", product: "Daybook", version: "1.2",
        url: "https://example.org")

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
    private func text(_ bytes: [UInt8]) -> String {
        bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }

    /// Plays a server whose methods answer at once: `Status` with one reply, `Tail` with three.
    private func serve(_ connection: inout VarlinkConnection) -> (sent: String, calls: [String], closing: VarlinkConnection.Closing?) {
        var sent: [UInt8] = []
        var calls: [String] = []
        var closing: VarlinkConnection.Closing?
        while let event = connection.next() {
            switch event {
            case .send(let bytes): sent += bytes
            case .close(let why): closing = why
            case .call(let id, let call):
                calls.append(call.name)
                if call.name == "Tail" {
                    for last in 1...3 as ClosedRange<Int64> {
                        sent += connection.reply(id, ["entries": [], "last": .integer(last)], continues: last < 3)
                    }
                } else if call.name == "SetRecording" {
                    sent += connection.fail(id, .permissionDenied)
                } else {
                    sent += connection.reply(id, ["n": .integer(Int64(calls.count))])
                }
            }
        }
        return (text(sent), calls, closing)
    }

    @Test("answers pipelined calls in their order, however the bytes are cut")
    func pipelined() {
        let stream =
            bytes(#"{"method":"org.daybook.Reports.Status"}"#)
            + bytes(#"{"method":"org.daybook.Reports.Nope","parameters":{}}"#)
            + bytes(#"{"method":"org.daybook.Journal.Tail","parameters":{"count":null},"more":true}"#)
            + bytes(#"{"method":"org.daybook.Reports.Status","parameters":{},"oneway":true}"#)
            + bytes(#"{"method":"org.daybook.Reports.SetRecording","parameters":{"state":"off"}}"#)
            + bytes(#"{"method":"org.daybook.Reports.Status"}"#)
        let expected = """
            {"parameters":{"n":1}}
            {"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.daybook.Reports.Nope"}}
            {"parameters":{"entries":[],"last":1},"continues":true}
            {"parameters":{"entries":[],"last":2},"continues":true}
            {"parameters":{"entries":[],"last":3}}
            {"error":"org.varlink.service.PermissionDenied","parameters":{}}
            {"parameters":{"n":%}}
            """
        for cut in 0...stream.count {
            var connection = VarlinkConnection(service: Self.service)
            connection.receive(stream[..<cut])
            let first = serve(&connection)
            connection.receive(stream[cut...])
            let second = serve(&connection)
            #expect(first.calls + second.calls == ["Status", "Tail", "Status", "SetRecording", "Status"], "cut at \(cut)")
            let sent = [first.sent, second.sent].filter { !$0.isEmpty }.joined(separator: "\n")
            #expect(sent == expected.replacing("%", with: String(second.calls.isEmpty ? 5 : second.calls.count)), "cut at \(cut)")
        }
    }

    @Test("keeps the next call until the one before it is answered")
    func oneAtATime() throws {
        var connection = VarlinkConnection(service: Self.service)
        connection.receive(bytes(#"{"method":"org.daybook.Reports.Status"}"#) + bytes(#"{"method":"org.varlink.service.GetInfo"}"#))
        guard case .call(let id, _) = connection.next() else {
            Issue.record("no call")
            return
        }
        #expect(connection.activeCall == id)
        #expect(connection.next() == nil)
        #expect(text(connection.reply(id, [:])) == #"{"parameters":{}}"#)
        #expect(connection.activeCall == nil)
        guard case .send(let info) = connection.next() else {
            Issue.record("no answer")
            return
        }
        #expect(
            text(info)
                == #"{"parameters":{"vendor":"Daybook","product":"Daybook","version":"1.2","url":"https://example.org","interfaces":["org.varlink.service","org.daybook.Reports","org.daybook.Journal"]}}"#
        )
        #expect(connection.reply(id, [:]) == [], "an answered call takes no second reply")
        #expect(connection.next() == nil)
    }

    @Test("gives one reply only to a caller that did not ask for more")
    func withoutMore() {
        var connection = VarlinkConnection(service: Self.service)
        connection.receive(bytes(#"{"method":"org.daybook.Journal.Tail"}"#))
        guard case .call(let id, let call) = connection.next() else {
            Issue.record("no call")
            return
        }
        #expect(!call.more)
        #expect(text(connection.reply(id, ["last": 1], continues: true)) == #"{"parameters":{"last":1}}"#)
        #expect(connection.reply(id, ["last": 2], continues: true) == [])
    }

    @Test("sends nothing for a oneway call, not even an error")
    func oneway() {
        var connection = VarlinkConnection(service: Self.service)
        connection.receive(
            bytes(#"{"method":"org.daybook.Nope.X","oneway":true}"#) + bytes(#"{"method":"org.varlink.service.GetInfo","oneway":true}"#)
                + bytes(#"{"method":"org.daybook.Reports.Status","oneway":true}"#))
        guard case .call(let id, _) = connection.next() else {
            Issue.record("no call")
            return
        }
        #expect(connection.fail(id, .permissionDenied) == [])
        #expect(connection.next() == nil)
    }

    @Test(
        "answers what it cannot dispatch with the standard errors",
        arguments: [
            (#"{"method":"org.daybook.Nope.X"}"#, "InterfaceNotFound", #"{"interface":"org.daybook.Nope"}"#),
            (#"{"method":"nodot"}"#, "InterfaceNotFound", #"{"interface":""}"#),
            (#"{"method":"org.daybook.Reports.status"}"#, "MethodNotFound", #"{"method":"org.daybook.Reports.status"}"#),
            (
                #"{"method":"org.daybook.Reports.Status","upgrade":true}"#, "MethodNotImplemented",
                #"{"method":"org.daybook.Reports.Status"}"#
            ),
            (#"{"method":"org.daybook.Journal.Tail","parameters":{"kinds":["a",1]}}"#, "InvalidParameter", #"{"parameter":"kinds[1]"}"#),
            (#"{"method":"org.daybook.Journal.Tail","parameters":{"kind":"a"}}"#, "InvalidParameter", #"{"parameter":"kind"}"#),
            (#"{"method":"org.daybook.Reports.SetRecording"}"#, "InvalidParameter", #"{"parameter":"state"}"#),
            (
                #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#, "InterfaceNotFound",
                #"{"interface":"a.b"}"#
            ),
        ])
    func standardErrors(call: String, name: String, parameters: String) {
        var connection = VarlinkConnection(service: Self.service)
        connection.receive(bytes(call))
        #expect(connection.next() == .send(bytes(#"{"error":"org.varlink.service.\#(name)","parameters":\#(parameters)}"#)))
        #expect(connection.next() == nil)
    }

    @Test("serves each interface's text byte for byte", arguments: ["org.varlink.service", "org.daybook.Reports", "org.daybook.Journal"])
    func descriptions(name: String) throws {
        let interface = Self.service.interfaces.first { $0.name == name }
        var connection = VarlinkConnection(service: Self.service)
        connection.receive(
            bytes(#"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(name)"}}"#))
        guard case .send(let reply) = connection.next() else {
            Issue.record("no answer")
            return
        }
        #expect(try JSONValue(parsing: reply.dropLast())["parameters"]?["description"]?.stringValue == interface?.text)
    }

    @Test(
        "closes without a word on what is no call, after it has answered what came before",
        arguments: [
            "", "null", "[]", "{", "{}", #"{"method":7}"#, #"{"method":"a.b","parameters":[]}"#, #"{"method":"a.b","more":1}"#,
            #"{"method":"a.b","method":"a.c"}"#, "\u{1}",
        ])
    func notACall(message: String) {
        var connection = VarlinkConnection(service: Self.service)
        connection.receive(bytes(#"{"method":"org.varlink.service.GetInfo"}"#) + bytes(message))
        guard case .send = connection.next() else {
            Issue.record("no answer")
            return
        }
        #expect(connection.next() == .close(.notACall))
        #expect(connection.next() == nil)
        #expect(!connection.wantsInput)
        connection.receive(bytes(#"{"method":"org.varlink.service.GetInfo"}"#))
        #expect(connection.next() == nil)
    }

    @Test("wants no input once as many calls wait as the limit says")
    func waitingCalls() {
        var limits = VarlinkLimits()
        limits.waitingCalls = 3
        var connection = VarlinkConnection(service: Self.service, limits: limits)
        let call = bytes(#"{"method":"org.daybook.Reports.Status"}"#)
        connection.receive(call)
        guard case .call(let id, _) = connection.next() else {
            Issue.record("no call")
            return
        }
        connection.receive(call + call)
        #expect(connection.wantsInput)
        connection.receive(call)
        #expect(!connection.wantsInput)
        _ = connection.reply(id, [:])
        guard case .call = connection.next() else {
            Issue.record("no call")
            return
        }
        #expect(connection.wantsInput)
    }

    @Test("closes on a message of one byte more than the limit")
    func messageLimit() {
        var limits = VarlinkLimits()
        let call = bytes(#"{"method":"org.varlink.service.GetInfo"}"#)
        limits.messageLength = call.count - 1
        var connection = VarlinkConnection(service: Self.service, limits: limits)
        connection.receive(call)
        guard case .send = connection.next() else {
            Issue.record("no answer")
            return
        }
        connection.receive([UInt8(ascii: " ")] + call)
        #expect(connection.next() == .close(.framing(.messageTooLong(limit: limits.messageLength))))
    }

    @Test("stands any bytes", arguments: 0..<200 as Range<UInt64>)
    func hostile(seed: UInt64) {
        var random = SplitMix(state: seed)
        var stream =
            bytes(#"{"method":"org.daybook.Journal.Tail","parameters":{"kinds":["a"],"after":12},"more":true}"#)
            + bytes(#"{"method":"org.daybook.Reports.SetRecording","parameters":{"state":"off","person":"a"}}"#)
        for _ in 0..<(1 + random.next() % 4) {
            stream[Int(random.next() % UInt64(stream.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        var connection = VarlinkConnection(service: Self.service)
        connection.receive(stream)
        let result = serve(&connection)
        #expect(result.calls.count <= 3)
    }
}

/// A small generator with a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
