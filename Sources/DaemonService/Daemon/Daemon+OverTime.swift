// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Ledger
import Reports

extension Daemon {
    /// Days tell of few people at a time, so they are for those alone who see the rows.
    func overTime(_ parameters: JSONObject, _ viewer: Viewer) throws(VarlinkError) -> JSONObject {
        let record = try assignment(named: parameters["assignment"]?.stringValue ?? "", viewer)
        guard viewer.maySeeTable(of: record.facts) else { throw .permissionDenied }
        let window = TimeWindow(from: try instant(parameters, "since"), to: try instant(parameters, "until"))
        let step = parameters["by"]?.stringValue.flatMap(AssignmentOverTime.Step.init(rawValue:)) ?? .day
        let rule = try askedRule(parameters, for: [record.id])[record.id]
        guard let report = AssignmentOverTime(of: record.id, in: ledger, now: moment, clock: clock, by: step, rule: rule, within: window)
        else { throw VarlinkError("org.daybook.Reports.NoSuchAssignment", ["name": .string(record.id.text), "candidates": []]) }
        looked(viewer, at: nil, record.id, "OverTime")
        return ["report": report.json]
    }
}
