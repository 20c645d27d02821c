// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Testing

@Suite("A Unix socket", .serialized)
struct UnixSocketTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) -> UInt32 {
        var there = stat()
        return lstat(path, &there) == 0 ? there.st_mode & 0o7777 : 0
    }

    private func accept(_ listener: UnixListener) throws -> UnixStream {
        let deadline = Deadline(after: .seconds(10))
        while !deadline.hasPassed {
            if let stream = try listener.accept() { return stream }
            _ = poll(nil, 0, 1)
        }
        throw TestFailure("nobody connected")
    }

    /// Takes the connection.
    private func hasWaiting(_ listener: UnixListener) throws -> Bool {
        if let stream = try listener.accept() {
            _ = stream.descriptor.withRaw { $0 }
            return true
        }
        return false
    }

    private func read(_ stream: borrowing UnixStream) throws -> [UInt8]? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        guard try stream.wait(until: .readable, within: .seconds(10)) else { throw TestFailure("nothing came") }
        switch try stream.read(into: buffer) {
        case .bytes(let count): return Array(buffer.prefix(count))
        case .nothingYet: throw TestFailure("not readable after all")
        case .ended: return nil
        }
    }

    @Test("carries bytes both ways, and tells the end")
    func bytes() throws {
        let listener = try UnixListener.listen(at: folder("s"), mode: 0o600)
        #expect(try !hasWaiting(listener))
        let client = try UnixStream.connect(to: folder("s"), within: .seconds(5))
        let server = try accept(listener)
        let sent = try client.write(Array("hello".utf8))
        #expect(sent == .wrote(5))
        let heard = try read(server)
        #expect(heard == Array("hello".utf8))
        client.finishSending()
        let end = try read(server)
        #expect(end == nil)
        let answered = try server.write(Array("bye".utf8))
        #expect(answered == .wrote(3))
        let answer = try read(client)
        #expect(answer == Array("bye".utf8))
    }

    @Test("writing to a peer that is gone is an answer, not a signal")
    func gone() throws {
        let listener = try UnixListener.listen(at: folder("s"), mode: 0o600)
        let client = try UnixStream.connect(to: folder("s"), within: .seconds(5))
        do { _ = try accept(listener) }
        let result = try client.write([1, 2, 3])
        #expect(result == .gone)
    }

    @Test("has exactly the permissions asked for, whatever the umask is", arguments: [0o666, 0o600, 0o660] as [UInt32])
    func permissions(wanted: UInt32) throws {
        let listener = try UnixListener.listen(at: folder("s"), mode: wanted)
        #expect(mode(folder("s")) == wanted)
        listener.removeFile()
        #expect(mode(folder("s")) == 0)
    }

    @Test("has a path of 107 bytes at most, and says so")
    func longPath() throws {
        let room = UnixSocketError.pathLimit - folder.path.utf8.count - 1
        let longest = folder(String(repeating: "p", count: room))
        #expect(longest.utf8.count == 107)
        let listener = try UnixListener.listen(at: longest, mode: 0o600)
        _ = try UnixStream.connect(to: longest, within: .seconds(5))
        listener.removeFile()
        let tooLong = longest + "p"
        let error = UnixSocketError.pathTooLong(path: tooLong, length: 108, limit: 107)
        #expect(throws: error) { try UnixListener.listen(at: tooLong, mode: 0o600) }
        #expect(throws: error) { _ = try UnixStream.connect(to: tooLong, within: .seconds(1)) }
        #expect(error.description.contains("108 bytes, but Linux allows 107"))
    }

    @Test("refuses a path that can be none")
    func badPath() {
        for path in ["", "/var/tmp/", "/var/tmp/a\0b"] {
            #expect(throws: UnixSocketError.badPath(path: path)) { try UnixListener.listen(at: path, mode: 0o600) }
        }
    }

    @Test("takes the place of a socket that nobody serves any more")
    func stale() throws {
        // Released without removing the file, as after a crash.
        do { _ = try UnixListener.listen(at: folder("s"), mode: 0o600) }
        #expect(mode(folder("s")) == 0o600)
        #expect(throws: UnixSocketError.refused(path: folder("s"), SystemCallError(call: "connect", code: ECONNREFUSED))) {
            _ = try UnixStream.connect(to: folder("s"), within: .seconds(1))
        }
        let again = try UnixListener.listen(at: folder("s"), mode: 0o660)
        _ = try UnixStream.connect(to: folder("s"), within: .seconds(5))
        #expect(try hasWaiting(again))
    }

    @Test("leaves a served socket, a plain file and a link alone")
    func inTheWay() throws {
        let first = try UnixListener.listen(at: folder("s"), mode: 0o600)
        #expect(throws: UnixSocketError.inUse(path: folder("s"))) { try UnixListener.listen(at: folder("s"), mode: 0o600) }
        _ = try UnixStream.connect(to: folder("s"), within: .seconds(5))
        #expect(try hasWaiting(first), "the probe's connection")
        try folder.write("plain", "keep me")
        #expect(throws: UnixSocketError.notASocket(path: folder("plain"))) { try UnixListener.listen(at: folder("plain"), mode: 0o600) }
        #expect(try SmallFile.readLine(folder("plain")) == "keep me")
        #expect(symlink(folder("s"), folder("link")) == 0)
        #expect(throws: UnixSocketError.notASocket(path: folder("link"))) { try UnixListener.listen(at: folder("link"), mode: 0o600) }
    }

    @Test("removes only its own file")
    func othersFile() throws {
        let first = try UnixListener.listen(at: folder("s"), mode: 0o600)
        #expect(unlink(folder("s")) == 0)
        try folder.write("s", "another")
        first.removeFile()
        #expect(try SmallFile.readLine(folder("s")) == "another")
    }

    @Test("of many servers that start at once exactly one serves, also in the place of a dead one")
    func race() throws {
        for round in 0..<60 {
            let path = folder("s\(round)")
            do { _ = try UnixListener.listen(at: path, mode: 0o600) }
            // Each keeps what it got until all have tried.
            let winners = HandOver<UnixListener>(capacity: 8, wake: nil)
            let errors = HandOver<UnixSocketError>(capacity: 8, wake: nil)
            let threads = try (0..<6).map { number in
                try WorkerThread(name: "server \(number)") {
                    do throws(UnixSocketError) {
                        _ = winners.put(try UnixListener.listen(at: path, mode: 0o600))
                    } catch {
                        _ = errors.put(error)
                    }
                }
            }
            for thread in threads { thread.join() }
            let listeners = winners.takeAll()
            try #require(listeners.count == 1, "round \(round)")
            #expect(errors.takeAll() == Array(repeating: .inUse(path: path), count: 5))
            while try hasWaiting(listeners[0]) {}  // the others' probes
            _ = try UnixStream.connect(to: path, within: .seconds(5))
            #expect(try hasWaiting(listeners[0]))
        }
    }

    @Test("gives up connecting to a server that never accepts, in the time asked for")
    func timeout() throws {
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let busy = OwnedDescriptor(adopting: raw)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder("busy").utf8) }
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        try #require(bound == 0 && listen(raw, 0) == 0)
        _ = try UnixStream.connect(to: folder("busy"), within: .seconds(5))  // fills the queue of one
        let started = Clocks.bootMicroseconds()
        #expect(throws: UnixSocketError.timedOut(path: folder("busy"))) {
            _ = try UnixStream.connect(to: folder("busy"), within: .milliseconds(200))
        }
        let took = Clocks.bootMicroseconds() - started
        #expect(took >= 190_000 && took < 5_000_000)
        withExtendedLifetime(busy) {}
    }
}
