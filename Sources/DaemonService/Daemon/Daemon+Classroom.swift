// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import Ledger
import Settings

/// An import that the accounts thread works on.
struct WaitingImport {
    var client: ClientID
    var call: VarlinkConnection.CallID
    var viewer: Viewer
    var isDryRun: Bool
}

extension Daemon {
    func classroom(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        switch call.method {
        case "org.daybook.Classroom.ListClasses": reply(client, id, listClasses(viewer(of: client.client)))
        case "org.daybook.Classroom.ImportClasses": try importClasses(call.parameters, id: id, client: client)
        default: assignmentCall(call, id: id, client: client)
        }
    }

    // MARK: Classes

    private func listClasses(_ viewer: Viewer) -> JSONObject {
        let now = HostClock.wall()
        let classes = recorder.policy.roster.classes.sorted { $0.name < $1.name }.compactMap { school -> JSONValue? in
            let isInside = viewer.person.map(school.students.contains) ?? false
            let role: Role
            if viewer.isAdministrator {
                role = .administrator
            } else if viewer.teaches.contains(school.name) {
                role = .teacher
            } else if viewer.coordinates.contains(school.name) {
                role = .coordinator
            } else if isInside {
                role = .student
            } else {
                return nil
            }
            func list(_ people: some Sequence<PersonID>) -> JSONValue { .array(people.sorted().map(member)) }
            let seesAll = role == .administrator || role == .teacher
            let covers = school.covers.filter { now < $0.value }.sorted { $0.key < $1.key }.map { person, until -> JSONValue in
                ["login": .string(person.login), "name": .string(name(of: person)), "until": .string(until.rfc3339)]
            }
            return [
                "name": .string(school.name), "role": .string(role.rawValue), "students": seesAll ? list(school.pupils) : .null,
                "studentCount": role == .student ? .null : .integer(Int64(school.pupils.count)),
                "teachers": list(school.teachers.subtracting(school.coteachers)), "coteachers": list(school.coteachers),
                "covers": .array(covers), "coordinators": seesAll ? list(school.coordinators) : [],
                "imported": .bool(known.imported.contains(school.name)),
                "assignments": .integer(Int64(ledger.goingOn(in: school.name))),
            ]
        }
        return ["classes": .array(classes)]
    }

    func name(of person: PersonID) -> String { known.names[person] ?? ledger.person(person)?.displayName ?? person.login }

    private func member(_ person: PersonID) -> JSONValue { ["login": .string(person.login), "name": .string(name(of: person))] }

    // MARK: Import

    private func importClasses(_ parameters: JSONObject, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        guard viewer.isAdministrator else { throw .permissionDenied }
        let source = parameters["source"]?.stringValue ?? ""
        guard !source.isEmpty, source.utf8.count <= 100, !source.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw .invalidParameter("source")
        }
        var list = client.importing ?? ClassList(source: source)
        for value in parameters["classes"]?.arrayValue ?? [] {
            guard let piece = ClassList.SchoolClass(json: value) else {
                client.importing = nil
                throw VarlinkError(
                    "org.daybook.Classroom.ImportRefused",
                    ["reason": .string("a class or login has a name that cannot be: \(value["name"]?.stringValue ?? "?")")])
            }
            list.add(piece)
        }
        guard list.classes.count <= ClassList.mostClasses, list.memberCount <= ClassList.mostMembers else {
            client.importing = nil
            throw VarlinkError(
                "org.daybook.Classroom.ImportRefused",
                ["reason": .string("more than \(ClassList.mostClasses) classes or \(ClassList.mostMembers) people in them")])
        }
        guard parameters["last"]?.boolValue ?? false else {
            client.importing = list
            return reply(client, id, ["result": .null])
        }
        client.importing = nil
        let isDryRun = parameters["dryRun"]?.boolValue ?? false
        if !isDryRun, let storageTrouble { throw storeFailing(storageTrouble, "org.daybook.Classroom") }
        guard accounts?.requests.put(.importClasses(list, dryRun: isDryRun, id: nextImport)) ?? false else {
            throw VarlinkError(
                "org.daybook.Classroom.ImportRefused", ["reason": .string("the directory service keeps too many questions waiting")])
        }
        imports[nextImport] = WaitingImport(client: client.client.id, call: id, viewer: viewer, isDryRun: isDryRun)
        nextImport += 1
    }

    func imported(_ outcome: ClassImport) {
        guard let waiting = imports.removeValue(forKey: outcome.id) else { return }
        let client = clients[waiting.client]
        if let reason = outcome.failure {
            log.error("class lists could not be kept", ["reason": .plain(reason)])
            if let client {
                fail(
                    client, waiting.call,
                    VarlinkError(
                        "org.daybook.Classroom.ImportRefused",
                        ["reason": .string("it could not be written (\(reason)); nothing was changed")]))
            }
            return
        }
        let people = outcome.list.people.count
        let result: JSONObject = [
            "classes": .integer(Int64(outcome.list.classes.count)), "people": .integer(Int64(people)),
            "added": .array(outcome.added.map { .string($0) }), "removed": .array(outcome.removed.map { .string($0) }),
            "withoutAccount": .array(outcome.withoutAccount.prefix(100).map { .string($0) }),
            "withoutAccountCount": .integer(Int64(outcome.withoutAccount.count)), "complete": .bool(!outcome.isIncomplete),
        ]
        let answer: JSONObject = ["result": .object(result)]
        if waiting.isDryRun {
            if let client { reply(client, waiting.call, answer) }
            return
        }
        let facts = ImportFacts(
            source: outcome.list.source, classes: outcome.list.classes.count, people: people,
            sha256: ClassListFile.digest(outcome.list), by: waiting.viewer.uid, byLogin: login(of: waiting.viewer))
        // Whoever asked may have left; the lists count all the same.
        guard let client else {
            submit([.imported(facts)])
            return
        }
        submit([.imported(facts)], for: client, waiting.call) { _ in answer }
    }
}
