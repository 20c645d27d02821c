// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import Glibc
import Synchronization

/// A Varlink server for the program under test, with Daybook's own interfaces: it takes one connection after the other.
final class TestServer: Sendable {
    enum Answer: Sendable {
        case reply(JSONObject, continues: Bool = false)
        case error(VarlinkError)
        /// The server dies in the middle.
        case hangUp
    }

    static let service = VarlinkService(
        interfaces: [DaybookInterfaces.reports, DaybookInterfaces.journal], vendor: "Daybook", product: "Daybook", version: "test", url: "")

    let path: String
    private let state: Shared
    private let thread: WorkerThread

    private final class Shared: Sendable {
        let listener: UnixListener
        let stopping = Atomic(false)
        let calls = Mutex<[VarlinkCall]>([])
        let handle: @Sendable (VarlinkCall) -> [Answer]

        init(listener: UnixListener, handle: @escaping @Sendable (VarlinkCall) -> [Answer]) {
            self.listener = listener
            self.handle = handle
        }
    }

    init(in folder: String, handle: @escaping @Sendable (VarlinkCall) -> [Answer]) throws {
        path = folder + "/daybook.sock"
        let state = Shared(listener: try UnixListener.listen(at: path, mode: 0o600), handle: handle)
        self.state = state
        thread = try WorkerThread(name: "test-server") { Self.run(state) }
    }

    /// What was asked so far.
    var calls: [VarlinkCall] { state.calls.withLock { $0 } }

    func stop() {
        state.stopping.store(true, ordering: .sequentiallyConsistent)
        thread.join()
        state.listener.removeFile()
    }

    private static func run(_ state: Shared) {
        while !state.stopping.load(ordering: .sequentiallyConsistent) {
            let isReady = state.listener.descriptor.withRaw { raw in
                var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 20) > 0
            }
            if isReady, let stream = try? state.listener.accept() { serve(stream, state) }
        }
    }

    private static func serve(_ stream: consuming UnixStream, _ state: Shared) {
        var connection = VarlinkConnection(service: service)
        while !state.stopping.load(ordering: .sequentiallyConsistent) {
            guard (try? stream.wait(until: .readable, within: .milliseconds(20))) == true else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            guard case .bytes(let count) = bytes.withUnsafeMutableBytes({ try? stream.read(into: $0) }) else { return }
            connection.receive(bytes.prefix(count))
            while let event = connection.next() {
                switch event {
                case .send(let bytes): send(bytes, stream)
                case .close: return
                case .call(let id, let call):
                    state.calls.withLock { $0.append(call) }
                    for answer in state.handle(call) {
                        switch answer {
                        case .reply(let parameters, let continues): send(connection.reply(id, parameters, continues: continues), stream)
                        case .error(let error): send(connection.fail(id, error), stream)
                        case .hangUp: return
                        }
                    }
                }
            }
        }
    }

    private static func send(_ bytes: [UInt8], _ stream: borrowing UnixStream) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let result = rest.withUnsafeBytes({ try? stream.write($0) }) else { return }
            switch result {
            case .wrote(let count): rest = rest.dropFirst(count)
            case .full: _ = try? stream.wait(until: .writable, within: .seconds(5))  // a client that stops reading ends the test anyway
            case .gone: return
            }
        }
    }
}
