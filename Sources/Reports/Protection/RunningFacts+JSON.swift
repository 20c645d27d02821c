// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON

extension RunningFacts {
    /// As `Facts` answers.
    package var json: JSONValue {
        [
            "version": .string(version), "recording": orNull(recording) { .string($0.rawValue) },
            "recordsFromTheStart": .bool(recordsFromTheStart), "layouts": .array(layouts.map { .string($0) }),
            "shares": .integer(Int64(shares)), "classes": .integer(Int64(classes)),
            "administrators": .array(administrators.map { .string($0) }), "viewAs": .bool(viewAs), "logNames": .bool(logNames),
            "kept": [
                "evidenceSeconds": orNull(kept.evidence, \.json), "totalsSeconds": orNull(kept.totals, \.json),
                "leaversSeconds": orNull(kept.leavers, \.json), "viewedSeconds": orNull(kept.viewed, \.json),
            ], "rule": ruleJSON(rule), "pages": .bool(pages), "live": .bool(live), "onlySchool": .bool(onlySchool),
        ]
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "sheet of facts")
        let kept = try Members(members["kept"], of: "sheet of facts")
        let recording = members["recording"] == nil ? nil : try members.choice("recording", RecordingChange.State.self)
        self.init(
            version: try members.string("version"), recording: recording,
            recordsFromTheStart: try members.bool("recordsFromTheStart"), layouts: try members.strings("layouts"),
            shares: try members.int("shares"), classes: try members.int("classes"), administrators: try members.strings("administrators"),
            viewAs: try members.bool("viewAs"), logNames: try members.bool("logNames"),
            kept: Kept(
                evidence: try kept.optional(kept.span, "evidenceSeconds"), totals: try kept.optional(kept.span, "totalsSeconds"),
                leavers: try kept.optional(kept.span, "leaversSeconds"), viewed: try kept.optional(kept.span, "viewedSeconds")),
            rule: try Reports.rule(json: members["rule"]), pages: try members.bool("pages"),
            live: try members.bool("live"), onlySchool: try members.bool("onlySchool"))
    }
}
