// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import DaybookJSON
import Ledger

/// What somebody wrote beside a session.
package struct SessionNote: Equatable, Sendable {
    package var at: WallTime
    package var by: String
    package var text: String
    /// Figures leave the session out from then on, or count it again; nil: only words.
    package var excludes: Bool?

    init(_ note: Note) {
        at = note.at
        by = note.facts.byLogin
        text = note.facts.text
        excludes = note.facts.excludes
    }

    var json: JSONValue {
        ["at": at.json, "by": .string(by), "text": .string(text), "excludes": orNull(excludes) { .bool($0) }]
    }

    init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "note")
        at = try members.time("at")
        by = try members.string("by")
        text = try members.string("text")
        excludes = members["excludes"]?.boolValue
    }
}
