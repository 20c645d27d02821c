// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import Ledger
import Settings

extension Daemon {
    static let classKitName = "org.daybook.ClassKit"

    func saveProgram(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        let store = try programReader.store(parameters)
        var pieces = client.saving ?? SaveInPieces(store: store, changes: [], bytes: 0, memory: 0)
        client.saving = nil
        guard pieces.store == store else { throw .invalidArgument("the pieces of one save are for several stores") }
        let changes = parameters["changes"]?.arrayValue ?? []
        pieces.changes += changes
        pieces.bytes += changes.reduce(0) { $0 + $1.roughSize }
        pieces.memory += changes.reduce(0) { $0 + $1.roughMemory }
        guard pieces.changes.count <= ProgramLimits.changes, pieces.bytes <= ProgramLimits.saveBytes else {
            throw .limitReached("one save has at most \(ProgramLimits.changes) changes and \(ProgramLimits.saveBytes >> 20) MiB")
        }
        if parameters["continues"]?.boolValue ?? false {
            try keepUnfinished(pieces, client)
            return reply(client, id, Self.saved([], notices: [], dropped: []))
        }
        let read = programReader
        let objects = pieces.changes.map { read.change($0, app: store.app) }
        try allow(pieces, client)
        if store.isDevelopment { return try saveForDeveloper(objects, store, id, client) }
        if let storageTrouble { throw storeFailing(storageTrouble, Self.classKitName) }
        save(objects, app: store.app, id, client)
    }

    /// Pieces wait for the last one in memory: not as many as anybody likes.
    private func keepUnfinished(_ pieces: SaveInPieces, _ client: ClientState) throws(VarlinkError) {
        let uid = client.client.credentials.uid
        var (own, all) = (pieces.memory, pieces.memory)
        for other in clients.values where other !== client {
            guard let bytes = other.saving?.memory else { continue }
            all += bytes
            if other.client.credentials.uid == uid { own += bytes }
        }
        guard own <= ProgramsState.unfinishedBytes, all <= ProgramsState.unfinishedBytesInAll else {
            throw .limitReached("too many unfinished saves wait for their last piece; save again in a moment")
        }
        client.saving = pieces
    }

    private func allow(_ pieces: SaveInPieces, _ client: ClientState) throws(VarlinkError) {
        switch programs.allows(client.client.credentials.uid, pieces.changes, at: HostClock.boot()) {
        case .all: return
        case .fewerActivities:
            throw .limitReached("activities are saved too often: save when something has come to its end, not at every step")
        case .fewerContexts: throw .limitReached("contexts are saved too often: save those that are new or have changed, once")
        }
    }

    private func save(_ objects: [ProgramChange], app: String, _ id: VarlinkConnection.CallID, _ client: ClientState) {
        let viewer = viewer(of: client.client)
        let now = HostClock.boot()
        let user = ProgramUser(
            uid: viewer.uid, login: login(of: viewer), person: viewer.person,
            keepsContexts: viewer.isAdministrator || !viewer.teaches.isEmpty || recorder.policy.roster.isTrial)
        let (save, entries) = recorder.save(objects, program: program(app, client), by: user, known: ledger, at: now)
        let notices = save.reports.compactMap { notice(of: $0.attempt.id, by: $0.person, in: $0.assignment, app: app, client) }
        for facts in save.reports {
            let key = ProgramsState.Key(facts)
            programs.running[key] =
                facts.attempt.isRunning ? ProgramsState.Running(client: client.client.id, facts: facts, since: now) : nil
        }
        let answer = Self.saved(save.outcomes, notices: notices, dropped: [])
        submit(entries, for: client, id, interface: Self.classKitName) { _ in answer }
    }

    func program(_ app: String, _ client: ClientState) -> ReportFacts.Program {
        guard let program = client.program else { return ReportFacts.Program(app: app, executable: nil, isListed: false) }
        return ReportFacts.Program(
            app: app, executable: program.path, isListed: settings.classKit.trusted.contains { isTrusted($0, program) })
    }

    /// A listed file that somebody else than root could exchange is nobody's word but theirs.
    private func isTrusted(_ listed: String, _ program: PeerProgram) -> Bool {
        guard program.runs(listed) else { return false }
        let hand = ForeignHand.on(listed)
        noteTrust(in: listed, hand)
        return hand == nil
    }

    /// Says of each listed program that cannot be trusted why; at the start and whenever the configuration is read.
    func examineListedPrograms() {
        programs.distrusted = []
        for listed in settings.classKit.trusted { noteTrust(in: listed, ForeignHand.on(listed)) }
    }

    private func noteTrust(in listed: String, _ hand: ForeignHand?) {
        guard let hand else { return programs.distrusted = programs.distrusted.filter { $0 != listed } }
        // Once, until it is mended.
        guard programs.distrusted.insert(listed).inserted else { return }
        log.error(
            "a listed program is not trusted", ["executable": .plain(listed), "reason": .plain(hand.description)], id: Messages.notTrusted)
    }

    // MARK: What students are told

    /// What the student has to be told when an activity begins to count: as at its first save, but then, and not only after the work.
    func startingNotices(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        let store = try programReader.store(parameters)
        let attempt = parameters["activity"]?.stringValue ?? ""
        var subject: ReportFacts.Subject
        do throws(ProgramRefusal) {
            try Attempt.check(id: attempt)
            switch try programReader.subject(parameters["subject"] ?? .null) {
            case .context(let path):
                if !path.isEmpty { try ContextRef(app: store.app, path: path).check() }
                subject = .context(path)
            case .document(let document?, _): subject = .document(document)
            case .document(nil, let path): subject = .document(Self.unwatched(path))
            }
        } catch { throw .invalidArgument(error.reason) }
        func answer(_ notices: [JSONValue]) -> JSONObject { ["notices": .array(notices)] }
        let viewer = viewer(of: client.client)
        if store.isDevelopment {
            let developer = developer(client)
            let isNew = developer.isNew(attempt, of: viewer.uid, login: login(of: viewer))
            guard case .counts = developer.standing(of: subject, app: store.app), isNew, client.notices(attempt) else {
                return reply(client, id, answer([]))
            }
            return reply(client, id, answer([notice(attempt, className: DeveloperStore.className, app: store.app)]))
        }
        guard let person = viewer.person, case .counts(let assignments) = recorder.standing(of: subject, app: store.app, person: person)
        else { return reply(client, id, answer([])) }
        reply(client, id, answer(assignments.compactMap { notice(of: attempt, by: person, in: $0, app: store.app, client) }))
    }

    /// Nil where they were told before.
    private func notice(
        of attempt: String, by person: PersonID, in assignment: AssignmentID, app: String, _ client: ClientState
    ) -> JSONValue? {
        guard ledger.report(attempt: attempt, of: person, in: assignment) == nil, client.notices(attempt) else { return nil }
        let name = ledger.assignment(assignment)?.facts.className ?? ""
        return notice(attempt, className: name.isEmpty ? nil : name, app: app)
    }

    func notice(_ attempt: String, className: String?, app: String) -> JSONValue {
        ["activity": .string(attempt), "class": .optional(className), "app": .string(app)]
    }

    static func saved(_ outcomes: [ProgramRefusal?], notices: [JSONValue], dropped: [String]) -> JSONObject {
        [
            "outcomes": .array(outcomes.map { $0?.json ?? ["error": .null, "reason": .null] }), "notices": .array(notices),
            "dropped": .texts(dropped),
        ]
    }

    // MARK: When a program goes

    /// Its timers stand at this moment: the last sign of life that there is.
    func programWent(_ client: ClientID) {
        programs.waiting.removeAll { $0.client == client }
        stopTimers(.programGone) { $0.client == client }
    }

    func stopTimers(_ stop: ReportFacts.Stop, where matches: (ProgramsState.Running) -> Bool = { _ in true }) {
        guard !programs.running.isEmpty else { return }
        let now = HostClock.boot()
        let wall = HostClock.wall()
        for (key, running) in programs.running.filter({ matches($0.value) }).sorted(by: { $0.value.since < $1.value.since }) {
            programs.running[key] = nil
            submit([.reported(recorder.stopped(running.facts, stop, after: now - running.since, wall: wall))])
        }
    }

    /// Nothing more is said of timers whose work is being emptied.
    func dropTimers(where matches: (ReportFacts) -> Bool) {
        programs.running = programs.running.filter { !matches($0.value.facts) }
    }

    /// Found running at the start: what came after the last save nobody knows.
    func stopForgottenTimers() {
        let wall = HostClock.wall()
        submit(ledger.runningReports.map { .reported(recorder.stopped($0.facts, .serviceGone, after: .zero, wall: wall)) })
    }
}

extension ClientState {
    /// Attempts that are remembered as told; beyond that a student may be told twice.
    private static let noticedAtMost = 10_000

    /// True the first time, on this connection.
    func notices(_ attempt: String) -> Bool {
        if noticed.count >= Self.noticedAtMost { noticed = [] }
        return noticed.insert(attempt).inserted
    }
}
