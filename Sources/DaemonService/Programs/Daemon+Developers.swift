// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import Ledger
import Settings

/// Somebody whose call is answered once their store is in its file.
struct WaitingDeveloper {
    var client: ClientID
    var call: VarlinkConnection.CallID
    var answer: JSONObject
}

// The development environment: a store of each caller's own.
extension Daemon {
    private var developerFiles: DeveloperFiles { DeveloperFiles(stateDirectory: settings.server.state) }

    /// As an earlier run of the daemon left them.
    func readDeveloperStores() {
        let (stores, unreadable) = developerFiles.all(at: HostClock.wall())
        programs.developers = stores
        for reason in unreadable { log.error("a development store cannot be read; its owner begins anew", ["reason": .plain(reason)]) }
    }

    func developer(_ client: ClientState) -> DeveloperStore { programs.developers[client.client.credentials.uid] ?? DeveloperStore() }

    func saveForDeveloper(
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
        let dropped = save.drops.map { "\(objects[$0.index].words) was dropped: \(DeveloperStore.sentence(for: $0.why))" }
        let notices = new.filter { client.notices($0.attempt.id) }.map {
            notice($0.attempt.id, className: DeveloperStore.className, app: store.app)
        }
        let answer = Self.saved(save.outcomes, notices: notices, dropped: dropped)
        // What was dropped leaves nothing to write.
        if save.entries.isEmpty { return reply(client, id, answer) }
        try keep(developer, for: client, id, answer)
    }

    func developerCall(_ call: VarlinkCall, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        var store = developer(client)
        guard call.name == "DeveloperRole" else {
            store.reset()
            return try keep(store, for: client, id, [:])
        }
        let role = call.parameters["role"]?.stringValue.flatMap(DeveloperStore.Role.init(rawValue:)) ?? store.role
        let answer: JSONObject = ["role": .string(role.rawValue)]
        if role == store.role { return reply(client, id, answer) }
        store.role = role
        try keep(store, for: client, id, answer)
    }

    /// Answers when it is in its file: then it outlives the daemon.
    private func keep(
        _ store: DeveloperStore, for client: ClientState, _ id: VarlinkConnection.CallID, _ answer: JSONObject
    ) throws(VarlinkError) {
        let uid = client.client.credentials.uid
        // Nothing but the role is worth keeping, and a student is what everybody is at first.
        let kept = store.isNew ? nil : store
        if kept == nil, programs.developers[uid] == nil { return reply(client, id, answer) }
        guard kept == nil || programs.developers[uid] != nil || programs.developers.count < ProgramsState.developersAtMost else {
            throw .limitReached("\(ProgramsState.developersAtMost) people have a development store already; one has to be reset")
        }
        // To make it smaller is never refused.
        if let kept, kept.size > DeveloperStore.mostBytes, kept.size > programs.developers[uid]?.size ?? 0 {
            throw .limitReached(
                "a development store has at most \(DeveloperStore.mostBytes >> 20) MiB; 'daybook developer reset' empties it")
        }
        let number = programs.nextDeveloper
        guard write(DeveloperThread.Request(id: number, uid: uid, store: kept)) else {
            throw storeFailing("too many development stores wait for the disk", Self.classKitName)
        }
        programs.nextDeveloper += 1
        programs.developers[uid] = kept
        programs.waitingDevelopers[number] = WaitingDeveloper(client: client.client.id, call: id, answer: answer)
    }

    /// The thread is there from the first call on: most servers have no developers.
    private func write(_ request: DeveloperThread.Request) -> Bool {
        if programs.developerThread == nil {
            do { programs.developerThread = try DeveloperThread(files: developerFiles, answers: developerAnswers) } catch {
                log.error("development stores cannot be kept", ["reason": .plain(error.description)])
                return false
            }
        }
        return programs.developerThread?.requests.put(request) ?? false
    }

    func handle(_ answer: DeveloperAnswer) {
        guard let waiting = programs.waitingDevelopers.removeValue(forKey: answer.id), let client = clients[waiting.client] else { return }
        guard let failure = answer.failure else { return reply(client, waiting.call, waiting.answer) }
        fail(client, waiting.call, storeFailing("the development store: \(failure)", Self.classKitName))
    }

    /// Whoever is forgotten has no store, either.
    func forgetDeveloper(_ person: PersonID) {
        guard programs.developers.removeValue(forKey: person.uid) != nil else { return }
        let number = programs.nextDeveloper
        programs.nextDeveloper += 1
        if !write(DeveloperThread.Request(id: number, uid: person.uid, store: nil)) {
            log.error("the development store of somebody who is forgotten could not be removed", id: Messages.erasing)
        }
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
