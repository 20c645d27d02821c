// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import Glibc
import Inference
import Ledger
import Reports
import Settings

extension Daemon {
    static let ownUID = geteuid()

    /// Calls whose parameters the interface texts have already been checked against.
    func dispatch(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) {
        do {
            switch call.method {
            case "org.daybook.Reports.Status": reply(client, id, ["status": status(for: client).json])
            case "org.daybook.Reports.ListAssignments": reply(client, id, listAssignments(viewer(of: client.client)))
            case "org.daybook.Reports.Report": reply(client, id, try report(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.Show": reply(client, id, try show(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.Me": reply(client, id, try me(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.Sessions": reply(client, id, try sessions(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.Facts":
                let facts = settings.facts(version: DaybookVersion.text, recording: ledger.recording.state)
                reply(client, id, ["facts": facts.json])
            case "org.daybook.Reports.Export": try export(call, id: id, client: client)
            case "org.daybook.Reports.Recompute": try recompute(call.parameters, id: id, client: client)
            case "org.daybook.Reports.SetRecording": try setRecording(call.parameters, id: id, client: client)
            case "org.daybook.Journal.Tail": tail(call, id: id, client: client)
            case "org.daybook.Journal.ForgetAgain": try forgetAgain(id: id, client: client)
            case "org.daybook.Journal.Forget": try forget(call.parameters, id: id, client: client)
            default: try classroom(call, id: id, client: client)
            }
        } catch {
            fail(client, id, error)
        }
    }

    var moment: Moment { Moment(wall: HostClock.wall(), boot: boot, mono: HostClock.boot()) }

    // MARK: Assignments

    private func visibleAssignments(_ viewer: Viewer) -> [AssignmentRecord] {
        if viewer.isAdministrator { return ledger.allAssignments }
        let taught = ledger.assignments(forClasses: viewer.teaches)
        return taught
    }

    private func listAssignments(_ viewer: Viewer) -> JSONObject {
        let now = moment
        let summaries = visibleAssignments(viewer).compactMap { AssignmentSummary(of: $0.id, in: ledger, now: now) }
        return ["assignments": .array(summaries.map(\.json))]
    }

    private func report(_ parameters: JSONObject, _ viewer: Viewer) throws(VarlinkError) -> JSONObject {
        let assignment = try assignment(named: parameters["assignment"]?.stringValue ?? "", viewer)
        let rule = try askedRule(parameters, for: [assignment.id])[assignment.id]
        guard let report = ClassReport(of: assignment.id, in: ledger, now: moment, rule: rule) else {
            throw noSuchAssignment(assignment.id.text, viewer)
        }
        looked(viewer, at: nil, assignment.id, "Report")
        return ["report": report.json]
    }

    func assignment(named name: String, _ viewer: Viewer) throws(VarlinkError) -> AssignmentRecord {
        let visible = Set(visibleAssignments(viewer).map(\.id))
        let found = ledger.assignments(named: name).filter { visible.contains($0.id) }
        guard let first = found.first else { throw noSuchAssignment(name, viewer) }
        let running = found.filter { $0.ended == nil }
        let rivals = running.isEmpty ? found : running
        guard rivals.count == 1 || first.id.text == name else {
            throw VarlinkError(
                "org.daybook.Reports.AmbiguousName",
                ["name": .string(name), "candidates": .array(rivals.map { .string($0.id.text) })])
        }
        return rivals.first ?? first
    }

    private func noSuchAssignment(_ name: String, _ viewer: Viewer) -> VarlinkError {
        let candidates = visibleAssignments(viewer).filter { $0.ended == nil }.prefix(10).map { JSONValue.string($0.facts.title) }
        return VarlinkError(
            "org.daybook.Reports.NoSuchAssignment", ["name": .string(name), "candidates": .array(Array(candidates))])
    }

    // MARK: People

    private func show(_ parameters: JSONObject, _ viewer: Viewer) throws(VarlinkError) -> JSONObject {
        let person = try person(named: parameters["person"]?.stringValue ?? "", viewer)
        let assignment: AssignmentID?
        if let name = parameters["assignment"]?.stringValue {
            assignment = try self.assignment(named: name, of: person, viewer)
        } else {
            assignment = nil
        }
        let rules = try askedRule(parameters, for: assignment.map { [$0] } ?? ledger.assignments(for: person).map(\.id))
        guard var report = StudentReport(of: person, assignment: assignment, in: ledger, now: moment, clock: clock, rules: rules) else {
            throw noSuchPerson(person.login, viewer)
        }
        if person != viewer.person, !viewer.isAdministrator {
            // A teacher sees what the student did in the classes they teach, no more.
            report.assignments.removeAll { !viewer.teaches.contains($0.className) }
        }
        if person != viewer.person { looked(viewer, at: person, assignment, "Show") }
        return ["report": report.json]
    }

    private func me(_ parameters: JSONObject, _ viewer: Viewer) throws(VarlinkError) -> JSONObject {
        let person: PersonID
        if let login = parameters["as"]?.stringValue {
            guard settings.access.viewAs else { throw VarlinkError("org.daybook.Reports.ViewAsIsOff") }
            guard viewer.isAdministrator else { throw .permissionDenied }
            person = try self.person(named: login, viewer)
            looked(viewer, at: person, nil, "Me")
        } else if let own = viewer.person {
            person = own
        } else {
            throw noSuchPerson(String(viewer.uid), viewer)
        }
        let report =
            StudentReport(
                of: person, in: ledger, now: moment, clock: clock,
                rules: try askedRule(parameters, for: ledger.assignments(for: person).map(\.id)), withLooks: true)
            ?? StudentReport(nothingOf: person, name: known.names[person] ?? person.login, in: ledger, now: moment)
        return ["report": report.json]
    }

    private func sessions(_ parameters: JSONObject, _ viewer: Viewer) throws(VarlinkError) -> JSONObject {
        var filter = SessionFilter()
        filter.since = try instant(parameters, "since")
        filter.until = try instant(parameters, "until")
        if let name = parameters["person"]?.stringValue {
            filter.person = try person(named: name, viewer)
        } else if !viewer.isAdministrator, viewer.teaches.isEmpty {
            guard let own = viewer.person else { throw .permissionDenied }
            filter.person = own
        }
        let document = parameters["document"]?.stringValue
        let now = moment
        let found = ledger.sessions(filter).filter { session in
            guard TimeOnTask.confidence(of: session.work) > .none else { return false }
            if let document, !isNamed(session.work.document, document) { return false }
            return viewer.isAdministrator || session.person == viewer.person
                || session.assignment.flatMap { ledger.assignment($0) }.map { viewer.maySeeTable(of: $0.facts) } ?? false
        }
        if let person = filter.person {
            if person != viewer.person { looked(viewer, at: person, nil, "Sessions") }
        } else if viewer.isAdministrator {
            looked(viewer, at: nil, nil, "Sessions")
        } else {
            // The tables that they looked into, so that the students of these know, and no others.
            for assignment in Set(found.compactMap(\.assignment)).sorted() { looked(viewer, at: nil, assignment, "Sessions") }
        }
        let rules = try askedRule(parameters, for: Set(found.compactMap(\.assignment)))
        return [
            "sessions": .array(
                found.map { session in
                    SessionRow(session, in: ledger, now: now, rule: session.assignment.flatMap { rules[$0] }).json
                })
        ]
    }

    /// By the path below the share, the whole path, or the end of either from a slash on.
    private func isNamed(_ document: DocumentRef, _ text: String) -> Bool {
        let path = document.path.text
        return path == text || path.hasSuffix("/" + text) || document.share + "/" + path == text
    }

    private func instant(_ parameters: JSONObject, _ key: String) throws(VarlinkError) -> WallTime? {
        guard let text = parameters[key]?.stringValue else { return nil }
        guard let time = WallTime(rfc3339: text) else { throw .invalidParameter(key) }
        return time
    }

    func person(named name: String, _ viewer: Viewer) throws(VarlinkError) -> PersonID {
        let wanted = name.lowercased()
        let visible = visiblePeople(viewer).filter { person in !erasures.values.contains { $0.person == person.key } }
        // `2001:mia`, where two accounts had one login.
        if let colon = name.firstIndex(of: ":"), let uid = UInt32(name[..<colon]) {
            let exact = PersonID(uid: uid, login: String(name[name.index(after: colon)...]))
            if visible[exact] != nil { return exact }
            throw noSuchPerson(name, viewer)
        }
        let tests: [(PersonID, String) -> Bool] = [
            { person, _ in person.login == name },
            { person, display in person.login.lowercased() == wanted || display.lowercased() == wanted },
            { _, display in display.lowercased().split(whereSeparator: { $0 == " " || $0 == "," }).contains { $0 == wanted } },
        ]
        for test in tests where !wanted.isEmpty {
            let found = visible.filter { test($0.key, $0.value) }.keys.sorted()
            // A login that was given to another account later is two people; the later one is meant.
            if Set(found.map(\.login)).count == 1, let last = found.last { return last }
            if found.count > 1 {
                throw VarlinkError(
                    "org.daybook.Reports.AmbiguousName",
                    ["name": .string(name), "candidates": .array(found.prefix(10).map { .string($0.login) })])
            }
        }
        throw noSuchPerson(name, viewer)
    }

    private func visiblePeople(_ viewer: Viewer) -> [PersonID: String] {
        var people = ledger.people.mapValues(\.displayName)
        for record in visibleAssignments(viewer) {
            for student in record.students where people[student] == nil { people[student] = known.names[student] ?? student.login }
        }
        guard !viewer.isAdministrator else { return people }
        var visible = Set(viewer.person.map { [$0] } ?? [])
        for record in visibleAssignments(viewer) { visible.formUnion(record.students) }
        return people.filter { visible.contains($0.key) }
    }

    func noSuchPerson(_ name: String, _ viewer: Viewer) -> VarlinkError {
        let close = visiblePeople(viewer).filter { $0.key.login.hasPrefix(name.prefix(2).lowercased()) }.keys.sorted().prefix(5)
        return VarlinkError(
            "org.daybook.Reports.NoSuchPerson",
            ["name": .string(name), "candidates": .array(close.map { .string($0.login) })])
    }

    private func assignment(named name: String, of person: PersonID, _ viewer: Viewer) throws(VarlinkError) -> AssignmentID {
        let theirs = Set(ledger.assignments(for: person).map(\.id))
        let found = ledger.assignments(named: name).filter { record in
            theirs.contains(record.id) && (viewer.isAdministrator || person == viewer.person || viewer.maySeeTable(of: record.facts))
        }
        guard let first = found.first else { throw noSuchAssignment(name, viewer) }
        return first.id
    }

    // MARK: Who looked

    /// Repeated looks of one person within this time are one entry.
    static let lookAgain = Duration.seconds(300)

    func looked(_ viewer: Viewer, at person: PersonID?, _ assignment: AssignmentID?, _ what: String) {
        let key = "\(viewer.uid) \(person?.login ?? "") \(assignment?.text ?? "") \(what)"
        let now = HostClock.boot()
        recentLooks = recentLooks.filter { now - $0.value < Self.lookAgain }
        guard recentLooks.updateValue(now, forKey: key) == nil else { return }
        submit([
            .viewed(
                ViewedFacts(
                    by: viewer.uid, byLogin: login(of: viewer), person: person, assignment: assignment, what: what))
        ])
    }
}
