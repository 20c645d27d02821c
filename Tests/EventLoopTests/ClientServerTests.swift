// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop
import Glibc
import Testing

@Suite("A server of clients", .serialized)
struct ClientServerTests {
    @Test("knows who a client is, hands over what it says, and answers")
    func roundTrip() throws {
        let test = try ServerUnderTest()
        test.delegate.onReceive = { bytes, client, server in _ = server.send(bytes.map { $0 &+ 1 }, to: client.id) }
        let client = try test.connect()
        let known = try #require(test.delegate.connected.first)
        #expect(known.credentials == PeerCredentials(pid: getpid(), uid: geteuid(), gid: getegid()))
        #expect(try known.groups == Credentials.current().groups)
        #expect(known.isMember(of: getegid()))
        #expect(!known.isMember(of: 4_000_000_001))
        #expect(test.server.client(client.id) == known && test.server.clients == [known])
        try client.write([1, 2, 0])
        #expect(try test.loop.turn { test.delegate.drained == [client.id] })
        #expect(test.received(client) == [1, 2, 0])
        #expect(try client.read() == [2, 3, 1])
        #expect(test.server.pendingBytes(of: client.id) == 0)
        client.hangUp()
        #expect(try test.reason(client) == .ended)
        #expect(test.server.client(client.id) == nil && test.server.clients.isEmpty)
        #expect(test.server.pendingBytes(of: client.id) == nil && test.server.room(for: client.id) == 0)
        #expect(!test.server.send([1], to: client.id))
        #expect(test.delegate.closed.count == 1)
    }

    @Test("keeps the bytes of many clients apart and in order, however they are cut")
    func many() throws {
        let test = try ServerUnderTest()
        test.delegate.onReceive = { bytes, client, server in _ = server.send(bytes, to: client.id) }
        let clients = try (0..<10).map { _ in try test.connect() }
        let texts = (0..<10).map { number in (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) } }
        var sent = Array(repeating: 0, count: 10)
        var back = Array(repeating: [UInt8](), count: 10)
        #expect(
            try test.loop.turn(within: .seconds(60)) {
                for (number, client) in clients.enumerated() {
                    let size = min(1 + (sent[number] * 7) % 5000, texts[number].count - sent[number])
                    if size > 0 { sent[number] += try client.write(Array(texts[number][sent[number]...].prefix(size))) ?? 0 }
                    back[number] += try client.read() ?? []
                }
                try test.loop.settle()
                return back.allSatisfy { $0.count == 50_000 }
            })
        let isSame = back == texts
        #expect(isSame)
        for client in clients { #expect(test.delegate.received[client.id]?.count == 50_000) }
    }

    @Test("writes everything it was given before it closes, and reads nothing more")
    func closeAfterFlush() throws {
        let test = try ServerUnderTest()
        let client = try test.connect()
        let answer = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let isTaken = test.server.send(answer, to: client.id)
        #expect(isTaken)
        test.server.close(client.id, afterFlush: true)
        #expect(!test.server.send([1], to: client.id))
        try client.write([7, 0])
        var back: [UInt8] = []
        var ended = false
        #expect(
            try test.loop.turn {
                if let more = try client.read() { back += more } else { ended = true }
                try test.loop.settle()
                return ended
            })
        let isSame = back == answer
        #expect(isSame)
        #expect(test.received(client) == [])
        #expect(try test.reason(client) == .finished)
    }

    @Test("closes at once where it is told so, and never calls from within a call")
    func closeAtOnce() throws {
        let test = try ServerUnderTest()
        var inside = false
        var nested = false
        let client = try test.connect()
        // Weakly: the delegate keeps this closure, and the test's folder is removed with the last of them.
        test.delegate.onReceive = { [weak delegate = test.delegate] _, client, server in
            inside = true
            _ = server.send(letters(10), to: client.id)
            server.close(client.id, afterFlush: false)
            server.close(client.id, afterFlush: true)
            nested = delegate.map { !$0.closed.isEmpty || !$0.drained.isEmpty } ?? true
            inside = false
        }
        try client.write([1, 0, 2, 0])
        #expect(try test.reason(client) == .finished)
        #expect(!inside && !nested)
        #expect(try client.read() == nil)
        #expect(test.delegate.closed.count == 1)
    }

    @Test("answers a client that has finished sending, and may take its time")
    func halfClose() throws {
        let test = try ServerUnderTest()
        test.delegate.onReceive = { _, client, server in _ = server.send(letters(500_000), to: client.id) }
        let client = try test.connect()
        try client.write([1, 0])
        client.finishSending()
        var back = 0
        #expect(
            try test.loop.turn {
                while let more = try client.read() {
                    if more.isEmpty { return false }
                    back += more.count
                }
                return true
            })
        #expect(back == 500_000)
        #expect(try test.reason(client) == .finished)

        let patient = try test.connect()
        var isWaiting = false
        test.delegate.onFinishedSending = { _, _ in isWaiting = true }
        patient.finishSending()
        #expect(try test.loop.turn { isWaiting })
        try test.loop.settle()
        #expect(test.server.send([9], to: patient.id))
        test.server.close(patient.id, afterFlush: true)
        #expect(try test.reason(patient) == .finished)
        #expect(try patient.read() == [9])
    }

    @Test("lets go of a client that finished sending, was waited for, and then hung up")
    func hangUpWhileWaiting() throws {
        let test = try ServerUnderTest()
        let client = try test.connect()
        test.delegate.onFinishedSending = { _, _ in }
        client.finishSending()
        try test.loop.settle()
        #expect(test.server.client(client.id) != nil)
        client.hangUp()
        #expect(try test.reason(client) == .ended)
    }

    @Test("hears all that a client said before it hung up")
    func lastWords() throws {
        let test = try ServerUnderTest { $0.turnBytes = 100 }
        let client = try test.connect()
        let words = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try client.write(words) == 5000)
        client.hangUp()
        #expect(try test.reason(client) == .ended)
        let isSame = test.received(client) == words
        #expect(isSame)
    }

    @Test("ends every connection when it shuts down, and accepts no more")
    func shutDown() throws {
        let test = try ServerUnderTest()
        let clients = try (0..<3).map { _ in try test.connect() }
        #expect(test.send(300_000, to: clients[0]))
        test.server.shutDown()
        let late = TestClient(try UnixStream.connect(to: test.folder("s"), within: .seconds(5)))
        var back = 0
        #expect(
            try test.loop.turn {
                back += try clients[0].read()?.count ?? 0
                return test.delegate.closed.count == 3
            })
        while let more = try clients[0].read(), !more.isEmpty { back += more.count }
        #expect(back == 300_000)
        #expect(test.delegate.closed.allSatisfy { $0.1 == .finished })
        #expect(test.delegate.connected.count == 3)
        withExtendedLifetime(late) {}
    }

    @Test("is let go with clients connected, without a word or a leak")
    func released() throws {
        let folder = try TemporaryFolder()
        let loop = try EventLoop()
        let delegate = RecordingDelegate()
        weak var watched: ClientServer?
        let client: TestClient
        do {
            let server = try ClientServer(loop: loop, listeners: [UnixListener.listen(at: folder("s"), mode: 0o666)], delegate: delegate)
            client = TestClient(try UnixStream.connect(to: folder("s"), within: .seconds(5)))
            #expect(try loop.turn { delegate.connected.count == 1 })
            watched = server
        }
        #expect(watched == nil)
        #expect(try client.read() == nil)
        try loop.settle()
        #expect(delegate.closed.isEmpty)
    }
}
