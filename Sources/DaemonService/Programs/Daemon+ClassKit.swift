// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import Inference
import Ledger
import Settings

extension Daemon {
    func classKit(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let uid = client.client.credentials.uid
        // What somebody reports must not be dropped because the directory service has not answered yet.
        let isUnknown = uid != Viewer.overflowUID && directory.person(uid: uid) == nil && askedUIDs.contains(uid)
        if isUnknown || !programs.isRosterKnown {
            programs.waiting.append(ProgramsState.Waiting(client: client.client.id, id: id, call: call))
            return
        }
        try answerProgram(call, id: id, client: client)
    }

    func serveWaitingPrograms() {
        guard !programs.waiting.isEmpty else { return }
        let waiting = programs.waiting
        programs.waiting = []
        for one in waiting {
            guard let client = clients[one.client] else { continue }
            dispatch(one.call, id: one.id, client: client)
        }
    }

    private func answerProgram(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let parameters = call.parameters
        recorder.use(time: HostClock.wall())
        switch call.name {
        case "Save": try saveProgram(parameters, id, client)
        case "GetContexts":
            let store = try programReader.store(parameters)
            let path = programReader.path(parameters["path"])
            guard path.count <= ProgramLimits.depth else { throw .invalidArgument("a path has at most \(ProgramLimits.depth) identifiers") }
            let found = contexts(of: store, client)?.chain(to: path) ?? []
            reply(client, id, ["contexts": .array(found.map(\.programJSON))])
        case "ListContexts": try listContexts(parameters, id, client)
        case "GetActivity": try currentActivity(parameters, id, client)
        case "IsAssigned":
            let store = try programReader.store(parameters)
            let isAssigned =
                store.isDevelopment
                ? developer(client).role == .student : assignedDocument(parameters["document"]?.stringValue ?? "", client) != nil
            reply(client, id, ["assigned": .bool(isAssigned)])
        case "CompleteAssigned": try completeAssigned(parameters, id, client)
        case "Submit": try submitDocument(parameters, id, client)
        case "Withdraw": try withdrawDocument(parameters, id, client)
        case "GetNotices": try startingNotices(parameters, id, client)
        case "GetLink": try link(parameters, id, client)
        case "DeveloperRole", "DeveloperReset": try developerCall(call, id, client)
        default: throw .methodNotImplemented(call.method)
        }
    }

    /// What the clock of a machine that reaches the socket through ssh may be ahead.
    private static let clockDifference = Duration.seconds(86_400)

    var programReader: ProgramParameters {
        let read = AssignmentParameters(shares: recorder.shares) { name throws(VarlinkError) in throw .invalidParameter(name) }
        return ProgramParameters(place: { read.place($0) }, latest: HostClock.wall() + Self.clockDifference)
    }

    // MARK: Looking

    private func contexts(of store: ProgramParameters.Store, _ client: ClientState) -> ContextTree? {
        (store.isDevelopment ? developer(client).ledger : ledger).contextTree(of: store.app)
    }

    /// Bytes of contexts in one reply, roughly.
    private static let listedBytes = 256 << 10

    private func listContexts(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        let store = try programReader.store(parameters)
        let after = parameters["after"].map { programReader.path($0) }
        var listed: [JSONValue] = []
        var bytes = 0
        var isMore = false
        for facts in contexts(of: store, client)?.all ?? [] {
            if let after, !after.lexicographicallyPrecedes(facts.ref.path) { continue }
            if bytes >= Self.listedBytes {
                isMore = true
                break
            }
            let json = facts.programJSON
            bytes += json.roughSize
            listed.append(json)
        }
        reply(client, id, ["contexts": .array(listed), "rest": .bool(isMore)])
    }

    private func currentActivity(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        let store = try programReader.store(parameters)
        let viewer = viewer(of: client.client)
        let subject: ReportFacts.Subject
        do throws(ProgramRefusal) {
            switch try programReader.subject(parameters["subject"] ?? .null) {
            case .context(let path): subject = .context(path)
            case .document(let document?, _): subject = .document(document)
            case .document(nil, let path):
                guard store.isDevelopment else { throw ProgramRefusal(.invalidUpdate, path) }
                subject = .document(Self.unwatched(path))
            }
        } catch {
            throw error.code == .invalidUpdate ? .notOnShare(error.reason) : .invalidArgument(error.reason)
        }
        let record =
            store.isDevelopment
            ? developer(client).current(of: viewer.uid, login: login(of: viewer), app: store.app, subject: subject)
            : viewer.person.flatMap { ledger.currentReport(of: $0, app: store.app, subject: subject) }
        guard let facts = record?.facts else { return reply(client, id, ["activity": .null]) }
        var attempt = facts.attempt
        // A timer belongs to the connection that saved it.
        attempt.isRunning = programs.running[ProgramsState.Key(facts)]?.client == client.client.id
        reply(client, id, ["activity": attempt.programJSON])
    }

    /// In the development environment any file can be worked on.
    static func unwatched(_ path: String) -> DocumentRef { DocumentRef(share: "", path: PathBytes(path)) }

    private func link(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        let whole = programReader.path(parameters["path"])
        guard let app = whole.first, ContextRef.isApp(app) else { throw .invalidArgument("a path begins with the app") }
        let ref = ContextRef(app: app, path: Array(whole.dropFirst()))
        do throws(ProgramRefusal) { if !ref.path.isEmpty { try ref.check() } } catch { throw .invalidArgument(error.reason) }
        let store = ProgramParameters.Store(app: app, isDevelopment: parameters["environment"]?.stringValue == "development")
        let facts = contexts(of: store, client)?[ref.path]
        reply(
            client, id,
            ["title": .optional(facts?.title), "url": .string(ref.url), "universalLink": .optional(facts?.universalLink)])
    }
}

extension ContextRef {
    /// `daybook://APP/IDENTIFIER/IDENTIFIER`
    package var url: String { "daybook://" + ([app] + path).map(Self.encoded).joined(separator: "/") }

    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }
}
