// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON
package import Ledger

/// By what, when and by whom an assignment's rule was replaced, as reports carry it.
package struct RuleChangeLine: Equatable, Sendable {
    package var at: WallTime
    package var by: String
    /// The name of the rule before.
    package var before: String

    package init(_ recomputed: AssignmentRecord.Recomputed) {
        at = recomputed.at
        by = recomputed.change.byLogin
        before = recomputed.change.before.name
    }

    var json: JSONValue { ["at": at.json, "by": .string(by), "before": .string(before)] }

    init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "rule change")
        at = try members.time("at")
        by = try members.string("by")
        before = try members.string("before")
    }
}

/// What an assignment's rule was and is, as `Recompute` answers.
package struct RecomputedRule: Equatable, Sendable {
    package var assignment: AssignmentID
    package var title: String
    package var before: Rule
    package var rule: Rule

    package init(assignment: AssignmentID, title: String, before: Rule, rule: Rule) {
        self.assignment = assignment
        self.title = title
        self.before = before
        self.rule = rule
    }

    package var json: JSONObject {
        ["assignment": .string(assignment.text), "title": .string(title), "before": ruleJSON(before), "rule": ruleJSON(rule)]
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "recomputed rule")
        assignment = AssignmentID(text: try members.string("assignment"))
        title = try members.string("title")
        before = try Reports.rule(json: members["before"])
        rule = try Reports.rule(json: members["rule"])
    }

    /// For people: what it is now, and how to have the old one back.
    package func text(_ style: TextStyle) -> String {
        let sentences =
            before == rule
            ? "'\(title)' has the rule \(rule.name) already; nothing was changed."
            : "'\(title)' is computed by the rule \(rule.name) from now on, no longer by \(before.name). The evidence is the same; every figure "
                + "of this assignment follows the new rule, and its tables say so."
        return wrapped(style.shown(sentences), to: style.textWidth).map { $0 + "\n" }.joined()
    }
}

extension RuleChoice {
    /// As a call carries it.
    package var json: JSONValue {
        var object: JSONObject = ["base": .string(base.rawValue)]
        for (key, limit) in [
            ("idleContinuousSeconds", idleContinuous), ("idleSavesOnlySeconds", idleSavesOnly), ("atLeastSeconds", atLeast),
            ("atMostSeconds", atMost),
        ] {
            if let limit { object[key] = limit.json }
        }
        return .object(object)
    }

    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "rule")
        self.init(
            base: try members.choice("base", Base.self),
            idleContinuous: try members.optional(members.span, "idleContinuousSeconds"),
            idleSavesOnly: try members.optional(members.span, "idleSavesOnlySeconds"),
            atLeast: try members.optional(members.span, "atLeastSeconds"), atMost: try members.optional(members.span, "atMostSeconds"))
    }
}

enum RuleText {
    /// `Rule 2026-1.`, with what it stands for here or what was before where there is something to say.
    static func sentence(_ rule: Rule, instead own: String?, changed: RuleChangeLine?, _ times: TimeText) -> String {
        var text = "Rule \(rule.name)" + (own.map { " instead of this assignment's own, \($0)" } ?? "") + "."
        if own == nil, let changed { text += " Since \(times.day(of: changed.at)) by \(changed.by), before \(changed.before)." }
        return text
    }
}
