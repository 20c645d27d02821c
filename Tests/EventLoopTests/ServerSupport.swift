// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop
import Glibc

/// A server on its own socket, its loop, and what it told.
final class ServerUnderTest {
    let folder: TemporaryFolder
    let loop: EventLoop
    let delegate = RecordingDelegate()
    let server: ClientServer

    init(_ adjust: (inout ClientLimits) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        loop = try EventLoop()
        var limits = ClientLimits()
        adjust(&limits)
        server = try ClientServer(
            loop: loop, listeners: [UnixListener.listen(at: folder("s"), mode: 0o666)], limits: limits, delegate: delegate)
    }

    /// Connects, and waits until the server has taken or refused it.
    func connect() throws -> TestClient {
        let before = delegate.connected.count + delegate.refused.count
        let client = TestClient(try UnixStream.connect(to: folder("s"), within: .seconds(5)))
        guard try loop.turn(until: { delegate.connected.count + delegate.refused.count > before }) else {
            throw TestFailure("not accepted")
        }
        if delegate.connected.count > 0 { client.id = delegate.connected[delegate.connected.count - 1].id }
        return client
    }

    /// Sends that many bytes to a client.
    func send(_ count: Int, to client: TestClient) -> Bool { server.send(letters(count), to: client.id) }

    func received(_ client: TestClient) -> [UInt8] { delegate.received[client.id] ?? [] }

    /// Why it was closed, once that has happened.
    func reason(_ client: TestClient, within limit: Duration = .seconds(10)) throws -> ClosingReason? {
        _ = try loop.turn(within: limit) { delegate.reason(client.id) != nil }
        return delegate.reason(client.id)
    }
}

/// The other end, in the test's hand.
final class TestClient {
    private var stream: UnixStream?
    var id = ClientID(number: 0)

    init(_ stream: consuming UnixStream) { self.stream = consume stream }

    /// How many bytes went; nil where the server is gone.
    @discardableResult
    func write(_ bytes: [UInt8]) throws -> Int? {
        switch try stream?.write(bytes) {
        case .wrote(let count): return count
        case .full: return 0
        case .gone, .none: return nil
        }
    }

    /// Everything that is there now; nil at the end.
    func read(upTo limit: Int = 1 << 20) throws -> [UInt8]? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
        defer { buffer.deallocate() }
        switch try stream?.read(into: buffer) {
        case .bytes(let count): return Array(buffer.prefix(count))
        case .nothingYet: return []
        case .ended, .none: return nil
        }
    }

    func finishSending() { stream?.finishSending() }

    func hangUp() { stream = nil }
}

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

func letters(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "a"), count: count) }
