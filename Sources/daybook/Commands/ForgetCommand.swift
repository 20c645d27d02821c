// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink
import Glibc
import ProgramTexts

/// `daybook forget PERSON`
enum ForgetCommand {
    static let command = Command(
        "forget", "PERSON | --replay", summary: "empty every entry of a person; cannot be taken back",
        explanation: """
            Empties every entry of a person in the journal, with what repairs had set aside of them and what the server has in memory. The
            person is named by login or name, or as 'uid:login' where two accounts had the same login. Numbers and seals of the entries
            stay, so that 'daybook verify' still shows that nothing else was changed, and one new entry says how many were emptied and on
            whose order, not whose they were. Assignments set for several students stay, without this one. What the person did as a
            teacher or an administrator stays as well: it is about others.

            For administrators. Asks before it begins, unless --yes is given. Backups are not touched: they keep what they have until they
            are replaced. After one has been restored, --replay empties again what was forgotten since: by the file forgotten.list of the
            newest state directory there is, which belongs into the restored one before the server starts. It names nobody.
            """,
        options: [
            OptionSpec("yes", short: "y", "do not ask"),
            OptionSpec("in-class", "also somebody who is in a class now; what they do from now on is recorded anew"),
            OptionSpec("replay", "after a backup was restored: everybody who was forgotten before"),
            OptionSpec("dry-run", short: "n", "only say what would be forgotten"),
        ],
        run: run)

    /// A long journal takes its time, and nobody may believe that it has failed.
    private static let limit = Duration.seconds(3600)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        if invocation.arguments.has("replay") { return try replay(invocation) }
        try invocation.requireOperands(1...1, "the person's login, name or uid:login")
        let name = invocation.arguments.operands[0]
        let isDryRun = invocation.arguments.has("dry-run")
        let inClass = invocation.arguments.has("in-class")
        let found = try invocation.ask("org.daybook.Journal.Forget", ["person": .string(name), "dryRun": true])
        let classes = (found["classes"]?.arrayValue ?? []).compactMap(\.stringValue)
        if isDryRun, invocation.isJSON {
            invocation.output.line(terminalSafe(.object(found)))
            return .good
        }
        if !invocation.isJSON { invocation.output.write(plan(found, classes, invocation)) }
        if isDryRun { return .good }
        if !classes.isEmpty, !inClass {
            throw CommandFailure(
                "\(invocation.shown(name)) is in \(invocation.shown(classes.joined(separator: ", "))) now, so recording of them would begin anew at "
                    + "once; take them out of the class first, or give --in-class, with recording switched off for them if it is not to begin anew"
            )
        }
        if !invocation.arguments.has("yes") { try confirm(found, invocation) }
        let exact = "\(found["uid"]?.integerValue ?? 0):\(found["login"]?.stringValue ?? "")"
        let done = try wait("org.daybook.Journal.Forget", object(["person": .string(exact), "inClass": inClass ? true : nil]), invocation)
        if invocation.isJSON {
            invocation.output.line(terminalSafe(.object(done)))
        } else {
            let count = done["entries"]?.integerValue ?? 0
            if let pages = done["pages"]?.stringValue {
                invocation.output.line(invocation.shown("A published page may still show them: \(pages)"))
            }
            invocation.output.line(count == 1 ? "Done: 1 entry is emptied." : "Done: \(count) entries are emptied.")
            invocation.output.line("Backups still have them. After one is restored: daybook forget --replay.")
        }
        return done["pages"]?.stringValue == nil ? .good : .failed
    }

    private static func replay(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let done = try wait("org.daybook.Journal.ForgetAgain", [:], invocation)
        if invocation.isJSON {
            invocation.output.line(terminalSafe(.object(done)))
        } else {
            let count = done["entries"]?.integerValue ?? 0
            invocation.output.line(
                count == 0
                    ? "Nothing that was forgotten is there."
                    : "Done: \(count) \(count == 1 ? "entry that was" : "entries that were") forgotten before, \(count == 1 ? "is" : "are") emptied again."
            )
        }
        return .good
    }

    private static func wait(_ method: String, _ parameters: JSONObject, _ invocation: Invocation) throws -> JSONObject {
        let client = try invocation.connect()
        do {
            try client.start(method, parameters)
            guard let reply = try client.receive(within: limit) else {
                throw CommandFailure("the server goes on with it, but has not finished within an hour; look at its log")
            }
            return reply.parameters
        } catch let failure as DaemonClient.Failure {
            throw invocation.explain(failure)
        }
    }

    private static func plan(_ found: JSONObject, _ classes: [String], _ invocation: Invocation) -> String {
        func count(_ key: String, _ one: String, _ many: String) -> String {
            let number = found[key]?.integerValue ?? 0
            return "\(number) \(number == 1 ? one : many)"
        }
        let name = found["name"]?.stringValue ?? "?"
        let login = found["login"]?.stringValue ?? "?"
        return invocation.shown(
            "\(name) (login \(login), uid \(found["uid"]?.integerValue ?? 0)): \(count("sessions", "session", "sessions")) on "
                + "\(count("documents", "document", "documents")) in \(count("assignments", "assignment", "assignments")).") + "\n"
            + "All of it is taken out of the journal, with results and with who looked. This cannot be taken back.\n"
            + (classes.isEmpty ? "" : invocation.shown("In \(classes.joined(separator: ", ")) now.") + "\n")
    }

    private static func confirm(_ found: JSONObject, _ invocation: Invocation) throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1, !invocation.isJSON else {
            throw CommandFailure("this cannot be taken back, and nobody is here to ask: give --yes", code: .usage)
        }
        invocation.output.write("Type the login to go on: ")
        invocation.output.flush()
        guard readLine() == found["login"]?.stringValue else { throw CommandFailure("nothing was forgotten") }
    }
}
