// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import Glibc

/// The daemon, asked over its socket. Waits, but never for ever.
final class DaemonClient {
    /// What the server answered instead of the thing asked for, or why it did not answer.
    enum Failure: Error, Equatable {
        /// Nobody listens there, or the connection broke: the reason for people.
        case unreachable(String)
        /// The socket is closed to this user.
        case forbidden(String)
        case error(VarlinkError)
    }

    /// How long to wait for the connection and for each reply; a long journal takes its time.
    static let connectLimit = Duration.seconds(5)
    static let replyLimit = Duration.seconds(60)

    private let path: String
    private let stream: UnixStream
    private var client = VarlinkClient()

    init(path: String) throws(Failure) {
        self.path = path
        do {
            stream = try UnixStream.connect(to: path, within: Self.connectLimit)
        } catch {
            if case .refused(_, let call) = error, call.code == EACCES { throw .forbidden(error.description) }
            throw .unreachable(error.description)
        }
    }

    /// One call, one reply.
    func call(_ method: String, _ parameters: JSONObject = [:]) throws(Failure) -> JSONObject {
        try send(VarlinkCall(method, parameters))
        guard let reply = try receive(within: Self.replyLimit) else {
            throw .unreachable("the server at \(path) did not answer within \(Self.replyLimit.components.seconds) seconds")
        }
        return reply.parameters
    }

    /// One call with `more`; take the replies with `receive`.
    func start(_ method: String, _ parameters: JSONObject) throws(Failure) {
        try send(VarlinkCall(method, parameters, more: true))
    }

    /// The next reply; nil where none came in time. A nil limit waits until one comes.
    func receive(within limit: Duration?) throws(Failure) -> VarlinkReply? {
        while true {
            do {
                if let (_, reply) = try client.next() {
                    if let name = reply.error { throw Failure.error(VarlinkError(name, reply.parameters)) }
                    return reply
                }
            } catch let failure as Failure {
                throw failure
            } catch {
                throw .unreachable("what answers at \(path) does not speak Varlink: \(error)")
            }
            guard try read(within: limit) else { return nil }
        }
    }

    private func send(_ call: VarlinkCall) throws(Failure) {
        let (_, bytes) = client.call(call)
        do {
            var position = 0
            while position < bytes.count {
                let result = try bytes.withUnsafeBytes { (raw) throws(SystemCallError) in
                    try stream.write(UnsafeRawBufferPointer(rebasing: raw[position...]))
                }
                switch result {
                case .wrote(let count): position += count
                case .full:
                    guard try stream.wait(until: .writable, within: Self.replyLimit) else {
                        throw Failure.unreachable("the server at \(path) takes no more input")
                    }
                case .gone: throw Failure.unreachable("the server at \(path) closed the connection")
                }
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreachable("\(path): \(error)")
        }
    }

    /// Reads once; false where nothing came in time.
    private func read(within limit: Duration?) throws(Failure) -> Bool {
        do {
            guard try stream.wait(until: .readable, within: limit ?? .seconds(1_000_000_000)) else { return false }
            let bytes = try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
                switch try stream.read(into: buffer) {
                case .bytes(let count): Array(buffer[..<count])
                case .nothingYet: [UInt8]()
                case .ended: throw Failure.unreachable("the server at \(path) closed the connection")
                }
            }
            try client.receive(bytes)
            return true
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreachable("\(path): \(error)")
        }
    }
}

extension Invocation {
    /// Connects; where nobody answers, says what to do and exits with 3.
    func connect() throws(CommandFailure) -> DaemonClient {
        do { return try DaemonClient(path: socket) } catch { throw explain(error) }
    }

    /// One call on a connection of its own.
    func ask(_ method: String, _ parameters: JSONObject = [:]) throws(CommandFailure) -> JSONObject {
        let client = try connect()
        do { return try client.call(method, parameters) } catch { throw explain(error) }
    }

    /// One call whose answer may come in several replies.
    func askForMany(_ method: String, _ parameters: JSONObject, _ take: (JSONObject) throws(CommandFailure) -> Void) throws(CommandFailure)
    {
        let client = try connect()
        do {
            try client.start(method, parameters)
            while let reply = try client.receive(within: DaemonClient.replyLimit) {
                try take(reply.parameters)
                if !reply.continues { return }
            }
            throw DaemonClient.Failure.unreachable("the server at \(socket) did not answer in time")
        } catch let failure as DaemonClient.Failure {
            throw explain(failure)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// Whom a command is for, when it was refused.
    private var permitted: String {
        switch command {
        case "assign", "assignment", "bookmark": "the teachers of the class, and for administrators"
        case "note": "the teachers of the class, and for administrators; without --exclude also for the student whose session it is"
        case "done", "handin":
            "the students whom the assignment was set for; teachers answer with 'daybook assignment return' and 'reopen'"
        case "live": "the teachers of the class alone"
        case "report", "show", "sessions": "the teachers of the class, and for administrators"
        default: "administrators: root, and whom 'administrators' under [access] of the configuration names"
        }
    }

    /// In words for whoever typed the command.
    func explain(_ failure: DaemonClient.Failure) -> CommandFailure {
        switch failure {
        case .unreachable(let reason):
            CommandFailure(
                "no Daybook server: \(reason)\nIs it running?  systemctl status daybookd.socket daybookd.service\n"
                    + "Another place is named with --socket PATH or DAYBOOK_SOCKET; 'daybook doctor' looks for what is wrong.",
                code: .noDaemon)
        case .forbidden(let reason):
            CommandFailure(
                "no Daybook server that you may reach: \(reason)\nEverybody needs the socket with mode 0666, and its folder with 0755; "
                    + "ask whoever looks after this server.",
                code: .noDaemon)
        case .error(let error): explain(error)
        }
    }

    private func explain(_ error: VarlinkError) -> CommandFailure {
        func text(_ key: String) -> String { shown(error.parameters[key]?.stringValue ?? "?") }
        let candidates = (error.parameters["candidates"]?.arrayValue ?? []).compactMap(\.stringValue)
        let list = candidates.isEmpty ? "" : ":\n" + candidates.map { "  " + shown($0) }.joined(separator: "\n")
        switch error.name {
        case "org.daybook.Classroom.Refused", "org.daybook.ClassKit.InvalidArgument", "org.daybook.ClassKit.LimitReached",
            "org.daybook.ClassKit.Refused":
            // Each mistake of a quiz key has a line of its own.
            let reason = error.parameters["reason"]?.stringValue ?? "?"
            return CommandFailure(
                reason.split(separator: "\n", omittingEmptySubsequences: false).map { shown(String($0)) }.joined(separator: "\n"))
        case "org.daybook.Classroom.ChangedMeanwhile":
            return CommandFailure(
                "\(text("by")) has changed it meanwhile (it is edition \(error.parameters["edition"]?.integerValue ?? 0) now), so nothing was "
                    + "changed; look at it again with 'daybook assignment show'")
        case "org.daybook.Classroom.NoSuchClass", "org.daybook.Reports.NoSuchClass":
            return CommandFailure(
                "no class '\(text("name"))'" + (candidates.isEmpty ? "; 'daybook classes' lists yours" : "; there are" + list))
        case "org.daybook.Classroom.NoSuchBookmark", "org.daybook.Classroom.NoSuchSession":
            return CommandFailure("there is none of that number, or it is not yours to see")
        case "org.daybook.Reports.NoSuchAssignment", "org.daybook.Classroom.NoSuchAssignment":
            let lists = ["done", "handin"].contains(command) ? "me' shows yours" : "report' lists the ones you may see"
            let hint = candidates.isEmpty ? "; 'daybook \(lists)" : "; did you mean" + list
            return CommandFailure("no assignment '\(text("name"))'\(hint)")
        case "org.daybook.Journal.NoSuchPerson":
            return CommandFailure("no person '\(text("name"))' in the journal\(candidates.isEmpty ? "" : "; did you mean" + list)")
        case "org.daybook.Journal.StillInClass":
            return CommandFailure("'\(text("login"))' is in a class now; give --in-class to forget what was until now")
        case "org.daybook.Reports.NoSuchPerson", "org.daybook.Classroom.NoSuchPerson":
            // Whom the server knows by no login it calls by their number.
            if error.parameters["name"]?.stringValue == String(geteuid()) {
                return CommandFailure(
                    "the server does not know who you are: no account (getent passwd) and no [[person]] of its configuration has your "
                        + "user number, \(geteuid())")
            }
            let hint = candidates.isEmpty ? "'daybook report ASSIGNMENT' lists a class, 'daybook me' shows yourself" : "did you mean" + list
            return CommandFailure("no person '\(text("name"))' among those you may see; \(hint)")
        case "org.daybook.Reports.AmbiguousName", "org.daybook.Journal.AmbiguousName", "org.daybook.Classroom.AmbiguousName":
            return CommandFailure("'\(text("name"))' fits several; write more of it\(list)")
        case "org.daybook.Reports.RuleOutOfRange": return CommandFailure("nothing can be computed by this rule: \(text("reason"))")
        case "org.daybook.Reports.ViewAsIsOff":
            return CommandFailure("--as works only where the configuration has 'view-as = true' under [access], as in a demonstration")
        case "org.daybook.Reports.LiveIsOff":
            return CommandFailure(
                "who is working now is shown to nobody here: the school has not switched it on ('enabled = true' under [live] of the "
                    + "configuration); 'daybook report' has what was done")
        case "org.daybook.Classroom.ImportRefused": return CommandFailure("nothing was imported: \(text("reason"))")
        case "org.daybook.Reports.StoreFailing", "org.daybook.Journal.StoreFailing", "org.daybook.Classroom.StoreFailing":
            return CommandFailure("the Daybook journal cannot be used just now (\(text("reason"))); nothing was changed")
        case "org.varlink.service.PermissionDenied":
            return CommandFailure(
                "you may not do this: it is for \(permitted)")
        case "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented",
            "org.varlink.service.InvalidParameter":
            return CommandFailure(
                "the server does not understand the question (\(error.name) \(error.parameters["parameter"]?.stringValue ?? "")); "
                    + "it is of another version than this program (\(DaybookVersion.text)): compare 'daybook status'")
        default: return CommandFailure("the server answered \(error.name) \(JSONValue.object(error.parameters).text)")
        }
    }
}
