// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import Inference
import Ledger
import Reports
import Settings

extension Daemon {
    func assignmentCall(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) {
        answering(id, client) { try answerAssignmentCall(call, id: id, client: client) }
    }

    /// Whatever goes wrong is the call's answer.
    func answering(_ id: VarlinkConnection.CallID, _ client: ClientState, _ body: () throws -> Void) {
        do { try body() } catch let error as VarlinkError {
            fail(client, id, error.inClassroom)
        } catch let refusal as AssignmentRefusal {
            fail(client, id, refusal.varlink)
        } catch {
            fail(client, id, VarlinkError("org.daybook.Classroom.Refused", ["reason": .string("\(error)")]))
        }
    }

    private func answerAssignmentCall(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) throws {
        let viewer = viewer(of: client.client)
        let parameters = call.parameters
        recorder.use(time: HostClock.wall())
        if call.method != "org.daybook.Classroom.GetAssignment", let storageTrouble {
            throw storeFailing(storageTrouble, "org.daybook.Classroom")
        }
        switch call.method {
        case "org.daybook.Classroom.Assign": try assign(parameters, viewer, id, client)
        case "org.daybook.Classroom.StartAssignment": try startAssignment(parameters, viewer, id, client)
        case "org.daybook.Classroom.GetAssignment":
            let record = try anyAssignment(named: parameters["assignment"]?.stringValue ?? "", viewer)
            if viewer.maySeeTable(of: record.facts) { looked(viewer, at: nil, record.id, "GetAssignment") }
            reply(client, id, ["assignment": detail(record, viewer)])
        case "org.daybook.Classroom.ChangeAssignment":
            let record = try assignmentToEdit(parameters, viewer)
            let read = reader(viewer, inClass: record.facts.className)
            let change = try read.change(parameters["change"], edition: edition(parameters))
            try keeping(key: parameters["change"]?["key"], id, client) { daemon, client, key in
                var change = change
                change.key = key
                daemon.submit(
                    try daemon.recorder.change(
                        record.id, change, by: daemon.editor(viewer), wall: HostClock.wall(), at: HostClock.boot()),
                    about: record.id, for: client, id, viewer)
                if key != nil { daemon.measureAgain(record.id) }
                daemon.removeUnusedKeys()
            }
        case "org.daybook.Classroom.EndAssignment": try endAssignment(parameters, viewer, id, client)
        case "org.daybook.Classroom.ReopenAssignment": try reopenAssignment(parameters, viewer, id, client)
        case "org.daybook.Classroom.ReturnWork":
            let record = try assignmentToEdit(parameters, viewer)
            try answerStudent(.returned, parameters, record, viewer, id, client)
        case "org.daybook.Classroom.MarkDone":
            let record = try ownAssignment(parameters, viewer)
            let isDone = parameters["done"]?.boolValue ?? false
            try mark(
                DoneFacts(assignment: record.id, person: viewer.person ?? nobody, state: isDone ? .done : .withdrawn), viewer, id, client)
        case "org.daybook.Classroom.HandIn": try handIn(parameters, viewer, id, client)
        case "org.daybook.Classroom.CreateBookmark": try createBookmark(parameters, viewer, id, client)
        case "org.daybook.Classroom.ListBookmarks":
            reply(client, id, ["bookmarks": .array(ledger.bookmarks(of: viewer.uid).map(bookmarkJSON))])
        case "org.daybook.Classroom.RemoveBookmark": try removeBookmark(parameters, viewer, id, client)
        case "org.daybook.Classroom.NoteSession": try noteSession(parameters, viewer, id, client)
        default: fail(client, id, .methodNotImplemented(call.method))
        }
        armOpenings()
    }

    // MARK: Making and changing

    private func assign(_ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) throws {
        let asked = parameters["assignment"]?["class"]?.stringValue
        let request = try reader(viewer, inClass: asked).request(parameters["assignment"])
        guard viewer.isAdministrator || !viewer.teaches.isEmpty else { throw VarlinkError.permissionDenied }
        try keeping(key: parameters["assignment"]?["key"], id, client) { daemon, client, key in
            var request = request
            request.key = key
            try daemon.assign(request, viewer, id, client)
        }
    }

    private func assign(
        _ request: AssignmentRequest, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState
    ) throws {
        guard viewer.isAdministrator || !viewer.teaches.isEmpty else { throw VarlinkError.permissionDenied }
        let made = try recorder.assign(
            request, by: editor(viewer), mayAssignTo: { viewer.isAdministrator || viewer.teaches.contains($0) }, wall: HostClock.wall(),
            at: HostClock.boot())
        submit(made.entries, about: made.id, for: client, id, viewer)
    }

    private func startAssignment(
        _ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState
    ) throws {
        let material = try reader(viewer, inClass: nil).material(parameters["material"])
        var request = AssignmentRequest()
        request.isDraft = true
        request.materials = [material]
        request.title = parameters["title"]?.stringValue ?? Self.title(of: material)
        request.className = parameters["class"]?.stringValue ?? (viewer.teaches.count == 1 ? viewer.teaches.first : nil)
        guard request.className != nil || viewer.isAdministrator || !viewer.teaches.isEmpty else { throw VarlinkError.permissionDenied }
        guard request.className != nil else {
            throw AssignmentRefusal.other(
                "you teach several classes: \(viewer.teaches.sorted().joined(separator: ", ")); which one is it for?")
        }
        try assign(request, viewer, id, client)
    }

    static func title(of material: Material) -> String {
        switch material {
        case .context(let path): return path.last ?? "Assignment"
        case .document(let document):
            let name = escapedText(document.path.name)
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
            return String(name[..<dot])
        }
    }

    private func endAssignment(_ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) throws {
        let record = try assignmentToEdit(parameters, viewer)
        let deletes = parameters["delete"]?.boolValue ?? false
        let entries = try recorder.close(
            record.id, deletes: deletes, edition: edition(parameters), by: editor(viewer), at: HostClock.boot())
        submit(entries, about: record.id, for: client, id, viewer)
        if deletes {
            eraseWork(of: record.id)
            removeUnusedKeys()
        }
    }

    private func reopenAssignment(
        _ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState
    ) throws {
        let record = try assignmentToEdit(parameters, viewer)
        if parameters["person"]?.stringValue != nil { return try answerStudent(.tryAgain, parameters, record, viewer, id, client) }
        submit(
            try recorder.reopen(
                record.id, edition: edition(parameters), by: editor(viewer), wall: HostClock.wall(), at: HostClock.boot()),
            about: record.id, for: client, id, viewer)
    }

    /// A teacher's answer to one student's work.
    private func answerStudent(
        _ state: DoneFacts.State, _ parameters: JSONObject, _ record: AssignmentRecord, _ viewer: Viewer,
        _ id: VarlinkConnection.CallID, _ client: ClientState
    ) throws {
        let person = try student(named: parameters["person"]?.stringValue ?? "", in: record, viewer)
        let text = parameters["text"]?.stringValue
        guard text.map({ $0.count <= AssignmentLimits.instructions }) ?? true else {
            throw AssignmentRefusal.other("a text has at most \(AssignmentLimits.instructions) characters")
        }
        if state == .tryAgain, record.ended != nil {
            throw AssignmentRefusal.other("'\(record.facts.title)' has ended; reopen it for all first, without a student")
        }
        try mark(DoneFacts(assignment: record.id, person: person, state: state, by: viewer.uid, text: text), viewer, id, client)
    }

    func mark(_ facts: DoneFacts, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) throws {
        submit([.done(facts)], about: facts.assignment, for: client, id, viewer)
    }

    // MARK: Whose, and which

    /// Answered with the assignment as it is then.
    func submit(
        _ entries: [EntryBody], about assignment: AssignmentID, for client: ClientState, _ call: VarlinkConnection.CallID, _ viewer: Viewer
    ) {
        submit(entries, for: client, call) { daemon in
            guard let record = daemon.ledger.assignment(assignment) else { return ["assignment": .null] }
            return ["assignment": daemon.detail(record, viewer)]
        }
    }

    func detail(_ record: AssignmentRecord, _ viewer: Viewer) -> JSONValue {
        var shown = record
        // As it was decided last; the disk may have to confirm it yet.
        if let ahead = recorder.ahead.assignment(record.id) { shown.facts.plan.edition = ahead.facts.plan.edition }
        let only = viewer.maySeeTable(of: record.facts) ? nil : viewer.person
        let now = HostClock.wall()
        let school = recorder.policy.roster.schoolClass(named: record.facts.className)
        let teachers = Set(school?.teachers ?? []).union((school?.covers ?? [:]).filter { now < $0.value }.keys)
        return AssignmentDetail(
            shown, below: below(record.facts), teachers: teachers.sorted(), only: only, name: { self.name(of: $0) }
        ).json
    }

    /// The parts of the layout that come below the assignment's folder.
    private func below(_ facts: AssignmentFacts) -> String? {
        guard let folder = facts.folder, let share = recorder.shares.first(where: { $0.path == facts.share }),
            let placement = share.layouts.assignmentFolder(folder)
        else { return nil }
        let layout = share.layouts.layouts[placement.layout]
        guard let place = layout.parts.firstIndex(of: .assignment) else { return nil }
        return layout.text.split(separator: "/").dropFirst(place + 1).joined(separator: "/")
    }

    func editor(_ viewer: Viewer) -> AssignmentPlan.Editor { .init(uid: viewer.uid, login: login(of: viewer)) }

    private func edition(_ parameters: JSONObject) -> Int? { parameters["edition"]?.integerValue.map { Int(clamping: $0) } }

    /// Only those who teach the class may change it; for others it is not there.
    private func assignmentToEdit(_ parameters: JSONObject, _ viewer: Viewer) throws(VarlinkError) -> AssignmentRecord {
        let name = parameters["assignment"]?.stringValue ?? ""
        guard viewer.isAdministrator || !viewer.teaches.isEmpty else { throw .permissionDenied }
        let record = try assignment(named: name, viewer)
        // Of a class whose figures alone they see.
        guard viewer.maySeeTable(of: record.facts) else { throw .permissionDenied }
        return record
    }

    /// For a teacher one of theirs, for a student one that was set them.
    private func anyAssignment(named name: String, _ viewer: Viewer) throws(VarlinkError) -> AssignmentRecord {
        do throws(VarlinkError) {
            let record = try assignment(named: name, viewer)
            guard viewer.maySeeTable(of: record.facts) else { throw VarlinkError.permissionDenied }
            return record
        } catch {
            guard let person = viewer.person, let own = ownAssignments(named: name, person).first else { throw error }
            return own
        }
    }

    /// What a student can name: what was set them and has begun.
    private func ownAssignments(named name: String, _ person: PersonID) -> [AssignmentRecord] {
        ledger.assignments(named: name).filter { record in
            record.facts.students.contains(person) && [.active, .completed, .ended].contains(record.state)
        }
    }

    /// The caller's own, which goes on.
    func ownAssignment(_ parameters: JSONObject, _ viewer: Viewer) throws -> AssignmentRecord {
        let name = parameters["assignment"]?.stringValue ?? ""
        let found = viewer.person.map { ownAssignments(named: name, $0) } ?? []
        guard let first = found.first else {
            // A teacher's own, or an administrator's, is there for them, but not theirs to do.
            if visibleAssignments(viewer).contains(where: { seen in ledger.assignments(named: name).contains { $0.id == seen.id } }) {
                throw VarlinkError.permissionDenied
            }
            let own = viewer.person.map { person in ledger.assignments(for: person).filter { $0.state == .active } } ?? []
            throw VarlinkError(
                "org.daybook.Classroom.NoSuchAssignment",
                ["name": .string(name), "candidates": .array(own.prefix(10).map { .string($0.facts.title) })])
        }
        let running = found.filter { $0.ended == nil }
        guard running.count <= 1 || first.id.text == name else {
            throw VarlinkError(
                "org.daybook.Classroom.AmbiguousName",
                ["name": .string(name), "candidates": .array(running.map { .string($0.id.text) })])
        }
        guard first.ended == nil else {
            throw AssignmentRefusal.other("'\(first.facts.title)' has ended; only its teacher can let it go on")
        }
        return first
    }

    func student(named name: String, in record: AssignmentRecord, _ viewer: Viewer) throws -> PersonID {
        let person = try reader(viewer, inClass: record.facts.className).person(name)
        guard record.students.contains(person) else {
            throw AssignmentRefusal.other("'\(record.facts.title)' was not set for \(person.login)")
        }
        return person
    }

    /// Reads calls; logins are looked for among the students of a class, then among everybody whom the caller may see.
    func reader(_ viewer: Viewer, inClass className: String?) -> AssignmentParameters {
        let pupils = className.flatMap { recorder.policy.roster.schoolClass(named: $0)?.pupils } ?? []
        return AssignmentParameters(shares: recorder.shares) { name throws(VarlinkError) in
            if let exact = pupils.first(where: { $0.login == name }) { return exact }
            let wanted = name.lowercased()
            let close = pupils.filter { $0.login.lowercased() == wanted || self.name(of: $0).lowercased() == wanted }
            if close.count == 1 { return close[0] }
            return try self.person(named: name, viewer)
        }
    }

    /// Stands where the caller is known to be a person.
    private var nobody: PersonID { PersonID(uid: Viewer.overflowUID, login: "nobody") }

    // MARK: When scheduled ones begin

    func armOpenings() {
        guard let next = recorder.nextOpening else {
            openingsTimer?.disarm()
            return
        }
        let wait = max(.zero, min(next - HostClock.wall(), .seconds(86_400)))
        openingsTimer?.arm(at: (HostClock.boot() + wait).microseconds, accuracy: .seconds(1))
    }

    func openScheduled() {
        submit(recorder.openScheduled(wall: HostClock.wall(), at: HostClock.boot()))
        armOpenings()
    }
}

extension VarlinkError {
    /// Under the interface that was called.
    fileprivate var inClassroom: VarlinkError {
        let old = "org.daybook.Reports."
        return name.hasPrefix(old) ? VarlinkError("org.daybook.Classroom." + name.dropFirst(old.count), parameters) : self
    }
}
