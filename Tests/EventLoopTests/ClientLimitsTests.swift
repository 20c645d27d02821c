// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop
import Glibc
import Testing

@Suite("What a client may take", .serialized)
struct ClientLimitsTests {
    @Test("one connection of a user more than allowed is refused, until one ends")
    func clientsPerUser() throws {
        let test = try ServerUnderTest { $0.clientsPerUser = 2 }
        let clients = [try test.connect(), try test.connect()]
        let third = try test.connect()
        #expect(test.delegate.connected.count == 2)
        #expect(test.delegate.refused.map(\.1) == [.tooManyClientsOfUser(limit: 2)])
        #expect(test.delegate.refused.map(\.0) == [PeerCredentials(pid: getpid(), uid: geteuid(), gid: getegid())])
        #expect(try third.read() == nil)
        clients[0].hangUp()
        #expect(try test.reason(clients[0]) == .ended)
        _ = try test.connect()
        #expect(test.delegate.connected.count == 3 && test.delegate.refused.count == 1)
    }

    @Test("one connection more than allowed is refused where nobody has more than the newcomer")
    func clients() throws {
        let test = try ServerUnderTest { $0.clients = 2 }
        let clients = [try test.connect(), try test.connect()]
        _ = try test.connect()
        #expect(test.delegate.refused.map(\.1) == [.tooManyClients(limit: 2)])
        #expect(test.delegate.closed.isEmpty)
        withExtendedLifetime(clients) {}
    }

    @Test("connections wait while the machine has no descriptor left, and are taken when it has one again")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let test = try ServerUnderTest()
            let first = try test.connect()
            let second = TestClient(try UnixStream.connect(to: test.folder("s"), within: .seconds(5)))
            var before = rlimit()
            try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before) == 0)
            var none = before
            none.rlim_cur = 3
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none) == 0)
            #expect(try test.loop.turn { !test.delegate.cannotAccept.isEmpty })
            #expect(test.delegate.cannotAccept == [SystemCallError(call: "accept4", code: EMFILE)])
            try test.loop.settle()
            #expect(test.delegate.cannotAccept.count == 1, "it does not try without end")
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before) == 0)
            #expect(try test.loop.turn { test.delegate.connected.count == 2 })
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test(
        "a full server takes the longest quiet connection of whoever has most for another user", .enabled(if: geteuid() == 0, "needs root"))
    func makesRoom() async {
        await #expect(processExitsWith: .success) {
            let test = try ServerUnderTest { $0.clients = 3 }
            try #require(chmod(test.folder.path, 0o755) == 0)
            let clients = try (0..<3).map { _ in try test.connect() }
            try clients[0].write([1, 0])
            #expect(try test.loop.turn { test.received(clients[0]) == [1, 0] })
            try #require(seteuid(54_321) == 0)
            let other = try test.connect()
            #expect(try test.reason(clients[1]) == .madeRoom)
            #expect(test.delegate.connected.last?.credentials.uid == 54_321)
            #expect(test.server.clients.count == 3)
            // Two of root's, one of theirs: now it would not be fair any more.
            _ = try test.connect()
            #expect(test.delegate.refused.map(\.1) == [.tooManyClients(limit: 3)])
            try #require(seteuid(0) == 0)
            withExtendedLifetime((clients, other)) {}
        }
    }

    @Test("a message of the longest length passes, and of one byte more ends the connection", arguments: [1, 7, 16_384])
    func messageBytes(turn: Int) throws {
        let test = try ServerUnderTest {
            $0.messageBytes = 100
            $0.turnBytes = turn
        }
        let good = try test.connect()
        try good.write(letters(100) + [0] + letters(100) + [0])
        #expect(try test.loop.turn { test.received(good).count == 202 })
        let bad = try test.connect()
        try bad.write([1, 0] + letters(101))
        #expect(try test.reason(bad) == .messageTooLong(limit: 100))
        #expect(test.server.client(good.id) != nil)
    }

    @Test("unfinished messages of one user end a connection once they are one byte more than allowed")
    func unfinishedBytesPerUser() throws {
        let test = try ServerUnderTest { $0.unfinishedBytesPerUser = 100 }
        let first = try test.connect()
        let second = try test.connect()
        try first.write(letters(60))
        try second.write(letters(40))
        #expect(try test.loop.turn { test.received(first).count + test.received(second).count == 100 })
        // Finishing frees what was counted.
        try first.write([0] + letters(60))
        #expect(try test.loop.turn { test.received(first).count == 121 })
        try second.write(letters(1))
        #expect(try test.reason(second) == .tooMuchUnfinished(limit: 100))
        try first.write(letters(40))
        #expect(try test.loop.turn { test.received(first).count == 161 }, "what the other had is free again")
        #expect(test.server.client(first.id) != nil)
    }

    @Test("a message that is not finished in time ends the connection, also where a byte comes now and then")
    func messageTime() throws {
        let test = try ServerUnderTest { $0.messageTime = .milliseconds(300) }
        let client = try test.connect()
        let quiet = try test.connect()
        let started = Clocks.bootMicroseconds()
        var last = started
        #expect(
            try test.loop.turn {
                if Clocks.bootMicroseconds() - last > 20_000 {
                    last = Clocks.bootMicroseconds()
                    try client.write(letters(1))
                }
                _ = try test.loop.step(within: .milliseconds(10))
                return test.delegate.reason(client.id) != nil
            })
        #expect(test.delegate.reason(client.id) == .messageTooSlow(limit: .milliseconds(300)))
        let took = Clocks.bootMicroseconds() - started
        #expect(took >= 300_000 && took < 9_000_000)
        #expect(test.received(client).count > 2)
        #expect(test.server.client(quiet.id) != nil, "between messages there is no hurry")
    }

    @Test("a message whose end waited for us while we were late is in time")
    func late() throws {
        let test = try ServerUnderTest { $0.messageTime = .milliseconds(50) }
        let client = try test.connect()
        try client.write(letters(1))
        #expect(try test.loop.turn { test.received(client).count == 1 })
        try client.write([0])
        _ = poll(nil, 0, 300)  // as if the machine had slept
        try test.loop.settle()
        #expect(test.received(client) == letters(1) + [0])
        #expect(test.server.client(client.id) != nil)
    }

    @Test("messages that are finished in time go on for ever")
    func messageTimeAnew() throws {
        let test = try ServerUnderTest { $0.messageTime = .milliseconds(300) }
        let client = try test.connect()
        let deadline = Deadline(after: .milliseconds(1000))
        while !deadline.hasPassed {
            // Each read ends one message and begins the next.
            try client.write([0, 65])
            _ = try test.loop.step(within: .milliseconds(20))
            _ = poll(nil, 0, 5)
        }
        #expect(test.delegate.closed.isEmpty)
        #expect(try test.reason(client) == .messageTooSlow(limit: .milliseconds(300)), "but not the last, unfinished one")
    }

    @Test("a user who sends more than a burst is read at the rate allowed, on all connections together")
    func bytesIn() throws {
        let test = try ServerUnderTest {
            $0.bytesInBurst = 10_000
            $0.bytesInPerSecond = 20_000
            $0.turnBytes = 1000
        }
        let clients = [try test.connect(), try test.connect()]
        let started = Clocks.bootMicroseconds()
        for client in clients { #expect(try client.write(zeros(10_000)) == 10_000) }
        #expect(try test.loop.turn { clients.reduce(0) { $0 + test.received($1).count } == 20_000 })
        let took = Clocks.bootMicroseconds() - started
        // 10,000 bytes beyond the burst take half a second, less what came in the last turn.
        #expect(took >= 350_000 && took < 5_000_000)
        #expect(clients.allSatisfy { test.server.client($0.id) != nil })
    }

    @Test("a user who sends exactly a burst does not wait")
    func burst() throws {
        let test = try ServerUnderTest {
            $0.bytesInBurst = 10_000
            $0.bytesInPerSecond = 1
            $0.turnBytes = 1000
        }
        let client = try test.connect()
        try client.write(zeros(10_000))
        #expect(try test.loop.turn(within: .seconds(5)) { test.received(client).count == 10_000 })
        try client.write(zeros(2000))
        #expect(try test.loop.turn(within: .seconds(5)) { test.received(client).count == 11_000 }, "the turn that crosses it")
        try test.loop.settle()
        #expect(test.received(client).count == 11_000, "and then it waits")
        // Connecting anew buys nothing.
        let again = try test.connect()
        client.hangUp()
        try again.write([1, 0])
        try test.loop.settle()
        #expect(test.received(again) == [])
    }

    @Test("a reply that fits exactly is taken, and one byte more ends the connection")
    func outputBytes() throws {
        let test = try ServerUnderTest { $0.outputBytes = 1000 }
        let client = try test.connect()
        #expect(test.server.room(for: client.id) == 1000)
        #expect(test.send(400, to: client))
        #expect(test.server.pendingBytes(of: client.id) == 400 && test.server.room(for: client.id) == 600)
        #expect(test.send(600, to: client))
        #expect(!test.send(1, to: client))
        #expect(test.server.pendingBytes(of: client.id) == nil)
        #expect(try test.reason(client) == .tooMuchOutput(limit: 1000))
    }

    @Test("the same counts for all clients of a user together")
    func outputBytesPerUser() throws {
        let test = try ServerUnderTest { $0.outputBytesPerUser = 1000 }
        let clients = [try test.connect(), try test.connect()]
        #expect(test.send(600, to: clients[0]))
        #expect(test.server.room(for: clients[1].id) == 400)
        #expect(test.send(400, to: clients[1]))
        #expect(!test.send(1, to: clients[1]))
        #expect(try test.reason(clients[1]) == .tooMuchOutputOfUser(limit: 1000))
        #expect(try test.loop.turn { test.server.pendingBytes(of: clients[0].id) == 0 })
        #expect(test.server.room(for: clients[0].id) == 1000)
    }

    @Test("a client with unread replies is not read, and is again once it has read them")
    func readPause() throws {
        let test = try ServerUnderTest { $0.readPauseBytes = 1000 }
        test.delegate.onReceive = { _, client, server in _ = server.send(letters(1_000_000), to: client.id) }
        let client = try test.connect()
        try client.write([1, 0])
        #expect(try test.loop.turn { (test.server.pendingBytes(of: client.id) ?? 0) > 1000 })
        try test.loop.settle()
        try client.write([2, 0])
        try test.loop.settle()
        #expect(test.received(client) == [1, 0])
        var back = 0
        #expect(
            try test.loop.turn {
                back += try client.read()?.count ?? 0
                try test.loop.settle()
                return back == 2_000_000
            })
        #expect(test.received(client) == [1, 0, 2, 0])
    }

    @Test("a client that does not read is let go, and one that reads too little too")
    func outputTime() throws {
        let test = try ServerUnderTest {
            $0.outputTime = .milliseconds(300)
            $0.outputStepBytes = 100_000
        }
        let never = try test.connect()
        let little = try test.connect()
        let enough = try test.connect()
        let clients = [never, little, enough]
        for client in clients { #expect(test.send(2_500_000, to: client)) }
        var last = Clocks.bootMicroseconds()
        let end = last + 1_000_000
        var read = 0
        #expect(
            try test.loop.turn {
                let now = Clocks.bootMicroseconds()
                if now - last > 20_000 {
                    last = now
                    _ = try little.read(upTo: 100)
                    read += try enough.read(upTo: 50_000)?.count ?? 0
                }
                _ = try test.loop.step(within: .milliseconds(10))
                return now > end
            })
        #expect(test.delegate.reason(never.id) == .outputTooSlow(limit: .milliseconds(300)))
        #expect(test.delegate.reason(little.id) == .outputTooSlow(limit: .milliseconds(300)))
        #expect(test.delegate.reason(enough.id) == nil, "read \(read)")
        #expect((test.server.pendingBytes(of: enough.id) ?? 0) > 0)
    }
}
