// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import Dispatch
import Foundation

/// The connection to the daemon: made when it is first needed, kept open, and made anew where it broke. One call at a time.
final class Wire: Sendable {
    /// Calls are made on this queue only, in the order in which they were asked for.
    let queue = DispatchQueue(label: "org.daybook.ClassKit")
    private let path: String
    /// Owned by the queue.
    nonisolated(unsafe) private var connection: Connection?
    /// Told on the queue when a connection is gone that was there. Set once, before the first call.
    nonisolated(unsafe) var onLoss: () -> Void = {}

    static let connectLimit = Duration.seconds(5)
    static let replyLimit = Duration.seconds(30)

    init(path: String) { self.path = path }

    /// Makes the calls on one connection, on the queue. Where a connection that was there breaks, all are made once more on a new one: every call of the interface may be
    /// repeated.
    func call(_ calls: [(method: String, parameters: JSONObject)]) throws(CLSError) -> [JSONObject] {
        dispatchPrecondition(condition: .onQueue(queue))
        if let former = connection {
            do { return try former.call(calls) } catch {
                guard case .broken = error else { throw error.explained(path) }
                connection = nil
                onLoss()
            }
        }
        do {
            let fresh = try Connection(path: path)
            let replies = try fresh.call(calls)
            connection = fresh
            return replies
        } catch {
            throw error.explained(path)
        }
    }

    /// Does something on the queue and waits for it; why it failed, nil where it did not.
    func failure(_ body: () throws(CLSError) -> Void) -> CLSError? {
        queue.sync { () -> CLSError? in
            do throws(CLSError) {
                try body()
                return nil
            } catch {
                return error
            }
        }
    }

    /// One call.
    func call(_ method: String, _ parameters: JSONObject) throws(CLSError) -> JSONObject {
        try call([(method, parameters)]).first ?? [:]
    }
}

/// One connection. Any failure but an answer ends it.
private final class Connection {
    enum Failure: Error {
        /// The connection broke, or none can be had.
        case broken(String)
        case forbidden(String)
        case answer(VarlinkError)

        func explained(_ path: String) -> CLSError {
            switch self {
            case .broken(let reason):
                CLSError(
                    .databaseInaccessible, "the Daybook server cannot be reached; what was not saved is kept for the next save (\(reason))")
            case .forbidden(let reason): CLSError(.authorizationDenied, "the Daybook server's socket is closed to this user (\(reason))")
            case .answer(let error): CLSError(error)
            }
        }
    }

    private let stream: UnixStream
    private var client = VarlinkClient()

    init(path: String) throws(Failure) {
        do {
            stream = try UnixStream.connect(to: path, within: Wire.connectLimit)
        } catch {
            if case .refused(_, let call) = error, call.code == EACCES { throw .forbidden(error.description) }
            throw .broken(error.description)
        }
    }

    func call(_ calls: [(method: String, parameters: JSONObject)]) throws(Failure) -> [JSONObject] {
        var replies: [JSONObject] = []
        for call in calls {
            try send(client.call(VarlinkCall(call.method, call.parameters)).bytes)
            replies.append(try receive())
        }
        return replies
    }

    private func send(_ bytes: [UInt8]) throws(Failure) {
        do {
            var position = 0
            while position < bytes.count {
                let result = try bytes.withUnsafeBytes { (raw) throws(SystemCallError) in
                    try stream.write(UnsafeRawBufferPointer(rebasing: raw[position...]))
                }
                switch result {
                case .wrote(let count): position += count
                case .full:
                    guard try stream.wait(until: .writable, within: Wire.replyLimit) else { throw Failure.broken("it takes no more input") }
                case .gone: throw Failure.broken("it closed the connection")
                }
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .broken("\(error)")
        }
    }

    private func receive() throws(Failure) -> JSONObject {
        do {
            while true {
                if let (_, reply) = try client.next() {
                    guard let name = reply.error else { return reply.parameters }
                    throw Failure.answer(VarlinkError(name, reply.parameters))
                }
                guard try stream.wait(until: .readable, within: Wire.replyLimit) else { throw Failure.broken("it does not answer") }
                let bytes = try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
                    switch try stream.read(into: buffer) {
                    case .bytes(let count): Array(buffer[..<count])
                    case .nothingYet: [UInt8]()
                    case .ended: throw Failure.broken("it closed the connection")
                    }
                }
                try client.receive(bytes)
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .broken("\(error)")
        }
    }
}

extension CLSError {
    /// What the daemon answered instead of the thing asked for.
    init(_ error: VarlinkError) {
        let reason = error.parameters["reason"]?.stringValue
        switch error.name {
        case "org.daybook.ClassKit.NotOnShare":
            self.init(.invalidArgument, "\(error.parameters["path"]?.stringValue ?? "the file") is in no folder that Daybook watches")
        case "org.daybook.ClassKit.InvalidArgument", "org.varlink.service.InvalidParameter":
            self.init(.invalidArgument, reason ?? "the Daybook server does not take this call")
        case "org.daybook.ClassKit.LimitReached": self.init(.limits, reason ?? "a limit of the Daybook server was reached")
        case "org.daybook.ClassKit.Refused", "org.daybook.Classroom.Refused":
            self.init(.invalidUpdate, reason ?? "the Daybook server refused it")
        case "org.daybook.Classroom.NoSuchClass": self.init(.invalidArgument, "no such class, or one has to be named")
        case "org.daybook.ClassKit.StoreFailing", "org.daybook.Classroom.StoreFailing":
            self.init(
                .databaseInaccessible, "the Daybook journal cannot be written just now; save again later (\(reason ?? "no reason given"))")
        case "org.varlink.service.PermissionDenied": self.init(.authorizationDenied, "this user may not do this")
        case "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
            self.init(.classKitUnavailable, "the Daybook server is too old for ClassKit")
        default: self.init(.databaseInaccessible, "the Daybook server answered \(error.name)")
        }
    }
}
