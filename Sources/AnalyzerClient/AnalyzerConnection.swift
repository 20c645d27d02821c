// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import CDaybookLinux
import DaybookJSON
package import DaybookLinux
import Glibc

/// Why the analyzer service gave no reply. A document that cannot be measured is no such error: that is in the reply.
package enum AnalyzerClientError: Error, Equatable, Sendable, CustomStringConvertible {
    case cannotConnect(path: String, SystemCallError)
    case cannotStart(program: String, errno: Int32)
    /// It ended or closed the connection: connect or start it anew.
    case connectionLost(reason: String)
    /// No reply in time. The connection is still good; a late reply is skipped.
    case timedOut(seconds: Int64)
    /// It said something that is not of this protocol: close the connection.
    case malformedReply(reason: String)

    package var description: String {
        switch self {
        case .cannotConnect(let path, let error):
            "cannot reach the analyzer service at \(path): \(error); documents are not measured until it runs"
        case .cannotStart(let program, let code):
            "cannot start the analyzer \(program): \(errnoText(code)); documents are not measured until it can be"
        case .connectionLost(let reason): "the analyzer service went away (\(reason)); the document is measured again at its next save"
        case .timedOut(let seconds): "the analyzer service gave no reply in \(seconds) s"
        case .malformedReply(let reason): "the analyzer service sent what is no reply: \(reason)"
        }
    }
}

/// A connection to the analyzer service, for one thread that may block: the copier, never the loop.
package final class AnalyzerConnection {
    /// Larger than the service's own time limit for one document, so that its reply comes first.
    package static let standardTimeout: Int64 = 60

    private let socket: OwnedDescriptor
    /// The service where we started it ourselves.
    private let process: pid_t?
    private var unread: [UInt8] = []
    private var nextID: Int64 = 1
    /// Asked twice a second while a reply is awaited: true ends the wait as if its time were over.
    package var givesUp: (() -> Bool)?

    /// Takes over a connected stream socket.
    package convenience init(adopting socket: consuming OwnedDescriptor) { self.init(socket: socket, process: nil) }

    private init(socket: consuming OwnedDescriptor, process: pid_t?) {
        self.socket = socket
        self.process = process
    }

    deinit {
        guard let process else { return }
        // It ends what it has started, and then itself: at once, unless the machine is very busy.
        _ = kill(process, SIGTERM)
        for _ in 0..<200 {
            if waitpid(process, nil, WNOHANG) != 0 { return }
            _ = poll(nil, 0, 10)
        }
        _ = kill(process, SIGKILL)
        while waitpid(process, nil, 0) == -1, errno == EINTR {}
    }

    /// Connects to the service's socket.
    package static func connect(to path: String) throws(AnalyzerClientError) -> AnalyzerConnection {
        do {
            let raw = try systemCall("connect") { Int(daybook_connect_stream(path)) }
            return AnalyzerConnection(adopting: OwnedDescriptor(adopting: Int32(raw)))
        } catch {
            throw .cannotConnect(path: path, error)
        }
    }

    /// Starts the program as our own child with all capability sets cleared and one socket, its descriptor 3, for where there is no systemd.
    /// It ends with this object.
    package static func start(program: String, arguments: [String] = []) throws(AnalyzerClientError) -> AnalyzerConnection {
        var ends: [Int32] = [-1, -1]
        guard daybook_stream_pair(0, &ends) == 0 else { throw .cannotStart(program: program, errno: errno) }
        let ours = OwnedDescriptor(adopting: ends[0])
        let theirs = OwnedDescriptor(adopting: ends[1])
        var process: pid_t = 0
        let code = withCStrings([program, "--fd", "3"] + arguments) { arguments in
            // A fixed environment: nothing of ours is the analyzer's business.
            withCStrings(["LANG=C.UTF-8", "PATH=/usr/bin:/bin"]) { environment in
                theirs.withRaw { daybook_spawn_unprivileged(program, arguments, environment, $0, &process) }
            }
        }
        guard code == 0 else { throw .cannotStart(program: program, errno: code) }
        return AnalyzerConnection(socket: ours, process: process)
    }

    /// The process id of a service that we started.
    package var processID: Int32? { process }

    /// Has one document measured and waits for the reply.
    package func measure(
        _ document: SealedMemory, name: String, analyzers: [String] = [], key: AnswerKey? = nil,
        timeoutSeconds: Int64 = standardTimeout
    ) throws(AnalyzerClientError) -> Measurement {
        try measure(document, AnalyzerRequest(id: 0, name: name, analyzers: analyzers, key: key), timeoutSeconds: timeoutSeconds)
    }

    /// The same with all that may be asked; the request's `id` is set here.
    package func measure(
        _ document: SealedMemory, _ asked: AnalyzerRequest, timeoutSeconds: Int64 = standardTimeout
    ) throws(AnalyzerClientError) -> Measurement {
        let deadline = Clocks.bootMicroseconds() + timeoutSeconds * 1_000_000
        var request = asked
        request.id = nextID
        nextID += 1
        try send(request, document)
        while true {
            let reply = try receiveMessage(deadline: deadline, timeoutSeconds: timeoutSeconds)
            let value: JSONValue
            do { value = try JSONValue(parsing: reply) } catch { throw .malformedReply(reason: "\(error)") }
            guard value["version"]?.integerValue == AnalyzerMessages.version, let id = value["id"]?.integerValue else {
                throw .malformedReply(reason: "no version \(AnalyzerMessages.version) or no id")
            }
            // The reply to a request that we no longer wait for.
            if id != request.id { continue }
            guard let measurement = Measurement(json: value) else { throw .malformedReply(reason: "members are missing") }
            return measurement
        }
    }

    private func send(_ request: AnalyzerRequest, _ document: SealedMemory) throws(AnalyzerClientError) {
        var bytes: [UInt8] = []
        request.json.encode(into: &bytes)
        bytes.append(0)
        var rest = bytes[...]
        do {
            // The descriptor travels with the first bytes.
            let sent = try document.descriptor.withRaw { document throws(SystemCallError) in try sendSome(rest, passing: document) }
            rest = rest.dropFirst(sent)
            while !rest.isEmpty { rest = rest.dropFirst(try sendSome(rest, passing: -1)) }
        } catch {
            throw .connectionLost(reason: "\(error)")
        }
    }

    private func sendSome(_ bytes: ArraySlice<UInt8>, passing descriptor: Int32) throws(SystemCallError) -> Int {
        try socket.withRaw { socket throws(SystemCallError) in
            try systemCall("sendmsg") {
                bytes.withUnsafeBytes { daybook_send_passing(socket, $0.baseAddress, $0.count, descriptor) }
            }
        }
    }

    private func receiveMessage(deadline: Int64, timeoutSeconds: Int64) throws(AnalyzerClientError) -> [UInt8] {
        var searched = 0
        while true {
            if let end = unread[searched...].firstIndex(of: 0) {
                let message = Array(unread[..<end])
                unread.removeSubrange(...end)
                return message
            }
            searched = unread.count
            guard unread.count <= AnalyzerMessages.replyLimit else {
                throw .malformedReply(reason: "longer than \(AnalyzerMessages.replyLimit) bytes")
            }
            try waitReadable(deadline: deadline, timeoutSeconds: timeoutSeconds)
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            let got: Int
            do {
                got = try socket.withRaw { socket throws(SystemCallError) in
                    try systemCall("recv") { buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) } }
                }
            } catch {
                throw .connectionLost(reason: "\(error)")
            }
            if got == 0 { throw .connectionLost(reason: "the connection was closed") }
            unread.append(contentsOf: buffer[..<got])
        }
    }

    private func waitReadable(deadline: Int64, timeoutSeconds: Int64) throws(AnalyzerClientError) {
        while true {
            let left = deadline - Clocks.bootMicroseconds()
            guard left > 0, givesUp?() != true else { throw .timedOut(seconds: timeoutSeconds) }
            let slice = givesUp == nil ? left : min(left, 500_000)
            let ready = socket.withRaw { socket in
                var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                return poll(&wanted, 1, Int32(clamping: slice / 1000 + 1))
            }
            if ready > 0 { return }
            let code = errno
            if ready == -1, code != EINTR { throw .connectionLost(reason: errnoText(code)) }
        }
    }
}

/// Lends strings as C has them for `execve`: an array of pointers that ends in NULL.
private func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("an array with an element has an address") }
        return body(base)
    }
}
