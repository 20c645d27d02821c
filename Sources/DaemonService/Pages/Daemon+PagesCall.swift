// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import Ledger
import PageFiles
import Settings

extension Daemon {
    /// Where the caller's pages are; with `now` they are written first.
    func pages(_ parameters: JSONObject, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        guard parameters["now"]?.boolValue ?? false else { return reply(client, id, pagesReply(viewer)) }
        guard viewer.isAdministrator else { throw .permissionDenied }
        guard settings.pages.directory != nil, pages.isOpen else { return reply(client, id, pagesReply(viewer)) }
        pages.isPlanStale = true
        planPages()
        let number = client.client.id
        writeAtOnce(Set(pages.plan.steps.keys)) { [unowned self] _ in
            guard let client = clients[number] else { return }
            reply(client, id, pagesReply(self.viewer(of: client.client)))
        }
    }

    private func pagesReply(_ viewer: Viewer) -> JSONObject {
        guard let directory = settings.pages.directory else {
            return ["directory": .null, "intervalSeconds": .null, "trouble": .null, "waiting": 0, "people": 0, "pages": []]
        }
        var listed: [JSONValue] = []
        var people = 0
        let assignments = ledger.allAssignments.filter { viewer.maySeeTable(of: $0.facts) }
        for record in assignments {
            guard let path = path(of: .assignment(record.id), below: directory) else { continue }
            listed.append(
                page("assignment", record.facts.title, record.facts.className, path, made: pages.madeAt[.assignment(record.id)]))
        }
        if let own = viewer.person, let path = path(of: .person(own), below: directory) {
            let name = ledger.person(own)?.displayName ?? own.login
            listed.append(page("person", name, nil, path, made: pages.madeAt[.person(own)]))
        }
        if viewer.isAdministrator {
            people = pages.plan.steps.keys.count { if case .person = $0 { true } else { false } }
        }
        return [
            "directory": .string(directory), "intervalSeconds": .number(settings.pages.interval / .seconds(1)),
            "trouble": pagesTrouble.map { .string($0) } ?? .null, "waiting": .integer(Int64(pages.desk.waiting)),
            "people": .integer(Int64(people)), "pages": .array(listed),
        ]
    }

    private func path(of key: PageKey, below directory: String) -> String? {
        pages.plan.steps[key].map { steps in ([directory] + steps.map(\.name) + ["index.html"]).joined(separator: "/") }
    }

    private func page(_ kind: String, _ title: String, _ className: String?, _ path: String, made: WallTime?) -> JSONValue {
        [
            "kind": .string(kind), "title": .string(title), "class": className.map { .string($0) } ?? .null, "path": .string(path),
            "madeAt": made.map { .string($0.rfc3339) } ?? .null,
        ]
    }

    /// What keeps pages from being there, or from being new; names nobody.
    var pagesTrouble: String? {
        if let trouble = pages.trouble { return trouble.description }
        guard let first = pages.pageTroubles.values.map(\.description).min() else { return nil }
        return "\(pages.pageTroubles.count) out of date: \(first)"
    }

    var pagesStatus: ServerStatus.Pages? {
        settings.pages.directory.map { directory in
            ServerStatus.Pages(
                directory: directory, pages: pages.handed.count, waiting: pages.desk.waiting, published: pages.isOpen, reason: pagesTrouble)
        }
    }
}
