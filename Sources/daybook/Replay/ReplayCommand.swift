// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import ProgramTexts
import Settings

/// `daybook replay TRACE…`: recorded traces through the daemon's own inference.
enum ReplayCommand {
    static let command = Command(
        "replay", "TRACE …", summary: "what would be inferred from a recorded trace",
        explanation: """
            Reads recorded traces (a folder each) and shows the sessions that the server would infer from them, by the same code and the
            same clock rules. No server is needed, nothing is recorded, and no clock is read: the same trace always gives the same
            sessions. A session of confidence 'none' is a mere touch that no report counts.

            With --source inotify, a folder's events.jsonl is read; with --source fanotify its fanotify.jsonl, in which each event has its
            process, and what the server would ask of /proc is answered from procs.jsonl and holders.jsonl, never earlier than it could
            have been known. Whose a file is comes from fanotify.jsonl in either case, as the server would see it on the disk.
            """,
        options: [
            OptionSpec("config", short: "c", value: "FILE", "shares, layouts and limits; without it every file of the trace is a document"),
            OptionSpec("people", value: "FILE", "a JSON object from user number to login"),
            OptionSpec(
                "source", value: "KIND", words: ["inotify", "fanotify"],
                "the recorded kernel interface to use: inotify (the default) or fanotify"),
        ],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        let arguments = invocation.arguments
        guard !arguments.operands.isEmpty else { throw CommandFailure.usage("TRACE is missing: the folder of a recorded trace") }
        let asked = arguments.value("source") ?? "inotify"
        guard let source = Trace.Source(rawValue: asked) else {
            throw CommandFailure.usage("--source is inotify or fanotify, not '\(asked)'")
        }
        let settings = try layouts(fromConfig: arguments.value("config"))
        let directory = try people(arguments.value("people"))
        for folder in arguments.operands {
            let trace = try Trace(folder: folder, source: source)
            let rows = Replay(settings: settings, directory: directory).run(trace)
            for row in rows {
                invocation.output.line(invocation.isJSON ? terminalSafe(row.json) : invocation.shown(row.text))
            }
            if rows.isEmpty, !invocation.isJSON { invocation.output.line(invocation.shown("\(trace.name): no session")) }
        }
        return .good
    }

    /// The shares, their layouts and the rule. A trace has one tree; its share may be written as `.`.
    private static func layouts(fromConfig path: String?) throws -> Settings {
        guard let path else {
            var settings = Settings()
            settings.shares = [Settings.Share(path: ".", layouts: LayoutSet([try LayoutPattern("{document}")]))]
            return settings
        }
        do {
            let settings = try Settings.load(path, options: Settings.Options(allowRelativeShares: true))
            guard !settings.shares.isEmpty else { throw CommandFailure("\(path) configures no share, so nothing of a trace would count") }
            return settings
        } catch let problems as SettingsProblems {
            throw CommandFailure(problems.lines.joined(separator: "\n"))
        }
    }

    private static func people(_ path: String?) throws -> PeopleDirectory {
        guard let path else { return PeopleDirectory() }
        guard let object = try TraceFile(path).value().objectValue else {
            throw CommandFailure("\(path) is no JSON object of user numbers and logins, e.g. {\"2001\":\"alice\"}")
        }
        return PeopleDirectory(
            try object.members.map { key, value in
                guard let uid = UInt32(key), let login = value.stringValue else {
                    throw CommandFailure("\(path): '\(key)' does not lead from a user number to a login")
                }
                return PersonID(uid: uid, login: login)
            })
    }
}
