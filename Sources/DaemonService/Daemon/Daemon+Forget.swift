// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import JournalFormat
import JournalStore
import Ledger
import PageFiles

/// An erasure that the journal's writer is asked for.
struct WaitingErasure {
    /// Nil where it is about everybody who was forgotten before.
    var person: PersonID?
    var answer: JSONObject = [:]
    /// Nil where retention asks.
    var asked: (client: ClientID, call: VarlinkConnection.CallID)?
    /// An assignment that was deleted.
    var deleted: AssignmentID?
    /// Somebody for whom recording was switched off: their work goes, they stay.
    var switchedOff: PersonID?
}

/// The entries that came since an erasure was asked for: what the ledger forgets then, they may tell anew.
struct EntriesSince {
    private var entries: [Entry] = []
    /// More than a school makes while a gigabyte is looked through.
    static let limit = 65_536
    private(set) var isWhole = true

    mutating func add(_ entry: Entry) {
        guard entries.count < Self.limit else {
            isWhole = false
            return
        }
        entries.append(entry)
    }

    func after(_ seq: UInt64) -> [Entry] { entries.filter { $0.seq > seq } }
}

/// What the ledger says of a person's entries, for the store.
struct ForgottenPerson: EntrySelection {
    private var entries: PersonalEntries

    init(_ person: PersonID) { entries = PersonalEntries(of: person) }

    mutating func learn(_ entry: Entry, digest: Digest) { entries.learn(entry) }
    func selects(_ entry: Entry, digest: Digest) -> Bool { entries.isTheirs(entry) }
    func replacements() -> [EntryBody] { entries.replacements() }
    var words: [String] { [entries.person.login, String(entries.person.uid)] }
}

/// Entries that were forgotten once and are there again, as a backup has them. Whose they are shows when they are found.
struct ForgottenBefore: EntrySelection {
    private var list: [UInt64: Digest] = [:]
    private var entries: [PersonID: PersonalEntries] = [:]

    var wantsList: Bool { true }
    mutating func use(list: [UInt64: Digest]) { self.list = list }

    mutating func learn(_ entry: Entry, digest: Digest) {
        if case .person(let facts) = entry.body, list[entry.seq] == digest, entries[facts.person] == nil {
            entries[facts.person] = PersonalEntries(of: facts.person)
        }
        for person in entries.keys { entries[person]?.learn(entry) }
    }

    func selects(_ entry: Entry, digest: Digest) -> Bool { list[entry.seq] == digest }

    func replacements() -> [EntryBody] {
        people.flatMap { entries[$0]?.replacements() ?? [] }.map { body in
            guard case .assignmentChanged(var facts) = body else { return body }
            // Several may have been forgotten of one assignment.
            for other in entries.values { facts = other.without(facts) }
            return .assignmentChanged(facts)
        }
    }

    var words: [String] { people.flatMap { [$0.login, String($0.uid)] } }
    var people: [PersonID] { entries.keys.sorted() }
}

extension Daemon {
    func forget(_ parameters: JSONObject, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        guard viewer.isAdministrator else { throw .permissionDenied }
        let person = try personToForget(parameters["person"]?.stringValue ?? "", viewer)
        let classes = recorder.policy.roster.classes.filter { $0.students.contains(person) }.map(\.name).sorted()
        var answer = known(of: person)
        answer["classes"] = .array(classes.map { .string($0) })
        if parameters["dryRun"]?.boolValue ?? false {
            looked(viewer, at: person, nil, "Forget")
            return reply(client, id, answer)
        }
        guard classes.isEmpty || parameters["inClass"]?.boolValue ?? false else {
            throw VarlinkError(
                "org.daybook.Journal.StillInClass",
                ["login": .string(person.login), "classes": .array(classes.map { .string($0) })])
        }
        if let storageTrouble { throw storeFailing(storageTrouble, "org.daybook.Journal") }
        guard let writer else { throw storeFailing("the journal is not open", "org.daybook.Journal") }
        let now = HostClock.boot()
        submit(recorder.forget(person, at: now))
        dropTimers { $0.person == person }
        forgetDeveloper(person)
        let number = nextErasure
        guard
            writer.erase(
                ErasureRequest(id: number, kind: .forgotten, by: viewer.uid, selection: ForgottenPerson(person)))
        else { throw storeFailing("too many erasures wait already", "org.daybook.Journal") }
        nextErasure += 1
        erasures[number] = WaitingErasure(person: person, answer: answer, asked: (client.client.id, id))
        if sinceErasure == nil { sinceErasure = EntriesSince() }
        letGo(of: person, at: now)
    }

    /// What was forgotten before and has come back with a restored backup.
    func forgetAgain(id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        guard viewer.isAdministrator else { throw .permissionDenied }
        if let storageTrouble { throw storeFailing(storageTrouble, "org.daybook.Journal") }
        let number = nextErasure
        let request = ErasureRequest(id: number, kind: .forgotten, by: viewer.uid, selection: ForgottenBefore())
        guard let writer, writer.erase(request) else { throw storeFailing("too many erasures wait already", "org.daybook.Journal") }
        nextErasure += 1
        erasures[number] = WaitingErasure(person: nil, answer: [:], asked: (client.client.id, id))
        if sinceErasure == nil { sinceErasure = EntriesSince() }
    }

    /// By its own error names, and with the uid where a login alone would not do.
    private func personToForget(_ name: String, _ viewer: Viewer) throws(VarlinkError) -> PersonID {
        let namesakes = ledger.people(login: name)
        if namesakes.count > 1 {
            // Elsewhere the later one is meant; here a guess would cost the wrong one's past.
            throw VarlinkError(
                "org.daybook.Journal.AmbiguousName",
                ["name": .string(name), "candidates": .array(namesakes.map { .string("\($0.uid):\($0.login)") })])
        }
        do { return try person(named: name, viewer) } catch {
            throw VarlinkError(error.name.replacingPrefix("org.daybook.Reports.", with: "org.daybook.Journal."), error.parameters)
        }
    }

    private func known(of person: PersonID) -> JSONObject {
        let assignments = ledger.assignments(for: person)
        return [
            "login": .string(person.login), "uid": .integer(Int64(person.uid)),
            "name": .string(ledger.person(person)?.displayName ?? known.names[person] ?? person.login), "classes": [],
            "sessions": .integer(Int64(ledger.sessions(SessionFilter(person: person)).count)),
            "documents": .integer(Int64(assignments.reduce(0) { $0 + ledger.documents(in: $1.id, of: person).count })),
            "assignments": .integer(Int64(assignments.count)), "entries": .null,
        ]
    }

    /// What is kept beside the ledger, which keeps them until the disk has forgotten.
    func letGo(of person: PersonID, at now: BootTime) {
        forgotten[person] = now
        let theirs = PersonalEntries(of: person)
        unnamedSaves = unnamedSaves.filter { !theirs.isTheirs($0.key, .unknown) }
        postponed.removeAll { theirs.isTheirs($0, $1.attribution) }
        recentLooks = recentLooks.filter { !$0.key.split(separator: " ").contains { $0 == person.login } }
        // Their own page; the rows on their classes' pages go with the entries.
        pagesForget([])
    }

    /// What came while the journal was being emptied stays there, and so it does in the ledger.
    func retell(after seq: UInt64) {
        guard let since = sinceErasure else { return }
        ledger.retell(since.after(seq))
        if !since.isWhole { log.notice("entries that came while others were erased show again after the next start") }
    }

    func erased(_ report: ErasureReport) {
        following.feed.drop()
        if report.id == 0 { retained(report.outcome, through: report.through) }
        if report.id == Self.oldEndRequest, case .done = report.outcome { ledger.gapsWent(through: report.through) }
        defer { if erasures.isEmpty, aged == nil { sinceErasure = nil } }
        let waiting = report.id.flatMap { erasures[$0] }
        switch report.outcome {
        case .done(let entries):
            // What an earlier daemon had begun to empty, this one has not read.
            if report.id == nil {
                snapshots.isOldErasureOpen = false
            } else if report.id != Self.oldEndRequest || entries > 0 {
                // The look at the old end comes after each start and mostly finds nothing.
                snapshotWent()
            }
            log.debug("an erasure is done", ["entries": .count(entries)])
            guard let id = report.id, var waiting else { return }
            erasures[id] = nil
            let people = Set(report.people).union(waiting.person.map { [$0] } ?? [])
            let assignments = Set(people.flatMap { ledger.assignments(for: $0).map(\.id) })
            if let person = waiting.person { ledger.forget(person) }
            if let person = waiting.switchedOff { ledger.forgetWork(of: person) }
            if let assignment = waiting.deleted {
                ledger.workOfDeletedWent(assignment)
            }
            for person in report.people {
                submit(recorder.forget(person, at: HostClock.boot()))
                letGo(of: person, at: HostClock.boot())
                ledger.forget(person)
            }
            retell(after: report.through)
            submit(recorder.addMissingStudents(at: HostClock.boot()))
            considerIndexes()
            waiting.answer["entries"] = .integer(Int64(entries))
            let answer = waiting.answer
            pagesForget(assignments) { [unowned self] trouble in
                guard let (id, call) = waiting.asked, let client = clients[id] else { return }
                var answer = answer
                if let trouble { answer["pages"] = .string(trouble.description) }
                reply(client, call, answer)
            }
        case .refused(let trouble):
            log.error("nothing was erased", ["reason": .plain(trouble.description)], id: Messages.erasing)
            guard let id = report.id, let waiting else { return }
            erasures[id] = nil
            if let (id, call) = waiting.asked, let client = clients[id] {
                fail(client, call, storeFailing(trouble.description, "org.daybook.Journal"))
            }
        case .unfinished(let trouble):
            // It goes on until it is done; whoever asked may wait for that, or leave.
            log.error("an erasure waits for the disk", ["reason": .plain(trouble.description)], id: Messages.erasing)
        }
    }
}

extension String {
    fileprivate func replacingPrefix(_ old: String, with new: String) -> String { hasPrefix(old) ? new + dropFirst(old.count) : self }
}
