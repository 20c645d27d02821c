// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import Inference
import Ledger
import Reports
import Settings

/// A call whose answer is worked out piece by piece, so that others have their turn in between.
final class SlicedCall {
    let client: ClientID
    let call: VarlinkConnection.CallID
    /// Does a little; true once the answer is given.
    let step: (Daemon) -> Bool

    init(client: ClientID, call: VarlinkConnection.CallID, step: @escaping (Daemon) -> Bool) {
        self.client = client
        self.call = call
        self.step = step
    }
}

extension Daemon {
    /// How long sliced calls may keep everybody in one go; then others have as long.
    static let callSlice = Duration.milliseconds(5)

    func slice(_ call: SlicedCall) {
        sliced.append(call)
        if sliced.count == 1 { runSliced() }
    }

    func runSliced() {
        let began = HostClock.boot()
        var now = began
        while let first = sliced.first, now - began < Self.callSlice {
            // Somebody who has left wants no answer any more.
            if clients[first.client] == nil || first.step(self) {
                sliced.removeFirst()
            } else if sliced.count > 1 {
                // Each call has a piece in turn: a long one does not keep the short ones.
                sliced.append(sliced.removeFirst())
            }
            now = HostClock.boot()
        }
        if !sliced.isEmpty { slicedTimer?.arm(at: (now + (now - began)).microseconds, accuracy: .milliseconds(1)) }
    }

    // MARK: My assignments

    func listAssignments(_ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) {
        let ids = visibleAssignments(viewer).map(\.id)
        let now = moment
        var summaries: [JSONValue] = []
        var next = 0
        slice(
            SlicedCall(client: client.client.id, call: id) { daemon in
                guard next < ids.count else {
                    if let client = daemon.clients[client.client.id] { daemon.reply(client, id, ["assignments": .array(summaries)]) }
                    return true
                }
                defer { next += 1 }
                guard let record = daemon.ledger.assignment(ids[next]),
                    let summary = AssignmentSummary(of: record.id, in: daemon.ledger, now: now)
                else { return false }
                let seesRows = viewer.maySeeTable(of: record.facts)
                summaries.append((seesRows ? summary : summary.withoutSmallGroups(minimum: daemon.settings.school.smallGroup)).json)
                return false
            })
    }

    // MARK: Sessions

    /// Rows in one reply to a call with `more`.
    static let sessionsPerReply = 500

    func sessions(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        let parameters = call.parameters
        var filter = SessionFilter()
        filter.since = try instant(parameters, "since")
        filter.until = try instant(parameters, "until")
        if let name = parameters["person"]?.stringValue {
            filter.person = try person(named: name, viewer)
        } else if !viewer.isAdministrator, viewer.teaches.isEmpty {
            guard let own = viewer.person else { throw .permissionDenied }
            filter.person = own
        }
        let asked = filter
        // Whose rows they may see; then one assignment after the other.
        let ids = ledger.allAssignments.filter { record in
            viewer.isAdministrator || viewer.maySeeTable(of: record.facts) || asked.person != nil && asked.person == viewer.person
        }.map(\.id)
        let rules = try askedRule(parameters, for: ids)
        let search = SessionSearch(
            viewer: viewer, filter: asked, document: parameters["document"]?.stringValue, ids: ids, rules: rules, now: moment,
            wantsMore: call.more)
        slice(SlicedCall(client: client.client.id, call: id) { daemon in search.step(daemon, client.client.id, id) })
    }

    func instant(_ parameters: JSONObject, _ key: String) throws(VarlinkError) -> WallTime? {
        guard let text = parameters[key]?.stringValue else { return nil }
        guard let time = WallTime(rfc3339: text) else { throw .invalidParameter(key) }
        return time
    }
}

/// What a call for sessions has found so far.
private final class SessionSearch {
    private let viewer: Viewer
    private let filter: SessionFilter
    private let document: String?
    private let ids: [AssignmentID]
    private let rules: [AssignmentID: Rule]
    private let now: Moment
    private let wantsMore: Bool
    private var nextAssignment = 0
    private var found: [(at: WallTime, id: ActivityID)] = []
    private var isSorted = false
    private var nextRow = 0
    private var rows: [JSONValue] = []

    init(
        viewer: Viewer, filter: SessionFilter, document: String?, ids: [AssignmentID], rules: [AssignmentID: Rule], now: Moment,
        wantsMore: Bool
    ) {
        self.viewer = viewer
        self.filter = filter
        self.document = document
        self.ids = ids
        self.rules = rules
        self.now = now
        self.wantsMore = wantsMore
    }

    /// Rows that are made in one step.
    private static let rowsPerStep = 20

    func step(_ daemon: Daemon, _ client: ClientID, _ call: VarlinkConnection.CallID) -> Bool {
        if nextAssignment < ids.count {
            search(daemon, ids[nextAssignment])
            nextAssignment += 1
            return false
        }
        if !isSorted {
            found.sort { ($0.at, $0.id) < ($1.at, $1.id) }
            isSorted = true
            look(daemon)
            return false
        }
        guard let client = daemon.clients[client] else { return true }
        make(daemon)
        if nextRow == found.count {
            daemon.reply(client, call, ["sessions": .array(rows)])
            return true
        }
        if wantsMore, rows.count >= Daemon.sessionsPerReply {
            daemon.reply(client, call, ["sessions": .array(rows)], continues: true)
            rows = []
        }
        return false
    }

    private func search(_ daemon: Daemon, _ id: AssignmentID) {
        let asked = TimeWindow(from: filter.since, to: filter.until)
        let hidden = HiddenTimes(daemon.settings.school.time, clock: daemon.clock)
        let wide = viewer.isAdministrator ? asked : hidden.widened(asked)
        var filter = filter
        filter.assignment = id
        filter.since = wide.from
        filter.until = wide.to
        for session in daemon.ledger.sessions(filter) where TimeOnTask.confidence(of: session.work) > .none {
            if let document, !Self.isNamed(session.work.document, document) { continue }
            let isOwn = session.person != nil && session.person == viewer.person
            // Of hidden times the days alone decide.
            if isOwn || !hidden.hides(session, in: daemon.ledger), !daemon.ledger.touches(session, asked) { continue }
            found.append((daemon.ledger.openedAt(session), session.id))
        }
    }

    private func make(_ daemon: Daemon) {
        let hidden = HiddenTimes(daemon.settings.school.time, clock: daemon.clock)
        for (_, id) in found[nextRow..<min(nextRow + Self.rowsPerStep, found.count)] {
            nextRow += 1
            // Somebody may have been forgotten since it was found.
            guard let session = daemon.ledger.session(id) else { continue }
            let row = SessionRow(session, in: daemon.ledger, now: now, rule: session.assignment.flatMap { rules[$0] })
            let isOwn = session.person != nil && session.person == viewer.person
            rows.append((isOwn || viewer.isAdministrator ? row : row.hiding(hidden)).json)
        }
    }

    /// Who looked, for those it concerns.
    private func look(_ daemon: Daemon) {
        if let person = filter.person {
            if person != viewer.person { daemon.looked(viewer, at: person, nil, "Sessions") }
        } else if viewer.isAdministrator {
            daemon.looked(viewer, at: nil, nil, "Sessions")
        } else {
            // The tables that they looked into, so that the students of these know, and no others.
            let assignments = Set(found.compactMap { daemon.ledger.session($0.id)?.assignment })
            for assignment in assignments.sorted() { daemon.looked(viewer, at: nil, assignment, "Sessions") }
        }
    }

    /// By the path below the share, the whole path, or the end of either from a slash on.
    private static func isNamed(_ document: DocumentRef, _ text: String) -> Bool {
        let path = document.path.text
        return path == text || path.hasSuffix("/" + text) || document.share + "/" + path == text
    }
}
