// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import DaybookJSON
import Ledger

/// How far a student is: the figure that the assignment asks for, beside what it asks.
package struct Progress: Equatable, Sendable {
    package var target: Target
    /// Nil where nothing was measured yet, or the document has no such figure.
    package var value: Double?

    init(_ row: ClassReport.Row, to target: Target) {
        self.target = target
        value =
            target.identifier == AssignmentLimits.minutes
            ? row.figures?.active.map { $0.seconds / 60 } : row.figure(target.identifier)
    }

    /// Rounded down: 99 % never reads 100 %.
    package var percent: Int? { value.map { Int(min(1, max(0, $0 / target.value)) * 100) } }

    /// `312 of 500 words`.
    var text: String {
        let wanted = AssignmentDetail.targetText(target)
        guard let value else { return "\(wanted), nothing measured yet" }
        let digits = target.identifier == AssignmentLimits.minutes || ItemText.isWhole(value) ? 0 : 1
        return "\(ItemText.number(value, digits: digits)) of \(wanted)"
    }

    var json: JSONValue {
        [
            "identifier": .string(target.identifier), "value": orNull(value) { .number($0) }, "target": .number(target.value),
            "percent": orNull(percent) { .integer(Int64($0)) },
        ]
    }

    init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "progress")
        target = Target(identifier: try members.string("identifier"), value: try members.double("target"))
        value = try members.optional(members.double, "value")
    }
}
