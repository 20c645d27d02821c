// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop
import Glibc
import Testing

@Suite("Hostile clients", .serialized)
struct HostileClientsTests {
    @Test("a flood of bytes without an end costs a message's length, and delays nobody")
    func flood() throws {
        let test = try ServerUnderTest()
        test.delegate.onReceive = { bytes, client, server in _ = server.send(bytes, to: client.id) }
        let flooders = try (0..<5).map { _ in try test.connect() }
        let honest = try test.connect()
        // What the kernel says has its turn however many bytes wait.
        let pipe = try Pipe()
        var changes = 0
        let source = try DescriptorSource(test.loop, pipe.reader, priority: .changes) { _ in
            pipe.take()
            changes += 1
        }
        for flooder in flooders { while try flooder.write(letters(65_536)) ?? 0 > 0 {} }
        try honest.write([7, 0])
        pipe.put()
        _ = try test.loop.step(within: .seconds(5))
        #expect(changes == 1, "first of all")
        #expect(try test.loop.turn { test.delegate.drained.contains(honest.id) })
        for flooder in flooders {
            while try flooder.write(letters(65_536)) != nil { try test.loop.settle() }
            let reason = try test.reason(flooder)
            #expect(reason == .messageTooLong(limit: 65_536) || reason == .tooMuchUnfinished(limit: 262_144))
            #expect(test.received(flooder).count <= 65_536)
        }
        #expect(test.server.clients.map(\.id) == [honest.id])
        withExtendedLifetime(source) {}
    }

    @Test("one byte at a time is a message like any other")
    func bytewise() throws {
        let test = try ServerUnderTest()
        test.delegate.onReceive = { bytes, client, server in if bytes.last == 0 { _ = server.send([42], to: client.id) } }
        let client = try test.connect()
        for byte in letters(500) + [0] {
            try client.write([byte])
            try test.loop.settle()
        }
        #expect(test.received(client) == letters(500) + [0])
        #expect(try client.read() == [42])
    }

    @Test("requests without reading the answers end in silence, not in memory")
    func neverReads() throws {
        let test = try ServerUnderTest { $0.outputTime = .milliseconds(300) }
        test.delegate.onReceive = { _, client, server in _ = server.send(letters(10_000), to: client.id) }
        let client = try test.connect()
        var most = 0
        #expect(
            try test.loop.turn {
                _ = try client.write([1, 0, 1, 0])
                _ = try test.loop.step(within: .milliseconds(5))
                most = max(most, test.server.pendingBytes(of: client.id) ?? 0)
                return test.delegate.reason(client.id) != nil
            })
        #expect(test.delegate.reason(client.id) == .outputTooSlow(limit: .milliseconds(300)))
        #expect(most > 0 && most <= 65_536 + 10_000)
    }

    @Test("hanging up in the middle of an answer, again and again, leaves nothing behind")
    func disconnectsMidWrite() async {
        // In a process of its own, where nobody else opens sockets meanwhile.
        await #expect(processExitsWith: .success) {
            let test = try ServerUnderTest()
            test.delegate.onReceive = { _, client, server in _ = server.send(letters(2_000_000), to: client.id) }
            var before = 0
            for round in 0..<30 {
                // Not the first, in which things are made that stay.
                if round == 1 { before = Self.openSockets() }
                let client = try test.connect()
                try client.write([1, 0])
                #expect(try test.loop.turn { (test.server.pendingBytes(of: client.id) ?? 0) > 0 })
                _ = try client.read(upTo: 1000 * (round + 1))
                client.hangUp()
                #expect(try test.reason(client) == .ended)
            }
            #expect(Self.openSockets() == before)
            #expect(test.server.clients.isEmpty)
            let next = try test.connect()
            #expect(test.server.room(for: next.id) == 4_194_304, "nothing is still counted for this user")
        }
    }

    /// Sockets alone: the number of all descriptors differed now and then on a busy machine, where the number of these does not.
    private static func openSockets() -> Int {
        var there = stat()
        return (Int32(0)..<1024).count { fstat($0, &there) == 0 && there.st_mode & S_IFMT == S_IFSOCK }
    }

    @Test("connecting and hanging up at once, before it is even accepted, is no event")
    func connectFlood() throws {
        let test = try ServerUnderTest()
        for _ in 0..<20 {
            for _ in 0..<10 { _ = TestClient(try UnixStream.connect(to: test.folder("s"), within: .seconds(5))) }
            try test.loop.settle()
        }
        #expect(test.delegate.connected.count + test.delegate.refused.count == 200)
        #expect(try test.loop.turn { test.delegate.closed.count == test.delegate.connected.count })
        #expect(test.delegate.closed.allSatisfy { $0.1 == .ended })
        #expect(test.server.clients.isEmpty)
    }

    @Test("descriptors smuggled along with bytes are closed, not kept")
    func smuggledDescriptors() throws {
        let test = try ServerUnderTest()
        let pair = try StreamPair()
        let pipe = try Pipe()
        // Straight to the server's socket, by a stream whose descriptor we know.
        let stream = try UnixStream.connect(to: test.folder("s"), within: .seconds(5))
        #expect(try test.loop.turn { test.delegate.connected.count == 1 })
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        let reader = OwnedDescriptor(adopting: ends[0])
        do {
            let writer = OwnedDescriptor(adopting: ends[1])
            for _ in 0..<5 { _ = try DescriptorPassing.send([1, 0], with: writer, over: stream.descriptor) }
        }
        let id = test.delegate.connected[0].id
        #expect(try test.loop.turn { test.delegate.received[id]?.count == 10 })
        let atEnd = reader.withRaw { raw -> Bool in
            var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 5000) == 1 && entry.revents & Int16(POLLHUP) != 0
        }
        #expect(atEnd, "no copy of the writer is left")
        withExtendedLifetime((pipe, pair.first.withRaw { $0 })) {}
    }

    @Test("a thousand random acts of twenty clients never stop the server")
    func random() throws {
        let test = try ServerUnderTest {
            $0.clients = 12
            $0.clientsPerUser = 12
            $0.messageBytes = 2000
            $0.outputBytes = 300_000
            $0.messageTime = .milliseconds(50)
            $0.outputTime = .milliseconds(50)
            $0.turnBytes = 500
        }
        var generator = SystemRandomNumberGenerator()
        test.delegate.onReceive = { bytes, client, server in
            switch bytes[0] % 8 {
            case 0: server.close(client.id, afterFlush: true)
            case 1: server.close(client.id, afterFlush: false)
            case 2: for other in server.clients { _ = server.send(letters(5000), to: other.id) }
            default: _ = server.send(letters(Int(bytes[0]) * 1000), to: client.id)
            }
        }
        test.delegate.onFinishedSending = { client, server in
            if client.id.number % 2 == 0 { server.close(client.id, afterFlush: true) }
        }
        var clients: [TestClient] = []
        for _ in 0..<1000 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1: if clients.count < 20 { clients.append(try test.connect()) }
            case 2: if let client = clients.randomElement() { client.hangUp() }
            case 3: clients.removeAll { _ in Bool.random() && Bool.random() && Bool.random() }
            case 4: clients.randomElement()?.finishSending()
            case 5: _ = try clients.randomElement()?.read(upTo: Int.random(in: 1...100_000))
            default:
                let bytes = (0..<Int.random(in: 1...3000)).map { _ in UInt8.random(in: 0...255) }
                _ = try clients.randomElement()?.write(bytes)
            }
            for _ in 0..<Int.random(in: 0...5) { _ = try test.loop.step(within: .zero) }
        }
        clients = []
        for client in test.server.clients { test.server.close(client.id, afterFlush: false) }
        #expect(try test.loop.turn { test.server.clients.isEmpty && test.delegate.closed.count == test.delegate.connected.count })
        #expect(Set(test.delegate.closed.map(\.0)).count == test.delegate.closed.count, "each is told once")
        test.delegate.onReceive = { bytes, client, server in _ = server.send(bytes, to: client.id) }
        let last = try test.connect()
        #expect(test.server.room(for: last.id) == 300_000)
        try last.write([1, 0])
        #expect(try test.loop.turn { test.delegate.drained.contains(last.id) })
        #expect(try last.read() == [1, 0])
    }
}
