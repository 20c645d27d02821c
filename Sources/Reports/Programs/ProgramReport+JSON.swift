// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Ledger

extension ProgramReport {
    /// Keys keep their names and their order once released.
    var json: JSONValue {
        [
            "app": .string(app), "executable": orNull(executable) { .string($0) }, "trusted": .bool(isTrusted),
            "context": orNull(context) { .array($0.map { .string($0) }) }, "title": orNull(title) { .string($0) },
            "document": orNull(document) { .string($0) }, "workedSeconds": worked.json, "progress": orNull(progress) { .number($0) },
            "attempts": .array(
                attempts.map { attempt in
                    [
                        "at": attempt.at.json, "seconds": attempt.duration.json, "progress": .number(attempt.progress),
                        "ended": orNull(attempt.stop) { .string($0.rawValue) },
                    ]
                }), "primary": orNull(primary, itemJSON), "items": .array(additional.map(itemJSON)), "running": .bool(isRunning),
            "last": last.json,
        ]
    }

    init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "program's report")
        app = try members.string("app")
        executable = try members.optional(members.string, "executable")
        isTrusted = try members.bool("trusted")
        context = try members.optional(members.strings, "context")
        title = try members.optional(members.string, "title")
        document = try members.optional(members.string, "document")
        attempts = try members.list("attempts") { value throws(MalformedReport) in
            let inner = try Members(value, of: "attempt")
            return Attempt(
                at: try inner.time("at"), duration: try inner.span("seconds"), progress: try inner.double("progress"),
                stop: inner["ended"] == nil ? nil : try inner.choice("ended", ReportFacts.Stop.self))
        }
        primary = try members["primary"].map { value throws(MalformedReport) in try item(json: value) }
        additional = try members.list("items", item(json:))
        isRunning = try members.bool("running")
        last = try members.time("last")
    }
}
