// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaybookJSON
package import DaybookLinux
import DaybookVarlink
package import EventLoop
import Inference
import Ledger
import Settings

/// What is kept for a connected client.
final class ClientState {
    let client: Client
    var connection: VarlinkConnection
    var follower: Follower?
    var live: LiveWatcher?
    /// They will send no more, but wait for answers.
    var hasFinishedSending = false
    /// Their calls wait until those of their uid have rested.
    var isResting = false
    /// The pieces of class lists that came so far.
    var importing: ClassList?
    /// The program at the other end when it connected; nil where it could not be seen.
    var program: PeerProgram?
    /// The pieces of a program's save that came so far.
    var saving: SaveInPieces?
    /// Attempts whose student was told that they are recorded.
    var noticed: Set<String> = []
    /// True while `serve` runs, so that an answer given at once does not nest it.
    var isServing = false

    init(client: Client, connection: VarlinkConnection) {
        self.client = client
        self.connection = connection
    }
}

extension Daemon: ClientServerDelegate {
    package func clientConnected(_ client: Client, server: ClientServer) {
        var limits = VarlinkLimits()
        limits.messageLength = settings.limits.messageSize
        let state = ClientState(client: client, connection: VarlinkConnection(service: service, limits: limits))
        // Now, and not when it reports: a script could become another program in between.
        state.program = PeerProgram.of(client.credentials.pid)
        clients[client.id] = state
        refreshRosterIfOld()
        if directory.person(uid: client.credentials.uid) == nil { lookUp(uid: client.credentials.uid) }
    }

    package func clientSent(_ bytes: [UInt8], client: Client, server: ClientServer) {
        guard let state = clients[client.id] else { return }
        state.connection.receive(bytes)
        serve(state)
    }

    package func clientDrained(_ client: Client, server: ClientServer) {
        guard let state = clients[client.id] else { return }
        followerDrained(state)
    }

    package func clientFinishedSending(_ client: Client, server: ClientServer) {
        // Whoever follows may still read; all others have their answers, or get them before the close.
        guard let state = clients[client.id] else { return }
        if state.connection.activeCall == nil { server.close(client.id, afterFlush: true) } else { state.hasFinishedSending = true }
    }

    package func clientClosed(_ client: Client, reason: ClosingReason, server: ClientServer) {
        if let state = clients.removeValue(forKey: client.id) { endFollowing(state) }
        feedCrowded(uid: client.credentials.uid)
        if clients.isEmpty { allowances = [:] }
        waitingSwitches.removeAll { $0.client == client.id }
        waitingEntries.removeAll { $0.client == client.id }
        programWent(client.id)
        switch reason {
        case .ended, .finished: break
        default: log.notice("a client was cut off", ["reason": .plain(reason.description)])
        }
    }

    package func clientRefused(_ credentials: PeerCredentials, reason: ClosingReason, server: ClientServer) {
        log.notice("a client was refused", ["reason": .plain(reason.description)])
    }

    /// Calls that change something.
    private static let changing: Set<String> = [
        "org.daybook.Reports.SetRecording", "org.daybook.Reports.Recompute", "org.daybook.Journal.Forget",
        "org.daybook.Journal.ForgetAgain", "org.daybook.Classroom.ImportClasses",
        "org.daybook.Classroom.Assign", "org.daybook.Classroom.StartAssignment", "org.daybook.Classroom.ChangeAssignment",
        "org.daybook.Classroom.EndAssignment", "org.daybook.Classroom.ReopenAssignment", "org.daybook.Classroom.ReturnWork",
        "org.daybook.Classroom.MarkDone", "org.daybook.Classroom.HandIn", "org.daybook.Classroom.CreateBookmark",
        "org.daybook.Classroom.RemoveBookmark", "org.daybook.Classroom.NoteSession", "org.daybook.ClassKit.Save",
        "org.daybook.ClassKit.CompleteAssigned", "org.daybook.ClassKit.Submit", "org.daybook.ClassKit.Withdraw",
    ]

    /// Answers what can be answered now.
    func serve(_ state: ClientState) {
        guard !state.isServing else { return }
        state.isServing = true
        defer { state.isServing = false }
        while mayCall(state), let event = state.connection.next() {
            switch event {
            case .send(let bytes): _ = server?.send(bytes, to: state.client.id)
            case .call(let id, let call):
                // Questions of somebody who has left are not worth an answer; what they wanted changed still is.
                if server?.isGone(state.client.id) ?? true, !Self.changing.contains(call.method) {
                    fail(state, id, .methodNotImplemented(call.method))
                    continue
                }
                let began = Clocks.bootMicroseconds()
                dispatch(call, id: id, client: state)
                let now = Clocks.bootMicroseconds()
                allowances[state.client.credentials.uid, default: CallAllowance()].charge(now - began, at: now)
            case .close(let why):
                log.notice("a client broke the protocol", ["reason": .plain(why.description)])
                server?.close(state.client.id, afterFlush: true)
                return
            }
        }
        if state.hasFinishedSending, !state.isResting, state.connection.activeCall == nil {
            server?.close(state.client.id, afterFlush: true)
        }
    }

    // MARK: Whose turn it is

    /// False where the calls of this uid have taken enough of everybody's time for now; then the client is served when they have rested.
    private func mayCall(_ state: ClientState) -> Bool {
        if state.isResting { return false }
        let rest = allowances[state.client.credentials.uid]?.restUntil ?? 0
        guard rest > Clocks.bootMicroseconds() else { return true }
        state.isResting = true
        resting.append(state.client.id)
        server?.hold(state.client.id)
        if restTimer?.armedFor.map({ rest < $0 }) ?? true { restTimer?.arm(at: rest, accuracy: .milliseconds(1)) }
        return false
    }

    func serveRested() {
        let waiting = resting
        resting = []
        for id in waiting {
            guard let state = clients[id] else { continue }
            state.isResting = false
            // May have to rest again at once, behind all others.
            serve(state)
            if !state.isResting { server?.release(id) }
        }
    }

    func reply(_ state: ClientState, _ id: VarlinkConnection.CallID, _ parameters: JSONObject, continues: Bool = false) {
        let bytes = state.connection.reply(id, parameters, continues: continues)
        if !bytes.isEmpty { _ = server?.send(bytes, to: state.client.id) }
        // The next call may have been waiting for this answer.
        if !continues { serve(state) }
    }

    func fail(_ state: ClientState, _ id: VarlinkConnection.CallID, _ error: VarlinkError) {
        let bytes = state.connection.fail(id, error)
        if !bytes.isEmpty { _ = server?.send(bytes, to: state.client.id) }
        serve(state)
    }

    /// Who asks, by what the kernel vouched for at connect.
    func viewer(of client: Client) -> Viewer {
        Viewer(
            uid: client.credentials.uid, groups: Set(client.groups + [client.credentials.gid]),
            administratorGroups: known.administratorGroups, person: directory.person(uid: client.credentials.uid),
            roster: recorder.policy.roster, daemonUID: Self.ownUID, now: HostClock.wall())
    }
}
