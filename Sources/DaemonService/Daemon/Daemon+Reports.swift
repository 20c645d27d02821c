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
            case "org.daybook.Reports.ListAssignments": listAssignments(viewer(of: client.client), id, client)
            case "org.daybook.Reports.Report": reply(client, id, try report(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.OverTime": reply(client, id, try overTime(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.Show": reply(client, id, try show(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.Me": reply(client, id, try me(call.parameters, viewer(of: client.client)))
            case "org.daybook.Reports.Live": try live(call, id: id, client: client)
            case "org.daybook.Reports.Sessions": try sessions(call, id: id, client: client)
            case "org.daybook.Reports.Facts":
                let facts = settings.facts(version: DaybookVersion.text, recording: ledger.recording.state)
                reply(client, id, ["facts": facts.json])
            case "org.daybook.Reports.Pages": try pages(call.parameters, id: id, client: client)
            case "org.daybook.Reports.Export": try export(call, id: id, client: client)
            case "org.daybook.Reports.Recompute": try recompute(call.parameters, id: id, client: client)
            case "org.daybook.Reports.SetRecording": try setRecording(call.parameters, id: id, client: client)
            case "org.daybook.Journal.Tail": tail(call, id: id, client: client)
            case "org.daybook.Journal.ForgetAgain": try forgetAgain(id: id, client: client)
            case "org.daybook.Journal.Forget": try forget(call.parameters, id: id, client: client)
            default:
                if call.interface == DaybookInterfaces.classKit.name {
                    try classKit(call, id: id, client: client)
                } else {
                    try classroom(call, id: id, client: client)
                }
            }
        } catch {
            fail(client, id, error)
        }
    }

    var moment: Moment { Moment(wall: HostClock.wall(), boot: boot, mono: HostClock.boot()) }

    // MARK: Assignments

    /// Those of which the caller sees at least figures; deleted ones are nobody's.
    func visibleAssignments(_ viewer: Viewer) -> [AssignmentRecord] {
        let all = viewer.isAdministrator ? ledger.allAssignments : ledger.assignments(forClasses: viewer.teaches.union(viewer.coordinates))
        return all.filter { $0.state != .deleted }
    }

    /// Those whose rows the caller sees.
    private func taughtAssignments(_ viewer: Viewer) -> [AssignmentRecord] {
        visibleAssignments(viewer).filter { viewer.maySeeTable(of: $0.facts) }
    }

    private func report(_ parameters: JSONObject, _ viewer: Viewer) throws(VarlinkError) -> JSONObject {
        let assignment = try assignment(named: parameters["assignment"]?.stringValue ?? "", viewer)
        let seesRows = viewer.maySeeTable(of: assignment.facts)
        var window = TimeWindow(from: try instant(parameters, "since"), to: try instant(parameters, "until"))
        if !viewer.isAdministrator { window = HiddenTimes(settings.school.time, clock: clock).widened(window) }
        // By many windows and rules single people could be told from figures.
        guard seesRows || window.isWhole && parameters["rule"] == nil else { throw .permissionDenied }
        let rule = try askedRule(parameters, for: [assignment.id])[assignment.id]
        guard var report = ClassReport(of: assignment.id, in: ledger, now: moment, rule: rule, within: window, clock: clock) else {
            throw noSuchAssignment(assignment.id.text, viewer)
        }
        if !seesRows { report = report.withoutRows(minimum: settings.school.smallGroup) }
        if !viewer.isAdministrator { report = report.hiding(HiddenTimes(settings.school.time, clock: clock)) }
        looked(viewer, at: nil, assignment.id, "Report")
        return ["report": report.json, "pages": .bool(pages.handed[.assignment(assignment.id)] != nil)]
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
        var report =
            StudentReport(of: person, assignment: assignment, in: ledger, now: moment, clock: clock, rules: rules)
            ?? StudentReport(nothingOf: person, name: known.names[person] ?? person.login, in: ledger, now: moment)
        if person != viewer.person, !viewer.isAdministrator {
            // A teacher sees what the student did in the classes they teach, no more.
            report.assignments.removeAll { !viewer.teaches.contains($0.className) }
            report = report.hiding(HiddenTimes(settings.school.time, clock: clock))
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
        for record in taughtAssignments(viewer) {
            for student in record.students where people[student] == nil { people[student] = known.names[student] ?? student.login }
        }
        // Also who is in class and was never set anything: they can be looked for, and switched off before they begin.
        let classes = recorder.policy.roster.classes.filter { viewer.isAdministrator || viewer.teaches.contains($0.name) }
        let pupils = classes.reduce(into: Set<PersonID>()) { $0.formUnion($1.pupils) }
        for student in pupils where people[student] == nil { people[student] = known.names[student] ?? student.login }
        guard !viewer.isAdministrator else { return people }
        var visible = pupils.union(viewer.person.map { [$0] } ?? [])
        for record in taughtAssignments(viewer) { visible.formUnion(record.students) }
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
