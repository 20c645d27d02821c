// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import JournalStore
import Ledger
import Reports
import Settings

/// A call that changes something: it is answered once its entry is on the disk.
struct WaitingSwitch {
    enum Change {
        case recording(RecordingChange)
        /// `changes`: how often the assignment's rule will have been changed, as another may change it at the same moment.
        case rule(RecomputedRule, changes: Int)
    }

    var client: ClientID
    var call: VarlinkConnection.CallID
    var change: Change
}

extension Daemon {
    // MARK: Rules

    /// The rules to show these assignments' figures by: none where the call asks for none.
    func askedRule(_ parameters: JSONObject, for assignments: some Sequence<AssignmentID>) throws(VarlinkError) -> [AssignmentID: Rule] {
        guard let asked = parameters["rule"] else { return [:] }
        var rules: [AssignmentID: Rule] = [:]
        for id in assignments {
            guard let own = ledger.assignment(id)?.facts.rule else { continue }
            rules[id] = try rule(asked, own: own)
        }
        return rules
    }

    private func rule(_ asked: JSONValue, own: Rule) throws(VarlinkError) -> Rule {
        let choice: RuleChoice
        do { choice = try RuleChoice(json: asked) } catch { throw .invalidParameter("rule.\(error.member)") }
        do {
            return try choice.applied(own: own, configured: settings.rule)
        } catch {
            throw VarlinkError("org.daybook.Reports.RuleOutOfRange", ["reason": .string(error.description)])
        }
    }

    func recompute(_ parameters: JSONObject, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        // Whose table it is not, for them there is no such assignment.
        let record = try assignment(named: parameters["assignment"]?.stringValue ?? "", viewer)
        guard viewer.maySeeTable(of: record.facts) else { throw .permissionDenied }
        // As it was decided last, also where the disk has not confirmed it yet.
        let before = recorder.ahead.assignment(record.id)?.facts.rule ?? record.facts.rule
        let rule = try rule(parameters["rule"] ?? .null, own: before)
        if let storageTrouble { throw storeFailing(storageTrouble, "org.daybook.Reports") }
        let entries = recorder.recompute(
            record.id, by: RuleChange(before: before, by: viewer.uid, byLogin: login(of: viewer)), to: rule, at: HostClock.boot())
        let answer = RecomputedRule(assignment: record.id, title: record.facts.title, before: before, rule: rule)
        guard !entries.isEmpty else { return reply(client, id, answer.json) }
        submit(entries)
        let changes = recorder.ahead.assignment(record.id)?.ruleChanges.count ?? 0
        waitingSwitches.append(WaitingSwitch(client: client.client.id, call: id, change: .rule(answer, changes: changes)))
    }

    func login(of viewer: Viewer) -> String { viewer.person?.login ?? (viewer.uid == 0 ? "root" : String(viewer.uid)) }

    // MARK: Recording

    func setRecording(_ parameters: JSONObject, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        guard viewer.isAdministrator else { throw .permissionDenied }
        guard let state = parameters["state"]?.stringValue.flatMap(RecordingChange.State.init(rawValue:)) else {
            throw .invalidParameter("state")
        }
        if let storageTrouble { throw storeFailing(storageTrouble, "org.daybook.Reports") }
        var person: PersonID?
        if let name = parameters["person"]?.stringValue { person = try self.person(named: name, viewer) }
        let change = RecordingChange(state: state, person: person, by: viewer.uid)
        let entries = recorder.switchRecording(change, at: HostClock.boot())
        guard !entries.isEmpty else { return reply(client, id, ["recording": recordingStatus(true).json]) }
        submit(entries)
        // Where it is for school only, it waits for that.
        if person == nil { obeySchool() }
        // What was recorded of somebody goes with the permission to record.
        if let person, state == .off { eraseWork(of: person, by: viewer) }
        waitingSwitches.append(WaitingSwitch(client: client.client.id, call: id, change: .recording(change)))
    }

    /// Called after entries became durable.
    func answerWaitingSwitches(after entries: [DurableEntry]) {
        // Each entry answers the call that it was made for: with opposite calls at one moment the state is another again by now.
        var switched = entries.compactMap { if case .recording(let change) = $0.entry.body { change } else { nil } }
        let done = waitingSwitches.filter { waiting in
            switch waiting.change {
            case .recording(let change):
                guard let index = switched.firstIndex(of: change) else { return false }
                switched.remove(at: index)
                return true
            case .rule(let answer, let changes): return ledger.assignment(answer.assignment).map { $0.ruleChanges.count >= changes } ?? true
            }
        }
        guard !done.isEmpty else { return }
        waitingSwitches.removeAll { waiting in done.contains { $0.client == waiting.client && $0.call == waiting.call } }
        for waiting in done {
            guard let client = clients[waiting.client] else { continue }
            switch waiting.change {
            case .recording: reply(client, waiting.call, ["recording": recordingStatus(true).json])
            case .rule(let answer, _): reply(client, waiting.call, answer.json)
            }
        }
    }

    func failWaitingSwitches(_ reason: String) {
        let failed = waitingSwitches
        waitingSwitches = []
        for waiting in failed {
            if let client = clients[waiting.client] { fail(client, waiting.call, storeFailing(reason, "org.daybook.Reports")) }
        }
    }

    func storeFailing(_ reason: String, _ interface: String) -> VarlinkError {
        VarlinkError("\(interface).StoreFailing", ["reason": .string(reason)])
    }
}
