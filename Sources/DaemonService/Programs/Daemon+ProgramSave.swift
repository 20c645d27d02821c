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
        var pieces = client.saving ?? SaveInPieces(store: store, changes: [], bytes: 0)
        client.saving = nil
        guard pieces.store == store else { throw .invalidArgument("the pieces of one save are for several stores") }
        let changes = parameters["changes"]?.arrayValue ?? []
        pieces.changes += changes
        pieces.bytes += changes.reduce(0) { $0 + $1.roughSize }
        guard pieces.changes.count <= ProgramLimits.changes, pieces.bytes <= ProgramLimits.saveBytes else {
            throw .limitReached("one save has at most \(ProgramLimits.changes) changes and \(ProgramLimits.saveBytes >> 20) MiB")
        }
        if parameters["continues"]?.boolValue ?? false {
            client.saving = pieces
            return reply(client, id, Self.saved([], notices: [], dropped: []))
        }
        let read = programReader
        let objects = pieces.changes.map { read.change($0, app: store.app) }
        let attempts = objects.count { if case .attempt = $0 { true } else { false } }
        guard programs.allows(client.client.credentials.uid, attempts: attempts, at: HostClock.boot()) else {
            throw .limitReached("activities are saved too often: save when something has come to its end, not at every step")
        }
        if store.isDevelopment { return try saveForDeveloper(objects, store, id, client) }
        if let storageTrouble { throw storeFailing(storageTrouble, Self.classKitName) }
        save(objects, app: store.app, id, client)
    }

    private func save(_ objects: [ProgramChange], app: String, _ id: VarlinkConnection.CallID, _ client: ClientState) {
        let viewer = viewer(of: client.client)
        let now = HostClock.boot()
        let user = ProgramUser(
            uid: viewer.uid, login: login(of: viewer), person: viewer.person,
            keepsContexts: viewer.isAdministrator || !viewer.teaches.isEmpty || recorder.policy.roster.isTrial)
        let (save, entries) = recorder.save(objects, program: program(app, client), by: user, known: ledger, at: now)
        let notices = save.reports.filter { facts in
            ledger.report(attempt: facts.attempt.id, of: facts.person, in: facts.assignment) == nil
                && client.noticed.insert(facts.attempt.id).inserted
        }.map { facts -> JSONValue in
            let name = ledger.assignment(facts.assignment)?.facts.className ?? ""
            return notice(facts, className: name.isEmpty ? nil : name)
        }
        for facts in save.reports {
            let key = ProgramsState.Key(facts)
            programs.running[key] =
                facts.attempt.isRunning ? ProgramsState.Running(client: client.client.id, facts: facts, since: now) : nil
        }
        let answer = Self.saved(save.outcomes, notices: notices, dropped: [])
        submit(entries, for: client, id, interface: Self.classKitName) { _ in answer }
    }

    private func program(_ app: String, _ client: ClientState) -> ReportFacts.Program {
        guard let program = client.program else { return ReportFacts.Program(app: app, executable: nil, isListed: false) }
        return ReportFacts.Program(
            app: app, executable: program.path, isListed: settings.classKit.trusted.contains { program.runs($0) })
    }

    private func notice(_ facts: ReportFacts, className: String?) -> JSONValue {
        ["activity": .string(facts.attempt.id), "class": .optional(className), "app": .string(facts.program.app)]
    }

    private static func saved(_ outcomes: [ProgramRefusal?], notices: [JSONValue], dropped: [String]) -> JSONObject {
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

    // MARK: The development environment

    private func saveForDeveloper(
        _ objects: [ProgramChange], _ store: ProgramParameters.Store, _ id: VarlinkConnection.CallID, _ client: ClientState
    ) throws(VarlinkError) {
        var developer = developer(client)
        let objects = objects.map { object in
            guard case .attempt(let attempt, .document(nil, let path)) = object else { return object }
            return .attempt(attempt, of: .document(Self.unwatched(path), path: path))
        }
        let viewer = viewer(of: client.client)
        let (save, new) = developer.save(
            objects, program: program(store.app, client), uid: viewer.uid, login: login(of: viewer), at: HostClock.wall())
        try keep(developer, of: client)
        let dropped = save.drops.map { "\(objects[$0.index].words) was dropped: \(DeveloperStore.sentence(for: $0.why))" }
        let notices = new.map { notice($0, className: DeveloperStore.className) }
        reply(client, id, Self.saved(save.outcomes, notices: notices, dropped: dropped))
    }
}

extension ProgramChange {
    /// What it is, for its developer.
    fileprivate var words: String {
        switch self {
        case .context(let facts): "the context '\(facts.ref.path.joined(separator: "/"))'"
        case .remove(let path): "the removal of the context '\(path.joined(separator: "/"))'"
        case .attempt(_, .context(let path)): "an activity of the context '\(path.joined(separator: "/"))'"
        case .attempt(_, .document(_, let path)): "an activity of \(path)"
        case .mistake: "a change"
        }
    }
}
