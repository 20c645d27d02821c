// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink
import Synchronization
import Testing

@testable import daybook

@Suite("daybook tail")
struct TailTests {
    private static func entry(_ seq: Int64) -> JSONValue {
        ["v": 1, "seq": .integer(seq), "at": "2026-03-11T10:20:00.000000Z", "boot": "b", "mono": 5, "kind": "gap", "cause": "overflow"]
    }

    private func run(_ words: [String], handle: @escaping @Sendable (VarlinkCall) -> [TestServer.Answer]) throws -> (
        result: Program.Result, calls: [VarlinkCall]
    ) {
        let folder = try Folder()
        let server = try TestServer(in: folder.path, handle: handle)
        defer { server.stop() }
        return (try Program.run(["tail", "--socket=" + server.path] + words), server.calls)
    }

    @Test(
        "asks for what was typed",
        arguments: [
            ([], [:]), (["-n", "3"], ["count": 3]), (["--after=7", "-n0"], ["after": 7, "count": 0]),
            (["-k", "gap", "--kind", "activity"], ["kinds": ["gap", "activity"]]), (["--names"], ["names": true]),
        ] as [([String], JSONObject)])
    func request(words: [String], parameters: JSONObject) throws {
        let (result, calls) = try run(words) { _ in [.reply(["entries": [], "last": 0])] }
        #expect(result == Program.Result(code: 0, output: "", errors: ""))
        #expect(calls.map(\.parameters) == [parameters])
        #expect(calls.map(\.more) == [true])
    }

    @Test("shows entries to people in one line each, and to programs as they are")
    func entries() throws {
        let handle: @Sendable (VarlinkCall) -> [TestServer.Answer] = { _ in
            [
                .reply(["entries": [Self.entry(7)], "last": 7], continues: true),
                .reply(["entries": [Self.entry(8)], "last": 8, "missed": 1234]),
            ]
        }
        #expect(
            try run([], handle: handle).result
                == Program.Result(
                    code: 0, output: "2026-03-11 10:20:00 7 gap cause=overflow\n2026-03-11 10:20:00 8 gap cause=overflow\n",
                    errors: "daybook: 1,234 entries are missing here: too long to be shown by the server\n"))
        #expect(try run(["--json"], handle: handle).result.output == Self.entry(7).text + "\n" + Self.entry(8).text + "\n")
    }

    @Test("with -f goes on after the last entry when the server comes back, until it is refused")
    func following() throws {
        let round = Atomic(0)
        let (result, calls) = try run(["-f", "-n", "2", "--json"]) { _ in
            switch round.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue {
            case 0: [.reply(["entries": [Self.entry(6), Self.entry(7)], "last": 7], continues: true), .hangUp]
            // Nothing of the kinds asked for, but looked at.
            case 1: [.reply(["entries": [], "last": 9], continues: true), .hangUp]
            case 2: [.reply(["entries": [Self.entry(10)], "last": 10], continues: true), .error(.permissionDenied)]
            default: [.hangUp]
            }
        }
        #expect(result.code == 1)
        #expect(result.output == [6, 7, 10].map { Self.entry($0).text + "\n" }.joined())
        #expect(calls.map(\.parameters) == [["count": 2, "follow": true], ["after": 7, "follow": true], ["after": 9, "follow": true]])
        let waits = result.errors.split(separator: "\n").filter { $0.contains("waiting until it is back") }
        #expect(waits.count == 2)
        #expect(result.errors.split(separator: "\n").filter { $0.hasSuffix("the server is back") }.count == 2)
        #expect(result.errors.contains("you may not do this"))
    }

    @Test("says that there may never be an entry of a kind that it does not know, and asks all the same")
    func unknownKind() throws {
        let (result, calls) = try run(["-k", "mertics", "-k", "assignment"]) { _ in [.reply(["entries": [], "last": 7])] }
        #expect(result.code == 0)
        #expect(result.errors == "daybook: this version knows no kind 'mertics', so there may never be one; did you mean 'metrics'?\n")
        #expect(calls.map(\.parameters) == [["kinds": ["mertics", "assignment"]]])
    }

    @Test("without -f does not wait for a server that goes away")
    func notFollowing() throws {
        let (result, calls) = try run([]) { _ in [.reply(["entries": [Self.entry(7)], "last": 7], continues: true), .hangUp] }
        #expect(result.code == 3)
        #expect(calls.count == 1)
    }
}
