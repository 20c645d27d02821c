// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import Ledger
import Reports
import Settings

extension Daemon {
    /// Everything that is kept of somebody, for themself or for an administrator who hands it on.
    func export(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        guard call.more else { throw .expectedMore }
        let viewer = viewer(of: client.client)
        let person: PersonID
        if let name = call.parameters["person"]?.stringValue {
            let named = try self.person(named: name, viewer)
            // A teacher sees them in their class; what is kept of them elsewhere is not theirs.
            guard named == viewer.person || viewer.isAdministrator else { throw .permissionDenied }
            person = named
        } else if let own = viewer.person {
            person = own
        } else {
            throw noSuchPerson(String(viewer.uid), viewer)
        }
        if person != viewer.person { looked(viewer, at: person, nil, "Export") }
        let report =
            StudentReport(of: person, in: ledger, now: moment, clock: clock, withLooks: true)
            ?? StudentReport(nothingOf: person, name: known.names[person] ?? person.login, in: ledger, now: moment)
        let parts = StudentExport.parts(of: person, in: ledger)
        for (index, part) in parts.enumerated() {
            var answer: JSONObject = ["report": .null, "kept": .null, "parts": .array([.object(part)])]
            if index == 0 {
                answer["report"] = report.json
                answer["kept"] = .array(keptFor.map { .string($0) })
            }
            reply(client, id, answer, continues: index + 1 < parts.count)
        }
    }

    /// How long what is kept, in sentences.
    private var keptFor: [String] {
        let kept = settings.retention
        func span(_ duration: Duration) -> String {
            duration >= Settings.Retention.longest ? "for ever" : "\(duration.components.seconds / 86_400) days"
        }
        return [
            "Each session and piece of evidence: \(span(kept.evidence)) after the work on its assignment is over.",
            "Figures by day and document, and the last results: \(span(kept.totals)) after the same moment.",
            "Everything: \(span(kept.leavers)) after leaving every class.",
            "Who looked: \(span(kept.viewed)).",
            "Less where an administrator forgets the person before ('daybook forget').",
        ]
    }
}
