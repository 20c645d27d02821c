// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import Inference
import Ledger

// What a student's program does with the assignment itself.
extension Daemon {
    /// The caller's assignment of a document, where it is theirs to hand in.
    func assignedDocument(_ path: String, _ client: ClientState) -> (document: DocumentRef, assignment: AssignmentRecord, person: PersonID)?
    {
        guard let person = viewer(of: client.client).person, let document = programReader.place(path),
            let id = recorder.assigned(document, to: person), let record = ledger.assignment(id),
            isOwn(document, of: person, in: record)
        else { return nil }
        return (document, record, person)
    }

    /// In another's folder only what they worked on is theirs; in a layout without {person} anything may be.
    func isOwn(_ document: DocumentRef, of person: PersonID, in record: AssignmentRecord) -> Bool {
        guard let owner = recorder.placement(of: document)?.person else { return true }
        return owner == person.login || ledger.documents(in: record.id, of: person).contains(document)
    }

    func completeAssigned(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        let store = try programReader.store(parameters)
        let ref = ContextRef(app: store.app, path: programReader.path(parameters["context"]))
        do throws(ProgramRefusal) { if !ref.path.isEmpty { try ref.check() } } catch { throw .invalidArgument(error.reason) }
        func done(_ titles: [String], _ dropped: [String] = []) -> JSONObject { ["done": .texts(titles), "dropped": .texts(dropped)] }
        if store.isDevelopment {
            let store = developer(client)
            let facts = store.ledger.contextTree(of: ref.app)?[ref.path]
            if store.role == .student, let facts, facts.isAssignable { return reply(client, id, done([facts.title])) }
            let why = store.role == .teacher ? "you are a teacher in the class Development" : "no teacher has saved it as assignable"
            return reply(client, id, done([], ["the mark at '\(ref.path.joined(separator: "/"))' was dropped: \(why)"]))
        }
        if let storageTrouble { throw storeFailing(storageTrouble, Self.classKitName) }
        guard let person = viewer(of: client.client).person else { return reply(client, id, done([])) }
        let records = recorder.policy.assigned(ref, to: person, in: recorder.ahead).compactMap { ledger.assignment($0) }
        // Nothing where they said so already.
        let marks = records.filter { $0.marks[person]?.facts.state != .done && $0.marks[person]?.facts.state != .handedIn }
        let titles = records.map(\.facts.title)
        submit(
            reportedBefore(ref, by: person, in: marks) + marks.map { .done(DoneFacts(assignment: $0.id, person: person, state: .done)) },
            for: client, id, interface: Self.classKitName
        ) { _ in done(titles) }
    }

    /// As in ClassKit: where the same was set once more and is marked as done without being done again, what was reported before is what it came to.
    private func reportedBefore(_ ref: ContextRef, by person: PersonID, in records: [AssignmentRecord]) -> [EntryBody] {
        let subject = ReportFacts.Subject.context(ref.path)
        guard let earlier = ledger.currentReport(of: person, app: ref.app, subject: subject)?.facts,
            case .counts(let recorded) = recorder.standing(of: subject, app: ref.app, person: person)
        else { return [] }
        return records.compactMap { record in
            let isNew = !ledger.reports(of: person, in: record.id).contains {
                $0.facts.program.app == ref.app && $0.facts.subject == subject
            }
            guard isNew, recorded.contains(record.id) else { return nil }
            var facts = earlier
            facts.assignment = record.id
            facts.attempt.isRunning = false
            return .reported(facts)
        }
    }

    func submitDocument(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        guard let (document, record, person) = try documentToSubmit(parameters, id, client) else { return }
        guard let share = recorder.shares.firstIndex(where: { $0.path == document.share }),
            files?.requests.put(.digest(share: share, path: document.path, id: nextHandIn)) ?? false
        else { throw .refusedProgram("too many documents wait to be read; try again in a moment") }
        handIns[nextHandIn] = WaitingHandIn(
            client: client.client.id, call: id, viewer: viewer(of: client.client),
            facts: DoneFacts(assignment: record.id, person: person, state: .handedIn, document: document), isByProgram: true)
        nextHandIn += 1
    }

    func withdrawDocument(_ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState) throws(VarlinkError) {
        guard let (document, record, person) = try documentToSubmit(parameters, id, client) else { return }
        guard let mark = record.marks[person]?.facts, mark.state == .handedIn, mark.document == document else {
            throw .refusedProgram("the document is not handed in")
        }
        submit(
            [.done(DoneFacts(assignment: record.id, person: person, state: .withdrawn))], for: client, id, interface: Self.classKitName
        ) { _ in [:] }
    }

    /// Nil where it has been answered.
    private func documentToSubmit(
        _ parameters: JSONObject, _ id: VarlinkConnection.CallID, _ client: ClientState
    ) throws(VarlinkError) -> (DocumentRef, AssignmentRecord, PersonID)? {
        let store = try programReader.store(parameters)
        let path = parameters["document"]?.stringValue ?? ""
        if store.isDevelopment {
            guard developer(client).role == .student else { throw .refusedProgram("you are a teacher in the class Development") }
            reply(client, id, [:])
            return nil
        }
        if let storageTrouble { throw storeFailing(storageTrouble, Self.classKitName) }
        guard programReader.place(path) != nil else { throw .notOnShare(path) }
        guard let found = assignedDocument(path, client) else { throw .refusedProgram("the document is not assigned to you") }
        return found
    }
}

extension VarlinkError {
    static func refusedProgram(_ reason: String) -> VarlinkError {
        VarlinkError("org.daybook.ClassKit.Refused", ["reason": .string(reason)])
    }
}
