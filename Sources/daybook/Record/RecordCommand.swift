// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import Glibc
import Inference
import ProgramTexts
import Reports
import Settings

/// `daybook record DIR`: a trace of a live share, for a report of a wrong figure.
enum RecordCommand {
    static let command = Command(
        "record", "DIR", summary: "record a share's events as a trace, to send with a bug report",
        explanation: """
            Writes down what the kernel tells of a share until Ctrl-C, or for the time given, into the new folder DIR: events, who held
            which file, the names at the end. 'daybook replay' infers sessions from it. Only what the layouts name is recorded, no text and
            nothing that was typed. Names of people, folders and documents, logins and user numbers are replaced, the same one always by
            the same; endings, times and sizes stay. Afterwards it shows what is in it: look at the files before you hand them on. It needs
            no server, never writes below the share, and as root it also sees who holds files. The people whose work it shows must know.
            """,
        options: [
            OptionSpec("for", value: "TIME", "end by itself after this time, e.g. 10m"),
            OptionSpec("names", "keep the real names and numbers"),
            OptionSpec("share", value: "PATH", "which share, where the configuration has several"),
            OptionSpec("config", short: "c", value: "FILE", "the server's configuration, where it is not /etc/daybook/config.toml"),
        ],
        run: run)

    private static let timeRange = Duration.seconds(1) ... .seconds(86_400)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...1, "DIR, the folder to write to,")
        let arguments = invocation.arguments
        let limit = try limit(arguments.value("for"))
        let settings: Settings
        do {
            settings = try Settings.load(arguments.value("config") ?? Settings.defaultPath)
        } catch {
            throw CommandFailure(error.lines.joined(separator: "\n"))
        }
        let share = try share(arguments.value("share"), of: settings)
        guard let path = Checkup.realPath(share.path) else { throw CommandFailure("\(share.path): \(errnoText(errno))") }
        try Signals.block([SIGINT, SIGTERM, SIGHUP])
        let recorder: ShareRecorder
        do { recorder = try ShareRecorder(path: path, layouts: share.layouts) } catch {
            throw CommandFailure("\(share.path) cannot be watched: \(error)")
        }
        let shares = settings.shares.compactMap { Checkup.realPath($0.path) }
        let output = try OutputFolder.make(arguments.operands[0], outside: shares, watched: recorder.watched)
        if !invocation.isJSON {
            let end = limit.map { "for \(Rule.text($0)), or until Ctrl-C" } ?? "until Ctrl-C"
            invocation.output.message("recording \(invocation.shown(share.path)), \(count(recorder.folderCount, "folder")), \(end)")
        }
        let deadline = limit.map { Deadline(after: $0) }
        recorder.record { deadline?.hasPassed ?? false || isInterrupted() }

        let trace = recorder.trace
        var writer = TraceWriter(
            trace, share, rule: settings.rule, people: people(in: trace, share, settings), keepsNames: arguments.has("names"))
        let files = writer.files()
        for (name, bytes) in files { try output.write(name, bytes) }
        RecordSummary(trace, share, files: files.map { ($0.name, $0.bytes.count) }, writer: &writer, keepsNames: arguments.has("names"))
            .show(in: arguments.operands[0], invocation)
        return trace.trouble == nil ? .good : .failed
    }

    private static func limit(_ text: String?) throws(CommandFailure) -> Duration? {
        guard let text else { return nil }
        guard let limit = parseDuration(text), timeRange.contains(limit) else {
            throw .usage("--for needs a time from 1s to 24h, such as 10m, not '\(text)'")
        }
        return limit
    }

    private static func share(_ path: String?, of settings: Settings) throws(CommandFailure) -> Settings.Share {
        let names = settings.shares.map(\.path).joined(separator: ", ")
        if let path {
            guard let share = settings.shares.first(where: { $0.path == path || $0.path + "/" == path }) else {
                throw CommandFailure("no share '\(path)' is configured; there is \(names.isEmpty ? "none" : names)")
            }
            return share
        }
        guard settings.shares.count == 1, let share = settings.shares.first else {
            throw settings.shares.isEmpty
                ? CommandFailure("the configuration names no share, so there is nothing to record")
                : .usage("say which share with --share: \(names)")
        }
        return share
    }

    /// True once Ctrl-C was pressed, or the terminal went.
    private static func isInterrupted() -> Bool {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        var now = timespec()
        return sigtimedwait(&signals, nil, &now) > 0
    }

    /// Whom the live server would know by these numbers and folders.
    private static func people(in trace: RecordedTrace, _ share: Settings.Share, _ settings: Settings) -> [PersonID] {
        var found: [UInt32: PersonID] = [:]
        for person in settings.people { found[person.id.uid] = person.id }
        for uid in trace.uids where found[uid] == nil && NameMask.isPersonal(uid) {
            if case .found(let account) = Accounts.user(uid: uid) { found[uid] = PersonID(uid: uid, login: account.login) }
        }
        var logins = Set(found.values.map(\.login))
        for (path, isFolder) in trace.paths where !isFolder {
            guard let name = share.layouts.placement(ofDocument: path)?.person, logins.insert(name).inserted else { continue }
            if case .found(let account) = Accounts.user(named: name), NameMask.isPersonal(account.uid), found[account.uid] == nil {
                found[account.uid] = PersonID(uid: account.uid, login: account.login)
            }
        }
        let isShared = { (person: PersonID) in
            settings.identity.sharedAccounts.contains(.uid(person.uid)) || settings.identity.sharedAccounts.contains(.login(person.login))
        }
        // Only who occurs: the others are nobody's business.
        let folders = Set(trace.paths.flatMap { $0.path.components.map { escapedText($0) } })
        let uids = trace.uids
        return found.values.filter { !isShared($0) && (uids.contains($0.uid) || folders.contains($0.login)) }.sorted()
    }
}
