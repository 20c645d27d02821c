// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import Inference
import JournalFormat
import JournalStore
import Ledger
import Reports

/// A hand-in whose document is being read.
struct WaitingHandIn {
    var client: ClientID
    var call: VarlinkConnection.CallID
    var viewer: Viewer
    var facts: DoneFacts
    /// Asked for through `org.daybook.ClassKit`.
    var isByProgram = false
}

/// The work of one person, for the store; they themselves stay.
struct WorkOfPerson: EntrySelection {
    private var entries: WorkEntries

    init(_ person: PersonID, through last: UInt64) { entries = WorkEntries(of: person, through: last) }

    mutating func learn(_ entry: Entry, digest: Digest) { entries.learn(entry) }
    func selects(_ entry: Entry, digest: Digest) -> Bool { entries.isTheirs(entry) }
    func replacements() -> [EntryBody] { [] }
    var words: [String] { [] }
}

extension Daemon {
    // MARK: Handing in

    func handIn(_ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) throws {
        let record = try ownAssignment(parameters, viewer)
        guard let person = viewer.person else { throw VarlinkError.permissionDenied }
        if parameters["withdraw"]?.boolValue ?? false {
            guard record.marks[person]?.facts.state == .handedIn else {
                throw AssignmentRefusal.other("nothing of '\(record.facts.title)' is handed in")
            }
            return try mark(DoneFacts(assignment: record.id, person: person, state: .withdrawn), viewer, id, client)
        }
        let document = try documentToHandIn(parameters["document"]?.stringValue, record, person)
        let facts = DoneFacts(assignment: record.id, person: person, state: .handedIn, document: document)
        guard let share = recorder.shares.firstIndex(where: { $0.path == document.share }),
            files?.requests.put(.digest(share: share, path: document.path, id: nextHandIn)) ?? false
        else { throw AssignmentRefusal.other("too many documents wait to be read; try again in a moment") }
        handIns[nextHandIn] = WaitingHandIn(client: client.client.id, call: id, viewer: viewer, facts: facts)
        nextHandIn += 1
    }

    private func documentToHandIn(_ path: String?, _ record: AssignmentRecord, _ person: PersonID) throws -> DocumentRef {
        guard let path else {
            let row = ledger.saves(in: record.id, by: person).last?.facts.document ?? ledger.documents(in: record.id, of: person).last
            guard let row else { throw AssignmentRefusal.other("no document of yours was seen in '\(record.facts.title)'; name the file") }
            return row
        }
        let read = AssignmentParameters(shares: recorder.shares) { name throws(VarlinkError) in throw .invalidParameter(name) }
        guard let document = read.place(path), let share = recorder.shares.first(where: { $0.path == document.share }),
            let placement = share.layouts.placement(ofDocument: document.path),
            recorder.policy.assignmentID(document: document, placement: placement, in: ledger) == record.id
        else { throw AssignmentRefusal.other("\(path) is no document of '\(record.facts.title)'; save it there first") }
        guard isOwn(document, of: person, in: record) else { throw AssignmentRefusal.other("\(path) is not a document of yours") }
        return document
    }

    func digested(_ id: UInt64, _ file: HandedInFile?, _ failure: String?) {
        guard let waiting = handIns.removeValue(forKey: id) else { return }
        let client = clients[waiting.client]
        guard let file else {
            let reason = "the document cannot be handed in: \(failure ?? "it cannot be read")"
            if let client {
                fail(client, waiting.call, waiting.isByProgram ? .refusedProgram(reason) : AssignmentRefusal.other(reason).varlink)
            }
            return
        }
        var facts = waiting.facts
        facts.file = file
        guard let client else {
            submit([.done(facts)])
            return
        }
        if waiting.isByProgram {
            return submit([.done(facts)], for: client, waiting.call, interface: Self.classKitName) { _ in [:] }
        }
        submit([.done(facts)], about: facts.assignment, for: client, waiting.call, waiting.viewer)
    }

    // MARK: Notes

    func noteSession(_ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) throws {
        let number = parameters["session"]?.integerValue ?? -1
        let unknown = VarlinkError("org.daybook.Classroom.NoSuchSession", ["session": .integer(number)])
        guard number > 0, let session = ledger.session(ActivityID(UInt64(number))) else { throw unknown }
        let teaches =
            viewer.isAdministrator || session.assignment.flatMap { ledger.assignment($0) }.map { viewer.maySeeTable(of: $0.facts) } ?? false
        // What somebody may not see, there is not for them.
        guard teaches || session.person != nil && session.person == viewer.person else { throw unknown }
        let exclude = parameters["exclude"]?.boolValue
        guard teaches || exclude == nil else { throw VarlinkError.permissionDenied }
        let text = parameters["text"]?.stringValue ?? ""
        guard (1...AssignmentLimits.instructions).contains(text.count) else {
            throw AssignmentRefusal.other("a note has 1 to \(AssignmentLimits.instructions) characters")
        }
        submit(
            [.note(NoteFacts(activity: session.id, text: text, excludes: exclude, by: viewer.uid, byLogin: login(of: viewer)))],
            for: client,
            id
        ) { _ in [:] }
    }

    // MARK: Bookmarks

    func createBookmark(_ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) throws {
        guard viewer.isAdministrator || !viewer.teaches.isEmpty else { throw VarlinkError.permissionDenied }
        let material = try reader(viewer, inClass: nil).material(parameters["material"])
        let title = parameters["title"]?.stringValue ?? Self.title(of: material)
        guard (1...AssignmentLimits.title).contains(title.count) else {
            throw AssignmentRefusal.other("a title has 1 to \(AssignmentLimits.title) characters")
        }
        guard ledger.bookmarks(of: viewer.uid).count < Self.bookmarksAtMost else {
            throw AssignmentRefusal.other("you have \(Self.bookmarksAtMost) bookmarks; remove some before")
        }
        let facts = BookmarkFacts(
            number: recorder.nextBookmark, by: viewer.uid, byLogin: login(of: viewer), title: title, material: material)
        submit(recorder.noted([.bookmarkCreated(facts)], at: HostClock.boot()), for: client, id) { daemon in
            ["bookmark": daemon.bookmarkJSON(facts)]
        }
    }

    static let bookmarksAtMost = 500

    func removeBookmark(_ parameters: JSONObject, _ viewer: Viewer, _ id: VarlinkConnection.CallID, _ client: ClientState) throws {
        let number = parameters["number"]?.integerValue ?? -1
        guard number > 0, let bookmark = ledger.bookmark(UInt64(number)), bookmark.by == viewer.uid else {
            throw VarlinkError("org.daybook.Classroom.NoSuchBookmark", ["number": .integer(number)])
        }
        submit(
            recorder.noted([.bookmarkRemoved(number: bookmark.number, by: viewer.uid)], at: HostClock.boot()), for: client, id
        ) { _ in [:] }
    }

    func bookmarkJSON(_ facts: BookmarkFacts) -> JSONValue {
        ["number": .integer(Int64(facts.number)), "title": .string(facts.title), "material": facts.material.json]
    }

    // MARK: What goes for good

    /// All that was recorded in an assignment that was deleted; that there was one stays.
    func eraseWork(of assignment: AssignmentID) {
        dropTimers { $0.assignment == assignment }
        let aged = AgedWork(work: [assignment], viewsBefore: WallTime(microseconds: .min), through: .max)
        let request = ErasureRequest(id: nextErasure, kind: .retention, by: nil, selection: AgedSelection(aged))
        guard writer?.erase(request) ?? false else {
            return log.error("what was recorded in a deleted assignment could not be emptied yet", id: Messages.erasing)
        }
        erasures[nextErasure] = WaitingErasure(deleted: assignment)
        nextErasure += 1
    }

    /// All that was recorded of somebody for whom recording was switched off.
    func eraseWork(of person: PersonID, by viewer: Viewer) {
        dropTimers { $0.person == person }
        let request = ErasureRequest(
            id: nextErasure, kind: .forgotten, by: viewer.uid, selection: WorkOfPerson(person, through: .max))
        guard writer?.erase(request) ?? false else {
            return log.error("what was recorded of somebody could not be emptied yet", id: Messages.erasing)
        }
        erasures[nextErasure] = WaitingErasure(switchedOff: person)
        nextErasure += 1
        forgotten[person] = HostClock.boot()
        let theirs = PersonalEntries(of: person)
        unnamedSaves = unnamedSaves.filter { !theirs.isTheirs($0.key, .unknown) }
        postponed.removeAll { theirs.isTheirs($0, $1.attribution) }
    }
}
